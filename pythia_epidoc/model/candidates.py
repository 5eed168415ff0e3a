"""Candidates for tasks: from the beam, the counts or known words, or proposed by others; judged by the
network, by the counts, and by the words they make.

Not for probabilities or ranking across lengths: see `restorer`.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import chain, groupby

import torch

from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.beam import Read, beam_search
from pythia_epidoc.model.cores import beside, leaving_a_core, parts_for_cores, shared_out
from pythia_epidoc.model.count_search import promising, proposed
from pythia_epidoc.model.counts import encode
from pythia_epidoc.model.expectations import Beginnings, Expectations
from pythia_epidoc.model.local_counts import CountModel, LocalCounts
from pythia_epidoc.model.network import Pythia
from pythia_epidoc.model.tasks import Task, encode_tasks
from pythia_epidoc.model.word_judge import FITS, Surroundings, WordJudge
from pythia_epidoc.model.word_search import suggested
from pythia_epidoc.restoration import check_cancelled

_CHUNK = 32
"""Tasks searched together, at most: bounds memory, whatever the number of lacunae."""
_LEAST_CHUNK = 4
"""Fewer are not shared out among cores."""
_SHARED_WIDTH = 2
"""A query of many lengths gets so many times the beam for all of them together …"""
_LEAST_WIDTH = 8
"""… but each length at least this."""
_SHORT = 80
"""So many of the candidates that network and counts like best, but no more than the beam is wide, are judged
by their words …"""
_FAR_BEHIND = 20.0
"""… if they are not so far behind the best of them. The others are given up, …"""
_SUGGESTED = 3
"""… but for those that known words suggest, one for so many of the beam."""


@dataclass(frozen=True)
class Weights:
    """How much each has to say; fitted on validation data."""

    network: float = 1.0
    counts: float = 0.5
    words: float = 0.0
    beside: float = 0.0
    made: float = 0.0
    unknown: float = 0.0


@dataclass(frozen=True)
class Candidate:
    """A text for a task with what network and counts think of it (log-probabilities), and what is to be said
    of its words (see `word_judge.FITS`)."""

    text: str
    network: float
    counts: float
    words: float = 0.0
    beside: float = 0.0
    made: float = 0.0
    unknown: float = 0.0
    least: float = 0.0
    left: float = 0.0
    often: float = 0.0
    shortest: float = 0.0
    recurring: float = 0.0
    unseen: float = 0.0

    def score(self, weights: Weights) -> float:
        return (
            weights.network * self.network
            + weights.counts * self.counts
            + weights.words * self.words
            + weights.beside * self.beside
            + weights.made * self.made
            + weights.unknown * self.unknown
        )


@dataclass(frozen=True)
class Searched:
    """What was found for a query."""

    answers: Sequence[tuple[Task, Sequence[Candidate]]]
    """Candidates of each length that was searched, if there are any."""
    lengths: Mapping[int, float]
    """log p of each length that is possible."""

    @property
    def texts(self) -> list[str]:
        """Of all candidates, one after another."""
        return [candidate.text for _, candidates in self.answers for candidate in candidates]


@dataclass(frozen=True, eq=False)
class Judges:
    """Who proposes and judges candidates; any of them may be missing."""

    network: Pythia | None
    vocabulary: Vocabulary
    counts: CountModel | None
    words: WordJudge | None = None


def search(
    tasks: Sequence[Task],
    judges: Judges,
    weights: Weights,
    beam: int,
    cancel: threading.Event | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[list[Candidate]]:
    """Candidates of each task, best first; `progress` is told how many tasks are done."""
    results: list[list[Candidate]] = [[] for _ in tasks]
    widths = _widths(tasks, beam)
    chunks = list(_chunks(tasks, widths))

    def work(chosen: Sequence[int], aside: Executor | None) -> list[list[Candidate]]:
        chunk = [tasks[number] for number in chosen]
        return _found(chunk, judges, weights, widths[chosen[0]], cancel, aside)

    done = 0
    for chosen, found in zip(chunks, shared_out(work, chunks), strict=True):
        for number, candidates in zip(chosen, found, strict=True):
            results[number] = candidates
        done += len(chosen)
        if progress is not None:
            progress(done)
    return results


def _found(
    tasks: Sequence[Task],
    judges: Judges,
    weights: Weights,
    width: int,
    cancel: threading.Event | None,
    aside: Executor | None,
) -> list[list[Candidate]]:
    """Candidates of tasks that are worked on together; with `aside` the counts work beside the networks."""
    check_cancelled(cancel)
    network, words = judges.network, judges.words

    def read_words() -> tuple[Surroundings | None, list[list[str]]]:
        around = words.surroundings(tasks) if words is not None else None
        return around, _suggestions(tasks, words, around, width)

    counting = beside(aside, lambda: _counted(tasks, judges.counts, width, cancel))
    reading_words = beside(aside, read_words)
    with leaving_a_core(aside is not None and judges.counts is not None):
        read = _read(tasks, network, judges.vocabulary) if network is not None else None
        around, suggestions = reading_words()
    local, counted = counting()
    _add_judged(tasks, suggestions, local, counted)
    learned: Sequence[dict[str, float]] = [{} for _ in tasks]
    if network is not None and read is not None:
        told = Expectations(tasks, counted)
        expected = told if network.config.expecting else None
        learned = beam_search(tasks, network, read, told, expected, width, cancel)
    _add_judged(tasks, learned, local, counted)
    found = [
        _best_first(_joined(known, texts), weights) for known, texts in zip(learned, counted, strict=True)
    ]
    if words is None or around is None:
        return found
    short = [
        _short_list(candidates, weights, width, texts)
        for candidates, texts in zip(found, suggestions, strict=True)
    ]
    return [_best_first(each, weights) for each in _with_words(short, words, around)]


_Counted = tuple[LocalCounts | None, list[dict[str, float]]]


def _counted(
    tasks: Sequence[Task], counts: CountModel | None, width: int, cancel: threading.Event | None
) -> _Counted:
    """What the counts propose for each task, and what they think of it."""
    check_cancelled(cancel)
    if counts is None:
        return None, [{} for _ in tasks]
    local = counts.local(tasks)
    judged = (
        _judged(task, list(texts), local)
        for task, texts in zip(tasks, proposed(tasks, local, width), strict=True)
    )
    return local, [
        dict(promising(sorted(texts.items(), key=lambda item: (-item[1], item[0])))) for texts in judged
    ]


def _suggestions(
    tasks: Sequence[Task], words: WordJudge | None, around: Surroundings | None, width: int
) -> list[list[str]]:
    """What known words suggest for each task."""
    if words is None or around is None:
        return [[] for _ in tasks]
    return suggested(tasks, words, around, width // _SUGGESTED)


def _add_judged(
    tasks: Sequence[Task],
    texts: Sequence[Iterable[str]],
    local: LocalCounts | None,
    counted: Sequence[dict[str, float]],
) -> None:
    """Let the counts judge texts that they did not propose."""
    for task, given, known in zip(tasks, texts, counted, strict=True):
        known.update(_judged(task, [text for text in given if text not in known], local))


def score(
    tasks: Sequence[Task],
    texts: Sequence[Sequence[str]],
    judges: Judges,
    beam: int,
    cancel: threading.Event | None = None,
) -> list[list[Candidate]]:
    """A candidate for each text of each task; texts that do not fit a task are left out. They are judged as
    in a search with this beam."""
    fitting = [
        [text for text in dict.fromkeys(given) if task.admits(text)]
        for task, given in zip(tasks, texts, strict=True)
    ]
    results: list[list[Candidate]] = [[] for _ in tasks]
    network, counts, words = judges.network, judges.counts, judges.words
    widths = _widths(tasks, beam)
    for chosen in _chunks(tasks, widths):
        check_cancelled(cancel)
        wanted = [number for number in chosen if fitting[number]]
        if not wanted:
            continue
        chunk, suited = [tasks[number] for number in wanted], [fitting[number] for number in wanted]
        learned: Sequence[dict[str, float]] = [{} for _ in chunk]
        expected, width = None, widths[chosen[0]]
        around = words.surroundings(chunk) if words is not None else None
        if network is not None and counts is not None and network.config.expecting:
            local, proposals = _counted(chunk, counts, width, cancel)
            _add_judged(chunk, _suggestions(chunk, words, around, width), local, proposals)
            expected = Expectations(chunk, proposals)
        else:
            local = counts.local(chunk) if counts is not None else None
        if network is not None:
            read = _read(chunk, network, judges.vocabulary)
            learned = beam_search(chunk, network, read, Beginnings(chunk, suited), expected, 0, cancel)
        found = []
        for task, texts_of, known in zip(chunk, suited, learned, strict=True):
            ordered = {text: known[text] for text in texts_of if text in known}
            found.append(_joined(ordered, _judged(task, texts_of, local)))
        if words is not None and around is not None:
            found = _with_words(found, words, around)
        for number, candidates in zip(wanted, found, strict=True):
            results[number] = candidates
    return results


@torch.inference_mode()
def _read(tasks: Sequence[Task], network: Pythia, vocabulary: Vocabulary) -> Read:
    encoded, texts = encode_tasks(tasks, network, vocabulary)
    return Read(network.prepare(encoded), texts)


def _joined(learned: dict[str, float], counted: dict[str, float]) -> list[Candidate]:
    return [
        Candidate(text, learned.get(text, 0.0), counted.get(text, 0.0)) for text in {**learned, **counted}
    ]


def _best_first(candidates: Iterable[Candidate], weights: Weights) -> list[Candidate]:
    return sorted(candidates, key=lambda each: (-each.score(weights), each.text))


def _short_list(
    best_first: Sequence[Candidate], weights: Weights, width: int, suggestions: Sequence[str]
) -> list[Candidate]:
    """Those that are worth judging by their words."""
    scored = ((candidate, candidate.score(weights)) for candidate in best_first[: min(_SHORT, width)])
    short = [candidate for candidate, _ in promising(scored, _FAR_BEHIND)]
    others = (candidate for candidate in best_first[len(short) :] if candidate.text in suggestions)
    return [*short, *others]


def _with_words(
    found: Sequence[Sequence[Candidate]], words: WordJudge, around: Surroundings
) -> list[list[Candidate]]:
    """The same candidates, with what is to be said of their words."""
    fits = words.judge(around, [[candidate.text for candidate in candidates] for candidates in found])
    return [
        [
            replace(candidate, **dict(zip(FITS, fits_of_text, strict=True)))
            for candidate, fits_of_text in zip(candidates, of_task.tolist(), strict=True)
        ]
        for candidates, of_task in zip(found, fits, strict=True)
    ]


def _widths(tasks: Sequence[Task], beam: int) -> list[int]:
    """How many hypotheses each task may have: the lengths of one query share what it gets."""
    lengths = Counter(task.query for task in tasks)
    return [min(beam, max(_LEAST_WIDTH, _SHARED_WIDTH * beam // lengths[task.query])) for task in tasks]


def _chunks(tasks: Sequence[Task], widths: Sequence[int]) -> Iterator[list[int]]:
    """Numbers of tasks that are worked on together: all of a query, for which the counts walk once; equal
    widths, like lengths, so that little is wasted, and as many for every core."""
    by_query: dict[int, list[int]] = {}
    for number, task in enumerate(tasks):
        by_query.setdefault(task.query, []).append(number)

    def size(numbers: Sequence[int]) -> tuple[int, int]:
        return widths[numbers[0]], len(numbers)

    def kind(numbers: Sequence[int]) -> tuple[tuple[int, int], int, int, str]:
        task = tasks[numbers[0]]
        return size(numbers), task.steps, len(task.window), task.as_read

    for (_, lengths), group in groupby(sorted(by_query.values(), key=kind), key=size):
        queries = list(group)
        least, most = (max(1, count // lengths) for count in (_LEAST_CHUNK, _CHUNK))
        for part in parts_for_cores(len(queries), least, most):
            yield list(chain.from_iterable(queries[part]))


def _judged(task: Task, texts: Sequence[str], counts: LocalCounts | None) -> dict[str, float]:
    """What the counts think of each text: nothing, if there are none."""
    if counts is None or not texts:
        return dict.fromkeys(texts, 0.0)
    scores = counts.judge(task, [encode(text).tobytes() for text in texts])
    return dict(zip(texts, scores.tolist(), strict=True))
