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
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.alphabet import LETTER_COUNT, OUT_NOTHING, OUT_SPACE, SPACED
from pythia_epidoc.model.counts import ORDER, SPACE_CODE, decode, encode
from pythia_epidoc.model.local_counts import LocalCounts
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.trie import DEAD, Codes, FloatArray, IntArray

_SPACE = bytes((SPACE_CODE,))
_NO_GAP = (False, False)
_WRITTEN = LETTER_COUNT + 1
"""Characters that may be written: the letters by number, then the space."""

BEHIND = 8.0
"""A beginning (or ending) so much less likely than the best one (log p) is given up."""
_FAR_BEHIND = 10.0
"""So is a whole text, if there are enough others."""
_ENOUGH = 20

_NEARLY_SURE = np.float32(1 - 1e-6)
_AHEAD = 2
"""So many characters beyond the far edge tell which of the texts written are worth judging; each leaves half
of them, …"""
_WORTH = 240
"""… but no fewer than these …"""
_SURPRISE = 2.0
"""… and may surprise: then a text may be so much farther behind."""

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
                for row in range(len(chosen)):
                    halves[-1][row].append(walk.halves(row))
                ended = [row for row, task in enumerate(chosen) if length in by_query[task.query]]
                for row, texts in walk.texts(ended, width, behind).items():
                    found[by_query[chosen[row].query][length]].extend(texts)
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


@dataclass(frozen=True)
class _Hypotheses:
    """H hypotheses, those of a task together."""

    owners: IntArray
    scores: FloatArray
    """log p"""
    written: IntArray
    """H T: codes as they were written; 0 where there is no space."""
    context: IntArray

    def chosen(self, rows: IntArray) -> _Hypotheses:
        return _Hypotheses(self.owners[rows], self.scores[rows], self.written[rows], self.context[rows])

    def likeliest(self, width: int, behind: float) -> _Hypotheses:
        """The best `width` of each task, unless they are `behind` the very best of it."""
        return self.chosen(_likeliest_of_each(self.owners, self.scores, width, behind))

    def of(self, owner: int) -> slice:
        start, end = np.searchsorted(self.owners, (owner, owner + 1)).tolist()
        return slice(start, end)


