"""The counts of the training corpora, together with those that speak only for some texts.

Inscriptions have their own phrases: where a text reads like one, what was seen in inscriptions is mixed into
what all corpora say. And a name or a formula that stands elsewhere in a text is likely to be what is lost:
so is what was seen in the text itself. The letters next to the lacuna are left out of it: they are what it is
asked about.

Not for the strings of other texts of a collection: see `pythia_epidoc.parallels`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.counting import PULL, count_texts
from pythia_epidoc.model.counts import ORDER, SIZE, Around, Counts, Trust, encode, even, rows_of
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.trie import DEAD, FloatArray, IntArray

OWN_ORDER = 10
"""Longer strings of one text say no more."""
LEAST = 3
"""Shorter strings stand anywhere: only longer ones say something of a kind of text, or of one text."""
_OWN_PULL = 4.0
"""Trust in a text's own strings that nobody has fitted."""
_TASTE = 200
"""Characters on each side by which a text is told to be an inscription or not."""
_LEAST_SHARE = 1e-9


@dataclass(frozen=True, eq=False)
class Pooling:
    """How much weight the shares by strings up to each length get when they are pooled: a row for each length
    of the longest string that was counted, a column for each length and one for all voices together."""

    after: FloatArray
    before: FloatArray

    def __post_init__(self) -> None:
        if any(table.shape != (len(table), len(table) + 1) for table in (self.after, self.before)):
            raise ValueError("tables of pooling of another shape")

    @classmethod
    def of_the_last(cls, order: int) -> Pooling:
        """Before anything is fitted: all voices together, and nothing else."""
        table = np.zeros((order, order + 1), dtype=np.float32)
        table[:, -1] = 1
        return cls(table, table)


@dataclass(frozen=True, eq=False)
class Seen:
    """What the counts say beside the characters of some texts, by strings up to each length."""

    logs: FloatArray
    """U K+1 SIZE: log of the shares of each character (by code - 1) beside each of U contexts."""
    longest: IntArray
    """U: of the strings that were counted."""
    contexts: IntArray
    """P: the context of each place."""
    codes: IntArray
    """P: the character that stands there."""
    rows: IntArray
    """P: the number of the text."""

    def pooled(self, weights: FloatArray) -> npt.NDArray[np.float64]:
        """log p of each place: the logarithms of the shares are added up with these weights, and the sums
        made shares again."""
        together = np.matmul(weights[self.longest][:, None], self.logs)[:, 0]  # U SIZE
        together -= together.max(axis=1, keepdims=True)
        together -= np.log(np.exp(together).sum(axis=1, keepdims=True))
        return np.asarray(together[self.contexts, self.codes - 1], dtype=np.float64)


@dataclass(frozen=True)
class CountModel:
    """The counts of a checkpoint: of all corpora, of inscriptions alone, how far to trust what a text says of
    itself, and how what strings of each length say is pooled."""

    corpus: Counts
    inscriptions: Counts = field(default_factory=lambda: count_texts([()], Trust.pulled(ORDER, PULL)))
    own_trust: Trust = field(default_factory=lambda: Trust.pulled(OWN_ORDER, _OWN_PULL))
    pooling: Pooling = field(default_factory=lambda: Pooling.of_the_last(ORDER))

    def __post_init__(self) -> None:
        if len(self.pooling.after) != self.corpus.order:
            raise ValueError("tables of pooling of another order")

    def with_trust_of(self, other: CountModel) -> CountModel:
        """These counts, trusted as far as those."""
        return CountModel(
            replace(self.corpus, trust=other.corpus.trust),
            replace(self.inscriptions, trust=other.inscriptions.trust),
            other.own_trust,
            other.pooling,
        )

    def local(self, tasks: Iterable[Task]) -> LocalCounts:
        return LocalCounts(self, tasks)


@dataclass(frozen=True)
class _Voice:
    """Counts that are mixed in, and the root of each text in them, or DEAD where they have no say."""

    counts: Counts
    roots: IntArray


