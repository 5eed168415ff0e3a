"""The command line with the stub restorer in the place of the model, for tests in a process of their own.

python tests/run_with_stub.py restore file.xml …
"""

from __future__ import annotations

import os
import sys
import time
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from stub_model import StubRestorer


class SlowRestorer(StubRestorer):
    """Takes the time that STUB_SECONDS says for every call."""

    def hypotheses(self, *arguments, **options):  # type: ignore[no-untyped-def]
        time.sleep(float(os.environ.get("STUB_SECONDS", "0")))
        return super().hypotheses(*arguments, **options)


def load_slow_stub(path: Path | None = None, device: str = "auto") -> SlowRestorer:
    return SlowRestorer()


def stub_module() -> types.ModuleType:
    """What `pythia_epidoc.model.restorer` looks like to the command line, without torch."""
    module = types.ModuleType("pythia_epidoc.model.restorer")
    module.load_restorer = load_slow_stub  # type: ignore[attr-defined]
    return module


if __name__ == "__main__":
    sys.modules["pythia_epidoc.model.restorer"] = stub_module()
    from pythia_epidoc.cli import main

    main()
