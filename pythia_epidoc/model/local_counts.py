"""The counts of the training corpora, together with those that speak only for some texts.

Inscriptions have their own phrases: where a text reads like one, what was seen in inscriptions is mixed into
what all corpora say. And a name or a formula that stands elsewhere in a text is likely to be what is lost:
so is what was seen in the text itself. The letters next to the lacuna are left out of it: they are what it is
asked about.

Not for the strings of other texts of a collection: see `pythia_epidoc.parallels`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model import mixing
from pythia_epidoc.model.counting import PULL, count_texts
from pythia_epidoc.model.counts import ORDER, SIZE, Around, Counts, Steps, Trust, encode, even, rows_of
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.trie import DEAD, Codes, FloatArray, IntArray, distinct

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
    """N SIZE: log of the shares of each character (by code - 1) beside each of U contexts, by strings of no,
    one, … characters, to the longest that was counted, then of all voices together."""
    longest: IntArray
    """U: of the strings that were counted."""
    contexts: IntArray
    """P: the context of each place."""
    codes: Codes
    """P: the character that stands there."""
    rows: IntArray
    """P: the number of the text."""

    def pooled(self, weights: FloatArray) -> npt.NDArray[np.float64]:
        """log p of each place: the logarithms of the shares are added up with these weights, and the sums
        made shares again."""
        together = mixing.pool(self.logs, _starts(self.longest), self.longest, weights)  # U SIZE
        together -= together.max(axis=1, keepdims=True)
        together -= np.log(np.exp(together).sum(axis=1, keepdims=True))
        return np.asarray(together[self.contexts, self.codes - 1], dtype=np.float64)

    def by_length(self, order: int) -> FloatArray:
        """The logarithms of each place by strings up to each length, then of all voices: P K+1 SIZE. What the
        longest string says stands for longer ones, too."""
        longest = self.longest[self.contexts][:, None]
        steps = np.append(np.minimum(np.arange(order), longest), longest + 1, axis=1)
        return np.asarray(self.logs[_starts(self.longest)[self.contexts][:, None] + steps])


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
        return np.concatenate(self._states(task), axis=1)

    def _states(self, task: Task) -> list[IntArray]:
        """The same for each of the counts."""
        before, number = task.before or SPACE, self.number(task)
        others = [voice.counts.after(before, int(voice.roots[number])) for voice in self.voices]
        return [self.corpus.after(before), *others]

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

    def log_after(self, states: IntArray, codes: IntArray) -> FloatArray:
        """What `logs_after` says of one character after each state: codes H → H."""
        shares = even(len(states))
        corpus, *others = self._parts(states)
        self.corpus.expect_after(shares, corpus, codes)
        for voice, part in zip(self.voices, others, strict=True):
            voice.counts.expect_after(shares, part, codes, LEAST)
        return _logs(shares)

    def log_before(self, following: IntArray, codes: IntArray, numbers: IntArray) -> FloatArray:
        """What `logs_before` says of one character before what follows: codes H → H."""
        shares = even(len(following))
        self.corpus.expect_before(shares, following, codes, np.zeros_like(numbers))
        for voice in self.voices:
            voice.counts.expect_before(shares, following, codes, voice.roots[numbers], LEAST)
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
        return self._seen_after(task, texts, after), self._seen_before(task, texts, before, after)

    def _seen_after(self, task: Task, texts: Sequence[bytes], after: bytes) -> Seen:
        rows, texts = _in_order(texts, lambda text: text)
        codes = rows_of([text + after for text in texts])
        counts = [self.corpus, *(voice.counts for voice in self.voices)]
        walked = [each.along(state, codes) for each, state in zip(counts, self._states(task), strict=True)]
        read = codes > 0
        known = np.stack([found[0] for _, found in walked])
        contexts, chosen = distinct(known, read, np.array(list(map(len, texts))))
        longest = walked[0][1][1].reshape(-1)[chosen]
        steps, shares = _empty_steps(longest), even(len(chosen), SIZE)
        corpus, *others = [states.reshape(-1, states.shape[-1])[chosen] for states, _ in walked]
        self.corpus.mix_after(shares, corpus, 0, steps)
        for voice, part in zip(self.voices, others, strict=True):
            voice.counts.mix_after(shares, part, LEAST)
        return Seen(
            _logs_of(steps, longest, shares), longest, contexts[read], codes[read], rows[np.nonzero(read)[0]]
        )

    def _seen_before(self, task: Task, texts: Sequence[bytes], before: bytes, after: bytes) -> Seen:
        rows, texts = _in_order(texts, lambda text: text[::-1])
        codes = rows_of([before + text + after + bytes(ORDER - 1) for text in texts])
        windows = sliding_window_view(codes[:, 1:].astype(np.int64), ORDER - 1, axis=1)  # R S K: what follows
        here, lengths = codes[:, : windows.shape[1]], np.array(list(map(len, texts)))
        read = (here > 0) & (np.arange(here.shape[1]) < len(before) + lengths[:, None])
        following = windows[read]
        same, number = np.zeros(len(following), dtype=np.int64), self.number(task)
        counts = [(self.corpus, 0), *((voice.counts, int(voice.roots[number])) for voice in self.voices)]
        known = np.full((len(counts), *read.shape), DEAD)
        reached = [each.reach(following, same + root) for each, root in counts]
        known[:, read] = np.stack([found[0] for found in reached])
        contexts, chosen = distinct(known, read, lengths)
        chosen = np.cumsum(read)[chosen] - 1  # among the places that are read
        near, same, longest = following[chosen], same[chosen], reached[0][1][chosen]
        steps, shares = _empty_steps(longest), even(len(chosen), SIZE)
        self.corpus.mix_before(shares, near, same, 0, steps)
        for voice in self.voices:
            voice.counts.mix_before(shares, near, same + voice.roots[number], LEAST)
        return Seen(
            _logs_of(steps, longest, shares), longest, contexts[read], here[read], rows[np.nonzero(read)[0]]
        )

    def _parts(self, states: IntArray) -> list[IntArray]:
        """The states of each of the counts."""
        return [np.ascontiguousarray(part) for part in np.split(states, self._ends, axis=-1)]


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


def _logs(shares: FloatArray, out: FloatArray | None = None) -> FloatArray:
    logs = np.maximum(shares, np.float32(_LEAST_SHARE), out=out)
    return np.asarray(np.log(logs, out=logs))


def _in_order(texts: Sequence[bytes], by: Callable[[bytes], bytes]) -> tuple[IntArray, list[bytes]]:
    """Texts so that those that are alike stand together, and the number that each had."""
    numbers = sorted(range(len(texts)), key=lambda number: by(texts[number]))
    return np.array(numbers), [texts[number] for number in numbers]


def _starts(longest: IntArray) -> IntArray:
    """Where the steps of each context begin: one for each length, and one for all voices."""
    return np.asarray(np.cumsum(longest + 2) - (longest + 2))


def _empty_steps(longest: IntArray) -> Steps:
    return np.empty((int((longest + 2).sum()), SIZE), dtype=np.float32), _starts(longest)


def _logs_of(steps: Steps, longest: IntArray, shares: FloatArray) -> FloatArray:
    """The logarithms of all steps; the last of each context are these shares."""
    by_length, starts = steps
    by_length[starts + longest + 1] = shares
    return _logs(by_length, by_length)
