"""Text → elements with exact offsets, well-formed or not.

The tree is built from tokens, when somebody asks for elements; reading an edition needs none.

Not for judging well-formedness: that is lxml's part, in `document`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pythia_epidoc.epidoc.references import REFERENCE as REFERENCE
from pythia_epidoc.epidoc.references import resolve_reference as resolve_reference
from pythia_epidoc.epidoc.tags import CDATA, CLOSE, EMPTY, END, OPEN, Tag
from pythia_epidoc.epidoc.tokens import Tokens, tokenise_broken


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
        return self.tag.get(name, default)

    def attribute_span(self, name: str) -> tuple[int, int] | None:
        """Where `name="value"` stands in the source."""
        span = self.tag.attribute_span(name)
        return None if span is None else (self.start + span[0], self.start + span[1])

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
    """What stands in a text. `root` is a nameless element around everything."""

    def __init__(self, text: str, tokens: Tokens) -> None:
        self.doctype = tokens.doctype
        self.root = Element(END, 0, 0, None)
        self._elements: dict[int, Element] = {}
        self._build(text, tokens)

    def _build(self, text: str, tokens: Tokens) -> None:
        current = self.root
        position = 0
        for index, (run, tag) in enumerate(zip(tokens.runs, tokens.tags, strict=True)):
            start, end = tokens.offsets[2 * index + 1], tokens.offsets[2 * index + 2]
            if run:
                position = start - len(run)
                if self.doctype is not None and position <= self.doctype[0] < start:
                    self._around_doctype(current, position, start)
                else:
                    current.children.append(Text(position, start))
            if tag.kind == OPEN:
                element = self._elements[index] = Element(tag, start, end, current)
                current.children.append(element)
                current = element
            elif tag.kind == CLOSE:
                current.close_start, current.end = start, end
                current = current.parent or current
            elif tag.kind == EMPTY:
                element = self._elements[index] = Element(tag, start, end, current)
                current.children.append(element)
            elif tag.kind == CDATA:
                ending = len("]]>") if text.startswith("]]>", end - 3) else 0
                current.children.append(Text(start + len("<![CDATA["), end - ending, cdata=True))

    def _around_doctype(self, element: Element, start: int, end: int) -> None:
        assert self.doctype is not None
        for first, stop in ((start, self.doctype[0]), (self.doctype[1], end)):
            if first < stop:
                element.children.append(Text(first, stop))

    def element_of(self, token: int) -> Element:
        """The element that a start tag, named by its index among the tokens, begins."""
        return self._elements[token]

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
    return Tree(text, tokenise_broken(text))
