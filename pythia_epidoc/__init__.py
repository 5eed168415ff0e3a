"""Restoration of damaged ancient Greek texts inside EpiDoc XML.

    document = pythia_epidoc.open("decree.xml")
    document.restore()
    document.save()

Importing this costs nothing; each name is loaded when it is first used.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pythia_epidoc.api import OpenDocument, open
    from pythia_epidoc.epidoc.document import Document
    from pythia_epidoc.errors import PythiaError

# Some virtual machines advertise AMX but crash when it is used; oneDNN must be told before torch loads.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")

__version__ = "0.1.0"
__all__ = ["Document", "OpenDocument", "PythiaError", "__version__", "open"]

_HOMES = {
    "Document": "pythia_epidoc.epidoc.document",
    "OpenDocument": "pythia_epidoc.api",
    "PythiaError": "pythia_epidoc.errors",
    "open": "pythia_epidoc.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
