"""A read-only dictionary of short strings that loads at once: sorted lines, searched in place.

Keys and values may not hold a tab or a newline. Not for anything that changes after it is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import zstandard

from pythia_epidoc.errors import ModelError

_MAGIC = b"pythia accents 2\n"
_MOST = 64_000_000


class Table:
    """Look up strings in sorted `key TAB value` lines."""

    def __init__(self, lines: bytes) -> None:
        self._lines = lines
        self.get = lru_cache(maxsize=65536)(self._find)

    @classmethod
    def of(cls, entries: Mapping[str, str]) -> Table:
        rows = sorted(f"{key}\t{value}\n".encode() for key, value in entries.items())
        return cls(b"".join(rows))

    def to_bytes(self) -> bytes:
        return _MAGIC + zstandard.compress(self._lines, 19)

    @classmethod
    def from_bytes(cls, data: bytes) -> Table:
        if not data.startswith(_MAGIC):
            raise ModelError("The accent tables of this checkpoint are foreign or from another version.")
        packed = data[len(_MAGIC) :]
        try:
            if zstandard.frame_content_size(packed) > _MOST:
                raise ModelError("The accent tables of this checkpoint are larger than any can be.")
            lines = zstandard.decompress(packed)
        except zstandard.ZstdError:
            raise ModelError("The accent tables of this checkpoint are damaged.") from None
        if lines and not lines.endswith(b"\n"):
            raise ModelError("The accent tables of this checkpoint are damaged.")
        return cls(lines)

    def count(self, prefix: str) -> int:
        """How many keys begin so."""
        return (b"\n" + self._lines).count(f"\n{prefix}".encode())

    def _find(self, key: str) -> str | None:
        """The value of a key, or None."""
        wanted = f"{key}\t".encode()
        low, high = 0, len(self._lines)
        while low < high:
            middle = self._lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._lines.index(b"\n", middle)
            if self._lines.startswith(wanted, middle):
                return self._lines[middle + len(wanted) : end].decode()
            if self._lines[middle:end] < wanted:
                low = end + 1
            else:
                high = middle
        return None
