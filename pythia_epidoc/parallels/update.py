"""Files → index: only what is new or changed is read; what is gone is removed.

Files are added in groups, each kept as a whole, so a run that is stopped or killed leaves an index that
can be searched, and the next run goes on where it was.
"""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from pythia_epidoc.collection import xml_files
from pythia_epidoc.corpus import formulary
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import DocumentError
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
    """What a run did; `unreadable` has one sentence for each file that cannot be read."""

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
    names = _named_files(arguments, known)
    gone = [file for path, file in known.items() if path not in names and _lies_in(path, arguments)]
    suspects = [path for path in names if not _is_untouched(path, known.get(path))]
    with index.transaction():
        for file in gone:
            index.remove(file)
    added = changed = 0
    done = len(names) - len(suspects)
    progress(done, len(names))
    jobs = [(path, names[path], known[path].digest if path in known else b"") for path in suspects]
    for group in _groups(_read_all(jobs, processes or os.cpu_count() or 1)):
        with index.transaction():
            for state, texts in group:
                old = known.get(state.path)
                if texts is None and old is not None:
                    index.touch(old, state.modified, state.checked)
                    continue
                if old is not None:
                    index.remove(old)
                    changed += 1
                else:
                    added += 1
                index.add(state, texts or ())
        done += len(group)
        progress(done, len(names))
    if len(gone) + added + changed > _UNTIDY * len(names):
        index.tidy()
    problems = [f"{file.path}: {file.problem}" for file in index.files().values() if file.problem]
    return Update(added, changed, len(gone), len(names) - added - changed, tuple(sorted(problems)))


def update_from_records(index: ParallelsIndex, records: Iterable[Record]) -> int:
    """Fill a new index with the records of a built corpus, without the formulary, which attests nothing;
    gives how many there were."""
    count = 0
    for group in _groups(record for record in records if record.corpus != formulary.NAME):
        with index.transaction():
            for record in group:
                index.add(FileState(record.key, record.key), [IndexedText.from_record(record)])
        count += len(group)
    index.tidy()
    return count


def _named_files(arguments: Sequence[str | Path], known: dict[str, IndexedFile]) -> dict[str, str]:
    """Absolute path of every file that is meant → what it is called in results."""
    names: dict[str, str] = {}
    for argument in arguments:
        root = Path(argument).absolute()
        try:
            files = xml_files([argument])
        except DocumentError:
            if root.is_dir() and any(_lies_in(path, [argument]) for path in known):
                continue  # all files of a folder that was indexed are gone
            raise
        for file in files:
            path = file.absolute()
            if not path.is_file():
                raise DocumentError("There is no such file or folder.", path=argument)
            inside = path.relative_to(root) if root.is_dir() else Path(path.name)
            names.setdefault(str(path), inside.with_suffix("").as_posix())
    return names


def _lies_in(path: str, arguments: Sequence[str | Path]) -> bool:
    roots = [Path(argument).absolute() for argument in arguments]
    return any(root == Path(path) or root in Path(path).parents for root in roots)


def _is_untouched(path: str, known: IndexedFile | None) -> bool:
    if known is None:
        return False
    stat = Path(path).stat()
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
