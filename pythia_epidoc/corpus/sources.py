"""Where texts come from: folders and archives of XML.

Gives raw files one at a time; not for reading them, and not for I.PHI JSON: see `iphi`.
"""

from __future__ import annotations

import lzma
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pythia_epidoc.errors import CorpusError


@dataclass(frozen=True)
class RawFile:
    """An unread file: its identifier inside the corpus and its bytes.

    The identifier begins with the folder's name, as in an archive of that folder: the split hangs on it, and
    must be the same for both."""

    id: str
    data: bytes


def corpus_name(path: Path) -> str:
    """`somewhere/papyri.tar.xz` is the corpus `papyri`."""
    name = path.name if path.name not in ("", "..") else path.resolve().name
    for ending in (".tar.xz", ".tar.gz", ".tgz", ".tar", ".json"):
        name = name.removesuffix(ending)
    return name


def fingerprint(path: Path) -> str:
    """Changes when the input changes, so that a finished part is not built again."""
    if path.is_dir():
        files = sorted(path.rglob("*.xml"))
        newest = max((file.stat().st_mtime_ns for file in files), default=0)
        return f"{len(files)} files, newest {newest}"
    try:
        stat = path.stat()
    except FileNotFoundError:
        raise CorpusError("There is no such file or folder.", path=path) from None
    return f"{stat.st_size} bytes, {stat.st_mtime_ns}"


def raw_files(path: Path) -> Iterator[RawFile]:
    """Every XML file of a folder or archive, in a stable order."""
    if path.is_dir():
        for file in sorted(path.rglob("*.xml")):
            identifier = Path(corpus_name(path)) / file.relative_to(path).with_suffix("")
            yield RawFile(identifier.as_posix(), file.read_bytes())
        return
    try:
        with tarfile.open(path, "r:*") as archive:
            for member in archive:
                if not (member.isfile() and member.name.endswith(".xml")):
                    continue
                stream = archive.extractfile(member)
                if stream is not None:
                    yield RawFile(member.name.removesuffix(".xml"), stream.read())
    except (tarfile.TarError, lzma.LZMAError, EOFError):
        raise CorpusError(
            "The archive cannot be read; give a folder, a whole .tar.xz or an I.PHI .json file.", path=path
        ) from None
