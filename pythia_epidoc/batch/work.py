"""The work on one file of a collection, in whatever process: open it, and close it with the answers.

Everything that can be wrong with a file ends up in its result, so that no file stops a run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pythia_epidoc.asking import Answers, Course, Questions, course, dressed
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import write_atomically
from pythia_epidoc.errors import EditError, PythiaError
from pythia_epidoc.restoration import Hypothesis, ModelIdentity, Query, Restorer
from pythia_epidoc.restoring import Case, LacunaReport, RestoreOptions, close_case, open_case

RESTORED, UNCHANGED, FAILED = "restored", "unchanged", "failed"


@dataclass(frozen=True)
class FileResult:
    """What became of a file. `data` are the bytes to be written; None where nothing is left to write."""

    path: str
    """Relative to the collection."""
    state: str
    message: str = ""
    digest: str = ""
    lacunae: tuple[LacunaReport, ...] = ()
    data: bytes | None = None

    @property
    def restored(self) -> int:
        return sum(not report.note for report in self.lacunae)


def open_file(folder: Path, path: str, options: RestoreOptions) -> Case | FileResult:
    """Open a file of a collection; a result at once if it cannot be restored."""
    try:
        return open_case(Document.open_tei(folder / path), options)
    except PythiaError as error:
        return FileResult(path, FAILED, _sentence(error))
    except Exception as error:
        return FileResult(path, FAILED, f"This file brought out a fault of the program: {error!r}")


def close_file(
    case: Case, path: str, answers: Answers, model: ModelIdentity, options: RestoreOptions
) -> FileResult:
    """Write the answers back, in memory."""
    try:
        outcome = close_case(case, answers, model, options)
    except PythiaError as error:
        return FileResult(path, FAILED, _sentence(error))
    except Exception as error:
        return FileResult(path, FAILED, f"This file brought out a fault of the program: {error!r}")
    state = RESTORED if outcome.written else UNCHANGED
    digest = hashlib.sha256(case.document.source.data).hexdigest()
    return FileResult(path, state, digest=digest, lacunae=outcome.lacunae, data=outcome.data)


def write_file(result: FileResult, output: Path) -> None:
    """Put a result where it belongs in the mirrored tree."""
    if result.data is None:
        return
    target = output / result.path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EditError(f"The folder cannot be made: {error.strerror}.", path=target.parent) from None
    write_atomically(target, result.data)


def _sentence(error: PythiaError) -> str:
    place = f"line {error.line}: " if error.line is not None else ""
    return place + error.message


@dataclass
class Asked:
    """A file whose questions are being answered."""

    path: str
    questions: Questions
    course: Course
    queries: list[Query]

    @classmethod
    def begin(cls, path: str, questions: Questions, options: RestoreOptions) -> Asked:
        asking = course(questions, iterative=options.iterative)
        return cls(path, questions, asking, next(asking))

    def hear(
        self, replies: list[tuple[Hypothesis, ...]], restorer: Restorer, *, plain: bool
    ) -> Answers | None:
        """Take replies; the answers once all has been asked."""
        try:
            self.queries = self.course.send(replies)
        except StopIteration as finished:
            return dressed(self.questions, finished.value, restorer, plain=plain)
        return None


def ask_together(
    files: Sequence[Asked],
    restorer: Restorer,
    options: RestoreOptions,
    **watching: object,
) -> list[Answers | None]:
    """One model call for the present queries of many files; for each its answers, if complete."""
    queries = [query for file in files for query in file.queries]
    replies = restorer.hypotheses(queries, top=options.write.top, beam=options.beam, **watching)  # type: ignore[arg-type]
    answers: list[Answers | None] = []
    position = 0
    for file in files:
        count = len(file.queries)
        answers.append(file.hear(replies[position : position + count], restorer, plain=options.plain))
        position += count
    return answers
