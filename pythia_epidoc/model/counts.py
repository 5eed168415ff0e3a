"""Counting beside learning: how often letters follow one another in the training corpora.

The strings of up to `ORDER` characters that occur in two documents or more, as a trie in flat arrays: two
bytes a node in the checkpoint. From it comes a language model of both directions: of the documents that
have a string, the share in which a character follows it (or comes before it), pulled towards the share
after a string one character shorter. It holds statistics, not texts.

Not for a user's own collection: see `pythia_epidoc.parallels`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

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
_PULL = 40.0
"""The share after a shorter string weighs as much as so many documents; fitted on validation texts."""
DEAD = -1
"""No node: this context was never counted."""

IntArray = npt.NDArray[np.int64]

_HALF, _LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)
_SHORT = 3
"""What strings of up to so many characters say is kept ready: every search begins with them."""
_BASE = SIZE + 1
_KEY = _BASE ** np.arange(_SHORT)[::-1]

_CODES = np.zeros(0x400, dtype=np.uint8)
for _index, _symbol in enumerate(SYMBOLS, 1):
    _CODES[ord(_symbol)] = _index


def encode(text: str) -> npt.NDArray[np.uint8]:
    """Codes of a model text; what is lost or to be predicted interrupts it."""
    units = np.frombuffer(text.encode("utf-16-le"), dtype=np.uint16)
    return _CODES[np.minimum(units, 0x3FF)]


@dataclass(frozen=True)
class _Before:
    """What is known about the characters before each of H strings."""

    shares: npt.NDArray[np.float32]  # H SIZE
    context: IntArray  # H: the string's node
    nodes: IntArray  # H SIZE: that of a character and the string


@dataclass(frozen=True, eq=False)
class Counts:
    """A trie of counted strings. Node 0 is the root; the children of a node stand together, in order."""

    symbols: npt.NDArray[np.uint8]
    children: npt.NDArray[np.uint8]
    """How many children each node has."""
    quantised: npt.NDArray[np.uint8]
    """The logarithm of each node's count."""
    pull: float = _PULL

    def __post_init__(self) -> None:
        ends = 1 + np.cumsum(self.children, dtype=np.int32)
        first = ends - self.children
        counts = (_STEP ** np.arange(256, dtype=np.float32))[self.quantised]
        counts[0] = counts[1 : 1 + int(self.children[0])].sum()
        # The children of a node differ, so the union of their bits is their sum: a difference of sums.
        bits = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))[self.symbols]
        sums = np.concatenate(([np.uint32(0)], np.cumsum(bits, dtype=np.uint32)))
        mask = sums[ends] - sums[first]
        # Which children, and the first of them, in one number: memory is looked into once.
        object.__setattr__(self, "_links", mask.astype(np.uint64) << _HALF | first.astype(np.uint64))
        object.__setattr__(self, "_counts", counts)

    def __len__(self) -> int:
        return len(self.symbols)

    def child(self, nodes: IntArray, codes: IntArray) -> IntArray:
        """The node reached from each node by a character, or DEAD."""
        links = self._links[nodes]  # type: ignore[attr-defined]
        bit = np.left_shift(np.uint64(1), codes.astype(np.uint64))
        mask = links >> _HALF
        rank = np.bitwise_count(mask & (bit - np.uint64(1)))
        found = ((links & _LOWER) + rank).astype(np.int64)
        return np.where((nodes >= 0) & (mask & bit > 0) & (codes > 0), found, DEAD)

    def after(self, text: str) -> IntArray:
        """The state after a text: for each k the node of its last k characters."""
        state = np.full((1, ORDER), DEAD, dtype=np.int64)
        state[:, 0] = 0
        for code in encode(text[-ORDER:]):
            state = self.advance(state, np.array([code], dtype=np.int64))
        return state

    def advance(self, states: IntArray, codes: IntArray) -> IntArray:
        """States after one more character each: states H K, codes H."""
        following = np.full_like(states, DEAD)
        following[:, 0] = 0
        following[:, 1:] = self.child(states[:, :-1], np.repeat(codes[:, None], states.shape[1] - 1, axis=1))
        return following

    def logs_after(self, states: IntArray) -> npt.NDArray[np.float32]:
        """log of the share of each character (by code - 1) after each state: H SIZE."""
        # A string is only counted if its ends are, so what is alive at one depth is so at all below.
        short = states[:, 0]
        for depth in range(1, _SHORT + 1):
            short = np.where(states[:, depth] >= 0, states[:, depth], short)
        shares = self._after_short[short]
        self._mix_after(shares, states, _SHORT + 1)
        return np.log(np.maximum(shares, _LEAST))

    @cached_property
    def _after_short(self) -> npt.NDArray[np.float32]:
        """The shares after each string of up to _SHORT characters, by its node."""
        states = np.full((1, ORDER), DEAD, dtype=np.int64)
        states[0, 0] = 0
        codes = np.arange(1, SIZE + 1, dtype=np.int64)
        found, level = [states], states
        for depth in range(1, _SHORT + 1):
            level = self.advance(np.repeat(level, SIZE, axis=0), np.tile(codes, len(level)))
            level = level[level[:, depth] >= 0]
            found.append(level)
        states = np.concatenate(found)
        nodes = states[np.arange(len(states)), (states >= 0).sum(axis=1) - 1]
        shares = np.full((len(states), SIZE), 1.0 / SIZE, dtype=np.float32)
        self._mix_after(shares, states[:, : _SHORT + 1], 0)
        return np.asarray(shares[np.argsort(nodes)])

    def _mix_after(self, shares: npt.NDArray[np.float32], states: IntArray, first: int) -> None:
        """Bring into the shares what the strings of `first` characters and more say."""
        alive = np.arange(len(states))
        for depth in range(first, states.shape[1]):
            alive = alive[states[alive, depth] >= 0]
            if not len(alive):
                break
            nodes = states[alive, depth]
            weight = self._weigh(shares, alive, nodes)
            number = self.children[nodes].astype(np.int64)
            rows = np.repeat(np.arange(len(alive)), number)
            offsets = np.arange(len(rows)) - np.repeat(np.cumsum(number) - number, number)
            found = (self._links[nodes] & _LOWER).astype(np.int64)[rows] + offsets  # type: ignore[attr-defined]
            gained = self._counts[found] * weight[rows]  # type: ignore[attr-defined]
            shares[alive[rows], self.symbols[found] - 1] += gained

    def logs_before(self, following: IntArray) -> npt.NDArray[np.float32]:
        """log of the share of each character (by code - 1) before what follows it: H SIZE.

        following H K: codes, the nearest first; 0 interrupts.
        """
        key = following[:, :_SHORT] @ _KEY
        short = self._before_short
        shares = short.shares[key]
        self._mix_before(shares, short.context[key], short.nodes[key], following, _SHORT + 1)
        return np.asarray(np.log(np.maximum(shares, _LEAST)))

    @cached_property
    def _before_short(self) -> _Before:
        """The same for every _SHORT characters that may follow, by their number."""
        following = np.stack(np.unravel_index(np.arange(_BASE**_SHORT), (_BASE,) * _SHORT), axis=1)
        shares = np.full((len(following), SIZE), 1.0 / SIZE, dtype=np.float32)
        context = np.zeros(len(following), dtype=np.int64)
        codes = np.arange(1, SIZE + 1, dtype=np.int64)
        nodes = np.tile(self.child(np.zeros(SIZE, dtype=np.int64), codes), (len(following), 1))
        return _Before(shares, *self._mix_before(shares, context, nodes, following, 0, _SHORT + 1))

    def _mix_before(
        self,
        shares: npt.NDArray[np.float32],
        context: IntArray,
        nodes: IntArray,
        following: IntArray,
        first: int,
        stop: int = ORDER,
    ) -> tuple[IntArray, IntArray]:
        """Bring into the shares what strings of a character and `first` or more that follow it say.

        context H: the node of what follows; nodes H SIZE: those of a character and what follows it.
        """
        flat = np.flatnonzero(nodes >= 0)
        rows, found = flat // SIZE, nodes.reshape(-1)[flat]
        for depth in range(first, stop):
            if depth:
                nearest = following[:, depth - 1]
                context = self.child(context, nearest)
                found = self.child(found, nearest[rows])
                known = np.flatnonzero(found >= 0)
                flat, rows, found = flat[known], rows[known], found[known]
            alive = np.flatnonzero(context >= 0)
            if not len(alive):
                break
            weight = np.zeros(len(shares), dtype=np.float32)
            weight[alive] = self._weigh(shares, alive, context[alive])
            shares.reshape(-1)[flat] += self._counts[found] * weight[rows]  # type: ignore[attr-defined]
        nodes = np.full(shares.shape, DEAD, dtype=np.int64)
        nodes.reshape(-1)[flat] = found
        return context, nodes

    def _weigh(
        self, shares: npt.NDArray[np.float32], rows: IntArray, nodes: IntArray
    ) -> npt.NDArray[np.float32]:
        """Reduce what shorter strings said to its due share; gives what a document weighs."""
        weight = 1 / (self._counts[nodes] + np.float32(self.pull))  # type: ignore[attr-defined]
        shares[rows] *= (self.pull * weight)[:, None]
        return np.asarray(weight)

    def score(self, before: str, texts: Sequence[str], after: str) -> npt.NDArray[np.float64]:
        """How well each text fits what stands before and after it: the mean of both directions."""
        before, after = before[-(ORDER - 1) :], after[: ORDER - 1]
        rows = [f"{before}{text}{after}" for text in texts]
        size = max(map(len, rows))
        # A column more, which interrupts: no string goes over the end of its row.
        joined = encode("".join(row.ljust(size + 1, "\0") for row in rows))
        codes: IntArray = joined.reshape(len(rows), size + 1).astype(np.int64)
        place = np.arange(codes.shape[1])
        text_ends = np.array([[len(before) + len(text)] for text in texts])
        onwards = (codes > 0) & (place >= len(before))
        backwards = (codes > 0) & (place < text_ends)
        forward, backward = self._sequence_logs(codes)
        return np.asarray(0.5 * ((forward * onwards).sum(axis=1) + (backward * backwards).sum(axis=1)))

    def _sequence_logs(self, codes: IntArray) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """For each character of H texts, log of its share after what precedes, before what follows: H L."""
        flat = codes.reshape(-1)
        forward = np.full(flat.shape, 1.0 / SIZE, dtype=np.float32)
        backward = forward.copy()
        pull = np.float32(self.pull)
        # Strings of `depth` characters that were counted: where they begin, and their nodes.
        begins, nodes = np.arange(len(flat)), np.zeros(len(flat), dtype=np.int64)
        for depth in range(ORDER):
            longer = self.child(nodes, flat[begins + depth])
            weight = 1 / (self._counts[nodes] + pull)  # type: ignore[attr-defined]
            known = longer >= 0
            counted = np.zeros(len(flat), dtype=np.float32)
            counted[begins[known]] = self._counts[longer[known]]  # type: ignore[attr-defined]
            ends = begins + depth
            forward[ends] = (counted[begins] + pull * forward[ends]) * weight
            before = begins - 1  # of the first character of a row: one that interrupts, and does not count
            backward[before] = (counted[before] + pull * backward[before]) * weight
            begins, nodes = begins[known], longer[known]
        logs = np.log(np.maximum((forward, backward), _LEAST)).reshape(2, *codes.shape)
        return logs[0], logs[1]


Progress = Callable[[int], None]


def count(
    documents: Iterable[tuple[float, str]],
    thresholds: Sequence[float],
    *,
    min_documents: int = 2,
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
    return _trie(levels)


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


def _trie(levels: list[tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]]) -> Counts:
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
    return Counts(np.concatenate(symbols), np.concatenate(children), np.concatenate(quantised))
