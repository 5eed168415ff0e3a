"""How each convention prints what an edition says: brackets, lacunae, vacats, signs.

A style is data and two small functions of an extent; walking the edition is `render`'s part. Panciera,
London and Duke print as the EpiDoc stylesheets do; PHI prints what `convert` reads back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from pythia_epidoc.epidoc.extent import extent_of as read_extent
from pythia_epidoc.epidoc.scanner import Element

StyleName = Literal["panciera", "london", "phi", "duke", "petrae", "iospe", "seg", "dohnicht", "edh"]

NBSP: Final = "\u00a0"
_DUKE_DOT = f"{NBSP}{NBSP}\u0323"


@dataclass(frozen=True)
class Extent:
    """How much is missing or vacant, as the attributes say it."""

    low: str = ""
    high: str = ""
    circa: bool = False
    unit: str = "character"

    @property
    def number(self) -> int | None:
        return int(self.low) if self.low.isdecimal() and self.low == self.high else None

    @property
    def text(self) -> str:
        """`5`, `8-9`, or nothing when nobody knows."""
        return self.low if self.low == self.high else f"{self.low}-{self.high}"

    @property
    def is_plain(self) -> bool:
        """Whole letters, or unknown: such extents can be added up."""
        return not self.text or (self.low.isdecimal() and self.high.isdecimal())


UNKNOWN: Final = Extent()


def extent_of(element: Element) -> Extent:
    """The extent a `gap` or `space` states."""
    quantity = element.get("quantity").strip()
    low, high = element.get("atLeast").strip(), element.get("atMost").strip()
    if element.name == "gap" and not (quantity or low or high):
        return _extent_in_words(element)
    return Extent(
        low=low or quantity or ("0" if high else ""),
        high=high or quantity or low,
        circa=element.get("precision") == "low",
        unit=element.get("unit") or "character",
    )


def _extent_in_words(element: Element) -> Extent:
    """`extent="3"`, as older guidelines had it, and `extent="unknown"`."""
    stated = read_extent(element)
    unit = "character" if stated.in_letters else stated.unit
    if stated.least is None or stated.most is None:
        return Extent(unit=unit)
    return Extent(str(stated.least), str(stated.most), stated.about, unit)


def _dotted(dot: str, wide: str, most: int, circa: str) -> Callable[[Extent], str]:
    """Lacunae as dots: each letter its dot up to `most`, then the number between dots."""

    def print_extent(extent: Extent) -> str:
        number = extent.number
        if not extent.text:
            return wide
        if number is None:
            return f"{dot}{dot} {extent.text}{dot}{dot}" if dot == "·" else f"c. {extent.low} - {extent.high}"
        if extent.circa:
            return f"{dot} {circa} {number}{dot}"
        return dot * number if number <= most else f"{dot} {number}{dot}"

    return print_extent


def _phi_lacuna(extent: Extent) -> str:
    number = extent.number
    if not extent.text:
        return "— — —"
    if number is not None and not extent.circa and 0 < number <= 4:
        return "․" * number
    return f"․․{'c.' if extent.circa else ''}{extent.text}․․"


def _duke_lacuna(extent: Extent) -> str:
    number = extent.number
    if not extent.text:
        return " -ca.?- "
    if number is None:
        return f"-{extent.text}-"
    if extent.circa:
        return f"{_DUKE_DOT} ca.{number}{_DUKE_DOT}"
    return _DUKE_DOT * number if number <= 8 else f"- ca.{number} -"


def _panciera_traces(extent: Extent) -> str:
    number = extent.number
    if number is not None and not extent.circa:
        return "+" * number if number <= 3 else f"+ {number}+"
    return f"+ {'c. ' if extent.circa else ''}{extent.text or '?'}+"


def _vacat(word: str, brackets: str) -> Callable[[Extent], str]:
    def print_vacat(extent: Extent) -> str:
        opened, closed = brackets[: len(brackets) // 2], brackets[len(brackets) // 2 :]
        if extent.unit == "line":
            lines = "line" if extent.text == "1" else "lines"
            size = f" {'ca. ' if extent.circa else ''}{extent.text} {lines}" if extent.text else ""
        elif extent.unit == "character":
            size = f" {'c. ' if extent.circa else ''}{extent.text}" if extent.text else " "
        else:
            size = " "
        return f"{opened}{word}{size}{closed}"

    return print_vacat


def _london_vacat(extent: Extent) -> str:
    return f"vac {extent.text}" if extent.text and extent.unit == "character" else "vac"


def _phi_vacat(extent: Extent) -> str:
    if extent.unit == "line" and not extent.text:
        return "vacat"
    if not extent.text:
        return "vac."
    number = extent.number
    if extent.unit == "character" and number is not None and not extent.circa and 0 < number < 3:
        return "v" * number
    unit = {"character": "", "line": " line" if extent.text == "1" else " lines", "m": ""}.get(extent.unit)
    size = extent.text + (f" {extent.unit}" if unit is None else unit)
    return f"vac. {'c. ' if extent.circa else ''}{size}"


@dataclass(frozen=True)
class Style:
    """One convention."""

    lost: Callable[[Extent], str]
    illegible: Callable[[Extent], str]
    vacat: Callable[[Extent], str]
    lines_lost: str = "[------]"
    """Lost lines; `{}` stands for their number. Without it, one row of dashes."""
    lines_unknown: str = "- - - - - -"
    above: tuple[str, str] = ("`", "´")
    overstrike: tuple[str, str] = ("«", "»")
    erased: tuple[str, str] = ("⟦", "⟧")
    corrected: tuple[str, str] = ("⸢", "⸣")
    corrupt: tuple[str, str] = ("", "(!)")
    note: tuple[str, str] = ("(", ")")
    symbol: tuple[str, str] = ("((", "))")
    doubt: str = "?"
    """After restored letters and expansions nobody is sure of."""
    unexpanded: str = "(- - -)"
    tick: str = "´"
    ticks_always: bool = False
    capitals: bool = True
    """Uninterpreted letters are printed as capitals."""
    evidence: bool = False
    """Letters known from elsewhere are bracketed like others."""
    hyphen_inside: bool = True
    """The hyphen stands before the closing bracket."""
    partial: bool = True
    """An incomplete word is marked by a hyphen."""
    hands: str = "(m. {}) "
    stroke: str = "————————"
    signs: bool = False
    """Signs are printed themselves, not named."""
    notation: bool = False
    """PHI's own notation for other readings, verses and comments."""


