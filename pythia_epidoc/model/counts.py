"""Counting beside learning: how often letters follow one another in texts.

Strings of characters with the number of places they were seen in, as a trie in flat arrays. From it comes a
language model of both directions: of what was seen after a string (or before it), the share of each
character, mixed with the shares after a string one character shorter. How far the longer string is to be
trusted is a table by its length, its count and the number of different characters that were seen after it,
fitted on validation texts.

Not for making them (see `counting`) or for the loops that walk them (`trie`), nor for a user's own collection
(see `pythia_epidoc.parallels`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pythia_epidoc.greek import LETTERS, NUMERAL, SPACE
from pythia_epidoc.model import mixing, trie
from pythia_epidoc.model.mixing import Sights
from pythia_epidoc.model.trie import BRANCHES, DEAD, LEVELS, STEP, Codes, FloatArray, IntArray, Nodes

ORDER = 16
SYMBOLS = LETTERS + SPACE + NUMERAL
"""Code c of a character is its index here, plus 1; code 0 interrupts the text."""
SIZE = len(SYMBOLS)
SPACE_CODE = SYMBOLS.index(SPACE) + 1

_CODES = np.zeros(0x400, dtype=np.uint8)
for _index, _symbol in enumerate(SYMBOLS, 1):
    _CODES[ord(_symbol)] = _index


Steps = tuple[FloatArray, IntArray]
"""Shares by strings up to each length, N SIZE, and where those of each context begin."""
NO_STEPS: Steps = np.zeros((0, SIZE), dtype=np.float32), np.zeros(0, dtype=np.int64)
_CHARACTERS = dict(enumerate(SYMBOLS, 1))


def encode(text: str) -> Codes:
    """Codes of a model text; what is lost or to be predicted interrupts it."""
    units = np.frombuffer(text.encode("utf-16-le"), dtype=np.uint16)
    return np.asarray(_CODES[np.minimum(units, 0x3FF)])


def decode(codes: bytes) -> str:
    """The model text of codes that are all of characters."""
    return codes.decode("latin-1").translate(_CHARACTERS)


def rows_of(texts: Sequence[bytes]) -> Codes:
    """Codes of texts, one a row; what is missing at the end of a row interrupts it."""
    size = max(map(len, texts))
    joined = b"".join(text.ljust(size, b"\0") for text in texts)
    return np.frombuffer(joined, dtype=np.uint8).reshape(len(texts), size)


@dataclass(frozen=True, eq=False)
class Trust:
    """How much the shares beside a string weigh against those beside a shorter one, between 0 and 1: a row
    for each length of the string, a column for each mark, that is its branch class and its level."""

    after: FloatArray
    before: FloatArray

    def __post_init__(self) -> None:
        order, columns = self.after.shape
        if self.before.shape != (order, columns) or columns != BRANCHES * LEVELS or order > ORDER:
            raise ValueError("tables of trust of another shape")

    @classmethod
    def pulled(cls, order: int, pull: float) -> Trust:
        """Before anything is fitted: a shorter string weighs as much as `pull` sightings."""
        counts = (STEP ** np.arange(LEVELS)).astype(np.float32)
        table = np.tile(counts / (counts + np.float32(pull)), (order, BRANCHES))
        return cls(table, table)


@dataclass(frozen=True, eq=False)
class Around:
    """Texts that could stand in one place, and what stands around it."""

    before: Codes
    after: Codes
    texts: Codes
    """R T"""
    lengths: IntArray


@dataclass(frozen=True, eq=False)
class Counts:
    """A trie of counted strings (see `trie`). First come the roots, one a text; of the corpus: one."""

    nodes: Nodes
    trust: Trust
    roots: int = 1

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def order(self) -> int:
        """The length of the longest strings; their context is one shorter."""
        return len(self.trust.after)

    def after(self, text: str, root: int = 0) -> IntArray:
        """The state after a text: for each k the node of its last k characters."""
        state = np.full((1, self.order), DEAD, dtype=np.int64)
        state[:, 0] = root
        codes = encode(f"{text[-self.order :]}\0")
        states, _ = self.along(state, codes[None])
        return states[:, -1]

    def advance(self, states: IntArray, codes: IntArray) -> IntArray:
        """States after one more character each: states H K, codes H."""
        return trie.advance(self.nodes, states, codes)

    def along(self, state: IntArray, codes: Codes) -> tuple[IntArray, IntArray]:
        """States before each character of texts that begin in one place, R S K, and the longest string of
        each that was counted, 2 R S: its node and its length. state 1 K, codes R S."""
        return trie.along(self.nodes, state[0], codes)

    def mix_after(
        self, shares: FloatArray, states: IntArray, least: int = 0, steps: Steps = NO_STEPS
    ) -> None:
        """Bring into the share of each character (by code - 1: H SIZE) what was seen after each state, by
        strings of `least` characters and more; steps: the shares by strings up to each length, if they are
        wanted."""
        mixing.mix_after(self.nodes, self.trust.after, states, least, shares, *steps)

    def mix_before(
        self,
        shares: FloatArray,
        following: IntArray,
        roots: IntArray,
        least: int = 0,
        steps: Steps = NO_STEPS,
    ) -> None:
        """The same by what was seen before what follows, in the text of each root.

        following H K: codes, the nearest first; 0 interrupts. roots H: DEAD where nothing is to be said.
        """
        mixing.mix_before(self.nodes, self.trust.before, following, roots, self.roots, least, shares, *steps)

    def expect_after(self, shares: FloatArray, states: IntArray, codes: IntArray, least: int = 0) -> None:
        """What `mix_after` does, for one character after each state: shares H, codes H."""
        mixing.expect_after(self.nodes, self.trust.after, states, codes, least, shares)

    def expect_before(
        self, shares: FloatArray, following: IntArray, codes: IntArray, roots: IntArray, least: int = 0
    ) -> None:
        """What `mix_before` does, for one character before what follows: shares H, codes H."""
        mixing.expect_before(
            self.nodes, self.trust.before, following, codes, roots, self.roots, least, shares
        )

    def reach(self, following: IntArray, roots: IntArray) -> IntArray:
        """The node of as many characters that follow as were counted together, and how many: 2 H."""
        return trie.reach(self.nodes, following, roots, self.order - 1)

    def mix_around(
        self, forward: FloatArray, backward: FloatArray, around: Around, root: int, least: int = 0
    ) -> None:
        """The same for the characters of texts and for those around them."""
        mixing.mix_around(
            self.nodes, self._trust, root, self.roots, least, around.before, around.after,
            around.texts, around.lengths, forward, backward,
        )  # fmt: skip

    @cached_property
    def _trust(self) -> FloatArray:
        """Both tables: 2 K M."""
        return np.stack((self.trust.after, self.trust.before))

    def sights(self, codes: Codes, roots: IntArray, least: int = 0) -> Sights:
        """What was seen beside each character of texts: R 2 K S each."""
        shape = (len(codes), 2, self.order, codes.shape[1])
        marks = np.zeros(shape, dtype=np.uint16)
        shares, known = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
        for row, root in enumerate(roots.tolist()):
            seen = marks[row], shares[row], known[row]
            mixing.see(self.nodes, codes[row], root, self.roots, least, seen)
        return marks, shares, known

    def mixed_after(self, shares: FloatArray, codes: Codes, roots: IntArray, least: int = 0) -> FloatArray:
        """The share of each character of texts after what precedes it: shares R S, codes R S."""
        marks, seen, known = (array[:, 0] for array in self.sights(codes, roots, least))
        for length in range(least, self.order):
            weight = self.trust.after[length, marks[:, length]]
            shares = weight * seen[:, length] + (1 - weight * known[:, length]) * shares
        return shares


def even(*shape: int) -> FloatArray:
    """Shares before anything is known."""
    return np.full(shape, 1 / SIZE, dtype=np.float32)