class LocalCounts:
    """What is expected in the texts of some tasks. A state holds nodes of all counts, side by side."""

    def __init__(self, model: CountModel, tasks: Iterable[Task]) -> None:
        queries = {task.query: task for task in tasks}
        texts = [own_text(task.before, task.after) for task in queries.values()]
        self.corpus = model.corpus
        self.pooling = model.pooling
        inscribed = np.where(_like_inscriptions(model, texts), 0, DEAD)
        own = count_texts(texts, model.own_trust)
        self.voices = (_Voice(model.inscriptions, inscribed), _Voice(own, np.arange(len(texts))))
        self._numbers = {query: number for number, query in enumerate(queries)}
        self._orders = [self.corpus.order, *(voice.counts.order for voice in self.voices)]
        self._ends = np.cumsum(self._orders)[:-1]

    def number(self, task: Task) -> int:
        """Which of the texts a task is about."""
        return self._numbers[task.query]

    def after(self, task: Task) -> IntArray:
        """The state at the left edge of a task: 1 K."""
        before, number = task.before or SPACE, self.number(task)
        others = [voice.counts.after(before, int(voice.roots[number])) for voice in self.voices]
        return np.concatenate((self.corpus.after(before), *others), axis=1)

    def advance(self, states: IntArray, codes: IntArray) -> IntArray:
        """States after one more character each: states H K, codes H."""
        corpus, *others = self._parts(states)
        moved = [voice.counts.advance(part, codes) for voice, part in zip(self.voices, others, strict=True)]
        return np.concatenate((self.corpus.advance(corpus, codes), *moved), axis=1)

    def logs_after(self, states: IntArray) -> FloatArray:
        """log of the share of each character (by code - 1) after each state: H SIZE."""
        shares = even(len(states), SIZE)
        corpus, *others = self._parts(states)
        self.corpus.mix_after(shares, corpus)
        for voice, part in zip(self.voices, others, strict=True):
            voice.counts.mix_after(shares, part, LEAST)
        return _logs(shares)

    def logs_before(self, following: IntArray, numbers: IntArray) -> FloatArray:
        """log of the share of each character (by code - 1) before what follows it: H SIZE.

        following H K: codes, the nearest first; 0 interrupts. numbers H: of the texts.
        """
        shares = even(len(following), SIZE)
        self.corpus.mix_before(shares, following, np.zeros_like(numbers))
        for voice in self.voices:
            voice.counts.mix_before(shares, following, voice.roots[numbers], LEAST)
        return _logs(shares)

    def score(self, task: Task, texts: Sequence[bytes]) -> npt.NDArray[np.float64]:
        """How well each text, given as codes, fits what stands before and after it: the mean of both
        directions."""
        around = Around(
            encode((task.before or SPACE)[-(ORDER - 1) :]),
            encode((task.after or SPACE)[: ORDER - 1]),
            rows_of(texts),
            np.array(list(map(len, texts)), dtype=np.int64),
        )
        before, after, (rows, longest) = len(around.before), len(around.after), around.texts.shape
        forward, backward = even(rows, longest + after), even(rows, before + longest)
        self.corpus.mix_around(forward, backward, around, 0)
        for voice in self.voices:
            voice.counts.mix_around(forward, backward, around, int(voice.roots[self.number(task)]), LEAST)
        # What is lost is not expected, nor what is behind the end of a shorter text.
        read_before, read_after = around.before > 0, around.after > 0
        onwards, backwards = np.zeros_like(forward, dtype=bool), np.zeros_like(backward, dtype=bool)
        for length in set(around.lengths.tolist()):
            chosen = around.lengths == length
            onwards[chosen, :length], onwards[chosen, length : length + after] = True, read_after
            backwards[chosen, :before], backwards[chosen, before : before + length] = read_before, True
        of_onwards = (_logs(forward) * onwards).sum(axis=1)
        of_backwards = (_logs(backward) * backwards).sum(axis=1)
        return np.asarray(0.5 * (of_onwards + of_backwards), dtype=np.float64)

    def judge(self, task: Task, texts: Sequence[bytes]) -> npt.NDArray[np.float64]:
        """The same as `score`, more carefully: what strings of each length say is pooled."""
        total = np.zeros(len(texts))
        for seen, weights in zip(
            self.seen(task, texts), (self.pooling.after, self.pooling.before), strict=True
        ):
            total += np.bincount(seen.rows, seen.pooled(weights), minlength=len(texts))
        return np.asarray(0.5 * total)

    def seen(self, task: Task, texts: Sequence[bytes]) -> tuple[Seen, Seen]:
        """What is seen onwards from the left edge of texts to the end of what follows them, and backwards
        from their right edge."""
        before = encode((task.before or SPACE)[-(ORDER - 1) :]).tobytes()
        after = encode((task.after or SPACE)[: ORDER - 1]).tobytes()
        room = bytes(ORDER - 1)
        onwards = rows_of([text + after for text in texts])
        backwards = rows_of([before + text + after + room for text in texts])
        ends = len(before) + np.array(list(map(len, texts)))
        return (
            self._seen_after(task, onwards.astype(np.int64)),
            self._seen_before(task, backwards.astype(np.int64), ends),
        )

    def _seen_after(self, task: Task, codes: IntArray) -> Seen:
        states = np.empty((codes.shape[1], len(codes), sum(self._orders)), dtype=np.int64)
        states[0] = self.after(task)
        for place in range(1, codes.shape[1]):
            states[place] = self.advance(states[place - 1], codes[:, place - 1])
        read = codes.T > 0
        # Longer strings have higher numbers: the highest is the longest that was counted.
        known = [part.max(axis=-1) for part in self._parts(states[read])]
        chosen, contexts = _distinct(known)
        corpus, *others = self._parts(states[read][chosen])
        shares, steps = even(len(chosen), SIZE), even(len(chosen), self.corpus.order, SIZE)
        self.corpus.mix_after(shares, corpus, 0, steps)
        for voice, part in zip(self.voices, others, strict=True):
            voice.counts.mix_after(shares, part, LEAST)
        longest = np.where(corpus >= 0, np.arange(self.corpus.order), 0).max(axis=1)
        rows = np.broadcast_to(np.arange(len(codes)), read.shape)[read]
        return Seen(_all_logs(steps, shares), longest, contexts, codes.T[read], rows)

    def _seen_before(self, task: Task, codes: IntArray, ends: IntArray) -> Seen:
        number = self.number(task)
        windows = sliding_window_view(codes[:, 1:], ORDER - 1, axis=1)  # R S K: what follows each place
        here = codes[:, : windows.shape[1]]
        read = (here > 0) & (np.arange(here.shape[1]) < ends[:, None])
        rows = np.nonzero(read)[0]
        following = windows[read]
        same = np.zeros(len(following), dtype=np.int64)
        counts = [(self.corpus, 0), *((voice.counts, int(voice.roots[number])) for voice in self.voices)]
        known = [each.reach(following, same + root) for each, root in counts]
        chosen, contexts = _distinct([nodes for nodes, _ in known])
        near, same = following[chosen], same[chosen]
        shares, steps = even(len(chosen), SIZE), even(len(chosen), self.corpus.order, SIZE)
        self.corpus.mix_before(shares, near, same, 0, steps)
        for voice in self.voices:
            voice.counts.mix_before(shares, near, same + voice.roots[number], LEAST)
        return Seen(_all_logs(steps, shares), known[0][1][chosen], contexts, here[read], rows)

    def _parts(self, states: IntArray) -> list[IntArray]:
        """The states of each of the counts."""
        return [np.ascontiguousarray(part) for part in np.split(states, self._ends, axis=-1)]


