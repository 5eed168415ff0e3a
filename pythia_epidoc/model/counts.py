"""Counting beside learning: how often letters follow one another in the training corpora.

The strings of up to `ORDER` characters that occur in two documents or more, as a trie in three flat
arrays: two bytes a node in the checkpoint. From it comes a language model: the probability of each
character after those before it (Witten–Bell smoothing: long contexts where they were seen, shorter ones
elsewhere). It holds statistics, not texts.

Not for a user's own collection: see `pythia_epidoc.parallels`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pythia_epidoc.greek import LETTERS, NUMERAL, SPACE

ORDER = 12
SYMBOLS = LETTERS + SPACE + NUMERAL
"""Code c of a character is its index here, plus 1; code 0 interrupts the text."""
SIZE = len(SYMBOLS)
SPACE_CODE = SYMBOLS.index(SPACE) + 1
_BITS = 5
_STEP = 1.25  # a stored count q stands for _STEP ** q
_LEAST = 1e-9
DEAD = -1
"""No node: this context was never counted."""

IntArray = npt.NDArray[np.int64]

_CODES = np.zeros(0x400, dtype=np.uint8)
for _index, _symbol in enumerate(SYMBOLS, 1):
    _CODES[ord(_symbol)] = _index


def encode(text: str) -> npt.NDArray[np.uint8]:
    """Codes of a model text; what is lost or to be predicted interrupts it."""
    units = np.frombuffer(text.encode("utf-16-le"), dtype=np.uint16)
    return _CODES[np.minimum(units, 0x3FF)]


@dataclass(frozen=True, eq=False)
class Counts:
    """A trie of counted strings. Node 0 is the root; the children of a node stand together, in order."""

    symbols: npt.NDArray[np.uint8]
    children: npt.NDArray[np.uint8]
    """How many children each node has."""
    quantised: npt.NDArray[np.uint8]
    """The logarithm of each node's count."""
    smoothing: float = 1.0

    def __post_init__(self) -> None:
        first = np.concatenate(([1], 1 + np.cumsum(self.children[:-1], dtype=np.int64)))
        counts = (_STEP ** self.quantised.astype(np.float32)).astype(np.float32)
        mask = np.zeros(len(self.symbols), dtype=np.uint32)
        totals = np.zeros(len(self.symbols), dtype=np.float32)
        parents = np.flatnonzero(self.children)
        bits = np.left_shift(np.uint32(1), self.symbols.astype(np.uint32))
        if len(parents):
            mask[parents] = np.bitwise_or.reduceat(bits, first[parents])
            totals[parents] = np.add.reduceat(counts, first[parents])
        object.__setattr__(self, "_first", first.astype(np.int32))
        object.__setattr__(self, "_mask", mask)
        object.__setattr__(self, "_totals", totals)
        object.__setattr__(self, "_counts", counts)

    def __len__(self) -> int:
        return len(self.symbols)

    def child(self, nodes: IntArray, codes: IntArray) -> IntArray:
        """The node reached from each node by a character, or DEAD."""
        mask = self._mask[nodes]  # type: ignore[attr-defined]
        bit = np.left_shift(np.uint32(1), codes.astype(np.uint32))
        rank = np.bitwise_count(mask & (bit - np.uint32(1)))
        found = self._first[nodes] + rank  # type: ignore[attr-defined]
        return np.where((nodes >= 0) & (mask & bit > 0), found, DEAD).astype(np.int64)

    def start(self, before: str) -> IntArray:
        """The state after a text: for each k the node of its last k characters."""
        state = np.full((1, ORDER), DEAD, dtype=np.int64)
        state[:, 0] = 0
        for code in encode(before[-ORDER:]):
            state = self.advance(state, np.array([code], dtype=np.int64))
        return state

    def advance(self, states: IntArray, codes: IntArray) -> IntArray:
        """States after one more character each: states H K, codes H."""
        following = np.full_like(states, DEAD)
        following[:, 1:] = self.child(states[:, :-1], np.repeat(codes[:, None], states.shape[1] - 1, axis=1))
        following[codes == 0, 1:] = DEAD
        following[:, 0] = 0
        return following

    def log_probabilities(self, states: IntArray) -> npt.NDArray[np.float32]:
        """log p of each character (by code - 1) after each state: H SIZE."""
        hypotheses = len(states)
        probabilities = np.full((hypotheses, SIZE), 1.0 / SIZE, dtype=np.float32)
        codes = np.arange(1, SIZE + 1, dtype=np.int64)
        for depth in range(states.shape[1]):
            nodes = states[:, depth]
            alive = np.flatnonzero((nodes >= 0) & (self.children[nodes] > 0))
            if not len(alive):
                continue
            nodes = nodes[alive]
            found = self.child(
                np.repeat(nodes[:, None], SIZE, axis=1), np.broadcast_to(codes, (len(alive), SIZE))
            )
            counts = np.where(found >= 0, self._counts[found], 0.0)  # type: ignore[attr-defined]
            back = self.smoothing * self.children[nodes].astype(np.float32)[:, None]
            total = self._totals[nodes][:, None]  # type: ignore[attr-defined]
            probabilities[alive] = (counts + back * probabilities[alive]) / (total + back)
        return np.log(np.maximum(probabilities, _LEAST))

    def score(self, states: IntArray, text: str) -> npt.NDArray[np.float32]:
        """log p of a text after each of several states, up to its first lost letter."""
        total = np.zeros(len(states), dtype=np.float32)
        for code in encode(text).astype(np.int64):
            if code == 0:
                break
            total += self.log_probabilities(states)[:, code - 1]
            states = self.advance(states, np.full(len(states), code))
        return total


