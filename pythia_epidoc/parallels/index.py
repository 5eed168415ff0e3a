"""The index: one SQLite file with the readings of a collection, cut into passages, and their trigrams.

    documents   a file, and how to see that it has changed
    texts       an edition of it: states, lines, words as written
    passages    at most PASSAGE signs of a text, and OVERLAP more that the next passage has too
    trigrams    FTS5 over the signs of the passages: which passages have these three letters

Not for filling it from files (see `update`), nor for finding anything in it (see `search`).
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pythia_epidoc.errors import CorpusError
from pythia_epidoc.parallels.texts import IndexedText

PASSAGE = 512
OVERLAP = 64
"""A match that begins in a passage has this many signs in it, so one row decides whether it is looked at."""
FORMAT = 2
_AT_ONCE = 500
"""Texts asked about in one statement: SQLite allows only so many parameters."""
_PATIENCE = 60.0
"""Seconds to wait while another run writes."""
_FILE = "id, path, size, modified, checked, digest, problem"
_APPLICATION = 0x50595448  # "PYTH": tells the file from other SQLite files

_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, name TEXT NOT NULL,
    size INTEGER NOT NULL, modified INTEGER NOT NULL, checked INTEGER NOT NULL, digest BLOB NOT NULL,
    problem TEXT NOT NULL
);
CREATE TABLE texts (
    id INTEGER PRIMARY KEY, document INTEGER NOT NULL, number INTEGER NOT NULL, packed BLOB NOT NULL
);
CREATE INDEX texts_of_document ON texts (document, number);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, text INTEGER NOT NULL, start INTEGER NOT NULL,
    signs TEXT NOT NULL, division BLOB NOT NULL
);
CREATE INDEX passages_of_text ON passages (text, start);
CREATE VIRTUAL TABLE trigrams USING fts5 (
    signs, content='passages', content_rowid='id', detail='none', columnsize=0,
    tokenize='trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE trigram_rows USING fts5vocab (trigrams, row);
CREATE TABLE frequencies (trigram TEXT PRIMARY KEY, passages INTEGER NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class IndexedFile:
    """A file as the index knows it."""

    id: int
    path: str
    size: int
    modified: int
    checked: int
    digest: bytes
    problem: str


@dataclass(frozen=True)
class FileState:
    """What to keep of a file beside its texts; times in nanoseconds."""

    path: str
    name: str
    size: int = 0
    modified: int = 0
    checked: int = 0
    digest: bytes = b""
    problem: str = ""


class Passage(NamedTuple):
    """A row of the index; `start` is where its first sign stands in the text."""

    id: int
    text: int
    start: int
    signs: str


@dataclass(frozen=True)
class Place:
    """Which text of which file."""

    path: str
    name: str
    number: int
    editions: int

    @property
    def document(self) -> str:
        return self.name if self.editions == 1 else f"{self.name}#{self.number}"


class ParallelsIndex:
    """An open index. Changes are kept when a `with index.transaction():` block ends, all or none."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        if not create and not path.is_file():
            raise CorpusError(
                "There is no such index; make one with `pythia-epidoc parallels index`.", path=path
            )
        if create:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise CorpusError(f"The index cannot be written: {error.strerror}.", path=path) from None
        with self.failures_told():
            self._db = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            # The default cache of 2 MB would be read anew for every query.
            self._db.execute("PRAGMA cache_size = -65536")
            self._db.execute("PRAGMA mmap_size = 1073741824")
            if create and not self._has_tables():
                self._make()
            self._check()

    def _has_tables(self) -> bool:
        return bool(self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])

    def _make(self) -> None:
        """Make the tables, unless another run was faster; one that was killed may leave an empty file."""
        with self.transaction():
            if not self._has_tables():
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)

    def _check(self) -> None:
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION:
            raise CorpusError(_FOREIGN, path=self.path)
        if version != FORMAT:
            raise CorpusError(
                "This index was made by another version; delete it and index again.", path=self.path
            )

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> ParallelsIndex:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.close()
        if isinstance(error, sqlite3.Error):
            raise CorpusError(_in_words(error), path=self.path) from None

    @contextlib.contextmanager
    def failures_told(self) -> Iterator[None]:
        """Within this, what SQLite cannot do becomes a sentence."""
        try:
            yield
        except sqlite3.Error as error:
            raise CorpusError(_in_words(error), path=self.path) from None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # a full disk may have ended it already
                self._db.execute("ROLLBACK")
            raise

    # -- files ------------------------------------------------------------------------------------

    def files(self) -> dict[str, IndexedFile]:
        """Every file in the index, by path."""
        rows = self._db.execute(f"SELECT {_FILE} FROM documents")
        return {row[1]: IndexedFile(*row) for row in rows}

    def file(self, path: str) -> IndexedFile | None:
        row = self._db.execute(f"SELECT {_FILE} FROM documents WHERE path = ?", (path,)).fetchone()
        return IndexedFile(*row) if row else None

    def add(self, state: FileState, texts: Iterable[IndexedText]) -> None:
        """Add a file that is not in the index."""
        document = self._db.execute(
            "INSERT INTO documents (path, name, size, modified, checked, digest, problem) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            astuple(state),
        ).lastrowid
        for text in texts:
            number = self._db.execute(
                "INSERT INTO texts (document, number, packed) VALUES (?, ?, ?)",
                (document, text.number, text.pack()),
            ).lastrowid
            for start in range(0, max(1, len(text)), PASSAGE):
                signs = text.signs[start : start + PASSAGE + OVERLAP]
                division = text.division[start : start + PASSAGE]
                row = self._db.execute(
                    "INSERT INTO passages (text, start, signs, division) VALUES (?, ?, ?, ?)",
                    (number, start, signs, _pack_flags(division)),
                ).lastrowid
                self._db.execute("INSERT INTO trigrams (rowid, signs) VALUES (?, ?)", (row, signs))

    def touch(self, file: IndexedFile, modified: int, checked: int) -> None:
        """The file was looked at and has the same bytes."""
        self._db.execute(
            "UPDATE documents SET modified = ?, checked = ? WHERE id = ?", (modified, checked, file.id)
        )

    def remove(self, file: IndexedFile) -> None:
        texts = [row[0] for row in self._db.execute("SELECT id FROM texts WHERE document = ?", (file.id,))]
        for text in texts:
            passages = self._db.execute("SELECT id, signs FROM passages WHERE text = ?", (text,)).fetchall()
            self._db.executemany(
                "INSERT INTO trigrams (trigrams, rowid, signs) VALUES ('delete', ?, ?)", passages
            )
            self._db.execute("DELETE FROM passages WHERE text = ?", (text,))
        self._db.execute("DELETE FROM texts WHERE document = ?", (file.id,))
        self._db.execute("DELETE FROM documents WHERE id = ?", (file.id,))

    def tidy(self) -> None:
        """Merge the trigrams into one tree, and note how frequent each is."""
        with self.transaction():
            self._db.execute("INSERT INTO trigrams (trigrams) VALUES ('optimize')")
            self._db.execute("DELETE FROM frequencies")
            self._db.execute("INSERT INTO frequencies SELECT term, doc FROM trigram_rows")
        self._db.execute("VACUUM")
        vars(self).pop("frequencies", None)

    # -- texts ------------------------------------------------------------------------------------

    @cached_property
    def frequencies(self) -> dict[str, int]:
        """About how many passages have each trigram: those that had any when the index was last tidied."""
        return dict(self._db.execute("SELECT trigram, passages FROM frequencies").fetchall())

    def passage_count(self) -> int:
        """About how many passages there are; at least one."""
        (last,) = self._db.execute("SELECT max(id) FROM passages").fetchone()
        return int(last or 1)

    def passages_with(self, expression: str, runs: Sequence[str]) -> Iterator[Passage]:
        """The passages that an FTS5 expression finds and that have each of these runs of signs."""
        has_runs = "".join(" AND instr(passages.signs, ?)" for _ in runs)
        rows = self._db.execute(
            "SELECT passages.id, text, start, passages.signs FROM trigrams "
            "CROSS JOIN passages ON passages.id = trigrams.rowid "
            f"WHERE trigrams MATCH ?{has_runs}",
            (expression, *runs),
        )
        return map(Passage._make, rows)

    def all_passages(self) -> Iterator[Passage]:
        """Every passage, by file and place."""
        rows = self._db.execute(
            "SELECT passages.id, text, start, signs FROM documents "
            "CROSS JOIN texts ON document = documents.id CROSS JOIN passages ON text = texts.id "
            "ORDER BY path, number, start"
        )
        return map(Passage._make, rows)

    def signs_with_division(self) -> Iterator[tuple[int, str, bytes]]:
        """For every text, by file and place, its id, signs and division."""
        rows = self._db.execute(
            "SELECT text, start, signs, division FROM documents "
            "CROSS JOIN texts ON document = documents.id CROSS JOIN passages ON text = texts.id "
            "ORDER BY path, number, start"
        )
        signs, division, current = "", b"", -1
        for text, start, more, flags in rows:
            if text != current:
                if current >= 0:
                    yield current, signs, division
                signs, division, current = "", b"", text
            signs = signs[:start] + more
            division += _unpack_flags(flags, min(PASSAGE, len(more)))
        if current >= 0:
            yield current, signs, division

    def following(self, passage: Passage, length: int) -> str:
        """The passage's signs, and as many more of its text as make `length`."""
        signs = passage.signs
        if len(signs) < PASSAGE + OVERLAP or len(signs) >= length:
            return signs
        rows = self._db.execute(
            "SELECT start, signs FROM passages WHERE text = ? AND start > ? AND start < ? ORDER BY start",
            (passage.text, passage.start, passage.start + length),
        )
        for start, more in rows:
            signs = signs[: start - passage.start] + more
        return signs

    def texts_of(self, path: Path) -> list[int]:
        """The texts of a file."""
        rows = self._db.execute(
            "SELECT texts.id FROM documents JOIN texts ON document = documents.id WHERE path = ?",
            (str(path.resolve()),),
        )
        return [row[0] for row in rows]

    def order(self, texts: Iterable[int]) -> dict[int, tuple[str, int]]:
        """For each text what to sort it by: its file, and its number in it."""
        wanted = list(texts)
        found: dict[int, tuple[str, int]] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            rows = self._db.execute(
                "SELECT texts.id, path, number FROM texts JOIN documents ON documents.id = document "
                f"WHERE texts.id IN ({','.join('?' * len(some))})",
                some,
            )
            found.update((text, (path, number)) for text, path, number in rows)
        return found

    def place(self, text: int) -> Place:
        row = self._db.execute(
            "SELECT path, name, number, (SELECT count(*) FROM texts AS all_texts "
            "WHERE all_texts.document = documents.id) "
            "FROM texts JOIN documents ON documents.id = document WHERE texts.id = ?",
            (text,),
        ).fetchone()
        return Place(*row)

    def text(self, text: int) -> IndexedText:
        number, packed = self._db.execute("SELECT number, packed FROM texts WHERE id = ?", (text,)).fetchone()
        rows = self._db.execute(
            "SELECT start, signs, division FROM passages WHERE text = ? ORDER BY start", (text,)
        )
        signs, division = "", b""
        for start, more, flags in rows:
            signs = signs[:start] + more
            division += _unpack_flags(flags, min(PASSAGE, len(more)))
        return IndexedText.unpack(number, signs, division, packed)


