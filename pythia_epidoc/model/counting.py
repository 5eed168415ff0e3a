"""Making counts: of the training corpora, once, and of the text of an edition, whenever it is asked about.

    count(documents, thresholds)   strings of two documents or more: statistics, not texts
    count_texts(texts)             every string of each text, under a root of its own

A string of n characters is reached from one of n - 1, so each place of the texts needs to remember only the
node of the string that begins there.

Not for using them: see `counts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.counts import ORDER, Counts, Trust, encode
from pythia_epidoc.model.linking import level_of, linked
from pythia_epidoc.model.trie import DEAD, LEVELS, Codes, FloatArray, compiled

_STRETCH = 1000
"""A string counts once for every so many characters of a document: a long work says more than a receipt, but
what one writer keeps repeating is not what others write."""
_CODES = 32
PULL = 40.0
"""Trust in counts that nobody has fitted."""

Numbers = npt.NDArray[np.int32]
Progress = Callable[[int], None]


@dataclass(frozen=True)
class _Places:
    """Every place of some texts, one text after another, with something that interrupts between them."""

    codes: Codes
    nodes: Numbers
    """That of the string which begins here; at first the root of the text."""
    stretches: Numbers
    """A string counts once for each of these."""
    documents: Numbers
    weights: FloatArray
    """Of each document."""


@dataclass(frozen=True)
class _Strings:
    """Counted strings, the shorter first; those that begin alike together, in order."""

    symbols: Codes
    parents: Numbers
    """The string without its last character."""
    counts: FloatArray


def count(
    documents: Iterable[tuple[float, tuple[str, ...]]],
    thresholds: Sequence[float],
    *,
    min_documents: int = 2,
    progress: Progress = lambda order: None,
) -> Counts:
    """Count the strings of documents, each with its weight and its text in one or more spellings, which share
    the weight.

    `thresholds[n - 1]` is the least weighted count that a string of n characters must have.
    """
    texts, owners, weights = [], [], []
    for number, (weight, spellings) in enumerate(documents):
        texts += [encode(f"{SPACE}{text}{SPACE}") for text in spellings]
        owners += [number] * len(spellings)
        weights.append(weight / len(spellings))
    lengths = np.array([len(text) + 1 for text in texts], dtype=np.int64)
    numbers = np.repeat(np.array(owners, dtype=np.int32), lengths)
    offsets = np.arange(len(numbers)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    # A stretch begins with every text, and within one after so many characters.
    stretches = np.cumsum(offsets % _STRETCH == 0, dtype=np.int32)
    places = _Places(
        _joined(texts),
        np.zeros(len(numbers), dtype=np.int32),
        stretches,
        numbers,
        np.array(weights, dtype=np.float32),
    )
    strings = _strings(places, 1, thresholds, min_documents, progress)
    return _trie(strings, 1, Trust.pulled(ORDER, PULL))


def count_texts(texts: Sequence[Sequence[str]], trust: Trust) -> Counts:
    """Every string of each text, which may come in several pieces."""
    pieces = [encode(piece) for text in texts for piece in text]
    lengths = [len(piece) + 1 for piece in pieces]
    owners = np.repeat(np.arange(len(texts), dtype=np.int32), list(map(len, texts)))
    numbers = np.repeat(owners, lengths)
    each = np.arange(len(numbers), dtype=np.int32)
    places = _Places(_joined(pieces), numbers, each, numbers, np.ones(len(texts), dtype=np.float32))
    return _trie(_strings(places, len(texts), [0.0] * len(trust.after), 1), len(texts), trust)


def _joined(texts: Sequence[Codes]) -> Codes:
    return np.concatenate([np.append(text, np.uint8(0)) for text in texts] or [np.zeros(0, np.uint8)])


def _strings(
    places: _Places,
    roots: int,
    thresholds: Sequence[float],
    min_documents: int,
    progress: Progress = lambda order: None,
) -> _Strings:
    """The roots and all strings that are frequent enough, as are those that they begin with."""
    none = np.full(roots, DEAD, dtype=np.int32)
    levels = [_Strings(np.zeros(roots, np.uint8), none, np.zeros(roots, np.float32))]
    alive, nodes = np.arange(len(places.codes)), places.nodes
    first, end = 0, roots
    for order, threshold in enumerate(thresholds, 1):
        progress(order)
        counted, holders = _tally(
            places.codes, alive, nodes, places.stretches, places.documents, places.weights, order, first, end
        )
        kept = np.flatnonzero((counted >= threshold) & (holders >= min_documents))
        if not len(kept):
            break
        numbers = np.full(len(counted), DEAD, dtype=np.int32)
        numbers[kept] = end + np.arange(len(kept), dtype=np.int32)
        alive, nodes = _move(places.codes, alive, nodes, numbers, order, first)
        symbols, parents = (kept % _CODES).astype(np.uint8), (first + kept // _CODES).astype(np.int32)
        levels.append(_Strings(symbols, parents, counted[kept]))
        first, end = end, end + len(kept)
    return _Strings(
        *(
            np.concatenate([getattr(level, name) for level in levels])
            for name in ("symbols", "parents", "counts")
        )
    )


@compiled
def _tally(
    codes: Codes, alive: npt.NDArray[np.int64], nodes: Numbers, stretches: Numbers, documents: Numbers,
    weights: FloatArray, order: int, first: int, end: int,
) -> tuple[FloatArray, npt.NDArray[np.uint8]]:  # fmt: skip
    """For each node from `first` to `end` and each character after it: the weighted count, and in how many
    documents (of which two are as good as more)."""
    size = (end - first) * _CODES
    counted, holders = np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.uint8)
    last_stretch, last_document = np.full(size, -1, dtype=np.int32), np.full(size, -1, dtype=np.int32)
    for place in alive:
        if place + order > len(codes):
            continue
        code = codes[place + order - 1]
        if code == 0:
            continue
        key = (nodes[place] - first) * _CODES + code
        if last_stretch[key] == stretches[place]:
            continue
        last_stretch[key] = stretches[place]
        counted[key] += weights[documents[place]]
        if last_document[key] != documents[place]:
            last_document[key] = documents[place]
            holders[key] = min(holders[key] + 1, 2)
    return counted, holders


@compiled
def _move(
    codes: Codes, alive: npt.NDArray[np.int64], nodes: Numbers, numbers: Numbers, order: int, first: int
) -> tuple[npt.NDArray[np.int64], Numbers]:
    """Places whose string of one character more was kept, and its node."""
    going_on = np.empty(len(alive), dtype=np.int64)
    moved = np.full(len(nodes), DEAD, dtype=np.int32)
    found = 0
    for place in alive:
        if place + order > len(codes):
            continue
        code = codes[place + order - 1]
        number = numbers[(nodes[place] - first) * _CODES + code]
        if code == 0 or number < 0:
            continue
        going_on[found] = place
        found += 1
        moved[place] = number
    return going_on[:found].copy(), moved


def _trie(strings: _Strings, roots: int, trust: Trust) -> Counts:
    children = np.bincount(strings.parents[roots:], minlength=len(strings.symbols)).astype(np.uint8)
    levels = level_of(strings.counts)
    above = np.concatenate((np.full(roots, LEVELS - 1, np.uint8), levels[roots:]))
    drops = above[strings.parents] - levels  # of roots: nothing that anybody reads
    return Counts(linked((strings.symbols, children, drops), roots), trust, roots)