Progress = Callable[[int], None]


def count(
    documents: Iterable[tuple[float, str]],
    thresholds: Sequence[float],
    *,
    min_documents: int = 2,
    smoothing: float = 1.0,
    progress: Progress = lambda order: None,
) -> Counts:
    """Count the strings of documents, each with its weight.

    `thresholds[n - 1]` is the least weighted number of documents a string of n characters must occur in.
    """
    encoded: dict[float, list[npt.NDArray[np.uint8]]] = {}
    for weight, text in documents:
        encoded.setdefault(weight, []).append(encode(f"{SPACE}{text}{SPACE}"))
    levels: list[tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]] = []
    for order, threshold in enumerate(thresholds, 1):
        progress(order)
        keys, weights, holders = _document_frequencies(encoded, order)
        kept = (weights >= threshold) & (holders >= min_documents)
        keys, weights = keys[kept], weights[kept]
        if levels:
            known = np.isin(keys >> np.uint64(_BITS), levels[-1][0], assume_unique=False)
            keys, weights = keys[known], weights[known]
        if not len(keys):
            break
        levels.append((keys, weights))
    return _trie(levels, smoothing)


def _document_frequencies(
    encoded: dict[float, list[npt.NDArray[np.uint8]]], order: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Every string of this order, in order, with its weighted and plain number of documents."""
    parts = []
    for weight, texts in encoded.items():
        keys = np.concatenate([_strings(text, order) for text in texts] or [np.empty(0, np.uint64)])
        keys.sort()
        unique, holders = _runs(keys)
        parts.append((unique, weight * holders, holders))
    keys = np.concatenate([part[0] for part in parts])
    ranks = np.argsort(keys, kind="stable")
    keys = keys[ranks]
    starts = (
        np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.empty(0, int)
    )
    if not len(keys):
        return keys, np.empty(0), np.empty(0, np.int64)
    weights = np.add.reduceat(np.concatenate([part[1] for part in parts])[ranks], starts)
    holders = np.add.reduceat(np.concatenate([part[2] for part in parts])[ranks], starts)
    return keys[starts], weights, holders


def _strings(text: npt.NDArray[np.uint8], order: int) -> npt.NDArray[np.uint64]:
    """The distinct strings of one document, as numbers of five bits a character."""
    length = len(text) - order + 1
    if length <= 0:
        return np.empty(0, np.uint64)
    keys = np.zeros(length, dtype=np.uint64)
    whole = np.ones(length, dtype=bool)
    for offset in range(order):
        part = text[offset : offset + length]
        keys = (keys << np.uint64(_BITS)) | part
        whole &= part > 0
    return np.unique(keys[whole])


def _runs(keys: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    if not len(keys):
        return keys, np.empty(0, np.int64)
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[starts], np.diff(np.concatenate((starts, [len(keys)])))


def _trie(levels: list[tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]], smoothing: float) -> Counts:
    symbols = [np.zeros(1, dtype=np.uint8)]
    quantised = [np.zeros(1, dtype=np.uint8)]
    children = []
    parents = np.zeros(1, dtype=np.uint64)
    for keys, weights in levels:
        owners = np.searchsorted(parents, keys >> np.uint64(_BITS))
        children.append(np.bincount(owners, minlength=len(parents)).astype(np.uint8))
        symbols.append((keys & np.uint64(31)).astype(np.uint8))
        levels_of_count = np.round(np.log(np.maximum(weights, 1)) / np.log(_STEP))
        quantised.append(np.clip(levels_of_count, 0, 255).astype(np.uint8))
        parents = keys
    children.append(np.zeros(len(parents), dtype=np.uint8))
    return Counts(np.concatenate(symbols), np.concatenate(children), np.concatenate(quantised), smoothing)
