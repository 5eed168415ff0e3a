"""Counting beside learning: how often letters follow one another in texts.

Strings of characters with the number of places they were seen in, as a trie in flat arrays: three bytes a
node in the checkpoint. From it comes a language model of both directions: of what was seen after a string
(or before it), the share of each character, mixed with the shares after a string one character shorter.
How far the longer string is to be trusted is a table by its length, its count and the number of different
characters that were seen after it, fitted on validation texts.

Not for making them (see `counting`), nor for a user's own collection (see `pythia_epidoc.parallels`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pythia_epidoc.greek import LETTERS, NUMERAL, SPACE

ORDER = 12
SYMBOLS = LETTERS + SPACE + NUMERAL
"""Code c of a character is its index here, plus 1; code 0 interrupts the text."""
SIZE = len(SYMBOLS)
SPACE_CODE = SYMBOLS.index(SPACE) + 1
LEVELS = 64
"""Counts are told apart by their logarithm, in so many levels …"""
_STEP = 1.25  # … a count of level q stands for _STEP ** q
BRANCHES = 6
"""Strings are told apart, too, by how many characters were seen after them: 1, 2, up to 4, 8, 16, or more."""
_RATIO_STEP, _RATIO_MIDDLE = 1.1, 100
DEAD = -1
"""No node: this context was never counted."""

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float32]

_HALF, _LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)
_SHORT = 3
"""What strings of up to so many characters say is kept ready: every search begins with them."""
_BASE = SIZE + 1
_KEY = _BASE ** np.arange(_SHORT)[::-1]
_COUNTS = (_STEP ** np.arange(LEVELS)).astype(np.float32)
_RATIOS = (_RATIO_STEP ** (np.arange(256) - _RATIO_MIDDLE)).astype(np.float32)
_RATIOS[0] = 0
_BRANCHES = np.minimum(np.ceil(np.log2(np.maximum(np.arange(256), 1))), BRANCHES - 1).astype(np.uint16)
"""The branch class of each number of children."""

_CODES = np.zeros(0x400, dtype=np.uint8)
for _index, _symbol in enumerate(SYMBOLS, 1):
    _CODES[ord(_symbol)] = _index


def encode(text: str) -> npt.NDArray[np.uint8]:
    """Codes of a model text; what is lost or to be predicted interrupts it."""
    units = np.frombuffer(text.encode("utf-16-le"), dtype=np.uint16)
    return np.asarray(_CODES[np.minimum(units, 0x3FF)])


def level_of(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """The level of each count."""
    levels = np.round(np.log(np.maximum(counts, 1)) / np.log(_STEP))
    return np.asarray(np.minimum(levels, LEVELS - 1).astype(np.uint8))


def ratio_level_of(ratios: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """The level of each ratio; 0 for none."""
    levels = np.round(np.log(np.maximum(ratios, 1e-9)) / np.log(_RATIO_STEP)) + _RATIO_MIDDLE
    return np.where(ratios > 0, np.clip(levels, 1, 255), 0).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Trust:
    """How much the shares beside a string weigh against those beside a shorter one, between 0 and 1: a row
    for each length of the string, a column for each mark, that is its branch class and its level."""

    after: FloatArray
    before: FloatArray

    @classmethod
    def pulled(cls, order: int, pull: float) -> Trust:
        """Before anything is fitted: a shorter string weighs as much as `pull` sightings."""
        table = np.tile(_COUNTS / (_COUNTS + np.float32(pull)), (order, BRANCHES))
        return cls(table, table)


@dataclass(frozen=True)
class _Before:
    """What is known about the characters before each of H strings."""

    shares: FloatArray  # H SIZE
    context: IntArray  # H: the string's node
    nodes: IntArray  # H SIZE: that of a character and the string


@dataclass(frozen=True)
class Seen:
    """What was seen beside strings of one length, at places of a text: each array has one entry a place."""

    places: IntArray
    marks: npt.NDArray[np.uint16]
    shares: FloatArray
    """Of all that was seen beside the string, the share of the character that stands here."""
    known: FloatArray
    """How much of all that is there to share out."""


@dataclass(frozen=True, eq=False)
class Counts:
    """A trie of counted strings. First come the roots, one a text (of the corpus: one); the children of a
    node stand together, in order."""

    symbols: npt.NDArray[np.uint8]
    children: npt.NDArray[np.uint8]
    """How many children each node has."""
    levels: npt.NDArray[np.uint8]
    """The level of each node's count."""
    before: npt.NDArray[np.uint8]
    """What was counted before each node's string, as a ratio to its count; the level of it."""
    trust: Trust
    roots: int = 1
    _links: npt.NDArray[np.uint64] = field(init=False, repr=False)
    _counts: FloatArray = field(init=False, repr=False)
    _sums: FloatArray = field(init=False, repr=False)
    """What was counted after each node's string."""
    _marks: npt.NDArray[np.uint16] = field(init=False, repr=False)
    """The column of each node in the tables of trust."""

    def __post_init__(self) -> None:
        ends = self.roots + np.cumsum(self.children, dtype=np.int32)
        first = ends - self.children
        counts = _COUNTS[self.levels]
        totals = np.concatenate(([0.0], np.cumsum(counts, dtype=np.float64)))
        sums = (totals[ends] - totals[first]).astype(np.float32)
        counts[: self.roots] = sums[: self.roots]
        # The children of a node differ, so the union of their bits is their sum: a difference of sums.
        bits = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))[self.symbols]
        unions = np.concatenate(([np.uint32(0)], np.cumsum(bits, dtype=np.uint32)))
        mask = unions[ends] - unions[first]
        # Which children, and the first of them, in one number: memory is looked into once.
        object.__setattr__(self, "_links", mask.astype(np.uint64) << _HALF | first.astype(np.uint64))
        object.__setattr__(self, "_counts", counts)
        object.__setattr__(self, "_sums", sums)
        object.__setattr__(self, "_marks", _BRANCHES[self.children] * np.uint16(LEVELS) + self.levels)

    def __len__(self) -> int:
        return len(self.symbols)

    @property
    def order(self) -> int:
        """The length of the longest strings; their context is one shorter."""
        return len(self.trust.after)

    def child(self, nodes: IntArray, codes: IntArray) -> IntArray:
        """The node reached from each node by a character, or DEAD."""
        links = self._links[nodes]
        bit = np.left_shift(np.uint64(1), codes.astype(np.uint64))
        mask = links >> _HALF
        rank = np.bitwise_count(mask & (bit - np.uint64(1)))
        found = ((links & _LOWER) + rank).astype(np.int64)
        return np.where((nodes >= 0) & (mask & bit > 0) & (codes > 0), found, DEAD)

    def after(self, text: str, root: int = 0) -> IntArray:
        """The state after a text: for each k the node of its last k characters."""
        state = np.full((1, self.order), DEAD, dtype=np.int64)
        state[:, 0] = root
        for code in encode(text[-self.order :]):
            state = self.advance(state, np.array([code], dtype=np.int64))
        return state

    def advance(self, states: IntArray, codes: IntArray) -> IntArray:
        """States after one more character each: states H K, codes H."""
        following = np.full_like(states, DEAD)
        following[:, 0] = states[:, 0]
        following[:, 1:] = self.child(states[:, :-1], np.repeat(codes[:, None], states.shape[1] - 1, axis=1))
        return following

    def shares_after(self, states: IntArray) -> FloatArray:
        """The share of each character (by code - 1) after each state: H SIZE."""
        short = states[:, 0]
        for depth in range(1, _SHORT + 1):
            short = np.where(states[:, depth] >= 0, states[:, depth], short)
        shares = self._after_short[short]
        self.mix_after(shares, states, _SHORT + 1)
        return np.asarray(shares)

    @cached_property
    def _after_short(self) -> FloatArray:
        """The shares after each string of up to _SHORT characters, by its node."""
        states = np.full((1, self.order), DEAD, dtype=np.int64)
        states[0, 0] = 0
        codes = np.arange(1, SIZE + 1, dtype=np.int64)
        found, nodes, level = [states], [states[:, 0]], states
        for depth in range(1, _SHORT + 1):
            level = self.advance(np.repeat(level, SIZE, axis=0), np.tile(codes, len(level)))
            level = level[level[:, depth] >= 0]
            found.append(level)
            nodes.append(level[:, depth])
        states = np.concatenate(found)
        shares = np.full((len(states), SIZE), 1.0 / SIZE, dtype=np.float32)
        self.mix_after(shares, states[:, : _SHORT + 1], 0)
        return np.asarray(shares[np.argsort(np.concatenate(nodes))])

    def mix_after(self, shares: FloatArray, states: IntArray, first: int) -> None:
        """Bring into the shares what was seen after the strings of `first` characters and more."""
        strings = states[:, first:]
        rows, depths = np.nonzero(strings >= 0)
        nodes = strings[rows, depths]
        weight, known = self._weigh(
            nodes, self.trust.after[depths + first, self._marks[nodes]], self._sums[nodes]
        )
        left = np.ones(strings.shape, dtype=np.float32)
        left[rows, depths] -= known
        number = self.children[nodes].astype(np.int64)
        of = np.repeat(np.arange(len(nodes)), number)
        offsets = np.arange(len(of)) - np.repeat(np.cumsum(number) - number, number)
        found = (self._links[nodes] & _LOWER).astype(np.int64)[of] + offsets
        gained = self._counts[found] * weight[of]
        _blend(shares, left, rows[of] * SIZE + self.symbols[found] - 1, depths[of], gained)

    def shares_before(self, following: IntArray) -> FloatArray:
        """The share of each character (by code - 1) before what follows it: H SIZE.

        following H K: codes, the nearest first; 0 interrupts.
        """
        key = following[:, :_SHORT] @ _KEY
        short = self._before_short
        shares = short.shares[key]
        self._mix_before(shares, short.context[key], short.nodes[key], following, _SHORT + 1, self.order)
        return np.asarray(shares)

    @cached_property
    def _before_short(self) -> _Before:
        """The same for every _SHORT characters that may follow, by their number."""
        following = np.stack(np.unravel_index(np.arange(_BASE**_SHORT), (_BASE,) * _SHORT), axis=1)
        shares = np.full((len(following), SIZE), 1.0 / SIZE, dtype=np.float32)
        context = np.zeros(len(following), dtype=np.int64)
        nodes = self._first_letters(context[:1]).repeat(len(following), axis=0)
        return _Before(shares, *self._mix_before(shares, context, nodes, following, 0, _SHORT + 1))

    def mix_before(self, shares: FloatArray, following: IntArray, roots: IntArray, first: int) -> None:
        """Bring into the shares what was seen before what follows, in the text of each root."""
        context = roots
        for depth in range(first - 1):
            context = self.child(context, following[:, depth])
        alive = np.flatnonzero(self.child(context, following[:, first - 1]) >= 0)
        context, near = context[alive], following[alive]
        nodes = self._first_letters(roots[alive])
        for depth in range(first - 1):
            nodes = self.child(nodes, near[:, depth, None])
        part = shares[alive]
        self._mix_before(part, context, nodes, near, first, self.order)
        shares[alive] = part

    def _first_letters(self, roots: IntArray) -> IntArray:
        """The nodes of every single character in the texts of these roots: H SIZE."""
        codes = np.arange(1, SIZE + 1, dtype=np.int64)
        return self.child(np.repeat(roots, SIZE), np.tile(codes, len(roots))).reshape(-1, SIZE)

    def _mix_before(
        self,
        shares: FloatArray,
        context: IntArray,
        nodes: IntArray,
        following: IntArray,
        first: int,
        stop: int,
    ) -> tuple[IntArray, IntArray]:
        """Bring into the shares what strings of a character and `first` or more that follow it say.

        context H: the node of what follows; nodes H SIZE: those of a character and what follows it.
        """
        flat = np.flatnonzero(nodes >= 0)
        rows, found = flat // SIZE, nodes.reshape(-1)[flat]
        left = np.ones((len(shares), stop - first), dtype=np.float32)
        gains: list[tuple[IntArray, IntArray, FloatArray]] = []
        for depth in range(first, stop):
            if depth:
                nearest = following[:, depth - 1]
                context = self.child(context, nearest)
                found = self.child(found, nearest[rows])
                known_here = np.flatnonzero(found >= 0)
                flat, rows, found = flat[known_here], rows[known_here], found[known_here]
            alive = np.flatnonzero(context >= 0)
            if not len(alive):
                break
            weight = np.zeros(len(shares), dtype=np.float32)
            at = context[alive]
            trust = self.trust.before[depth, self._marks[at]]
            weight[alive], known = self._weigh(at, trust, self._sums_before(at))
            left[alive, depth - first] -= known
            gains.append((flat, np.full_like(flat, depth - first), self._counts[found] * weight[rows]))
        if gains:
            places, depths, gained = (np.concatenate(parts) for parts in zip(*gains, strict=True))
            _blend(shares, left, places, depths, gained)
        nodes = np.full(shares.shape, DEAD, dtype=np.int64)
        nodes.reshape(-1)[flat] = found
        return context, nodes

    def _sums_before(self, nodes: IntArray) -> FloatArray:
        """All that was counted before the strings of these nodes."""
        sums = self._counts[nodes] * _RATIOS[self.before[nodes]]
        return np.asarray(np.where(nodes < self.roots, self._sums[nodes], sums))

    def _weigh(self, nodes: IntArray, trust: FloatArray, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """What each sighting beside these strings weighs, and all of them together. Where fewer were counted
        than the string itself was, the rest was too rare to keep: that share is left to shorter strings."""
        whole = np.maximum(np.maximum(sums, self._counts[nodes]), np.float32(1))
        weight: FloatArray = trust / whole
        return weight, weight * sums

    def seen(self, codes: IntArray, roots: IntArray, first: int = 0) -> Iterator[tuple[int, Seen, Seen]]:
        """For strings of `first` characters and more: how many, and what was seen after and before them
        where they stand in texts.

        codes: texts one after another, each interrupted at its end; roots: that of each place.
        """
        begins, nodes = np.arange(len(codes)), roots
        for depth in range(self.order):
            longer = self.child(nodes, codes[begins + depth])
            known = longer >= 0
            if depth < first:
                begins, nodes = begins[known], longer[known]
                continue
            counted = np.zeros(len(codes), dtype=np.float32)
            counted[begins[known]] = self._counts[longer[known]]
            marks, counts = self._marks[nodes], self._counts[nodes]
            after, before = self._sums[nodes], self._sums_before(nodes)
            whole = np.maximum(np.maximum(after, counts), np.float32(1))
            onwards = Seen(begins + depth, marks, counted[begins] / whole, after / whole)
            whole = np.maximum(np.maximum(before, counts), np.float32(1))
            # Before the first character of a text stands what interrupts the one before, and does not count.
            backwards = Seen(begins - 1, marks, counted[begins - 1] / whole, before / whole)
            yield depth, onwards, backwards
            begins, nodes = begins[known], longer[known]

    def mix_sequence(
        self, forward: FloatArray, backward: FloatArray, codes: IntArray, roots: IntArray, first: int = 0
    ) -> None:
        """Bring into the share of each character of texts what was seen after what precedes it (forward) and
        before what follows it (backward), by strings of `first` characters and more."""
        for depth, *both in self.seen(codes, roots, first):
            for shares, found, trust in zip(
                (forward, backward), both, (self.trust.after, self.trust.before), strict=True
            ):
                weight = trust[depth, found.marks]
                mixed = weight * found.shares + (1 - weight * found.known) * shares[found.places]
                shares[found.places] = mixed


def _blend(
    shares: FloatArray, left: FloatArray, places: IntArray, depths: IntArray, gained: FloatArray
) -> None:
    """Give each string its say, the longest last.

    shares H SIZE; left H D: what the string of each depth leaves to the shorter ones; gained: what a string
    of a depth brings to a place of the shares.
    """
    remains = np.ones((len(left), left.shape[1] + 1), dtype=np.float32)
    remains[:, :-1] = np.cumprod(left[:, ::-1], axis=1)[:, ::-1]
    shares *= remains[:, :1]
    lasting = gained * remains[places // SIZE, depths + 1]
    shares += np.bincount(places, lasting, minlength=shares.size).reshape(shares.shape)
