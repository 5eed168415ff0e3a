;;; emacs_session.el --- Played by test_emacs.py in a batch Emacs -*- lexical-binding: t -*-
(package-initialize)
(add-to-list 'load-path (getenv "PYTHIA_EMACS"))
(require 'json)
(require 'pythia-epidoc)
(setq pythia-epidoc-command (append (json-parse-string (getenv "PYTHIA_SERVER") :array-type 'list) nil)
      eglot-sync-connect 120
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil
      project-find-functions nil)

(defun session-text () (buffer-substring-no-properties (point-min) (point-max)))

(defun session-wait (what condition)
  "Wait until CONDITION holds, else fail naming WHAT."
  (let ((tries 0))
    (while (not (funcall condition))
      (when (> (setq tries (1+ tries)) 2400) (error "%s did not happen" what))
      (accept-process-output nil 0.05))))

(find-file (getenv "PYTHIA_FILE"))
(nxml-mode)
(setq-local eglot-workspace-configuration (list :pythia pythia-epidoc-settings))
(apply #'eglot (eglot--guess-contact))
(let* ((server (eglot--current-server-or-lose))
       (before (session-text))
       report)
  (goto-char (point-min))
  (search-forward "τῶι <gap")
  (let ((hover (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams) :timeout 120))
        (found (jsonrpc-request server :textDocument/completion (eglot--TextDocumentPositionParams) :timeout 120)))
    (push (cons 'hover (plist-get (plist-get hover :contents) :value)) report)
    (push (cons 'first (plist-get (aref (plist-get found :items) 0) :label)) report))
  (let ((line (line-number-at-pos)))
    (pythia-epidoc-next-lacuna)
    (push (cons 'jumped (if (> (line-number-at-pos) line) t :json-false)) report))
  (pythia-epidoc-restore)
  (session-wait "restoring" (lambda () (string-match-p "<rdg" (session-text))))
  (pythia-epidoc-strip)
  (session-wait "stripping" (lambda () (string= before (session-text))))
  (save-buffer)
  (with-temp-file (getenv "PYTHIA_REPORT") (insert (json-encode report)))
  (eglot-shutdown server))
;;; emacs_session.el ends here
