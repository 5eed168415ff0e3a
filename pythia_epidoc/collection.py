"""Which XML files a user means: files, folders and patterns, as given on the command line.

Not for reading them: see `epidoc.document`.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path

from pythia_epidoc.errors import DocumentError


def xml_files(arguments: Iterable[str | Path]) -> list[Path]:
    """Every file that is named, that lies in a named folder and ends in .xml, or that fits a pattern.

    Each file comes once. A file that does not exist is in the list, so that reading it tells; a folder or
    pattern without any file is an error here.
    """
    return list(dict.fromkeys(file for argument in arguments for file in xml_places(argument)))


def xml_places(argument: str | Path) -> dict[Path, Path]:
    """The files that one argument means, each with its place below the folder that the argument names."""
    path = Path(argument)
    if path.is_dir():
        return {file: file.relative_to(path) for file in _in_folder(path)}
    if path.exists() or not glob.has_magic(str(argument)):
        return {path: Path(path.name)}
    files = _fitting(str(argument))
    shared = Path(os.path.commonpath([file.parent for file in files]))
    return {file: file.relative_to(shared) for file in files}


def _in_folder(folder: Path) -> list[Path]:
    found = folder.rglob("*.[xX][mM][lL]")
    files = sorted(file for file in found if file.is_file() and not _is_hidden(file, folder))
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
