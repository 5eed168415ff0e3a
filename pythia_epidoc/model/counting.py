"""Making counts: of the training corpora, once, and of the text of an edition, whenever it is asked about.

    count(documents, thresholds)   strings of two documents or more: statistics, not texts
    count_texts(texts)             every string of each text, under a root of its own

Not for using them: see `counts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.counts import ORDER, Counts, Trust, encode, level_of, ratio_level_of

_BITS = np.uint64(5)
_ONE = np.uint64(1)
_STRETCH = 1000
"""A string counts once for every so many characters of a document: a long work says more than a receipt, but
what one writer keeps repeating is not what others write."""
PULL = 40.0
"""Trust in counts that nobody has fitted."""

Keys = npt.NDArray[np.uint64]
"""Strings as numbers: five bits a character, and the number of the text above them."""
Level = tuple[Keys, npt.NDArray[np.float64]]
"""The strings of one length, in order, with their counts."""
Progress = Callable[[int], None]


def count(
    documents: Iterable[tuple[float, str]],
    thresholds: Sequence[float],
    *,
    min_documents: int = 2,
    progress: Progress = lambda order: None,
) -> Counts:
    """Count the strings of documents, each with its weight.

    `thresholds[n - 1]` is the least weighted count that a string of n characters must have.
    """
    encoded: dict[float, list[npt.NDArray[np.uint8]]] = {}
    for weight, text in documents:
        encoded.setdefault(weight, []).append(encode(f"{SPACE}{text}{SPACE}"))
    levels: list[Level] = []
    for order, threshold in enumerate(thresholds if encoded else (), 1):
        progress(order)
        keys, weights, holders = _frequencies(encoded, order, levels[-1][0] if levels else None)
        kept = (weights >= threshold) & (holders >= min_documents)
        if not kept.any():
            break
        levels.append((keys[kept], weights[kept]))
    return _trie(levels, 1, Trust.pulled(ORDER, PULL))


def count_texts(texts: Sequence[Sequence[str]], trust: Trust) -> Counts:
    """Every string of each text, which may come in several pieces."""
    levels: list[Level] = []
    for order in range(1, len(trust.after) + 1):
        shift = _BITS * np.uint64(order)
        found = [
            _keys(encode(piece), order) | np.uint64(number) << shift
            for number, pieces in enumerate(texts)
            for piece in pieces
        ]
        keys, times = np.unique(np.concatenate(found or [np.empty(0, np.uint64)]), return_counts=True)
        levels.append((keys, times.astype(np.float64)))
    return _trie(levels, len(texts), trust)


def _frequencies(
    encoded: dict[float, list[npt.NDArray[np.uint8]]], order: int, shorter: Keys | None
) -> tuple[Keys, npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """The strings of this order that begin with one of the shorter: their weighted counts, and the number
    of documents that have them."""
    parts = []
    for weight, texts in encoded.items():
        marked = np.concatenate([_marked_keys(text, order) for text in texts])
        marked.sort()
        keys, first = marked >> _ONE, (marked & _ONE).astype(np.int64)
        starts = _starts(keys)
        counted = np.diff(np.append(starts, len(keys)))
        known = slice(None) if shorter is None else np.isin(keys[starts] >> _BITS, shorter)
        parts.append((keys[starts][known], weight * counted[known], _sums(first, starts)[known]))
    keys = np.concatenate([part[0] for part in parts])
    weights, holders = (np.concatenate([part[column] for part in parts]) for column in (1, 2))
    ranks = np.argsort(keys, kind="stable")
    keys = keys[ranks]
    starts = _starts(keys)
    return keys[starts], _sums(weights[ranks], starts), _sums(holders[ranks], starts)


def _marked_keys(text: npt.NDArray[np.uint8], order: int) -> Keys:
    """The strings of a document, once for each stretch that has them; the first time with a mark, which is
    the lowest bit."""
    keys = [
        np.unique(_keys(text[start : start + _STRETCH + order - 1], order))
        for start in range(0, max(1, len(text) - order + 1), _STRETCH)
    ]
    joined = np.concatenate(keys)
    first = np.unique(joined, return_index=True)[1]
    marked: Keys = joined << _ONE
    marked[first] |= _ONE
    return marked


def _keys(text: npt.NDArray[np.uint8], order: int) -> Keys:
    """Every string of this order, as often as it stands there."""
    length = len(text) - order + 1
    if length <= 0:
        return np.empty(0, np.uint64)
    keys = np.zeros(length, dtype=np.uint64)
    whole = np.ones(length, dtype=bool)
    for offset in range(order):
        part = text[offset : offset + length]
        keys = (keys << _BITS) | part
        whole &= part > 0
    return keys[whole]


def _starts(keys: Keys) -> npt.NDArray[np.int64]:
    """Where each different key begins."""
    changes = keys[1:] != keys[:-1]
    return np.flatnonzero(np.concatenate(([True], changes))) if len(keys) else np.empty(0, np.int64)


def _sums(values: npt.NDArray[Any], starts: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    return np.add.reduceat(values, starts) if len(starts) else values


def _trie(levels: Sequence[Level], roots: int, trust: Trust) -> Counts:
    parents: Keys = np.arange(roots, dtype=np.uint64)
    symbols = [np.zeros(roots, dtype=np.uint8)]
    counted = [np.zeros(roots)]
    before = [np.zeros(roots)]
    children = []
    for order, (keys, counts) in enumerate(levels, 1):
        owners = np.searchsorted(parents, keys >> _BITS)
        children.append(np.bincount(owners, minlength=len(parents)).astype(np.uint8))
        symbols.append((keys & np.uint64(31)).astype(np.uint8))
        if order > 1:
            before[-1] = _counted_before(parents, keys, counts, order)
        counted.append(counts)
        before.append(np.zeros(len(keys)))
        parents = keys
    children.append(np.zeros(len(parents), dtype=np.uint8))
    ratios = [sums / np.maximum(counts, 1) for sums, counts in zip(before, counted, strict=True)]
    return Counts(
        np.concatenate(symbols),
        np.concatenate(children),
        level_of(np.concatenate(counted)),
        ratio_level_of(np.concatenate(ratios)),
        trust,
        roots,
    )


def _counted_before(
    shorter: Keys, keys: Keys, counts: npt.NDArray[np.float64], order: int
) -> npt.NDArray[np.float64]:
    """For each shorter string, how often the strings were counted that it is the end of."""
    below = _BITS * np.uint64(order - 1)
    ends = (keys >> (below + _BITS) << below) | (keys & ((_ONE << below) - _ONE))
    places = np.minimum(np.searchsorted(shorter, ends), len(shorter) - 1)
    counted = np.where(shorter[places] == ends, counts, 0.0)
    return np.bincount(places, counted, minlength=len(shorter)).astype(np.float64)
