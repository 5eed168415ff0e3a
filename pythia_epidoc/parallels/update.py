"""Files → index: only what is new or changed is read; what is gone is removed.

Files are added in groups, each kept as a whole, so a run that is stopped or killed leaves an index that
can be searched, and the next run goes on where it was.
"""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from pythia_epidoc.collection import xml_files
from pythia_epidoc.corpus import formulary
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import CorpusError, DocumentError
from pythia_epidoc.parallels.index import FileState, IndexedFile, ParallelsIndex
from pythia_epidoc.parallels.texts import IndexedText

Progress = Callable[[int, int], None]
"""Told how many files are done, and of how many."""
_GROUP = 256
_CLOCK_STEP = 2_000_000_000
"""A file changed within this time (ns) of its reading may have changed again without a new time."""
_UNTIDY = 0.02
"""The share of changed files from which on merging the trigrams is worth its time."""


@dataclass(frozen=True)
class Update:
    """What a run did; `unreadable` has one sentence for each file named that cannot be read."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    unreadable: tuple[str, ...] = ()


def update(
    index: ParallelsIndex,
    arguments: Sequence[str | Path],
    *,
    processes: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Update:
    """Bring the index up to date with these files and folders; what it has from elsewhere stays."""
    known = index.files()
    names = named_files(arguments, known)
    roots = _roots(arguments)
    gone = [path for path in known if path not in names and _lies_in(path, roots)]
    elsewhere = _by_digest(file for path, file in known.items() if path not in names)
    suspects = [path for path in names if not _is_untouched(path, known.get(path))]
    with index.transaction():
        for path in gone:
            if file := index.file(path):
                index.remove(file)
    added = changed = moved = 0
    done = len(names) - len(suspects)
    progress(done, len(names))
    jobs = [(path, names[path], known[path].digest if path in known else b"") for path in suspects]
    for group in _groups(_read_all(jobs, processes or os.cpu_count() or 1)):
        with index.transaction():
            for state, texts in group:
                old = index.file(state.path)  # another run at the same time may have been here
                if old is not None and old.digest == state.digest:
                    index.touch(old, state.modified, state.checked)
                elif texts is not None:
                    if old is not None:
                        index.remove(old)
                    if state.path in known:
                        changed += 1
                    else:
                        added += 1
                        moved += _remove_moved(index, elsewhere[state.digest])
                    index.add(state, texts)
        done += len(group)
        progress(done, len(names))
    removed = len(gone) + moved
    if removed + added + changed > _UNTIDY * len(names):
        index.tidy()
    problems = [
        f"{path}: {file.problem}" for path, file in index.files().items() if file.problem and path in names
    ]
    return Update(added, changed, removed, len(names) - added - changed, tuple(sorted(problems)))


def _by_digest(files: Iterable[IndexedFile]) -> defaultdict[bytes, list[str]]:
    found: defaultdict[bytes, list[str]] = defaultdict(list)
    for file in files:
        found[file.digest].append(file.path)
    return found


def _remove_moved(index: ParallelsIndex, places: list[str]) -> bool:
    """Remove one of the files that had the same bytes and are no longer in their places: a folder that was
    renamed would otherwise be there twice."""
    for path in places:
        file = index.file(path)
        if file and not Path(path).exists():
            index.remove(file)
            places.remove(path)
            return True
    return False


def update_from_records(index: ParallelsIndex, records: Iterable[Record]) -> int:
    """Fill a new index with the records of a built corpus, without the formulary, which attests nothing;
    gives how many there were."""
    if index.files():
        raise CorpusError(
            "This index holds texts already: delete it, or name another with -o.", path=index.path
        )
    count = 0
    for group in _groups(record for record in records if record.corpus != formulary.NAME):
        with index.transaction():
            for record in group:
                index.add(FileState(record.key, record.key), [IndexedText.from_record(record)])
        count += len(group)
    index.tidy()
    return count


def named_files(arguments: Sequence[str | Path], known: Collection[str] = ()) -> dict[str, str]:
    """Path of every file that is meant → what it is called in results.

    Paths are absolute, without `..` and linked folders, so that a file has one, whatever it is named by.
    A link to a file is a file of its own: it may come and go.
    """
    names: dict[str, str] = {}
    folders: dict[Path, Path] = {}
    for argument in arguments:
        root = Path(argument)
        try:
            files = xml_files([argument])
        except DocumentError:
            roots = _roots([argument])
            if root.is_dir() and any(_lies_in(path, roots) for path in known):
                continue  # all files of a folder that was indexed are gone
            raise
        for file in files:
            if not file.is_file():
                raise DocumentError("There is no such file or folder.", path=argument)
            folder = file.parent
            if folder not in folders:
                folders[folder] = folder.resolve()
            inside = file.relative_to(root) if root.is_dir() else Path(file.name)
            names.setdefault(str(folders[folder] / file.name), inside.with_suffix("").as_posix())
    return names


def _roots(arguments: Sequence[str | Path]) -> set[Path]:
    """Where the files that are meant lie in an index: also in an old one, whose paths have links in them."""
    roots: set[Path] = set()
    for path in map(Path, arguments):
        roots.add(path.absolute())
        roots.add(path.resolve() if path.is_dir() else path.parent.resolve() / path.name)
    return roots


def _lies_in(path: str, roots: Set[Path]) -> bool:
    return not roots.isdisjoint((Path(path), *Path(path).parents))


def _is_untouched(path: str, known: IndexedFile | None) -> bool:
    if known is None:
        return False
    try:
        stat = Path(path).stat()
    except OSError:  # told when it is read
        return False
    same = (stat.st_size, stat.st_mtime_ns) == (known.size, known.modified)
    return same and stat.st_mtime_ns < known.checked - _CLOCK_STEP


_Job = tuple[str, str, bytes]
_Read = tuple[FileState, "list[IndexedText] | None"]


def _read_all(jobs: Sequence[_Job], processes: int) -> Iterator[_Read]:
    if processes == 1 or len(jobs) < _GROUP:
        yield from map(_read, jobs)
        return
    with get_context("spawn").Pool(processes, _leave_interrupts_to_parent) as pool:
        yield from pool.imap(_read, jobs, chunksize=16)


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _read(job: _Job) -> _Read:
    """The state of a file and its texts, or None in their place if its bytes are as before."""
    path, name, digest = job
    checked = time.time_ns()
    try:
        stat = Path(path).stat()
        data = Path(path).read_bytes()
    except OSError as error:
        return FileState(path, name, checked=checked, problem=f"Cannot be read: {error.strerror}."), []
    found = hashlib.blake2b(data, digest_size=16).digest()
    state = FileState(path, name, stat.st_size, stat.st_mtime_ns, checked, found)
    if found == digest:
        return state, None
    try:
        document = Document.from_bytes(data, path)
    except DocumentError as error:
        return replace(state, problem=error.message), []
    texts = [IndexedText.from_edition(number, edition) for number, edition in enumerate(document.editions, 1)]
    return state, [text for text in texts if text.signs]


_Item = TypeVar("_Item")


def _groups(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    group: list[_Item] = []
    for item in items:
        group.append(item)
        if len(group) == _GROUP:
            yield group
            group = []
    if group:
        yield group