def _in_words(error: sqlite3.Error) -> str:
    """What went wrong, and what to do. Codes of errors are known only from Python 3.11 on."""
    reason = str(error)
    for part, sentence in _FAILURES.items():
        if part in reason:
            return sentence
    return f"The index cannot be used: {reason}."


_FOREIGN = "This is not an index of parallels: choose another name."
_FAILURES = {
    "not a database": _FOREIGN,
    "malformed": "The index is damaged; delete it and index again.",
    "locked": "Another run is writing this index; wait until it is done, and try again.",
    "readonly": "The index is write-protected: change that, or make another with -o.",
    "unable to open": "The index cannot be opened: its name must be that of a file, in a folder of yours.",
    "full": "The disk is full; make room and run it again: what was done is kept.",
    "disk I/O": "The disk cannot be written or read; make room or check it, and run it again: what was done "
    "is kept.",
}


def _pack_flags(flags: bytes) -> bytes:
    """Eight flags a byte."""
    padded = flags + bytes(-len(flags) % 8)
    return int("1" + padded.translate(_DIGITS).decode(), 2).to_bytes(len(padded) // 8 + 1, "big")[1:]


def _unpack_flags(packed: bytes, count: int) -> bytes:
    bits = f"{int.from_bytes(packed, 'big'):0{8 * len(packed)}b}" if packed else ""
    return bits[:count].encode().translate(_FLAGS)


_DIGITS = bytes.maketrans(b"\0\1", b"01")
_FLAGS = bytes.maketrans(b"01", b"\0\1")