_PANCIERA = Style(_dotted(".", "---", 3, "c."), _panciera_traces, _vacat(" vac.", "()"))
_LONDON = Style(
    _dotted("·", "·· ? ··", 3, "c."),
    _dotted("·", "·· ? ··", 3, "c."),
    _london_vacat,
    symbol=("", ""),
    ticks_always=True,
)
_DUKE = Style(
    _duke_lacuna,
    _duke_lacuna,
    _vacat(" vac.", ""),
    lines_lost="[{} missing]",
    lines_unknown="-- -- -- -- -- -- -- -- -- --",
    above=("\\", "/"),
    overstrike=("", ""),
    doubt="(?)",
    unexpanded=f"({NBSP}{NBSP})",
    capitals=False,
    evidence=True,
    partial=False,
    hands="(hand {}) ",
)
_PHI = Style(
    _phi_lacuna,
    _phi_lacuna,
    _phi_vacat,
    lines_lost="[{} missing]",
    lines_unknown="-- -- -- -- -- -- -- -- -- --",
    above=("‵", "′"),
    erased=("〚", "〛"),
    corrupt=("†", "†"),
    doubt="(?)",
    unexpanded="( )",
    tick="\u02b9",
    capitals=False,
    hyphen_inside=False,
    partial=False,
    hands="(hand {})",
    signs=True,
    notation=True,
)


STYLES: Final[dict[str, Style]] = {
    "panciera": _PANCIERA,
    "london": _LONDON,
    "phi": _PHI,
    "duke": _DUKE,
    "petrae": replace(_PANCIERA, above=("\\", "/")),
    "iospe": _LONDON,
    "seg": replace(_PANCIERA, corrected=("<", ">")),
    "dohnicht": replace(_PANCIERA, symbol=("⊂", "⊃")),
    "edh": replace(_PANCIERA, corrected=("", "")),
}
