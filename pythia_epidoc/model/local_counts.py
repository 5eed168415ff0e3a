"""The counts of the training corpora together with the strings of the text itself.

A name or a formula that stands elsewhere in a text is likely to be what is lost: where a string was seen in
the text itself, that is mixed into what the corpora say, with a trust of its own. The letters next to the
lacuna are left out of the text: they are what it is asked about.

Not for the strings of other texts of a collection: see `pythia_epidoc.parallels`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.counting import count_texts
from pythia_epidoc.model.counts import ORDER, SIZE, Counts, FloatArray, IntArray, Trust, encode
from pythia_epidoc.model.tasks import Task

OWN_ORDER = 10
"""Ten characters in five bits each leave room for the number of the text in a key of 64."""
OWN_LEAST = 3
"""Shorter strings stand anywhere."""
_OWN_PULL = 4.0
"""Trust in a text's own strings that nobody has fitted."""
_LEAST = 1e-9


@dataclass(frozen=True)
class CountModel:
    """The counts of a checkpoint: the corpora's, and how far to trust what a text says of itself."""

    corpus: Counts
    own_trust: Trust = field(default_factory=lambda: Trust.pulled(OWN_ORDER, _OWN_PULL))

    def local(self, tasks: Iterable[Task]) -> LocalCounts:
        return LocalCounts(self.corpus, self.own_trust, tasks)


class LocalCounts:
    """What the corpora and each task's own text expect. A state holds nodes of both, side by side."""

    def __init__(self, corpus: Counts, own_trust: Trust, tasks: Iterable[Task]) -> None:
        queries = {task.query: task for task in tasks}
        self.corpus = corpus
        self.own = count_texts([own_text(task.before, task.after) for task in queries.values()], own_trust)
        self._roots = {query: root for root, query in enumerate(queries)}

    def root(self, task: Task) -> int:
        """The number of a task's own text."""
        return self._roots[task.query]

    def after(self, task: Task) -> IntArray:
        """The state at the left edge of a task: 1 K."""
        before = task.before or SPACE
        return np.concatenate((self.corpus.after(before), self.own.after(before, self.root(task))), axis=1)

    def advance(self, states: IntArray, codes: IntArray) -> IntArray:
        """States after one more character each: states H K, codes H."""
        corpus, own = np.split(states, [self.corpus.order], axis=1)
        return np.concatenate((self.corpus.advance(corpus, codes), self.own.advance(own, codes)), axis=1)

    def logs_after(self, states: IntArray) -> FloatArray:
        """log of the share of each character (by code - 1) after each state: H SIZE."""
        corpus, own = np.split(states, [self.corpus.order], axis=1)
        shares = self.corpus.shares_after(corpus)
        self.own.mix_after(shares, own, OWN_LEAST)
        return _logs(shares)

    def logs_before(self, following: IntArray, roots: IntArray) -> FloatArray:
        """log of the share of each character (by code - 1) before what follows it: H SIZE.

        following H K: codes, the nearest first; 0 interrupts. roots H: the number of the own text.
        """
        shares = self.corpus.shares_before(following)
        self.own.mix_before(shares, following, roots, OWN_LEAST)
        return _logs(shares)

    def score(self, task: Task, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """How well each text fits what stands before and after it: the mean of both directions."""
        before = (task.before or SPACE)[-(ORDER - 1) :]
        after = (task.after or SPACE)[: ORDER - 1]
        rows = [f"{before}{text}{after}" for text in texts]
        size = max(map(len, rows))
        # A column more, which interrupts: no string goes over the end of its row.
        codes: IntArray = encode("".join(row.ljust(size + 1, "\0") for row in rows)).astype(np.int64)
        shape = (len(rows), size + 1)
        forward, backward = (
            _logs(shares).reshape(shape) for shares in self._sequence(codes, self.root(task))
        )
        place = np.arange(size + 1)
        text_ends = np.array([[len(before) + len(text)] for text in texts])
        read = codes.reshape(shape) > 0
        onwards, backwards = read & (place >= len(before)), read & (place < text_ends)
        return np.asarray(0.5 * ((forward * onwards).sum(axis=1) + (backward * backwards).sum(axis=1)))

    def _sequence(self, codes: IntArray, root: int) -> tuple[FloatArray, FloatArray]:
        """The share of each character after what precedes it and before what follows it."""
        forward = np.full(len(codes), 1.0 / SIZE, dtype=np.float32)
        backward = forward.copy()
        self.corpus.mix_sequence(forward, backward, codes, np.zeros_like(codes))
        self.own.mix_sequence(forward, backward, codes, np.full_like(codes, root), OWN_LEAST)
        return forward, backward


def own_text(before: str, after: str) -> tuple[str, str]:
    """What a text has to say about a lacuna in it: all but the letters next to the lacuna."""
    return before[: -(ORDER - 1)], after[ORDER - 1 :]


def _logs(shares: FloatArray) -> FloatArray:
    return np.asarray(np.log(np.maximum(shares, _LEAST)))
