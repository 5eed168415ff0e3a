"""Which parts of a document are its edition, and in which language.

Not for reading them: see `reading`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pythia_epidoc.epidoc.languages import is_greek, language_of
from pythia_epidoc.epidoc.reader import read
from pythia_epidoc.epidoc.reading import Reading
from pythia_epidoc.epidoc.scanner import Element

if TYPE_CHECKING:
    from pythia_epidoc.epidoc.document import Document

# Several div type="edition" of one file are often the same text in other clothes; read the first of
# these that there is, and never the same text twice.
_PREFERRED_SUBTYPES = (
    "interpretive",
    "transcription",
    "primary",
    "edited",
    "",
    "transcription_segmented",
    "segmented",
    "simple-lemmatized",
    "diplomatic",
)
_DIVISIONS = frozenset(("div", "div0", "div1"))
_ALTERNATIVE_SUBTYPES = frozenset(_PREFERRED_SUBTYPES)


@dataclass(frozen=True, eq=False)
class Edition:
    """One text of a document: the element that holds it and the document it belongs to."""

    document: Document
    element: Element

    @cached_property
    def reading(self) -> Reading:
        return read(self.element, self.document.text, self.document.entities)

    @property
    def language(self) -> str:
        return language_of(self.element)

    @property
    def is_greek(self) -> bool:
        return is_greek(self.language)

    @property
    def subtype(self) -> str:
        return self.element.get("subtype")


def find_editions(document: Document) -> tuple[Edition, ...]:
    """The editions of a document, each text once. Without a `div type="edition"`, the whole text."""
    root = document.root
    if root is None:
        return ()
    divs = list(_outermost_editions(root))
    if not divs:
        body = next(root.iter("body"), None) or next(root.iter("text"), None) or root
        return (Edition(document, body),)
    return tuple(Edition(document, element) for element in _one_of_each(divs))


def _outermost_editions(root: Element) -> Iterator[Element]:
    stack = [root]
    while stack:
        element = stack.pop()
        if element.name in _DIVISIONS and element.get("type") == "edition":
            yield element
        elif element.name != "teiHeader" and element.children:
            stack += [child for child in reversed(element.children) if isinstance(child, Element)]


def _one_of_each(divs: list[Element]) -> list[Element]:
    subtypes = {element.get("subtype") for element in divs}
    if len(subtypes) < 2:
        return divs
    best = next((subtype for subtype in _PREFERRED_SUBTYPES if subtype in subtypes), None)
    return [
        element
        for element in divs
        if element.get("subtype") == best or element.get("subtype") not in _ALTERNATIVE_SUBTYPES
    ]
