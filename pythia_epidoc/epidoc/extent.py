"""How long a lacuna is, as the editor put it — with the misspellings that occur in real files.

Not for choosing among lengths: that is the model's part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Final

from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.epidoc.tags import Tag
from pythia_epidoc.greek import LOST, UNKNOWN

UNKNOWN_LENGTHS: Final = range(1, 21)
"""Lengths tried when the editor does not know how much is lost."""

LETTERS = "letter"
LINES = "line"

KNOWN_UNITS: Final = (
    "character",
    "line",
    "word",
    "column",
    "page",
    "leaf",
    "block",
    "cm",
    "mm",
    "m",
    "metre",
    "inch",
)
_ALIASES = {"char": "character", "letter": "character"}
_PLURALS = {"cm": "cm", "mm": "mm", "m": "m", "leaf": "leaves", "inch": "inches"}
_CIRCA = frozenset(("circa", "c", "ca", "about", "approximate", "low"))
_MAX_LOST = 200
"""Longer lacunae are shown to the model as an unknown stretch."""
_MAX_TRIED = 100
"""However wide a range an editor gives, no more lengths than this are tried."""
_COUNT = r"([0-9]{1,9})"
_ABOUT = r"(?:circa|ca?\.?|[~±])?\s*"
_NUMBER = re.compile(rf"\s*{_ABOUT}{_COUNT}([.,][0-9]+)?\s*\??\s*")
_RANGE = re.compile(rf"\s*{_ABOUT}{_COUNT}\s*(?:[-–—]|to|or)\s*{_COUNT}\s*\??\s*")
_UNSURE = re.compile(r"\s*[c~±]|.*\?\s*$|\s*[0-9]+[.,][0-9]")


@dataclass(frozen=True)
class Extent:
    """A number of letters (or lines, or other units): `least` to `most`, None where not known."""

    least: int | None = None
    most: int | None = None
    about: bool = False
    unit: str = LETTERS

    @classmethod
    def exactly(cls, count: int) -> Extent:
        return cls(count, count)

    @property
    def exact(self) -> int | None:
        return self.least if self.least == self.most and not self.about else None

    @property
    def is_known(self) -> bool:
        return self.least is not None and self.most is not None

    @property
    def in_letters(self) -> bool:
        return self.unit == LETTERS

    @property
    def lengths(self) -> tuple[int, ...]:
        """The numbers of letters worth trying, in ascending order."""
        if not self.in_letters:
            return ()
        least, most = self.least, self.most
        if self.about and least is not None and most is not None:
            margin = max(1, round(0.15 * most))
            least, most = least - margin, most + margin
        if least is None:
            least = UNKNOWN_LENGTHS.start
        if most is None:
            most = max(least + 5, UNKNOWN_LENGTHS.stop - 1)
        least = max(1, least)
        return tuple(range(least, min(most, least + _MAX_TRIED) + 1))

    @cached_property
    def lost(self) -> str:
        """How a lacuna looks to the model when it is context: `-` per letter, `#` where nobody knows."""
        if not self.in_letters or self.least is None:
            return UNKNOWN
        if self.most is None:
            return LOST * min(self.least, _MAX_LOST) + UNKNOWN
        middle = (self.least + self.most) // 2
        return UNKNOWN if middle > _MAX_LOST or middle == 0 else LOST * middle

    def __add__(self, other: Extent) -> Extent:
        """The extent of two lacunae with nothing between them."""
        return _sum(self, other)

    def __str__(self) -> str:
        if self.least is None and self.most is None:
            return "unknown" if self.in_letters else f"unknown number of {plural(self.unit)}"
        if self.most is None:
            return f"at least {_count(self.least, self.unit)}"
        if self.least is None:
            return f"at most {_count(self.most, self.unit)}"
        about = "about " if self.about else ""
        if self.least == self.most:
            return f"{about}{_count(self.least, self.unit)}"
        return f"{about}{self.least} to {_count(self.most, self.unit)}"


@lru_cache(maxsize=4096)
def _sum(first: Extent, second: Extent) -> Extent:
    if first.unit != second.unit:
        return Extent(unit=LINES if LINES in (first.unit, second.unit) else first.unit)
    least = (first.least or 0) + (second.least or 0) or None
    most = None if first.most is None or second.most is None else first.most + second.most
    return Extent(least, most, first.about or second.about, first.unit)


def _count(number: int | None, unit: str) -> str:
    return f"{number} {unit if number == 1 else plural(unit)}"


def plural(unit: str) -> str:
    return _PLURALS.get(unit, f"{unit}s")


def extent_of(element: Element | Tag) -> Extent:
    """Read the extent from the attributes of a `gap`, `supplied` or `space`."""
    return _extent(element.raw_attributes)


@lru_cache(maxsize=4096)
def _extent(raw_attributes: str) -> Extent:
    """The same few hundred ways of writing a gap make up a million gaps."""
    attributes = Tag("", raw_attributes).attributes
    written = attributes.get("unit", "").strip()
    quantity, extent = attributes.get("quantity", ""), attributes.get("extent", "")
    # P4 and older guidelines: extent="3 lines", extent="ca. 5 letters".
    number, _, word = extent.strip().rpartition(" ")
    if number and not quantity and (meant := meant_unit(word)):
        extent, written = number, meant
    unit = meant_unit(written) or written.lower()
    if unit in ("", "character"):
        unit = LETTERS
    precision = attributes.get("precision", "")
    about = precision == "medium" or means_circa(precision)
    for value in (quantity, extent.replace("/", "-")):
        bounds = parse_bounds(value)
        if bounds is not None:
            return Extent(*bounds, about or is_unsure(value), unit)
    least = parse_bounds(attributes.get("atLeast", ""))
    most = parse_bounds(attributes.get("atMost", ""))
    low = least[0] if least else None
    high = most[1] if most else None
    if low is not None and high is not None and low > high:
        low, high = high, low
    return Extent(low, high, about and bool(low or high), unit)


@lru_cache(maxsize=1024)
def meant_unit(written: str) -> str:
    """The unit behind a misspelling, or nothing where it could be several.

    >>> meant_unit("Charcters"), meant_unit("lines"), meant_unit("chars"), meant_unit("furlong")
    ('character', 'line', 'character', '')
    """
    plain = written.strip(" \t\r\n<>\"'.,;/").lower()
    for form in (plain, plain.removesuffix("s")):
        if form in KNOWN_UNITS:
            return form
        if form in _ALIASES:
            return _ALIASES[form]
    close = get_close_matches(plain, ["character", "characters", "line", "column"], n=1, cutoff=0.74)
    return close[0].removesuffix("s") if close else ""


def means_circa(precision: str) -> bool:
    """True for `low` and for what is written in its place."""
    return precision.strip().lower().rstrip(".") in _CIRCA


def is_unsure(value: str) -> bool:
    """True for a number such as `ca. 5` or `5?`."""
    return _UNSURE.match(value) is not None


def parse_bounds(value: str) -> tuple[int, int] | None:
    """`5` is (5, 5); `10-15` is (10, 15); `unknown` and anything else is None.

    >>> parse_bounds("5 "), parse_bounds("10-15"), parse_bounds("unknown")
    ((5, 5), (10, 15), None)
    """
    number = _NUMBER.fullmatch(value)
    if number:
        count = int(number.group(1))
        return count, count + bool(number.group(2))
    span = _RANGE.fullmatch(value)
    if span:
        first, second = int(span.group(1)), int(span.group(2))
        return min(first, second), max(first, second)
    return None
