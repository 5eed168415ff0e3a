"""The ledger of a batch: which files are done, and what was found, in one SQLite file.

A file is entered only after its output is safely on the disk, so a run that is killed at any moment
loses nothing: what is not in the ledger is done again, with the same result.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pythia_epidoc.batch.work import FAILED, FileResult
from pythia_epidoc.errors import ConfigError, EditError
from pythia_epidoc.restoration import Hypothesis
from pythia_epidoc.restoring import LacunaReport

FILE_NAME = "ledger.sqlite"
_NAMES = "surrogateescape"
"""How Python writes names of files that are not UTF-8."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, state TEXT NOT NULL, message TEXT NOT NULL, digest TEXT NOT NULL,
    size INTEGER NOT NULL, modified INTEGER NOT NULL, lacunae INTEGER NOT NULL, restored INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lacunae (
    path TEXT NOT NULL, number INTEGER NOT NULL, best REAL, report TEXT NOT NULL,
    PRIMARY KEY (path, number)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Stamp:
    """How a source file looked when it was read."""

    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        try:
            status = path.stat()
        except OSError:
            return cls(-1, -1)
        return cls(status.st_size, status.st_mtime_ns)


@dataclass(frozen=True)
class Totals:
    """Sums over the files entered so far."""

    files: int = 0
    failed: int = 0
    lacunae: int = 0
    restored: int = 0


class Ledger:
    """An open ledger; one run at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._explained():
            self._database = sqlite3.connect(path, timeout=1.0)
            self._database.text_factory = lambda text: text.decode("utf-8", _NAMES)
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_SCHEMA)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def run(self) -> dict[str, Any]:
        """What the run is: collection, settings, model; empty for a new ledger."""
        with self._explained():
            rows = self._database.execute("SELECT name, value FROM run").fetchall()
        return {name: json.loads(value) for name, value in rows}

    def begin(self, run: dict[str, Any]) -> None:
        with self._explained(), self._database:
            self._database.executemany(
                "INSERT OR REPLACE INTO run VALUES (?, ?)",
                [(name, json.dumps(value, sort_keys=True)) for name, value in run.items()],
            )

    def done(self) -> dict[str, Stamp]:
        """The files entered, with the look of their sources at that time; not those whose output is gone."""
        with self._explained():
            rows = self._database.execute("SELECT path, state, size, modified FROM files").fetchall()
        output = self.path.parent
        return {
            path: Stamp(size, modified)
            for path, state, size, modified in rows
            if state == FAILED or (output / path).is_file()
        }

    def enter(self, results: Iterable[tuple[FileResult, Stamp]]) -> None:
        """Enter files that are done, all or none."""
        with self._explained(), self._database:
            for result, stamp in results:
                path = result.path.encode("utf-8", _NAMES)
                self._database.execute("DELETE FROM lacunae WHERE path = CAST(? AS TEXT)", (path,))
                self._database.execute(
                    "INSERT OR REPLACE INTO files VALUES (CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, ?)",
                    (
                        path,
                        result.state,
                        result.message,
                        result.digest,
                        stamp.size,
                        stamp.modified,
                        len(result.lacunae),
                        result.restored,
                    ),
                )
                self._database.executemany(
                    "INSERT INTO lacunae VALUES (CAST(? AS TEXT), ?, ?, ?)",
                    [
                        (
                            path,
                            report.number,
                            _best(report),
                            json.dumps(asdict(report), ensure_ascii=False),
                        )
                        for report in result.lacunae
                    ],
                )

    def totals(self) -> Totals:
        with self._explained():
            row = self._database.execute(
                "SELECT COUNT(*), TOTAL(state = ?), TOTAL(lacunae), TOTAL(restored) FROM files", (FAILED,)
            ).fetchone()
        return Totals(*map(int, row))

    def files(self) -> Iterator[FileResult]:
        """Every file in order, without its lacunae."""
        query = "SELECT path, state, message, digest FROM files ORDER BY path"
        with self._explained():
            for path, state, message, digest in self._database.execute(query):
                yield FileResult(path, state, message, digest)

    def lacunae(self, *, surest_first: bool = False, limit: int = -1) -> Iterator[tuple[str, LacunaReport]]:
        """Every lacuna with its file, by file or by confidence."""
        order = "best IS NULL, best DESC, path, number" if surest_first else "path, number"
        query = f"SELECT path, report FROM lacunae ORDER BY {order} LIMIT ?"
        with self._explained():
            for path, report in self._database.execute(query, (limit,)):
                yield path, _report(json.loads(report))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise ConfigError("Another run is working in this folder.", path=self.path) from None
            if "full" in str(error) or "disk I/O" in str(error) or "readonly" in str(error):
                raise EditError(f"The ledger cannot be written: {error}.", path=self.path) from None
            if "unable to open" in str(error):
                raise EditError(
                    "The ledger cannot be opened here; is the folder writable?", path=self.path
                ) from None
            raise ConfigError(f"The ledger is damaged: {error}.", path=self.path) from None


def _best(report: LacunaReport) -> float | None:
    return report.hypotheses[0].probability if report.hypotheses else None


def _report(values: dict[str, Any]) -> LacunaReport:
    hypotheses = tuple(Hypothesis(**hypothesis) for hypothesis in values.pop("hypotheses"))
    return LacunaReport(**values, hypotheses=hypotheses)
