"""Edits: the only way this project changes a file.

An edit replaces `text[start:end]` of a source by new text. Edits are applied in one pass, every byte
outside them stays, and a file is replaced as a whole or not at all.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pythia_epidoc.epidoc.source import Source
from pythia_epidoc.errors import EditError


@dataclass(frozen=True, order=True)
class Edit:
    """Replace the characters `start:end` of the source by `text`."""

    start: int
    end: int
    text: str


def apply_edits(source: Source, edits: Iterable[Edit]) -> bytes:
    """The bytes of the source with these edits made; edits must not overlap.

    Insertions at the same place keep the order in which they are given.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    pieces = [source.bom]
    position = 0
    for edit in ordered:
        if edit.start < position or edit.end < edit.start or edit.end > len(source.text):
            place = source.position(max(0, min(edit.start, len(source.text))))
            raise EditError(
                "Two changes overlap here; nothing was changed.",
                path=source.path,
                line=place.line,
                column=place.column,
            )
        pieces.append(source.text[position : edit.start].encode(source.encoding, "surrogatepass"))
        pieces.append(source.encode(edit.text))
        position = edit.end
    pieces.append(source.text[position:].encode(source.encoding, "surrogatepass"))
    return b"".join(pieces)


def save(source: Source, edits: Iterable[Edit], to: Path | None = None) -> bytes:
    """Apply edits and write the result to `to`, or back to the source's own file.

    Writing back is refused if the file on disk is no longer the one that was read.
    """
    data = apply_edits(source, edits)
    if to is None:
        if source.path is None:
            raise EditError("This text has no file to be written to.")
        if _read(source.path) != source.data:
            raise EditError(
                "The file was changed by another program since it was read; nothing was written. Run again.",
                path=source.path,
            )
        if data == source.data:
            return data
    write_atomically(to or source.path, data)  # type: ignore[arg-type]
    return data


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise EditError(f"The file can no longer be read: {error.strerror}.", path=path) from None


def write_atomically(path: Path, data: bytes) -> None:
    """Put `data` in the file at `path` so that a crash leaves either the old bytes or the new."""
    target = Path(os.path.realpath(path))
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device (/dev/null), which is not to be replaced by a file
            return
        existing = target.stat() if target.exists() else None
        if existing is not None and not os.access(target, os.W_OK):
            raise PermissionError(13, "Permission denied")
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:50]}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise EditError(f"The file cannot be written: {error.strerror}.", path=path) from None
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if existing is not None:
            part.chmod(existing.st_mode & 0o7777)
            with contextlib.suppress(PermissionError, AttributeError):
                os.chown(part, existing.st_uid, existing.st_gid)
        else:
            part.chmod(0o666 & ~_umask())
        part.replace(target)
    except OSError as error:
        raise EditError(f"The file cannot be written: {error.strerror}.", path=path) from None
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
