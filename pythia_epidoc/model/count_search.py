"""Texts that the counts alone suggest for lacunae, read from their left and from their right edge.

A beam that goes from left to right learns only at its end what follows the lacuna; one that goes from
right to left knows that first. Both together find many texts that either would have dropped. Where the end of
one word and the beginning of another are lost, each edge tells its own half: beginnings from the left are
therefore also put together with endings from the right. The counts do not depend on how long a lacuna is, so
one walk serves every admissible length of a query.

Not for what the network thinks of them: see `candidates`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.alphabet import LETTER_COUNT, OUT_NOTHING, OUT_SPACE, SPACED
from pythia_epidoc.model.counts import ORDER, SPACE_CODE, decode, encode
from pythia_epidoc.model.local_counts import LocalCounts
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.trie import Codes, FloatArray, IntArray

_SPACE = bytes((SPACE_CODE,))
_WRITTEN = LETTER_COUNT + 1
"""Characters that may be written: the letters by number, then the space."""

BEHIND = 8.0
"""A beginning (or ending) so much less likely than the best one (log p) is given up."""
_FAR_BEHIND = 10.0
"""So is a whole text, if there are enough others."""
_ENOUGH = 20

_HALVES = 64
"""So many beginnings and endings of each length are put together."""

BoolArray = npt.NDArray[np.bool_]
Halves = tuple[list[bytes], FloatArray]
"""Beginnings or endings of one length, as codes, and log p of each."""
Text = TypeVar("Text")


def proposed(
    tasks: Sequence[Task], counts: LocalCounts, width: int, *, breadth: int = 12, behind: float = BEHIND
) -> list[dict[str, float]]:
    """For each task the `width` texts that the counts like best and how much, found by a search that is
    `breadth` times as wide and gives up what is `behind`."""
    results = []
    for task, texts in zip(tasks, suggested(tasks, counts, breadth * width, behind=behind), strict=True):
        scores = counts.score(task, texts).tolist() if texts else []
        best_first = sorted(zip(scores, texts, strict=True), reverse=True)
        fitting = ((text, score) for score, codes in best_first if task.admits(text := decode(codes)))
        results.append(dict(islice(promising(fitting), width)))
    return results


def promising(
    best_first: Iterable[tuple[Text, float]], far_behind: float = _FAR_BEHIND
) -> Iterator[tuple[Text, float]]:
    """Of texts with their scores, some of the best in any case, and others if they are not far behind."""
    best = -math.inf
    for number, (text, score) in enumerate(best_first):
        best = max(best, score)
        if number >= _ENOUGH and score < best - far_behind:
            return
        yield text, score


def suggested(
    tasks: Sequence[Task], counts: LocalCounts, width: int, *, behind: float = BEHIND
) -> list[list[bytes]]:
    """For each task the texts that the counts like best, from either edge, as codes; not all need fit it."""
    by_query: dict[int, dict[int, int]] = {}
    for number, task in enumerate(tasks):
        by_query.setdefault(task.query, {})[task.length] = number
    found: list[list[bytes]] = [[] for _ in tasks]
    longest = [tasks[lengths[max(lengths)]] for lengths in by_query.values()]
    for by_character in (False, True):
        chosen = [task for task in longest if task.by_character == by_character]
        halves: list[list[list[Halves]]] = []
        for walk in (_FromLeft(counts, chosen), _FromRight(counts, chosen)) if chosen else ():
            halves.append([[] for _ in chosen])
            for length in walk.lengths(width, behind):
                for row, task in enumerate(chosen):
                    halves[-1][row].append(walk.halves(row))
                    if length in by_query[task.query]:
                        found[by_query[task.query][length]].extend(walk.texts(row))
        for task, beginnings, endings in zip(chosen, *halves, strict=True):
            for length, number in by_query[task.query].items():
                found[number].extend(_met(beginnings, endings, length, width, behind, by_character))
    return [list(dict.fromkeys(texts)) for texts in found]


def _met(
    beginnings: Sequence[Halves],
    endings: Sequence[Halves],
    length: int,
    width: int,
    behind: float,
    by_character: bool,
) -> list[bytes]:
    """The `width` likeliest texts of a length that are made of a beginning and an ending, unless they are
    `behind`. If a space is no character, there may be one between them."""
    cuts = list(zip(beginnings[: length - 1], reversed(endings[: length - 1]), strict=True))
    if not cuts:
        return []
    scores = np.concatenate([np.add.outer(left[1], right[1]).reshape(-1) for left, right in cuts])
    firsts = np.cumsum([0, *(len(left[0]) * len(right[0]) for left, right in cuts)])
    wanted = width if by_character else width // 2
    best = _likeliest(scores, wanted, behind)
    which = np.searchsorted(firsts, best, side="right") - 1
    texts: list[bytes] = []
    for number, pair in zip(which.tolist(), (best - firsts[which]).tolist(), strict=True):
        (starts, _), (ends, _) = cuts[number]
        start, end = starts[pair // len(ends)], ends[pair % len(ends)]
        texts.extend((start + end,) if by_character else (start + end, start + _SPACE + end))
    return texts


class _Walk(ABC):
    """Hypotheses that grow from one edge of their lacunae: H of them, those of a task together."""

    def __init__(self, counts: LocalCounts, tasks: Sequence[Task], context: IntArray) -> None:
        self.counts = counts
        self.tasks = tasks
        self.owners: IntArray = np.arange(len(tasks))
        self.scores: FloatArray = np.zeros(len(tasks), dtype=np.float32)
        self.written: IntArray = np.zeros((len(tasks), 0), dtype=np.int64)  # H: codes as they were written
        self.context = context

    def lengths(self, width: int, behind: float) -> Iterator[int]:
        """Write character after character up to the longest length; gives each length reached."""
        for length in range(1, max(task.length for task in self.tasks) + 1):
            alive = [length <= task.length for task in self.tasks]
            self._keep(np.flatnonzero(np.array(alive)[self.owners]))
            logs = self._logs(self.context, self.owners)
            if not self.tasks[0].by_character:
                logs = self._branch(length, logs)
            self._write(length, width, behind, logs)
            yield length

    def texts(self, row: int) -> list[bytes]:
        """The texts written for a task so far."""
        start, end = np.searchsorted(self.owners, (row, row + 1))
        written = self._in_order(self.written[start:end]).astype(np.uint8)
        if self.tasks[row].by_character:
            return _cut(written)
        # A word may end at the far edge, too.
        spaced = np.pad(self.written[start:end], ((0, 0), (0, 1)), constant_values=SPACE_CODE)
        whole = (_cut(written), _cut(self._in_order(spaced).astype(np.uint8)))
        return [text.replace(b"\0", b"") for texts in whole for text in texts]

    def halves(self, row: int) -> Halves:
        """The likeliest of what was written for a task so far."""
        start, end = np.searchsorted(self.owners, (row, row + 1))
        best = start + np.argsort(-self.scores[start:end], kind="stable")[:_HALVES]
        written = _cut(self._in_order(self.written[best]).astype(np.uint8))
        return [text.replace(b"\0", b"") for text in written], self.scores[best]

    def _keep(self, chosen: IntArray) -> None:
        self.owners, self.scores = self.owners[chosen], self.scores[chosen]
        self.written, self.context = self.written[chosen], self.context[chosen]

    def _append(self, codes: IntArray) -> None:
        self.written = np.concatenate((self.written, codes[:, None]), axis=1)

    def _branch(self, length: int, logs: FloatArray) -> FloatArray:
        """Each hypothesis goes on without and with a space, as far as that is allowed here; gives log p of
        what comes next."""
        gaps = np.array(
            [self._gap(task, length) if length <= task.length else (True, False) for task in self.tasks]
        )
        without, spaced = (np.flatnonzero(gaps[self.owners, column]) for column in (0, 1))
        codes = np.repeat((0, SPACE_CODE), (len(without), len(spaced)))
        moved = self._moved(self.context[spaced], codes[len(without) :])
        of_moved = self._logs(moved, self.owners[spaced])
        self._keep(np.concatenate((without, spaced)))
        self.scores[len(without) :] += logs[spaced, SPACE_CODE - 1]
        self.context[len(without) :] = moved
        self._append(codes)
        by_task = np.argsort(self.owners, kind="stable")
        self._keep(by_task)
        return np.concatenate((logs[without], of_moved))[by_task]

    def _write(self, length: int, width: int, behind: float, logs: FloatArray) -> None:
        """One more character for each hypothesis; the best `width` of each task remain, unless they are
        `behind` the very best."""
        allowed = np.zeros((len(self.tasks), _WRITTEN), dtype=bool)
        for row, task in enumerate(self.tasks):
            if length <= task.length:
                allowed[row] = _characters(task, self._step(task, length))
        total = self.scores[:, None] + logs[:, :_WRITTEN]
        total[~allowed[self.owners]] = -np.inf
        if self.tasks[0].by_character and self.written.shape[1]:
            total[self.written[:, -1] == SPACE_CODE, SPACE_CODE - 1] = -np.inf
        flat = total.reshape(-1)
        best: list[IntArray] = []
        starts = np.searchsorted(self.owners, np.arange(len(self.tasks) + 1)) * _WRITTEN
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            best.append(start + _likeliest(flat[start:end], width, behind))
        kept = np.concatenate(best)
        codes = kept % _WRITTEN + 1
        self._keep(kept // _WRITTEN)
        self.scores = flat[kept]
        self._append(codes)
        self.context = self._moved(self.context, codes)

    @abstractmethod
    def _step(self, task: Task, length: int) -> int:
        """The slot that is written with the letter of this number."""

    @abstractmethod
    def _gap(self, task: Task, length: int) -> tuple[bool, bool]:
        """Whether no space, and whether one, may be written before the letter of this number."""

    @abstractmethod
    def _logs(self, context: IntArray, owners: IntArray) -> FloatArray:
        """log p of each character next to each context of a task."""

    @abstractmethod
    def _moved(self, context: IntArray, codes: IntArray) -> IntArray:
        """The context after one more character."""

    @abstractmethod
    def _in_order(self, written: IntArray) -> IntArray:
        """What was written, from the left to the right."""


def _likeliest(scores: FloatArray, width: int, behind: float) -> IntArray:
    """Which are the best `width` of some scores, unless they are `behind` the very best."""
    best = np.argpartition(-scores, width)[:width] if len(scores) > width else np.arange(len(scores))
    return np.asarray(best[scores[best] > scores.max(initial=-np.inf) - behind])


def _cut(rows: Codes) -> list[bytes]:
    joined, size = rows.tobytes(), rows.shape[1]
    return [joined[start : start + size] for start in range(0, len(joined), size)]


def _characters(task: Task, step: int) -> BoolArray:
    """Which characters a slot may hold."""
    row = task.allowed[step]
    return np.append(row[:LETTER_COUNT] | row[SPACED:OUT_SPACE], task.by_character and row[OUT_SPACE])


def _spaces(task: Task, step: int) -> tuple[bool, bool]:
    """Whether the letter of a slot may stand without, and with, a space before it."""
    row = task.allowed[step]
    return bool(row[:LETTER_COUNT].any()), bool(row[SPACED:OUT_SPACE].any())


class _FromLeft(_Walk):
    def __init__(self, counts: LocalCounts, tasks: Sequence[Task]) -> None:
        super().__init__(counts, tasks, np.concatenate([counts.after(task) for task in tasks]))

    def _step(self, task: Task, length: int) -> int:
        return length - 1

    def _gap(self, task: Task, length: int) -> tuple[bool, bool]:
        return _spaces(task, length - 1)

    def _logs(self, context: IntArray, owners: IntArray) -> FloatArray:
        return self.counts.logs_after(context)

    def _moved(self, context: IntArray, codes: IntArray) -> IntArray:
        return self.counts.advance(context, codes)

    def _in_order(self, written: IntArray) -> IntArray:
        return written


class _FromRight(_Walk):
    def __init__(self, counts: LocalCounts, tasks: Sequence[Task]) -> None:
        context = np.zeros((len(tasks), ORDER - 1), dtype=np.int64)
        for row, task in enumerate(tasks):
            codes = encode((task.after or SPACE)[: ORDER - 1])
            context[row, : len(codes)] = codes
        super().__init__(counts, tasks, context)
        self.numbers = np.array([counts.number(task) for task in tasks])

    def _step(self, task: Task, length: int) -> int:
        return task.length - length

    def _gap(self, task: Task, length: int) -> tuple[bool, bool]:
        if length > 1:
            return _spaces(task, task.length - length + 1)
        return bool(task.allowed[-1, OUT_NOTHING]), bool(task.allowed[-1, OUT_SPACE])

    def _logs(self, context: IntArray, owners: IntArray) -> FloatArray:
        return self.counts.logs_before(context, self.numbers[owners])

    def _moved(self, context: IntArray, codes: IntArray) -> IntArray:
        return np.concatenate((codes[:, None], context[:, :-1]), axis=1)

    def _in_order(self, written: IntArray) -> IntArray:
        return written[:, ::-1]
