"""Every `gap` and `supplied` of the editions: what can be restored, and why the rest cannot.

Not for restoring: see `pythia_epidoc.restoration`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pythia_epidoc.epidoc.extent import Extent, extent_of, plural
from pythia_epidoc.epidoc.languages import is_greek, language_of
from pythia_epidoc.epidoc.reading import NEVER_READ, NEVER_WRITTEN, State, Stretch
from pythia_epidoc.epidoc.scanner import Element

if TYPE_CHECKING:
    from pythia_epidoc.epidoc.editions import Edition

MAX_LETTERS = 40
"""Longer lacunae are not restored: the model would be inventing, not restoring."""


@dataclass(frozen=True, eq=False)
class Lacuna:
    """A stretch of an edition that is lost (`gap`) or restored by an editor (`supplied`)."""

    number: int
    edition: Edition
    elements: tuple[Element, ...]
    extent: Extent
    first: int
    """Index of its first sign in the edition's reading; equal to `stop` if it is not read at all."""
    stop: int
    obstacle: str = ""
    """Why it cannot be restored, or empty if it can."""

    @property
    def kind(self) -> str:
        return self.elements[0].name

    @property
    def start(self) -> int:
        return self.elements[0].start

    @property
    def end(self) -> int:
        return self.elements[-1].end

    @property
    def restorable(self) -> bool:
        return not self.obstacle

    @property
    def conjecture(self) -> str:
        """The letters the editor supplied, folded; empty for a gap."""
        return self.edition.reading.letters[self.first : self.stop] if self.kind == "supplied" else ""

    @property
    def line(self) -> str:
        """The number of the text line it begins in, as printed in the edition."""
        line = self.edition.reading.line_of(self.first)
        return line.n if line is not None else ""

    @property
    def position(self) -> tuple[int, int]:
        return self.edition.document.position(self.start)

    def context(self, width: int = 30) -> tuple[str, str]:
        """The letters before and after it."""
        letters = self.edition.reading.letters
        return letters[max(0, self.first - width) : self.first], letters[self.stop : self.stop + width]


def find_lacunae(editions: Iterable[Edition]) -> tuple[Lacuna, ...]:
    """All lacunae of the editions in document order, numbered from 1."""
    found: list[Lacuna] = []
    for edition in editions:
        for stretch in _stretches(edition):
            number = len(found) + 1
            obstacle = _obstacle(edition, stretch)
            found.append(
                Lacuna(
                    number, edition, stretch.elements, stretch.extent, stretch.first, stretch.stop, obstacle
                )
            )
    return tuple(found)


def _stretches(edition: Edition) -> Iterator[Stretch]:
    """The stretches that were read, and one for every gap or supplied that was not."""
    read = {element: stretch for stretch in edition.reading.stretches for element in stretch.elements}
    for element in edition.element.iter("gap", "supplied"):
        stretch = read.get(element)
        if stretch is None:
            if _is_suggestion(element):
                continue
            index = _sign_before(edition, element.start)
            yield Stretch((element,), index, index, extent_of(element))
        elif stretch.elements[0] is element:
            yield stretch


def _is_suggestion(element: Element) -> bool:
    """True inside a ranked, signed alternative of low certainty, as this tool writes them: it is neither
    a lacuna nor a variant, and restoring a file must not renumber its lacunae."""
    reading = element.parent
    return (
        reading is not None
        and reading.name == "rdg"
        and reading.get("cert") == "low"
        and bool(reading.get("n") and reading.get("resp"))
        and reading.parent is not None
        and reading.parent.get("type") == "alternative"
    )


def _sign_before(edition: Edition, offset: int) -> int:
    starts = edition.reading.starts
    low, high = 0, len(starts)
    while low < high:
        middle = (low + high) // 2
        if starts[middle] < offset:
            low = middle + 1
        else:
            high = middle
    return low


_NOT_READ = {
    "rdg": "stands in a variant reading (rdg), which is not the text of the edition",
    "note": "stands in a note",
    "desc": "stands in a description",
    "surplus": "stands in letters the editor removes (surplus)",
    "orig": "stands in a form (orig) that a regularised one replaces",
    "sic": "stands in a form (sic) that a correction replaces",
    "abbr": "stands in an abbreviation that is read in another form",
    "am": "stands in an abbreviation mark",
    "head": "stands in a heading",
    "del": "stands in a deletion that was overwritten",
    "num": "is part of a numeral",
}


def _obstacle(edition: Edition, stretch: Stretch) -> str:
    element = stretch.elements[0]
    if stretch.first == stretch.stop:
        return _why_not_read(edition, element)
    if element.name == "supplied":
        states = edition.reading.states[stretch.first : stretch.stop]
        if State.LOST in states and any(element.iter("gap")):
            return "holds a lacuna of its own; see that one"
    extent = stretch.extent
    if not extent.in_letters:
        return f"is measured in {plural(extent.unit)}, not in letters"
    if extent.exact == 0 or not extent.lengths:
        return "has no letters of its own on the stone"
    if extent.least is not None and extent.least > MAX_LETTERS:
        return f"is longer than {MAX_LETTERS} letters"
    return ""


def _why_not_read(edition: Edition, element: Element) -> str:
    if element.get("reason") == "ellipsis":
        return "is an editor's ellipsis, not a loss"
    if element.name == "supplied":
        reason = element.get("reason")
        if reason in NEVER_WRITTEN or element.within("ex"):
            return "holds letters the stone never had"
        if reason in NEVER_READ:
            return f"is an editor's explanation (reason={reason!r})"
        if any(ancestor.name == "supplied" for ancestor in element.ancestors()):
            return "is part of a larger supplied"
    for ancestor in element.ancestors():
        if ancestor.name in _NOT_READ:
            return _NOT_READ[ancestor.name]
        if ancestor is edition.element:
            break
    language = language_of(element)
    if element.name == "supplied" and is_greek(language):
        return "holds no Greek letters"
    return f"is not in Greek (xml:lang={language!r})" if language else "is not part of the text that is read"
