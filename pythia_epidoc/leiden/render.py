"""EpiDoc → Leiden text, in any of several styles.

Works on the scanner's elements, so an edition that is being typed renders too. The walk gives a flat
sequence of pieces; brackets that meet are joined, and opened anew on every line.

Not for reading: which letters the model sees is `pythia_epidoc.epidoc.reading`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.leiden.layout import Line, lay_out
from pythia_epidoc.leiden.styles import STYLES, StyleName
from pythia_epidoc.leiden.walk import Walk
from pythia_epidoc.writeback.marks import find_marks

if TYPE_CHECKING:
    from pythia_epidoc.epidoc.document import Document
    from pythia_epidoc.epidoc.editions import Edition


@dataclass(frozen=True)
class Rendered:
    """An edition as lines of Leiden text."""

    lines: tuple[Line, ...]

    def text(self, numbers: bool = False) -> str:
        """The lines as one text, optionally with every fifth line's number before them."""
        if not numbers:
            return "\n".join(line.text for line in self.lines)
        rows: list[str] = []
        expected = 1
        for line in self.lines:
            shown = ""
            if line.n:
                number = int(line.n) if line.n.isdecimal() else 0
                shown = line.n if number % 5 == 0 or number != expected or number == 1 else ""
                expected = number + 1
            rows.append(f"{shown:<4}{line.text}".rstrip() if line.is_row else line.text)
        return "\n".join(rows)


def render(
    edition: Edition | Element,
    style: StyleName = "panciera",
    *,
    text: str | None = None,
    numbers: bool = False,
) -> str:
    """The Leiden text of an edition, or of an element together with the `text` it was scanned from."""
    if isinstance(edition, Element):
        return render_element(edition, text or "", style).text(numbers)
    source = edition.document
    marks = find_marks(source)
    # What the machine proposes is no reading: it is left out, as in its lacuna nothing is restored yet.
    proposed = {reading.start: None for app in marks.inline for reading in marks.readings(app)}
    return render_element(
        edition.element, source.text, style, entities=source.entities, replacements=proposed
    ).text(numbers)


def render_element(
    element: Element,
    text: str,
    style: StyleName = "panciera",
    *,
    entities: Mapping[str, str] | None = None,
    replacements: Mapping[int, str | None] | None = None,
) -> Rendered:
    """The lines of an element; `replacements` puts a suggestion, or nothing, where an element starts."""
    walk = Walk(text, STYLES[style], dict(entities or {}), dict(replacements or {}))
    walk.children(element)
    return Rendered(lay_out(walk.pieces, STYLES[style]))


def render_line(
    document: Document,
    offset: int,
    style: StyleName = "panciera",
    *,
    lacuna: Element | None = None,
    replacement: str | None = None,
) -> str:
    """The line of text around a source offset, with a suggestion in place of a lacuna if one is given."""
    edition = next((e for e in document.editions if e.element.start <= offset <= e.element.end), None)
    if edition is None:
        return ""
    replacements = {lacuna.start: replacement} if lacuna is not None and replacement is not None else {}
    rendered = render_element(
        edition.element, document.text, style, entities=document.entities, replacements=replacements
    )
    around = [line for line in rendered.lines if line.is_row and line.start <= offset]
    if around:
        return around[-1].text
    return rendered.lines[0].text if rendered.lines else ""
