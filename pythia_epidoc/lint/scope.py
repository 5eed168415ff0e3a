"""What the rules look at: one edition, its elements by name, and its running Greek text.

Not for reading (see `epidoc.reading`): here nothing is folded or left out because it was restored, and
markup that might separate words makes no claim either way.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.reading import is_greek
from pythia_epidoc.epidoc.scanner import REFERENCE, Element, Text

LACUNA = "\ufffc"
"""Stands in the running text for a gap."""

EDGE = "\ufdd0"
"""Stands in the running text for the edge of a block, of an alternative, of another language."""

_NOT_TRANSCRIBED = {
    "note",
    "desc",
    "bibl",
    "listBibl",
    "figDesc",
    "head",
    "label",
    "certainty",
    "g",
    "interp",
    "fw",
}
_BREAKS = {"lb", "cb", "pb", "gb", "milestone"}
_BLOCKS = {
    "div",
    "div0",
    "div1",
    "div2",
    "div3",
    "ab",
    "p",
    "l",
    "lg",
    "list",
    "item",
    "table",
    "row",
    "cell",
    "sp",
}
_ALTERNATIVES = {"choice", "reg", "orig", "corr", "sic", "app", "lem", "rdg", "rdgGrp", "subst", "add", "del"}
_EDGES = _BLOCKS | _ALTERNATIVES | {"speaker", "opener", "closer", "surplus"}


class Scope:
    """One edition of a document, prepared for the rules."""

    def __init__(self, document: Document, edition: Element) -> None:
        self.document = document
        self.edition = edition
        self._by_name: dict[str, list[Element]] = defaultdict(list)
        for element in edition.iter():
            self._by_name[element.name].append(element)

    @property
    def source(self) -> str:
        return self.document.text

    def elements(self, *names: str) -> Iterator[Element]:
        """The elements with these names, name by name, each in document order."""
        for name in names:
            yield from self._by_name.get(name, ())

    @cached_property
    def language(self) -> str:
        """The language said on the edition or around it; on the TEI element it is that of the metadata."""
        for element in (self.edition, *self.edition.ancestors()):
            if element.name in ("TEI", "TEI.2"):
                break
            language = element.get("xml:lang") or element.get("lang")
            if language:
                return language
        return ""

    @cached_property
    def running_text(self) -> RunningText:
        running = RunningText(self.source)
        if is_greek(self.language):
            running.walk(self.edition)
        return running


class RunningText:
    """The Greek text of an edition in one string, with the way back to the source."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._length = 0
        self._places: list[int] = []
        self._offsets: list[int] = []
        self.breaks: list[tuple[int, Element]] = []
        """Index in the text → the line break, column break or milestone there."""

    @cached_property
    def text(self) -> str:
        return "".join(self._pieces)

    def offset(self, index: int) -> int:
        """Where in the source the character at this index stands."""
        piece = bisect.bisect_right(self._places, index) - 1
        return self._offsets[piece] + index - self._places[piece]

    def walk(self, element: Element) -> None:
        for child in element.children:
            if isinstance(child, Text):
                self._add_source(child)
            elif child.name in _BREAKS:
                self.breaks.append((self._length, child))
            elif child.name == "gap":
                self._add(LACUNA)
            elif child.name not in _NOT_TRANSCRIBED:
                self._walk_inside(child)

    def _walk_inside(self, element: Element) -> None:
        language = element.get("xml:lang") or element.get("lang")
        if language and not is_greek(language):
            self._add(EDGE)
            return
        separates = element.name in _EDGES
        if separates:
            self._add(EDGE)
        self.walk(element)
        if separates:
            self._add(EDGE)

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def _add_source(self, node: Text) -> None:
        raw = self._source[node.start : node.end]
        if "&" in raw and not node.cdata:
            raw = REFERENCE.sub(lambda match: "\ufffd" * len(match.group()), raw)
        self._places.append(self._length)
        self._offsets.append(node.start)
        self._add(raw)
