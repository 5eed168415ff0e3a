"""What the collection says about a lacuna: passages that share the letters around it, and what they have.

A passage weighs e^(RATE × shared letters): three letters more in common count for as much as eight
passages without them. Not for combining this with a model: see `restorer`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from pythia_epidoc.greek import SPACE
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.search import Match, Parallel, show
from pythia_epidoc.parallels.stream import Context, Passages, Stream
from pythia_epidoc.restoration import ANY, Query

RATE = 0.7
LEAST_SHARED = 4
"""Letters of context a passage must share, both sides together, to be called an attestation."""
_QUOTED = 3
_REMEMBERED = 64
"""Queries whose answer is kept: those who rank hypotheses ask again to show what attests them."""
_KEPT = 400
"""Texts kept for each length, the best attested: what comes after them weighs nothing."""


@dataclass(frozen=True)
class Attestation:
    """How a text is attested in the context of a lacuna."""

    text: str
    count: int
    """Passages that have it and share at least LEAST_SHARED letters of context."""
    weight: float
    left: int
    """Letters before the lacuna that the best passage shares."""
    right: int
    best: tuple[Match, ...]
    """The passages that share most, the best first."""


class Collection:
    """An index made ready for look-ups; the texts are read into memory when the first is made."""

    def __init__(self, index: ParallelsIndex) -> None:
        self.index = index
        self._stream: Stream | None = None
        self._remembered = lru_cache(_REMEMBERED)(self._attest)

    @property
    def stream(self) -> Stream:
        if self._stream is None:
            self._stream = Stream(self.index)
        return self._stream

    def attest(self, query: Query, rate: float = RATE) -> dict[str, Attestation]:
        """Every text that stands in this context somewhere and fits the query, with its attestation."""
        with self.index.failures_told():
            return self._remembered(query, rate)

    def _attest(self, query: Query, rate: float) -> dict[str, Attestation]:
        stream = self.stream
        context = Context.around(query.before, query.after)
        anchors = stream.anchors(context)
        edges = (
            not query.before or query.before[-1] == SPACE,
            not query.after or query.after[0] == SPACE,
        )
        own = self.index.texts_of(Path(query.document)) if query.document else []
        found: dict[str, Attestation] = {}
        for length in _letter_counts(query):
            passages = stream.passages(context, anchors, length, edges=edges, own=own)
            for attestation in _grouped(stream, passages, rate):
                if fits(query, attestation.text):
                    found[attestation.text] = attestation
        return found

    def parallels(self, attestation: Attestation) -> list[Parallel]:
        """The best passages, ready to be shown."""
        with self.index.failures_told():
            return [show(self.index, match) for match in attestation.best]


def _letter_counts(query: Query) -> Sequence[int]:
    """How many letters a fitting text may have; where spaces are counted, fewer than characters."""
    if not query.by_character:
        return query.lengths
    return sorted({count for length in query.lengths for count in range((length + 1) // 2, length + 1)})


def _grouped(stream: Stream, passages: Passages, rate: float) -> Iterator[Attestation]:
    """Passages with the same text between the shared letters, together."""
    if not len(passages.positions):
        return
    rows = np.ascontiguousarray(passages.texts)
    keys = rows.view(np.dtype((np.void, rows.shape[1]))).ravel()
    _, firsts, groups = np.unique(keys, return_index=True, return_inverse=True)
    shared = passages.left + passages.right
    weights = np.bincount(groups, np.exp(rate * shared))
    counts = np.bincount(groups, shared >= LEAST_SHARED)
    # By group, and within it by shared letters: the best passages of a group stand together.
    order = np.lexsort((passages.positions, -shared, groups))
    bounds = np.searchsorted(groups[order], np.arange(len(firsts) + 1))
    for group in np.argsort(-weights, kind="stable")[:_KEPT].tolist():
        best = order[bounds[group] : min(bounds[group] + _QUOTED, bounds[group + 1])]
        yield Attestation(
            stream.spell(rows[firsts[group]]),
            int(counts[group]),
            float(weights[group]),
            int(passages.left[best[0]]),
            int(passages.right[best[0]]),
            tuple(stream.match(int(passages.positions[row]), passages.length) for row in best),
        )


def fits(query: Query, text: str) -> bool:
    """Whether a text has an admissible length and keeps to pattern and prefix."""
    letters = text.replace(SPACE, "")
    if (len(text) if query.by_character else len(letters)) not in query.lengths:
        return False
    if query.pattern and not (
        len(query.pattern) == len(letters)
        and all(wanted in (ANY, letter) for wanted, letter in zip(query.pattern, letters, strict=True))
    ):
        return False
    return text.lstrip(SPACE).startswith(query.prefix.lstrip(SPACE))
