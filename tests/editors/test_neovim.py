"""Neovim as a second real client, headless."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from vscode_workbench import program

HERE = Path(__file__).parent
STUB = [sys.executable, str(HERE.parent / "lsp" / "stub_server.py")]


def test_neovim_hovers_completes_restores_and_strips(
    tmp_path: Path, repository: Path, samples_dir: Path
) -> None:
    neovim = program("nvim")
    decree = tmp_path / "decree.xml"
    shutil.copy(samples_dir / "decree.xml", decree)
    report = tmp_path / "report.json"
    environment = {
        **os.environ,
        "PYTHIA_REPORT": str(report),
        "PYTHIA_NEOVIM": str(repository / "editor-extensions" / "neovim"),
        "PYTHIA_SERVER": json.dumps(STUB),
        "PYTHIA_FILE": str(decree),
        "XDG_STATE_HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    script = str(HERE / "neovim_session.lua")
    command = [neovim, "--headless", "-n", "-u", "NONE", "-c", f"luafile {script}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=400)
    assert report.exists(), done.stderr
    seen = json.loads(report.read_text(encoding="utf-8"))
    assert "problem" not in seen, seen["problem"]
    assert "| 1 | **δήμωι** | 70 % |" in seen["hover"]
    assert seen["completions"][:2] == ["δήμωι", "δῆμος"]
    assert seen["jumped"]
    assert seen["shared"], "files of all folders share one server"
    assert decree.read_bytes() == (samples_dir / "decree.xml").read_bytes()
