"""All texts of an index in memory, end to end: which passages share the letters around a lacuna.

Where each trigram stands is kept in one sorted array, so a look-up touches only passages that share three
letters with the query on one side of the lacuna. Seven bytes a letter.

Not for searching with wildcards: see `search`. Not for weighing what is found: see `attest`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from pythia_epidoc.greek import NUMERAL, SPACE
from pythia_epidoc.parallels.codes import LETTER_SIGNS, to_greek, to_signs
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.search import Match

REACH = 24
"""Letters of context compared on either side."""
_ANCHOR = 3
_OWN = 40
"""A passage that has this much around it as the query has, lost letters and all, is the same text."""
_ALIKE = 0.6
"""How much of that a passage of the same file must have, as it may have been edited; others have 0.4."""
_BOUNDARY = "\n"
_ALPHABET = "".join(sorted(LETTER_SIGNS))
_NUMERAL_CODE = len(_ALPHABET) + 1
_SIZE = _NUMERAL_CODE + 1
_SPACED = 32
"""Added to the code of a letter that begins a word."""

_GREEK = ["", *to_greek(_ALPHABET)]

_CODES = np.zeros(128, dtype=np.uint8)
for _index, _sign in enumerate(_ALPHABET, 1):
    _CODES[ord(_sign)] = _index
_CODES[ord(NUMERAL)] = _NUMERAL_CODE

Bytes = npt.NDArray[np.uint8]
Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Context:
    """The signs on both sides of a lacuna, without spaces: `before` is read backwards from it."""

    before: Bytes
    after: Bytes
    own_before: str
    own_after: str

    @classmethod
    def around(cls, before: str, after: str) -> Context:
        """From model text."""
        left, right = _BOUNDARY + to_signs(before), to_signs(after) + _BOUNDARY
        return cls(
            _until_loss(left[: -REACH - 1 : -1]), _until_loss(right[:REACH]), left[-_OWN:], right[:_OWN]
        )


def _until_loss(signs: str) -> Bytes:
    codes = _encode(signs)
    lost = np.flatnonzero(codes == 0)
    return codes[: lost[0]] if len(lost) else codes


def _encode(signs: str) -> Bytes:
    codes: Bytes = _CODES[np.frombuffer(signs.encode("ascii", "replace"), dtype=np.uint8) & 127]
    return codes


@dataclass(frozen=True)
class Passages:
    """Passages of one length that share letters with a context on both sides."""

    positions: Positions
    """Where in the stream the first letter between the shared ones stands."""
    length: int
    left: Positions
    """How many letters before it are shared."""
    right: Positions
    texts: Bytes
    """The letters between, a row each; the last column is a space or nothing. See `Stream.spell`."""


class Stream:
    """The texts of an index as they were when it was made."""

    def __init__(self, index: ParallelsIndex) -> None:
        signs: list[str] = []
        divisions: list[bytes] = []
        ids: list[int] = []
        starts: list[int] = []
        position = 1
        for identifier, text, division in index.signs_with_division():
            ids.append(identifier)
            starts.append(position)
            signs.append(text)
            divisions.append(division)
            position += len(text) + 1
        self._signs = _BOUNDARY + "".join(f"{text}{_BOUNDARY}" for text in signs)
        self._ids = np.array(ids, dtype=np.int64)
        self._starts = np.array(starts, dtype=np.int64)
        self._codes = _encode(self._signs)
        self._division = np.frombuffer(b"\0" + b"".join(flags + b"\1" for flags in divisions), dtype=np.uint8)

    def __len__(self) -> int:
        return len(self._signs)

    @cached_property
    def _trigrams(self) -> tuple[npt.NDArray[np.uint32], Positions]:
        """The beginnings of trigrams, sorted by trigram, and where each trigram's begin."""
        codes = self._codes.astype(np.uint16)
        trigrams = (codes[:-2] * _SIZE + codes[1:-1]) * _SIZE + codes[2:]
        order = np.argsort(trigrams, kind="stable").astype(np.uint32)
        counts = np.bincount(trigrams, minlength=_SIZE**3)
        return order, np.concatenate(([0], np.cumsum(counts)))

    def _standing(self, codes: Bytes) -> Positions:
        """Where these three letters begin."""
        order, bounds = self._trigrams
        trigram = (int(codes[0]) * _SIZE + int(codes[1])) * _SIZE + int(codes[2])
        return order[bounds[trigram] : bounds[trigram + 1]].astype(np.int64)

    def anchors(self, context: Context) -> tuple[Positions, Positions]:
        """Where the three letters before the lacuna end, and where the three after it begin."""
        nowhere = np.empty(0, dtype=np.int64)
        left = right = nowhere
        if len(context.before) >= _ANCHOR:
            left = self._standing(context.before[:_ANCHOR][::-1]) + _ANCHOR
        if len(context.after) >= _ANCHOR:
            right = self._standing(context.after[:_ANCHOR])
        return left, right

    def passages(
        self,
        context: Context,
        anchors: tuple[Positions, Positions],
        length: int,
        *,
        edges: tuple[bool, bool],
        own: Sequence[int] = (),
    ) -> Passages:
        """Passages with `length` letters between the shared ones: at least one on each side where the
        query has any, and three on one of them. `edges` tells on which sides the query has a space, `own`
        which texts are of its own file."""
        codes = self._codes
        left, right = anchors[0], anchors[1] - length
        left, right = (each[(each >= 1) & (each + length < len(codes))] for each in (left, right))
        # What an anchor leaves open is checked before the two are joined: few positions are left then.
        if len(context.after):
            left = left[codes[left + length] == context.after[0]]
        if len(context.before):
            right = right[codes[right - 1] == context.before[0]]
        positions = np.union1d(left, right)
        between = codes[positions[:, None] + np.arange(length)]
        whole = ((between > 0) & (between < _NUMERAL_CODE)).all(axis=1)
        positions, between = positions[whole], between[whole]
        shared_left = self._shared(positions - 1, context.before, -1)
        shared_right = self._shared(positions + length, context.after, 1)
        kept = ~self._is_own(positions, length, context, shared_left, shared_right, own)
        positions, between = positions[kept], between[kept]
        flags = self._division[positions[:, None] + np.arange(length + 1)]
        flags[:, 0] &= not edges[0]
        flags[:, length] &= not edges[1]
        texts = np.concatenate((between, np.zeros((len(between), 1), dtype=np.uint8)), axis=1)
        return Passages(positions, length, shared_left[kept], shared_right[kept], texts + _SPACED * flags)

    def _shared(self, positions: Positions, wanted: Bytes, step: int) -> Positions:
        """How many letters from each position on are as wanted."""
        shared = np.zeros(len(positions), dtype=np.int64)
        alive = np.arange(len(positions))
        for distance, code in enumerate(wanted):
            places = np.clip(positions[alive] + step * distance, 0, len(self._codes) - 1)
            alive = alive[self._codes[places] == code]
            if not len(alive):
                break
            shared[alive] += 1
        return shared

    def _is_own(
        self,
        positions: Positions,
        length: int,
        context: Context,
        left: Positions,
        right: Positions,
        texts: Sequence[int],
    ) -> npt.NDArray[np.bool_]:
        """Whether a passage is the query's own text: an edition does not attest itself. That of its file may
        have been edited since it was indexed, and need only resemble it."""
        own = np.zeros(len(positions), dtype=bool)
        full = (left == len(context.before)) & (right == len(context.after))
        of_file = np.isin(self._ids[self._numbers(positions)], texts) if texts else own.copy()
        mine = context.own_before + context.own_after
        for row in np.flatnonzero(full | of_file).tolist():
            start, stop = int(positions[row]), int(positions[row]) + length
            before = self._signs[max(0, start - len(context.own_before)) : start]
            found = before + self._signs[stop : stop + len(context.own_after)]
            own[row] = found == mine or (
                of_file[row] and Levenshtein.normalized_similarity(found, mine) >= _ALIKE
            )
        return own

    def _numbers(self, positions: Positions) -> Positions:
        return np.searchsorted(self._starts, positions, side="right") - 1

    def spell(self, row: Bytes) -> str:
        """A row of `Passages.texts` as letters and spaces."""
        return "".join((SPACE if code & _SPACED else "") + _GREEK[code % _SPACED] for code in row.tolist())

    def match(self, position: int, length: int) -> Match:
        """Which text a position belongs to, and where in it."""
        number = int(self._numbers(np.array(position)))
        start = position - int(self._starts[number])
        return Match(int(self._ids[number]), start, start + length)
