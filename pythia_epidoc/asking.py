"""What to ask about the lacunae of a document, in one go or one decision at a time.

Everything here is plain data, so that questions can be put together in one process and answered in
another. A course of asking is a generator: it yields queries and is sent their answers. So one model
call can serve many documents at once, and iterative restoration is no special case.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.written import context_after, context_before, words_of
from pythia_epidoc.restoration import REACH, Hypothesis, Query, Restorer, dress, in_sight, query_for
from pythia_epidoc.review.lines import fitted

Answers = dict[int, tuple[Hypothesis, ...]]
"""Number of a lacuna → its hypotheses, best first."""
Course = Generator[list[Query], list[tuple[Hypothesis, ...]], Answers]


@dataclass(frozen=True)
class Question:
    """A lacuna as the model needs to know it."""

    number: int
    query: Query
    edition: int
    begin: int
    """Where in the reading the text of the query begins: no long text is carried along with each lacuna."""
    first: int
    stop: int
    left: str
    right: str


@dataclass(frozen=True)
class Questions:
    """All that is asked about a document."""

    questions: tuple[Question, ...]
    forms: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.questions)


def questions_about(
    document: Document, lacunae: Iterable[Lacuna], *, plain: bool, fit_lines: bool = False
) -> Questions:
    """The questions to ask about these lacunae of a document; `fit_lines` asks only for what its line has
    room for, where that can be told."""
    editions = {id(edition): index for index, edition in enumerate(document.editions)}
    questions = tuple(
        Question(
            lacuna.number,
            _query(lacuna, fit_lines),
            editions[id(lacuna.edition)],
            in_sight(lacuna),
            lacuna.first,
            lacuna.stop,
            context_before(lacuna.edition.reading, document, lacuna.first),
            context_after(lacuna.edition.reading, document, lacuna.stop),
        )
        for lacuna in lacunae
    )
    return Questions(questions, words_of(document) if questions and not plain else ())


def _query(lacuna: Lacuna, fit_lines: bool) -> Query:
    query = query_for(lacuna, begin=in_sight(lacuna))
    return fitted(lacuna, query) if fit_lines else query


def course(questions: Questions, *, iterative: bool) -> Course:
    """How a document's questions are asked."""
    return _one_by_one(questions.questions) if iterative else _all_at_once(questions.questions)


def answer(
    questions: Questions,
    restorer: Restorer,
    *,
    top: int,
    beam: int,
    plain: bool,
    iterative: bool,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Answers:
    """Ask everything about one document; `progress` is told how many lacunae of how many are done."""
    if not questions.questions:
        return {}
    asking = course(questions, iterative=iterative)
    queries = next(asking)
    for turn in itertools.count():

        def report(done: int, decided: int = turn) -> None:
            progress(decided if iterative else done, len(questions))

        replies = restorer.hypotheses(queries, top=top, beam=beam, cancel=cancel, progress=report)
        try:
            queries = asking.send(replies)
        except StopIteration as finished:
            answers: Answers = finished.value
            break
    return dressed(questions, answers, restorer, plain=plain)


def dressed(questions: Questions, answers: Answers, restorer: Restorer, *, plain: bool) -> Answers:
    """The answers as the edition would write them."""
    return {
        question.number: dress(
            answers[question.number],
            question.left,
            question.right,
            questions.forms,
            restorer,
            plain_letters=plain,
        )
        for question in questions.questions
    }


def _all_at_once(questions: Sequence[Question]) -> Course:
    replies = yield [question.query for question in questions]
    return {question.number: reply for question, reply in zip(questions, replies, strict=True)}


def _one_by_one(questions: Sequence[Question]) -> Course:
    """The lacuna of which the model is surest is decided first; the next answers know of it."""
    answers: Answers = {}
    known: Answers = {}
    decided: list[tuple[Question, str]] = []
    open_questions = list(questions)
    while open_questions:
        stale = [question for question in open_questions if question.number not in known]
        if stale:
            replies = yield [_informed(question, decided) for question in stale]
            known.update((question.number, reply) for question, reply in zip(stale, replies, strict=True))
        surest = max(open_questions, key=lambda question: _confidence(known[question.number]))
        open_questions.remove(surest)
        answers[surest.number] = known.pop(surest.number)
        if answers[surest.number]:
            decided.append((surest, answers[surest.number][0].text))
            for question in open_questions:
                if _sees(question, surest):
                    known.pop(question.number, None)
    return answers


def _confidence(hypotheses: Sequence[Hypothesis]) -> float:
    return hypotheses[0].probability if hypotheses else -1.0


def _sees(question: Question, other: Question) -> bool:
    return (
        question.edition == other.edition
        and other.first <= question.stop + REACH
        and question.first <= other.stop + REACH
    )


def _informed(question: Question, decided: Iterable[tuple[Question, str]]) -> Query:
    """The query with what was decided in place of other lacunae."""
    query = question.query
    before, after = query.before, query.after
    near = [item for item in decided if item[0].edition == question.edition]
    # From the last to the first, so that what stands before keeps its place.
    for other, text in sorted(near, key=lambda item: -item[0].first):
        if question.begin < other.stop <= question.first:
            start, stop = max(0, other.first - question.begin), other.stop - question.begin
            before = before[:start] + text + before[stop:]
        elif other.first >= question.stop:
            start, stop = other.first - question.stop, other.stop - question.stop
            if start >= len(query.after):
                continue
            after = after[:start] + text + after[stop:]
    return replace(query, before=before, after=after)
