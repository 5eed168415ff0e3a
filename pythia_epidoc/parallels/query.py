"""The query language of `parallels search`: Greek with wildcards → what to look for.

    ἔδοξεν τῆι [5] καὶ      five letters, preserved or lost, or a loss of unknown length
    δημ?ς                   one letter
    [3-6]  [...]            three to six letters; as many as there are dots
    0                       a numeral

Accents, capitals, kinds of sigma, spaces, line breaks and other brackets make no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import regex

from pythia_epidoc.errors import ConfigError
from pythia_epidoc.greek import NUMERAL, letters
from pythia_epidoc.parallels.codes import to_signs

MAX_WILD = 200
_WILD = regex.compile(r"(\?)|\[\s*(\d+)\s*(?:[-–—]\s*(\d+)\s*)?\]|\[\s*([.·…\s]*[.·…])\s*\]")
_NUMERALS = regex.compile(r"(0)")
_BRACKETED = regex.compile(r"\[[^\[\]]*\]")
_FIGURES = regex.compile(r"0*[1-9]\d*")


@dataclass(frozen=True)
class Wild:
    """`least` to `most` signs nobody asks about."""

    least: int
    most: int

    @property
    def is_one(self) -> bool:
        return self.least == self.most == 1


@dataclass(frozen=True)
class Pattern:
    """What is looked for: signs and wildcards in order."""

    parts: tuple[str | Wild, ...]

    @cached_property
    def expression(self) -> regex.Pattern[str]:
        """A regular expression over the signs of a text."""
        return regex.compile("".join(map(_expression, self.parts)))

    @cached_property
    def runs(self) -> list[str]:
        """The signs between wildcards."""
        return "".join(part if isinstance(part, str) else " " for part in self.parts).split()

    def spans(self, signs: str) -> Iterator[tuple[int, int]]:
        """Beginning and end of every match, overlapping ones too."""
        run = self.runs[0]
        if len(run) == len(self.parts):
            start = signs.find(run)
            while start >= 0:
                yield start, start + len(run)
                start = signs.find(run, start + 1)
            return
        for match in self.expression.finditer(signs, overlapped=True):
            yield match.span()

    @cached_property
    def longest(self) -> int:
        """The most signs a match can have."""
        return sum(part.most if isinstance(part, Wild) else 1 for part in self.parts)

    def windows(self, reach: int) -> Iterator[tuple[str | Wild, ...]]:
        """Every three signs that follow one another and lie within `reach` signs of the beginning."""
        run: list[str | Wild] = []
        position = 0
        for part in self.parts:
            position += part.most if isinstance(part, Wild) else 1
            if position > reach:
                return
            if isinstance(part, Wild) and not part.is_one:
                run = []
                continue
            run.append(part)
            if len(run) >= 3:
                yield tuple(run[-3:])


def _expression(part: str | Wild) -> str:
    if isinstance(part, str):
        return regex.escape(part)
    if part.is_one:
        return "."
    return f"(?:[^#]{{{part.least},{part.most}}}?|#)"


def parse(query: str) -> Pattern:
    """Read a query.

    >>> parse("Δῆμ?ς [3]").parts
    ('d', 'h', 'm', Wild(least=1, most=1), 's', Wild(least=3, most=3))
    """
    _refuse_what_is_not_understood(query)
    parts: list[str | Wild] = []
    position = 0
    for match in _WILD.finditer(query):
        parts += _signs(query[position : match.start()])
        _add_wild(parts, _wild(match))
        position = match.end()
    parts += _signs(query[position:])
    if all(isinstance(part, Wild) for part in parts):
        raise ConfigError("There is no Greek letter to look for in this query.")
    return Pattern(tuple(parts))


def _refuse_what_is_not_understood(query: str) -> None:
    """Silently left out, it would make the letters on both sides neighbours."""
    rest = _WILD.sub("", query)
    for bracketed in _BRACKETED.findall(rest):
        if not letters(bracketed) or _FIGURES.search(bracketed):
            raise ConfigError(
                f"{bracketed} is not understood: write [5] or [...] for letters, [3-6] for a range."
            )
    if figures := _FIGURES.search(rest):
        raise ConfigError(
            f"{figures.group()} cannot be looked for: texts are kept without the values of numerals. "
            "Write 0 for any numeral, [5] for any five letters."
        )


def _signs(text: str) -> list[str]:
    return [
        sign
        for piece in _NUMERALS.split(text)
        for sign in (NUMERAL if piece == NUMERAL else to_signs(letters(piece)))
    ]


def _wild(match: regex.Match[str]) -> Wild:
    one, least, most, dots = match.groups()
    if one:
        return Wild(1, 1)
    if dots:
        count = sum(3 if dot == "…" else 1 for dot in dots if not dot.isspace())
        return Wild(count, count)
    low, high = sorted((int(least), int(most or least)))
    if high > MAX_WILD:
        raise ConfigError(
            f"[{match.group()[1:-1]}] is too wide: at most {MAX_WILD} letters can be left open."
        )
    return Wild(low, high)


def _add_wild(parts: list[str | Wild], wild: Wild) -> None:
    """Wildcards side by side are one."""
    if wild.most == 0:
        return
    if parts and isinstance(parts[-1], Wild):
        last = parts.pop()
        assert isinstance(last, Wild)
        wild = Wild(last.least + wild.least, last.most + wild.most)
    parts.append(wild)
