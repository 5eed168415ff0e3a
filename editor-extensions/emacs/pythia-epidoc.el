;;; pythia-epidoc.el --- Restore ancient Greek in EpiDoc XML -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts the Pythia EpiDoc language server through Eglot in XML buffers:
;;
;;   (require 'pythia-epidoc)
;;   (add-hook 'nxml-mode-hook #'pythia-epidoc-mode)
;;
;; The server answers only in TEI documents.

;;; Code:

(require 'eglot)

(defgroup pythia-epidoc nil
  "Restore ancient Greek in EpiDoc XML."
  :group 'languages)

(defcustom pythia-epidoc-command '("pythia-epidoc" "lsp")
  "The command that starts the language server."
  :type '(repeat string))

(defcustom pythia-epidoc-settings nil
  "Settings of the server as a property list, such as (:top 10 :accents t)."
  :type 'plist)

(add-to-list 'eglot-server-programs
             (cons '(nxml-mode xml-mode)
                   (lambda (&rest _) pythia-epidoc-command)))

(defun pythia-epidoc--execute (command)
  "Run the server's COMMAND on this buffer's document."
  ;; Eglot sends changes when Emacs is idle; the command must see them all.
  (eglot--signal-textDocument/didChange)
  (let ((argument (list :uri (eglot--path-to-uri buffer-file-name))))
    (eglot-execute-command (eglot--current-server-or-lose) command (vector argument))))

(defun pythia-epidoc-restore ()
  "Restore every lacuna of this document, as alternatives or as the settings say."
  (interactive)
  (pythia-epidoc--execute "pythia.server.restoreDocument"))

(defun pythia-epidoc-strip ()
  "Remove the machine suggestions from this document."
  (interactive)
  (pythia-epidoc--execute "pythia.server.strip"))

(defun pythia-epidoc-next-lacuna (&optional count)
  "Go to the next lacuna, or COUNT lacunae on."
  (interactive "p")
  (let ((case-fold-search nil))
    (when (re-search-forward "<\\(?:\\w+:\\)?\\(?:gap\\|supplied\\)\\_>" nil t (or count 1))
      (goto-char (match-beginning 0))
      (forward-char))))

(defun pythia-epidoc-previous-lacuna (&optional count)
  "Go to the previous lacuna, or COUNT lacunae back."
  (interactive "p")
  (pythia-epidoc-next-lacuna (- (or count 1))))

(defvar pythia-epidoc-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-p r") #'pythia-epidoc-restore)
    (define-key map (kbd "C-c C-p s") #'pythia-epidoc-strip)
    (define-key map (kbd "C-c C-p a") #'eglot-code-actions)
    (define-key map (kbd "C-c C-p n") #'pythia-epidoc-next-lacuna)
    (define-key map (kbd "C-c C-p p") #'pythia-epidoc-previous-lacuna)
    map)
  "Keys of `pythia-epidoc-mode'.")

;;;###autoload
(define-minor-mode pythia-epidoc-mode
  "Restore lacunae with the Pythia EpiDoc language server."
  :lighter " Pythia"
  (when pythia-epidoc-mode
    (setq-local eglot-workspace-configuration
                (list :pythia pythia-epidoc-settings))
    (eglot-ensure)))

(provide 'pythia-epidoc)
;;; pythia-epidoc.el ends here
