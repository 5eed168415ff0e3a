"""The language server with the stub restorer in place of a model; started by tests as an editor would."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pythia_epidoc_lsp.server import create_server

if __name__ == "__main__":
    if "--version" in sys.argv:
        print("pythia-epidoc stub")
        sys.exit()
    # The model's process imports the stub by name.
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    create_server("stub_restorer:load").start_io()
