"""The bytes of a file and the text they stand for, with positions in both.

Not for XML: this module knows only encodings, offsets, lines and columns.
"""

from __future__ import annotations

import bisect
import codecs
import contextlib
import re
import stat
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pythia_epidoc.errors import DocumentError

MAX_BYTES = 100_000_000
"""Larger files are refused: no edition is so long, and reading one would exhaust memory."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARATION = re.compile(rb"""^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']""")
_FAMILY = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "utf-16": "utf-16",
    "utf-16-le": "utf-16",
    "utf-16-be": "utf-16",
}


@dataclass(frozen=True, order=True)
class Position:
    """A place in a text as people count: lines and columns from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True)
class Source:
    """Decoded text that can be turned back into exactly the same bytes."""

    data: bytes
    text: str
    encoding: str
    bom: bytes = b""
    path: Path | None = None

    @classmethod
    def from_path(cls, path: Path | str) -> Source:
        if isinstance(path, str):
            path = Path(path)
        try:
            status = path.stat()
            if stat.S_ISDIR(status.st_mode):
                raise DocumentError("This is a folder, not a file; name the files in it.", path=path)
            if not stat.S_ISREG(status.st_mode):
                raise DocumentError("This is not a regular file; name a file of XML.", path=path)
            size = status.st_size
            if size > MAX_BYTES:
                raise DocumentError(
                    f"The file has {size / 1e6:.0f} MB; files over {MAX_BYTES / 1e6:.0f} MB are not read. "
                    "Split it into one file per text.",
                    path=path,
                )
            data = path.read_bytes()
        except FileNotFoundError:
            raise DocumentError("There is no such file; check the name.", path=path) from None
        except PermissionError:
            raise DocumentError(
                "No permission to read this file; change its mode or owner.", path=path
            ) from None
        except OSError as error:
            raise DocumentError(f"The file cannot be read: {error.strerror}.", path=path) from None
        return cls.from_bytes(data, path=path)

    @classmethod
    def from_text(cls, text: str, path: Path | str | None = None) -> Source:
        """Source of a text an editor holds in memory; its bytes are UTF-8."""
        data = text.encode("utf-8", "surrogatepass")
        return cls(data, text, "utf-8", path=None if path is None else Path(path))

    @classmethod
    def from_bytes(cls, data: bytes, path: Path | str | None = None) -> Source:
        if isinstance(path, str):
            path = Path(path)
        if not data or data.isspace():
            raise DocumentError("The file is empty.", path=path, line=1)
        bom, encoding = _detect(data, path)
        body = data[len(bom) :]
        text = _decode(body, encoding, path)
        nul = text.find("\0")
        if nul >= 0:
            line = text.count("\n", 0, nul) + 1
            raise DocumentError(
                "The file holds a NUL byte, which XML forbids: it is not a text file or was damaged.",
                path=path,
                line=line,
            )
        return cls(data, text, encoding, bom, path)

    @cached_property
    def line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", self.text))]

    def position(self, offset: int) -> Position:
        line = bisect.bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def offset(self, line: int, column: int = 1) -> int:
        """The offset of a 1-based line and column, kept inside the text."""
        starts = self.line_starts
        if line > len(starts):
            return len(self.text)
        return min(starts[line - 1] + column - 1, len(self.text))

    def encode(self, text: str) -> bytes:
        """Bytes of new text; letters the encoding lacks become character references."""
        return text.encode(self.encoding, "xmlcharrefreplace")

    def byte_offset(self, offset: int) -> int:
        return len(self.bom) + len(self.text[:offset].encode(self.encoding, "surrogatepass"))


def _detect(data: bytes, path: Path | None) -> tuple[bytes, str]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return bom, encoding
    if data.startswith(b"<\0"):
        return b"", "utf-16-le"
    if data.startswith(b"\0<"):
        return b"", "utf-16-be"
    declared = _DECLARATION.match(data[:400])
    if declared is None:
        return b"", "utf-8"
    name = declared.group(1).decode("ascii")
    try:
        encoding = codecs.lookup(name).name
    except LookupError:
        raise DocumentError(
            f"The file declares an unknown encoding, {name!r}; save it as UTF-8.", path=path, line=1
        ) from None
    if encoding.startswith("utf-16"):
        raise DocumentError(
            f"The file declares {name} but is not written in it; correct the XML declaration.",
            path=path,
            line=1,
        )
    return b"", encoding


def _decode(body: bytes, encoding: str, path: Path | None) -> str:
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise DocumentError(
            f"The bytes here are not {encoding.upper()}, which the file says or implies it is; "
            "correct the XML declaration or save the file as UTF-8.",
            path=path,
            line=line,
        ) from None
    except (LookupError, ValueError):
        raise DocumentError(
            f"The file declares the encoding {encoding!r}, which is not a text encoding; save it as UTF-8.",
            path=path,
            line=1,
        ) from None
    if encoding not in _FAMILY:
        _check_single_byte(body, text, encoding, path)
    return text


def _gives_back(text: str, encoding: str, body: bytes) -> bool:
    """True if every character is one byte, and the text gives these bytes again."""
    try:
        return len(text) == len(body) and text.encode(encoding) == body
    except UnicodeError:  # some encodings cannot even write what they read
        return False


def _check_single_byte(body: bytes, text: str, encoding: str, path: Path | None) -> None:
    """UTF-8 and UTF-16 are exact by construction; of the others only those with one byte per character."""
    if not _gives_back(text, encoding, body):
        raise DocumentError(
            f"The encoding {encoding} cannot be written back byte for byte; save the file as UTF-8.",
            path=path,
            line=1,
        )
    if body.isascii():
        return
    with contextlib.suppress(UnicodeDecodeError):
        body.decode("utf-8")
        raise DocumentError(
            f"The file declares {encoding} but is written in UTF-8; correct the XML declaration.",
            path=path,
            line=1,
        )
