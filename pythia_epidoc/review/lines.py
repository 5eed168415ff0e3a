"""How many letters a line has room for, from the lines of the text that are intact.

A stoichedon text has the same number in every line, a carefully cut one nearly so; where lines differ
more than that, nothing is concluded. Not for choosing among hypotheses: see `opinion` and `restoring`.
"""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.reading import Reading, State
from pythia_epidoc.greek import NUMERAL, SPACE, UNKNOWN
from pythia_epidoc.restoration import Query

LEAST_LINES = 4
"""Intact lines needed before anything is concluded from them."""
_STOICHEDON = 0.7
"""The share of intact lines with the same number of letters that makes a text stoichedon."""
_REGULAR = 0.1
"""The standard deviation, as a share of the mean, up to which lines are regular."""


@dataclass(frozen=True)
class LineLength:
    """The letters a line of a text is expected to have."""

    expected: float
    least: int
    most: int
    is_stoichedon: bool
    intact_lines: int


@dataclass(frozen=True)
class Room:
    """How many letters a lacuna has room for in its line."""

    least: int
    most: int
    length: LineLength

    def excess(self, letters: int) -> int:
        """Letters too many (positive) or too few (negative); 0 if they fit."""
        return letters - self.most if letters > self.most else min(0, letters - self.least)


@lru_cache(maxsize=16)
def line_length(reading: Reading) -> LineLength | None:
    """What the intact lines of a text say about all of them; None if they are few or irregular."""
    counts = [
        count
        for number, (start, stop) in enumerate(_bounds(reading))
        # The last line of a text is often shorter than it need be.
        if number < len(reading.lines) - 1 and (count := _intact(reading, start, stop))
    ]
    if len(counts) < LEAST_LINES:
        return None
    common, times = Counter(counts).most_common(1)[0]
    if times >= _STOICHEDON * len(counts):
        return LineLength(common, common, common, True, len(counts))
    mean, deviation = statistics.fmean(counts), statistics.stdev(counts)
    if deviation > _REGULAR * mean:
        return None
    return LineLength(mean, round(mean - 2 * deviation), round(mean + 2 * deviation), False, len(counts))


def room(lacuna: Lacuna) -> Room | None:
    """The letters a lacuna has room for; None if it crosses lines, or the rest of its line is not known."""
    reading = lacuna.edition.reading
    length = line_length(reading)
    line = reading.line_of(lacuna.first)
    if length is None or line is None or lacuna.first == lacuna.stop:
        return None
    start, stop = next(bounds for bounds in _bounds(reading) if bounds[0] == line.first)
    if lacuna.stop > stop:
        return None
    rest = [*range(start, lacuna.first), *range(lacuna.stop, stop)]
    if any(reading.letters[index] in (UNKNOWN, NUMERAL) for index in rest):
        return None
    taken = sum(_is_on_stone(reading, index) for index in rest)
    most = length.most - taken
    is_last = start == reading.lines[-1].first
    least = 0 if is_last else max(0, length.least - taken)
    return Room(least, max(most, 0), length)


def fitted(lacuna: Lacuna, query: Query) -> Query:
    """The query with only the lengths its line has room for; as it was if none of them fits."""
    space = room(lacuna)
    if space is None:
        return query
    lengths = tuple(length for length in query.lengths if not space.excess(length))
    return replace(query, lengths=lengths) if lengths else query


def _bounds(reading: Reading) -> list[tuple[int, int]]:
    return list(pairwise([*(line.first for line in reading.lines), len(reading)]))


def _intact(reading: Reading, start: int, stop: int) -> int:
    """How many letters a line has, or 0 if any is lost, supplied, or a numeral."""
    if not {State.LOST, State.SUPPLIED}.isdisjoint(reading.states[start:stop]):
        return 0
    if NUMERAL in reading.letters[start:stop]:
        return 0
    return sum(_is_on_stone(reading, index) for index in range(start, stop))


def _is_on_stone(reading: Reading, index: int) -> bool:
    return reading.letters[index] != SPACE and reading.states[index] != State.UNDERSTOOD