def _distinct(nodes: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """Places that stand for all with the same nodes, and which of them stands for each."""
    standing = np.zeros_like(nodes[0])
    for each in nodes:
        # One number for both, small enough: there are no more different ones than places.
        both = standing * (int(each.max(initial=DEAD)) - DEAD + 1) + (each - DEAD)
        _, chosen, standing = np.unique(both, return_index=True, return_inverse=True)
    return chosen, standing


def own_text(before: str, after: str) -> tuple[str, str]:
    """What a text has to say about a lacuna in it: all but the letters next to the lacuna."""
    return before[: -(ORDER - 1)], after[ORDER - 1 :]


def _like_inscriptions(model: CountModel, texts: Sequence[tuple[str, str]]) -> npt.NDArray[np.bool_]:
    """Whether each text is expected better when inscriptions have their say."""
    tastes = (f"{before[-_TASTE:]}\0{after[:_TASTE]}" for before, after in texts)
    codes = rows_of([encode(taste).tobytes() for taste in tastes])
    same = np.zeros(len(texts), dtype=np.int64)
    alone = model.corpus.mixed_after(even(*codes.shape), codes, same)
    together = model.inscriptions.mixed_after(alone, codes, same, LEAST)
    gain = np.where(codes > 0, _logs(together) - _logs(alone), 0)
    return np.asarray(gain.sum(axis=1) >= 0)


def _logs(shares: FloatArray) -> FloatArray:
    logs = np.maximum(shares, np.float32(_LEAST_SHARE))
    return np.asarray(np.log(logs, out=logs))


def _all_logs(steps: FloatArray, shares: FloatArray) -> FloatArray:
    return _logs(np.concatenate((steps, shares[:, None]), axis=1))
