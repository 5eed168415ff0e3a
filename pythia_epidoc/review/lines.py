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
"""Intact lines needed before anything is concluded from them; of one length, before a text is stoichedon."""
_STOICHEDON = 0.7
"""The share of intact lines with the same number of letters that makes a text stoichedon."""
_SLACK = 1
"""Letters more or fewer in a stoichedon text some of whose lines differ: an iota may share its place."""
_REGULAR = 0.1
"""The standard deviation, as a share of the mean, up to which lines are regular."""
_FEW = 3
"""How much wider the range is where few lines tell it: by this share of their number, which comes close to
Student's t and keeps one line in twenty outside, be they four or forty."""


_SEEN = (State.PRESERVED, State.UNCLEAR)


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
    # The last line of a text is often shorter than it need be, and the first one if it is a heading.
    heading, *others = (_intact(reading, *bounds) for bounds in _bounds(reading)[:-1] or [(0, 0)])
    counts = list(filter(None, others))
    if heading >= min(counts, default=1):
        counts.append(heading)
    if len(counts) < LEAST_LINES:
        return None
    common, times = Counter(counts).most_common(1)[0]
    if times >= max(LEAST_LINES, _STOICHEDON * len(counts)):
        slack = _SLACK if times < len(counts) else 0
        return LineLength(common, common - slack, common + slack, True, len(counts))
    mean, deviation = statistics.fmean(counts), statistics.stdev(counts)
    if deviation > _REGULAR * mean:
        return None
    leeway = 2 * deviation * (1 + _FEW / len(counts))
    return LineLength(mean, max(0, round(mean - leeway)), round(mean + leeway), False, len(counts))


def room(lacuna: Lacuna) -> Room | None:
    """The letters a lacuna has room for; None if it crosses lines, the rest of its line is not known, or what
    is preserved of that fills a line, so that it is none of the expected length."""
    reading = lacuna.edition.reading
    length = line_length(reading)
    line = reading.line_of(lacuna.first)
    if length is None or line is None or lacuna.first == lacuna.stop:
        return None
    number = reading.lines.index(line)
    start, stop = _bounds(reading)[number]
    if lacuna.stop > stop:
        return None
    rest = [*range(start, lacuna.first), *range(lacuna.stop, stop)]
    if any(reading.letters[index] in (UNKNOWN, NUMERAL) for index in rest):
        return None
    if (
        sum(reading.states[index] in _SEEN and reading.letters[index] != SPACE for index in rest)
        >= length.most
    ):
        return None
    taken = sum(_is_on_stone(reading, index) for index in rest)
    may_be_short = number in (0, len(reading.lines) - 1) or any(
        start <= each <= stop for each in reading.vacats
    )
    least = 0 if may_be_short else length.least - taken
    return Room(max(least, 0), max(length.most - taken, 0), length)


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
    """How many letters a line has; 0 if any is lost, supplied, or a numeral, or part of it left blank."""
    if not {State.LOST, State.SUPPLIED}.isdisjoint(reading.states[start:stop]):
        return 0
    if NUMERAL in reading.letters[start:stop] or any(start < each <= stop for each in reading.vacats):
        return 0
    return sum(_is_on_stone(reading, index) for index in range(start, stop))


def _is_on_stone(reading: Reading, index: int) -> bool:
    return reading.letters[index] != SPACE and reading.states[index] != State.UNDERSTOOD
