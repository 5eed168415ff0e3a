"""Character and entity references: `&#x3b1;`, `&amp;`, and entities a document declares itself."""

from __future__ import annotations

import re

REFERENCE = re.compile(r"&(?:#[xX]([0-9A-Fa-f]{1,8})|#([0-9]{1,8})|([^\s&;<]+));")
_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def resolve_reference(match: re.Match[str], entities: dict[str, str] | None = None) -> str:
    """The character(s) a reference stands for; an unknown entity stands for nothing."""
    hexadecimal, decimal, name = match.groups()
    if name is not None:
        return _PREDEFINED.get(name) or (entities or {}).get(name, "")
    code = int(hexadecimal, 16) if hexadecimal is not None else int(decimal)
    return chr(code) if code < 0x110000 else ""
