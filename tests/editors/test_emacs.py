"""Emacs with Eglot as a third real client, in batch mode."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from vscode_workbench import program, unavailable

HERE = Path(__file__).parent
STUB = [sys.executable, str(HERE.parent / "lsp" / "stub_server.py")]


def test_emacs_hovers_completes_restores_and_strips(
    tmp_path: Path, repository: Path, samples_dir: Path
) -> None:
    emacs = program("emacs")
    check = [emacs, "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    if subprocess.run(check, capture_output=True).returncode != 0:
        unavailable("Emacs has no eglot: install Emacs 29 or the package elpa-eglot")
    decree = tmp_path / "decree.xml"
    shutil.copy(samples_dir / "decree.xml", decree)
    report = tmp_path / "report.json"
    environment = {
        **os.environ,
        "PYTHIA_REPORT": str(report),
        "PYTHIA_EMACS": str(repository / "editor-extensions" / "emacs"),
        "PYTHIA_SERVER": json.dumps(STUB),
        "PYTHIA_FILE": str(decree),
        "HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
    }
    command = [emacs, "--batch", "-l", str(HERE / "emacs_session.el")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=400)
    assert report.exists(), done.stderr
    seen = json.loads(report.read_text(encoding="utf-8"))
    assert "| 1 | **δήμωι** | 70 % |" in seen["hover"]
    assert seen["first"] == "δήμωι"
    assert seen["jumped"] is True
    assert seen["html"] is False, "HTML is left to its own server"
    assert decree.read_bytes() == (samples_dir / "decree.xml").read_bytes()
