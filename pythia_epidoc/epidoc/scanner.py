"""Text → elements with exact offsets, well-formed or not.

XML forbids `<` inside tags and attribute values, so one regular expression cuts any text into tags and
the text between them in a single linear pass. The tree it gives holds for broken XML too: what was left
open is closed where its parent ends, a stray end tag is passed over, a tag being typed is an empty element.

Not for judging well-formedness: that is lxml's part, in `document`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pythia_epidoc.epidoc.references import REFERENCE as REFERENCE
from pythia_epidoc.epidoc.references import resolve_reference as resolve_reference
from pythia_epidoc.epidoc.tags import CDATA, CLOSE, EMPTY, NAME, OPEN, TAGS, Tag

MAX_DEPTH: Final = 256
"""Elements nested deeper are kept flat; `Tree.too_deep` tells where."""

_TOKEN = re.compile(
    r"(<(?:"
    rf"{NAME}[^<>\"']*(?:\"[^\"<]*\"[^<>\"']*|'[^'<]*'[^<>\"']*)*>"
    rf"|/{NAME}\s*>"
    r"|!--.*?(?:-->|\Z)"
    r"|\?.*?(?:\?>|\Z)"
    r"|!\[CDATA\[.*?(?:\]\]>|\Z)"
    # A tag being typed: as far as it makes sense.
    rf"|{NAME}(?:\s+[^\s<>=\"'/]+(?:\s*=\s*(?:\"[^\"<]*\"|'[^'<]*')?)?)*\s*"
    r"))",
    re.DOTALL,
)
# Each alternative begins differently, so that no text can make this try two ways.
_PROLOG = re.compile(r"\s*(?:<\?(?:[^?]|\?(?!>))*\?>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<!DOCTYPE")
_IN_DOCTYPE = re.compile(r"\"[^\"]*\"|'[^']*'|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|[\[\]>]", re.DOTALL)


class Text:
    """A run of character data: `text[start:end]` of the source, references unresolved."""

    __slots__ = ("cdata", "end", "start")

    def __init__(self, start: int, end: int, cdata: bool = False) -> None:
        self.start = start
        self.end = end
        self.cdata = cdata

    def __repr__(self) -> str:
        return f"Text({self.start}, {self.end})"


class Element:
    """An element and where it stands: start tag `start:open_end`, end tag `close_start:end`."""

    __slots__ = ("children", "close_start", "end", "name", "open_end", "parent", "start", "tag")

    def __init__(self, tag: Tag, start: int, open_end: int, parent: Element | None) -> None:
        self.tag = tag
        self.name = tag.name
        self.start = start
        self.open_end = open_end
        self.close_start = open_end
        self.end = open_end
        self.parent = parent
        self.children: list[Element | Text] = []

    def __repr__(self) -> str:
        return f"<{self.qualified_name}> at {self.start}:{self.end}"

    @property
    def qualified_name(self) -> str:
        return self.tag.qualified_name

    @property
    def prefix(self) -> str:
        return self.tag.prefix

    @property
    def raw_attributes(self) -> str:
        """What stands between the name and the end of the start tag."""
        return self.tag.raw_attributes

    @property
    def attributes(self) -> dict[str, str]:
        """Names, with their prefix, and values; not to be changed."""
        return self.tag.attributes

    def get(self, name: str, default: str = "") -> str:
        # Most elements have no attribute of interest: do not parse what cannot hold it.
        if name not in self.tag.raw_attributes:
            return default
        return self.tag.attributes.get(name, default)

    def attribute_span(self, name: str) -> tuple[int, int] | None:
        """Where `name="value"` stands in the source."""
        span = self.tag.attribute_span(name)
        return None if span is None else (self.start + span[0], self.start + span[1])

    def inherited(self, name: str) -> str:
        """The value of an inherited attribute such as `xml:lang`, or an empty string."""
        element: Element | None = self
        while element is not None:
            value = element.get(name)
            if value:
                return value
            element = element.parent
        return ""

    @property
    def elements(self) -> Iterator[Element]:
        """Child elements."""
        return (child for child in self.children if isinstance(child, Element))

    def iter(self, *names: str) -> Iterator[Element]:
        """This element and its descendants in document order, optionally of certain names only."""
        stack = [self]
        while stack:
            element = stack.pop()
            if not names or element.name in names:
                yield element
            if element.children:
                stack += [child for child in reversed(element.children) if isinstance(child, Element)]

    def ancestors(self) -> Iterator[Element]:
        element = self.parent
        while element is not None and element.name:
            yield element
            element = element.parent

    def within(self, *names: str) -> Element | None:
        """The nearest ancestor with one of these names."""
        return next((ancestor for ancestor in self.ancestors() if ancestor.name in names), None)


class Tree:
    """What the scanner found in a text. `root` is a nameless element around everything."""

    __slots__ = ("doctype", "root", "too_deep")

    def __init__(self, root: Element, doctype: tuple[int, int] | None, too_deep: int | None) -> None:
        self.root = root
        self.doctype = doctype
        self.too_deep = too_deep
        """Where the first element stands that is nested too deep, or None."""

    def element_at(self, offset: int) -> Element:
        """The innermost element whose tags or content hold this offset (its edges included)."""
        element = self.root
        while True:
            touching = [child for child in element.elements if child.start <= offset <= child.end]
            if not touching:
                return element
            around = [child for child in touching if child.start < offset < child.end]
            element = (around or touching)[-1]


def scan(text: str) -> Tree:
    """Build the tree of a text. Never fails; on well-formed XML it is exact."""
    root = Element(Tag("", ""), 0, 0, None)
    doctype = _doctype(text) if "<!DOCTYPE" in text else None
    parts = ((0, text),) if doctype is None else ((0, text[: doctype[0]]), (doctype[1], text[doctype[1] :]))
    current, children = root, root.children
    depth = 0
    too_deep: int | None = None
    for position, part in parts:
        pieces = _TOKEN.split(part)
        pieces.append("")
        for run, markup in zip(pieces[::2], pieces[1::2], strict=True):
            if run:
                start = position
                position += len(run)
                children.append(Text(start, position))
            start = position
            position += len(markup)
            tag = TAGS[markup]
            kind = tag.kind
            if kind == OPEN:
                element = Element(tag, start, position, current)
                children.append(element)
                if depth < MAX_DEPTH:
                    depth += 1
                    current, children = element, element.children
                elif too_deep is None:
                    too_deep = start
            elif kind == CLOSE:
                current, depth = _close(current, depth, tag.qualified_name, start, position)
                children = current.children
            elif kind == EMPTY:
                children.append(Element(tag, start, position, current))
            elif kind == CDATA:
                ending = 3 if markup.endswith("]]>") else 0
                children.append(Text(start + len("<![CDATA["), position - ending, cdata=True))
    while current is not root:
        current.close_start = current.end = len(text)
        assert current.parent is not None
        current = current.parent
    root.close_start = root.end = len(text)
    return Tree(root, doctype, too_deep)


def _close(current: Element, depth: int, qualified_name: str, start: int, end: int) -> tuple[Element, int]:
    """Close the nearest open element of this name, and what was left open inside it."""
    opened = current
    while opened.tag.qualified_name != qualified_name:
        if opened.parent is None:
            return current, depth
        opened = opened.parent
    while current is not opened:
        current.close_start = current.end = start
        assert current.parent is not None
        current = current.parent
        depth -= 1
    opened.close_start = start
    opened.end = end
    assert opened.parent is not None
    return opened.parent, depth - 1


def _doctype(text: str) -> tuple[int, int] | None:
    """Where the document type declaration stands, its internal subset included."""
    prolog = _PROLOG.match(text)
    if prolog is None:
        return None
    inside_subset = False
    for match in _IN_DOCTYPE.finditer(text, prolog.end()):
        sign = match.group()
        if sign == "[":
            inside_subset = True
        elif sign == "]":
            inside_subset = False
        elif sign == ">" and not inside_subset:
            return prolog.end() - len("<!DOCTYPE"), match.end()
    return None
