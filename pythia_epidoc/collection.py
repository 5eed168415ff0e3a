"""Which XML files a user means: files, folders and patterns, as given on the command line.

Not for reading them: see `epidoc.document`.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable
from pathlib import Path

from pythia_epidoc.errors import DocumentError


def xml_files(arguments: Iterable[str | Path]) -> list[Path]:
    """Every file that is named, that lies in a named folder and ends in .xml, or that fits a pattern.

    Each file comes once. A file that does not exist is in the list, so that reading it tells; a folder or
    pattern without any file is an error here.
    """
    found: dict[Path, None] = {}
    for argument in arguments:
        path = Path(argument)
        if path.is_dir():
            found.update(dict.fromkeys(_in_folder(path)))
        elif path.exists() or not glob.has_magic(str(argument)):
            found[path] = None
        else:
            found.update(dict.fromkeys(_fitting(str(argument))))
    return list(found)


def _in_folder(folder: Path) -> list[Path]:
    files = sorted(file for file in folder.rglob("*.xml") if file.is_file() and not _is_hidden(file, folder))
    if not files:
        raise DocumentError(
            "There is no .xml file in this folder; name the one with your editions.", path=folder
        )
    return files


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def _fitting(pattern: str) -> list[Path]:
    files: list[Path] = []
    for name in sorted(glob.glob(pattern, recursive=True)):  # noqa: PTH207 (Path.glob refuses absolute patterns)
        path = Path(name)
        files += _in_folder(path) if path.is_dir() else [path]
    if not files:
        raise DocumentError("No file fits this pattern; check it, and quote it.", path=pattern)
    return files
