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

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.counting import PULL, count_texts
from pythia_epidoc.model.counts import ORDER, SIZE, Around, Counts, Trust, encode, even, rows_of
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.trie import DEAD, FloatArray, IntArray

OWN_ORDER = 10
"""Ten characters in five bits each leave room for the number of the text in a key of 64."""
LEAST = 3
"""Shorter strings stand anywhere: only longer ones say something of a kind of text, or of one text."""
_OWN_PULL = 4.0
"""Trust in a text's own strings that nobody has fitted."""
_TASTE = 200
"""Characters on each side by which a text is told to be an inscription or not."""
_LEAST_SHARE = 1e-9


@dataclass(frozen=True)
class CountModel:
    """The counts of a checkpoint: of all corpora, of inscriptions alone, and how far to trust what a text
    says of itself."""

    corpus: Counts
    inscriptions: Counts = field(default_factory=lambda: count_texts([()], Trust.pulled(ORDER, PULL)))
    own_trust: Trust = field(default_factory=lambda: Trust.pulled(OWN_ORDER, _OWN_PULL))

    def with_trust_of(self, other: CountModel) -> CountModel:
        """These counts, trusted as far as those."""
        return CountModel(
            replace(self.corpus, trust=other.corpus.trust),
            replace(self.inscriptions, trust=other.inscriptions.trust),
            other.own_trust,
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
        inscribed = np.where(_like_inscriptions(model, texts), 0, DEAD)
        own = count_texts(texts, model.own_trust)
        self.voices = (_Voice(model.inscriptions, inscribed), _Voice(own, np.arange(len(texts))))
        self._numbers = {query: number for number, query in enumerate(queries)}
        self._ends = np.cumsum([self.corpus.order, *(voice.counts.order for voice in self.voices)])[:-1]

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
        corpus, *others = np.split(states, self._ends, axis=1)
        moved = [voice.counts.advance(part, codes) for voice, part in zip(self.voices, others, strict=True)]
        return np.concatenate((self.corpus.advance(corpus, codes), *moved), axis=1)

    def logs_after(self, states: IntArray) -> FloatArray:
        """log of the share of each character (by code - 1) after each state: H SIZE."""
        shares = even(len(states), SIZE)
        corpus, *others = np.split(states, self._ends, axis=1)
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
    return np.asarray(np.log(np.maximum(shares, _LEAST_SHARE)))
