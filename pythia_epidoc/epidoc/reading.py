"""The reading of an edition: signs in order, each with its state and its place in the source.

The model text is the reading's string of letters, never a second parser. Not for the rules by which an
edition is read (see `reader`), nor for deciding what can be restored (see `lacunae`).
"""

from __future__ import annotations

import bisect
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from pythia_epidoc.epidoc.extent import Extent
from pythia_epidoc.epidoc.languages import is_greek as is_greek
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.epidoc.tags import Tag
from pythia_epidoc.greek import REPEATED, SPACE, UNKNOWN


class State(IntEnum):
    """How we come to know a sign."""

    PRESERVED = 0
    UNCLEAR = 1
    SUPPLIED = 2
    LOST = 3
    UNDERSTOOD = 4
    """Added by the editor, never on the stone: expansions, omitted letters."""


# Members of an enumeration take three times as long to look up and compare as what they stand for.
PRESERVED, UNCLEAR, SUPPLIED, LOST, UNDERSTOOD = map(int, State)


NEVER_WRITTEN = frozenset(("omitted", "abbreviation"))
"""Reasons of a `supplied` whose letters the stone never had; EpiDoc before `ex` wrote the second."""
NEVER_READ = frozenset(("subaudible", "explanation"))
"""Reasons of a `supplied` that only helps a reader of today."""


@dataclass(frozen=True)
class Sign:
    """One character of the reading; `start:end` is where the source has it."""

    letter: str
    state: State
    start: int
    end: int


@dataclass(frozen=True)
class Line:
    """A line of the text: its number as printed and the index of its first sign."""

    n: str
    first: int
    offset: int
    broken_word: bool


@dataclass(frozen=True)
class Stretch:
    """The signs `first:stop` that one or more `gap`s, or one `supplied`, stand for."""

    elements: tuple[Element, ...]
    first: int
    stop: int
    extent: Extent


Piece = tuple[str, int, int, "int | str"]
"""Letters of one state, the offset of the first, and their layout: `ALIGNED` if each is one character of
the source and they follow one another; their shadow, if the source has blanks after blanks; else the
offset where all of them end."""

ALIGNED = -1
_READ = re.compile(f"[^{REPEATED}]+")

LineMark = tuple[Tag, int, int, bool]
"""The fields of a `Line`, its number still in its tag."""

Mark = tuple[list[int], int, int, "Extent | None"]
"""A stretch whose elements are still named by their tokens; the letters of a `supplied` are yet to count."""

_Columns = tuple[bytes, "array[int]", "array[int]"]


class Reading:
    """Signs in columns: `letters[i]`, `states[i]`, `starts[i]`, `ends[i]` are the i-th sign.

    Columns and elements are made when first asked for: who only wants the letters of a large corpus does
    not pay for offsets.
    """

    def __init__(
        self,
        pieces: Sequence[Piece],
        lines: Sequence[LineMark],
        marks: Sequence[Mark],
        vacats: Sequence[int],
        ambiguous: dict[int, str],
        element_of: Callable[[int], Element],
    ) -> None:
        self._pieces = pieces
        self._marks = marks
        self._element_of = element_of
        self.letters = "".join([piece[0] for piece in pieces])
        self._lines = lines
        self.vacats = tuple(vacats)
        """Indexes of signs before which the stone is left blank."""
        self.ambiguous = ambiguous
        """Index of a sign → the letters it may be, where the editor offers several."""

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return tuple(Line(tag.get("n"), first, offset, broken) for tag, first, offset, broken in self._lines)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        return tuple(
            Stretch(
                tuple(map(self._element_of, tokens)),
                first,
                stop,
                extent or self._on_stone(first, stop),
            )
            for tokens, first, stop, extent in self._marks
        )

    def _on_stone(self, first: int, stop: int) -> Extent:
        """How many of these signs are letters that were written."""
        signs = zip(self.letters[first:stop], self.states[first:stop], strict=True)
        written = [letter for letter, state in signs if letter != SPACE and state != UNDERSTOOD]
        count = len(written) - written.count(UNKNOWN)
        return Extent(count or None, None) if UNKNOWN in written else Extent.exactly(count)

    @property
    def states(self) -> bytes:
        return self._columns[0]

    @property
    def starts(self) -> array[int]:
        return self._columns[1]

    @property
    def ends(self) -> array[int]:
        return self._columns[2]

    @cached_property
    def _columns(self) -> _Columns:
        states = bytearray()
        starts: array[int] = array("q")
        ends: array[int] = array("q")
        for letters, state, start, layout in self._pieces:
            count = len(letters)
            states += _STATE_BYTES[state] * count
            if layout == ALIGNED:
                starts.extend(range(start, start + count))
                ends.extend(range(start + 1, start + 1 + count))
            elif isinstance(layout, str):
                for part in _READ.finditer(layout):
                    first, stop = part.span()
                    starts.extend(range(start + first, start + stop))
                    ends.extend(range(start + first + 1, start + stop + 1))
            else:
                starts.extend([start] * count)
                ends.extend([layout] * count)
        return bytes(states), starts, ends

    @cached_property
    def _line_starts(self) -> list[int]:
        return [line[1] for line in self._lines]

    def __len__(self) -> int:
        return len(self.letters)

    def __getitem__(self, index: int) -> Sign:
        return Sign(self.letters[index], State(self.states[index]), self.starts[index], self.ends[index])

    def __iter__(self) -> Iterator[Sign]:
        return (self[index] for index in range(len(self.letters)))

    def sign_at(self, offset: int) -> int | None:
        """The index of the first sign that stands at a source offset, or None where nothing is read."""
        starts, ends = self.starts, self.ends
        last = bisect.bisect_right(starts, offset) - 1
        if last < 0:
            return None
        first = bisect.bisect_left(starts, starts[last])
        for index in range(first, last + 1):
            if offset < ends[index]:
                return index
        # A word edge without whitespace, such as a line break, has a space of no width.
        return first if starts[first] == offset == ends[first] else None

    def line_of(self, index: int) -> Line | None:
        """The line a sign stands in, or None before the first line number."""
        position = bisect.bisect_right(self._line_starts, index) - 1
        return self.lines[position] if position >= 0 else None


_STATE_BYTES = [bytes((state,)) for state in State]
