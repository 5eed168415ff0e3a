"""Which parts of a document are its edition, and in which language.

Not for reading them: see `reading`.
"""

from __future__ import annotations

from bisect import bisect
from functools import cached_property
from itertools import compress, count, groupby
from operator import attrgetter
from typing import TYPE_CHECKING
from weakref import ref

from pythia_epidoc.epidoc.languages import inherited_language, is_greek
from pythia_epidoc.epidoc.reader import read
from pythia_epidoc.epidoc.reading import Reading
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.epidoc.tags import CLOSE, EMPTY, OPEN, Tag
from pythia_epidoc.epidoc.tokens import Tokens

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
_ALTERNATIVE_SUBTYPES = frozenset(_PREFERRED_SUBTYPES)
_IS_EDITION = attrgetter("is_edition")


class Edition:
    """One text of a document: the element that holds it and the document it belongs to."""

    def __init__(self, document: Document, token: int, language: str) -> None:
        self.token = token
        """Index of its start tag among the document's tokens."""
        self.language = language
        """Said on its element or on what holds it; empty if nothing says it."""
        self._content = document.content
        self._owner = ref(document)  # a document holds its editions: see `content`

    @property
    def document(self) -> Document:
        return self._owner() or self._heir

    @cached_property
    def _heir(self) -> Document:
        """Stands in for a document that nobody else holds."""
        from pythia_epidoc.epidoc.document import Document

        return Document(self._content)

    @cached_property
    def element(self) -> Element:
        return self._content.element_of(self.token)

    @cached_property
    def reading(self) -> Reading:
        return read(self._content, self.token, self.language)

    @property
    def _tag(self) -> Tag:
        return self._content.tokens.tags[self.token]

    @property
    def is_greek(self) -> bool:
        return is_greek(self.language)

    @property
    def subtype(self) -> str:
        return self._tag.get("subtype")


def find_editions(document: Document) -> tuple[Edition, ...]:
    """The editions of a document, each text once. Without a `div type="edition"`, the whole text."""
    tokens = document.tokens
    found = _one_of_each(tokens) or _whole_text(tokens)
    return tuple(
        Edition(document, token, language)
        for token, language in zip(found, _languages(tokens, found), strict=True)
    )


def _one_of_each(tokens: Tokens) -> list[int]:
    divisions = _outermost_editions(tokens)
    if len(divisions) < 2:
        return divisions
    texts = [index for index, tag in enumerate(tokens.tags) if tag.name == "text" and tag.kind == OPEN]
    of_each_text = groupby(divisions, lambda index: bisect(texts, index))
    return [index for _, group in of_each_text for index in _without_other_clothes(tokens, list(group))]


def _without_other_clothes(tokens: Tokens, divisions: list[int]) -> list[int]:
    subtypes = {tokens.tags[index].get("subtype") for index in divisions}
    if len(subtypes) < 2:
        return divisions
    best = next((subtype for subtype in _PREFERRED_SUBTYPES if subtype in subtypes), None)
    return [
        index
        for index in divisions
        if (subtype := tokens.tags[index].get("subtype")) == best or subtype not in _ALTERNATIVE_SUBTYPES
    ]


def _outermost_editions(tokens: Tokens) -> list[int]:
    return _outermost(tokens, list(compress(count(), map(_IS_EDITION, tokens.tags))))


def _outermost(tokens: Tokens, candidates: list[int]) -> list[int]:
    """Those elements that stand in no other of them."""
    found: list[int] = []
    end = -1
    for index in candidates:
        if index > end:
            found.append(index)
            end = tokens.close_of(index) if len(candidates) > 1 else index
    return found


def _whole_text(tokens: Tokens) -> list[int]:
    elements = [index for index, tag in enumerate(tokens.tags) if tag.kind in (OPEN, EMPTY)]
    for name in ("body", "text"):
        found = _outermost(tokens, [index for index in elements if tokens.tags[index].name == name])
        if found:
            return found
    return elements[:1]


def _languages(tokens: Tokens, found: list[int]) -> list[str]:
    """The languages of elements that stand one after another, in one pass over what is around them."""
    if all(tokens.tags[index].language for index in found):
        return [tokens.tags[index].language for index in found]
    languages: list[str] = []
    opened: list[Tag] = []
    position = 0
    for index in found:
        for tag in tokens.tags[position:index]:
            if tag.kind == OPEN:
                opened.append(tag)
            elif tag.kind == CLOSE:
                opened.pop()
        position = index
        languages.append(inherited_language((tokens.tags[index], *reversed(opened))))
    return languages
