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
from pythia_epidoc.model.counts import Counts, Trust, encode
from pythia_epidoc.model.trie import DEAD, Codes, FloatArray, compiled, level_of, ratio_level_of

_STRETCH = 1000
"""A string counts once for every so many characters of a document: a long work says more than a receipt, but
what one writer keeps repeating is not what others write."""
_ALWAYS = 6
"""Strings up to this length are kept, whatever they tell."""
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
    ends: Numbers
    """The string without its first character, or DEAD where that was too rare."""
    counts: FloatArray


def count(
    documents: Iterable[tuple[float, str]],
    thresholds: Sequence[float],
    *,
    min_documents: int = 2,
    least_told: float = 0.0,
    progress: Progress = lambda order: None,
) -> Counts:
    """Count the strings of documents, each with its weight.

    `thresholds[n - 1]` is the least weighted count that a string of n characters must have; `least_told` is
    what it must tell (see `_telling`).
    """
    texts, weights = [], []
    for weight, text in documents:
        texts.append(encode(f"{SPACE}{text}{SPACE}"))
        weights.append(weight)
    lengths = np.array([len(text) + 1 for text in texts], dtype=np.int64)
    numbers = np.repeat(np.arange(len(texts), dtype=np.int32), lengths)
    offsets = np.arange(len(numbers)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    # A stretch begins at every document, and within one after so many characters.
    stretches = np.cumsum(offsets % _STRETCH == 0, dtype=np.int32)
    places = _Places(
        _joined(texts),
        np.zeros(len(numbers), dtype=np.int32),
        stretches,
        numbers,
        np.array(weights, dtype=np.float32),
    )
    strings = _strings(places, 1, thresholds, min_documents, progress)
    if least_told:
        strings = _chosen(strings, _telling(strings, np.float32(least_told)))
    return _trie(strings, 1, Trust.pulled(len(thresholds), PULL))


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
    return np.concatenate([part for text in texts for part in (text, np.zeros(1, np.uint8))] or [_NOTHING])


_NOTHING = np.zeros(0, dtype=np.uint8)


def _strings(
    places: _Places,
    roots: int,
    thresholds: Sequence[float],
    min_documents: int,
    progress: Progress = lambda order: None,
) -> _Strings:
    """The roots and all strings that are frequent enough, as are those that they begin with."""
    none = np.full(roots, DEAD, dtype=np.int32)
    levels = [_Strings(np.zeros(roots, np.uint8), none, none, np.zeros(roots, np.float32))]
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
        ends = np.full(len(kept), DEAD, dtype=np.int32)
        alive, moved = _move(places.codes, alive, nodes, numbers, ends, order, first, end)
        if order == 1:
            ends[:] = (kept // _CODES).astype(np.int32)  # the empty string: the root
        symbols, parents = (kept % _CODES).astype(np.uint8), (first + kept // _CODES).astype(np.int32)
        levels.append(_Strings(symbols, parents, ends, counted[kept]))
        first, end, nodes = end, end + len(kept), moved
    return _Strings(
        *(
            np.concatenate([getattr(level, name) for level in levels])
            for name in ("symbols", "parents", "ends", "counts")
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
    codes: Codes, alive: npt.NDArray[np.int64], nodes: Numbers, numbers: Numbers, ends: Numbers, order: int,
    first: int, end: int,
) -> tuple[npt.NDArray[np.int64], Numbers]:  # fmt: skip
    """Places whose string of one character more was kept, and its node; writes down its end."""
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
        if order > 1:
            ends[number - end] = nodes[place + 1]
    return going_on[:found].copy(), moved


def _telling(strings: _Strings, least: np.float32) -> npt.NDArray[np.bool_]:
    """Whether each string tells at least so much that shorter ones do not: how often it was seen, times how
    much likelier (or less likely) its last character is after all that precedes it than after all but the
    first. Its first character is as much likelier before what follows, so this holds of both directions."""
    kept, _ = _tell(strings.symbols, strings.parents, strings.ends, strings.counts, least)
    return kept


@compiled
def _tell(
    symbols: Codes, parents: Numbers, ends: Numbers, counts: FloatArray, least: np.float32
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint8]]:
    lengths = np.zeros(len(symbols), dtype=np.uint8)
    for number in range(len(symbols)):
        if parents[number] >= 0:
            lengths[number] = lengths[parents[number]] + 1
    kept, begun = np.ones(len(symbols), dtype=np.bool_), np.zeros(len(symbols), dtype=np.uint8)
    for number in range(len(symbols) - 1, -1, -1):
        end, parent = ends[number], parents[number]
        if lengths[number] > _ALWAYS and not begun[number] and end >= 0:
            middle = counts[parents[end]]
            told = counts[number] * abs(np.log(counts[number] * middle / (counts[parent] * counts[end])))
            kept[number] = told >= least
        if kept[number] and parent >= 0:
            begun[parent] = 1
    return kept, begun


def _chosen(strings: _Strings, kept: npt.NDArray[np.bool_]) -> _Strings:
    numbers = np.where(kept, np.cumsum(kept, dtype=np.int32) - 1, DEAD).astype(np.int32)
    parents, ends = strings.parents[kept], strings.ends[kept]
    return _Strings(
        strings.symbols[kept],
        np.where(parents >= 0, numbers[parents], DEAD).astype(np.int32),
        np.where(ends >= 0, numbers[ends], DEAD).astype(np.int32),
        strings.counts[kept],
    )


def _trie(strings: _Strings, roots: int, trust: Trust) -> Counts:
    children = np.bincount(strings.parents[roots:], minlength=len(strings.symbols)).astype(np.uint8)
    known = np.flatnonzero(strings.ends >= 0)
    before = np.bincount(strings.ends[known], strings.counts[known], minlength=len(strings.symbols))
    before[:roots] = 0
    counts = strings.counts.astype(np.float64)
    return Counts(
        strings.symbols,
        children,
        level_of(counts),
        ratio_level_of(before / np.maximum(counts, 1)),
        trust,
        roots,
    )