class _Walk(ABC):
    """Hypotheses that grow from one edge of their lacunae to the other."""

    def __init__(self, counts: LocalCounts, tasks: Sequence[Task], context: IntArray) -> None:
        """context: that of each task at the edge where it begins."""
        self.counts = counts
        self.tasks = tasks
        self.by_character = tasks[0].by_character
        self.beyond = np.stack([_next_to_edge(self._far(task)) for task in tasks])
        nothing = np.zeros((len(tasks), 0), dtype=np.int64)
        self.now = _Hypotheses(np.arange(len(tasks)), np.zeros(len(tasks), np.float32), nothing, context)

    def lengths(self, width: int, behind: float) -> Iterator[int]:
        """Write character after character up to the longest length; gives each length reached."""
        for length in range(1, max(task.length for task in self.tasks) + 1):
            self._write(length, width, behind)
            yield length

    def texts(self, rows: Sequence[int], width: int, behind: float) -> dict[int, list[bytes]]:
        """For each of some tasks those of the texts written so far that lead best to what stands at the far
        edge. A word may end there, too."""
        ended = self.now.chosen(np.flatnonzero(np.isin(self.now.owners, rows)))
        if not self.by_character:
            of_space = self._log(ended.context, ended.owners, np.full(len(ended.owners), SPACE_CODE))
            either = np.ones((len(of_space), 2), dtype=bool)
            ended, _ = self._divided(ended, of_space, either, 2 * width, behind)
        for step in range(_AHEAD):
            if step:
                codes = self.beyond[ended.owners, step - 1]
                ended = replace(ended, context=self._moved(ended.context, codes))
            codes = self.beyond[ended.owners, step]
            expected = np.where(codes > 0, self._log(ended.context, ended.owners, codes), 0)
            width, behind = max(width // 2, min(width, _WORTH)), behind + _SURPRISE
            ended = replace(ended, scores=ended.scores + expected).likeliest(width, behind)
        return {row: self._spelled(ended.written[ended.of(row)]) for row in rows}

    def halves(self, row: int) -> Halves:
        """The likeliest of what was written for a task so far."""
        own = self.now.of(row)
        best = own.start + np.argsort(-self.now.scores[own], kind="stable")[:_HALVES]
        return self._spelled(self.now.written[best]), self.now.scores[best]

    def _spelled(self, written: IntArray) -> list[bytes]:
        return [text.replace(b"\0", b"") for text in _cut(self._in_order(written).astype(np.uint8))]

    def _divided(
        self, now: _Hypotheses, of_space: FloatArray, gaps: BoolArray, width: int, behind: float
    ) -> tuple[_Hypotheses, IntArray]:
        """Hypotheses without or with one more space, or both, unless that is `behind`; and which of those now
        each was.

        of_space H: log p of a space; gaps H 2: whether none and whether one may stand here.
        """
        # Not to write a space has its price, too, though it is paid only with the letter that comes instead.
        of_none = np.log1p(-np.minimum(np.exp(of_space), _NEARLY_SURE))
        ranks = now.scores[:, None] + np.stack((of_none, of_space), axis=1)
        ranks[~gaps] = -np.inf
        kept = _likeliest_of_each(np.repeat(now.owners, 2), ranks.reshape(-1), width, behind)
        rows, spaced = kept // 2, kept % 2 == 1
        context = now.context[rows]
        context[spaced] = self._moved(context[spaced], np.full(np.count_nonzero(spaced), SPACE_CODE))
        divided = _Hypotheses(
            now.owners[rows],
            now.scores[rows] + np.where(spaced, of_space[rows], 0),
            np.column_stack((now.written[rows], np.where(spaced, SPACE_CODE, 0))),
            context,
        )
        return divided, rows

    def _branch(self, length: int, logs: FloatArray, width: int, behind: float) -> FloatArray:
        """Each hypothesis goes on without or with a space, as far as that is allowed here; gives log p of
        what comes next."""
        gaps = [self._gap(task, length) if length <= task.length else _NO_GAP for task in self.tasks]
        of_space = logs[:, SPACE_CODE - 1]
        allowed = np.array(gaps)[self.now.owners]
        self.now, rows = self._divided(self.now, of_space, allowed, width, behind)
        spaced = self.now.written[:, -1] == SPACE_CODE
        logs = logs[rows]
        logs[spaced] = self._logs(self.now.context[spaced], self.now.owners[spaced])
        return logs

    def _write(self, length: int, width: int, behind: float) -> None:
        """One more character for each hypothesis; the best `width` of each task remain, unless they are
        `behind` the very best."""
        logs = self._logs(self.now.context, self.now.owners)
        if not self.by_character:
            logs = self._branch(length, logs, width, behind)
        now = self.now
        allowed = np.zeros((len(self.tasks), _WRITTEN), dtype=bool)
        for row, task in enumerate(self.tasks):
            if length <= task.length:
                allowed[row] = _characters(task, self._step(task, length))
        total = now.scores[:, None] + logs[:, :_WRITTEN]
        total[~allowed[now.owners]] = -np.inf
        if self.by_character and now.written.shape[1]:
            total[now.written[:, -1] == SPACE_CODE, SPACE_CODE - 1] = -np.inf
        flat = total.reshape(-1)
        kept = _likeliest_of_each(np.repeat(now.owners, _WRITTEN), flat, width, behind)
        rows, codes = kept // _WRITTEN, kept % _WRITTEN + 1
        written = np.column_stack((now.written[rows], codes))
        self.now = _Hypotheses(now.owners[rows], flat[kept], written, self._moved(now.context[rows], codes))

    @abstractmethod
    def _far(self, task: Task) -> str:
        """What stands at the far edge, the nearest first."""

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
    def _log(self, context: IntArray, owners: IntArray, codes: IntArray) -> FloatArray:
        """The same of one character next to each."""

    @abstractmethod
    def _moved(self, context: IntArray, codes: IntArray) -> IntArray:
        """The context after one more character."""

    @abstractmethod
    def _in_order(self, written: IntArray) -> IntArray:
        """What was written, from the left to the right."""


def _likeliest(scores: FloatArray, width: int, behind: float) -> IntArray:
    """Which are the best `width` of some scores, unless they are `behind` the very best."""
    good = np.flatnonzero(scores > scores.max(initial=-np.inf) - behind)
    return good[np.argpartition(-scores[good], width)[:width]] if len(good) > width else good


def _likeliest_of_each(owners: IntArray, scores: FloatArray, width: int, behind: float) -> IntArray:
    """The same for each owner; theirs stand together."""
    ends = np.flatnonzero(np.diff(owners, append=DEAD)) + 1
    starts = np.append(0, ends)[:-1]
    best = [
        start + _likeliest(scores[start:end], width, behind)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    return np.concatenate(best) if best else np.zeros(0, dtype=np.int64)


def _next_to_edge(text: str) -> IntArray:
    """The first characters of a text, as far as they tell which texts lead to them: 0 from the first on that
    is lost."""
    codes = np.zeros(_AHEAD, dtype=np.int64)
    nearest = encode((text or SPACE)[:_AHEAD])
    codes[: len(nearest)] = nearest
    return np.asarray(codes * np.logical_and.accumulate(codes > 0))


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

    def _far(self, task: Task) -> str:
        return task.after

    def _step(self, task: Task, length: int) -> int:
        return length - 1

    def _gap(self, task: Task, length: int) -> tuple[bool, bool]:
        return _spaces(task, length - 1)

    def _logs(self, context: IntArray, owners: IntArray) -> FloatArray:
        return self.counts.logs_after(context)

    def _log(self, context: IntArray, owners: IntArray, codes: IntArray) -> FloatArray:
        return self.counts.log_after(context, codes)

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
        self.numbers = np.array([counts.number(task) for task in tasks])
        super().__init__(counts, tasks, context)

    def _far(self, task: Task) -> str:
        return task.before[::-1]

    def _step(self, task: Task, length: int) -> int:
        return task.length - length

    def _gap(self, task: Task, length: int) -> tuple[bool, bool]:
        if length > 1:
            return _spaces(task, task.length - length + 1)
        return bool(task.allowed[-1, OUT_NOTHING]), bool(task.allowed[-1, OUT_SPACE])

    def _logs(self, context: IntArray, owners: IntArray) -> FloatArray:
        return self.counts.logs_before(context, self.numbers[owners])

    def _log(self, context: IntArray, owners: IntArray, codes: IntArray) -> FloatArray:
        return self.counts.log_before(context, codes, self.numbers[owners])

    def _moved(self, context: IntArray, codes: IntArray) -> IntArray:
        return np.concatenate((codes[:, None], context[:, :-1]), axis=1)

    def _in_order(self, written: IntArray) -> IntArray:
        return written[:, ::-1]
