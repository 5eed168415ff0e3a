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

MAX_DEPTH: Final = 256
"""Elements nested deeper are kept flat; `Tree.too_deep` tells."""

_NAME = r"[^\s<>/!?\"'=]+"
_TOKEN = re.compile(
    rf"<({_NAME})((?:[^<>\"']*(?:\"[^\"<]*\"|'[^'<]*'))*[^<>\"']*)>"  # 1 name, 2 attributes
    rf"|</({_NAME})\s*>"  # 3 end tag
    r"|<!--.*?(?:-->|\Z)"
    r"|<!\[CDATA\[(.*?)(?:\]\]>|\Z)"  # 4 CDATA
    r"|<\?.*?(?:\?>|\Z)"
    r"|(<!DOCTYPE[^\[>]*(?:\[(?:[^\]\"'<]|\"[^\"]*\"|'[^']*'|<!--.*?-->|<\?.*?\?>|<)*\]\s*)?>)"  # 5
    rf"|<({_NAME})((?:\s+[^\s<>=\"'/]+(?:\s*=\s*(?:\"[^\"<]*\"|'[^'<]*')?)?)*\s*)",  # 6, 7: being typed
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([^\s=\"'/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
REFERENCE = re.compile(r"&(?:#[xX]([0-9A-Fa-f]{1,8})|#([0-9]{1,8})|([^\s&;<]+));")
_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def resolve_reference(match: re.Match[str], entities: dict[str, str] | None = None) -> str:
    """The character(s) a reference stands for; an unknown entity stands for nothing."""
    hexadecimal, decimal, name = match.groups()
    if name is not None:
        return _PREDEFINED.get(name) or (entities or {}).get(name, "")
    code = int(hexadecimal, 16) if hexadecimal is not None else int(decimal)
    return chr(code) if code < 0x110000 else ""


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

    __slots__ = (
        "_attributes",
        "children",
        "close_start",
        "end",
        "name",
        "open_end",
        "parent",
        "prefix",
        "raw_attributes",
        "start",
    )

    def __init__(
        self, qualified_name: str, raw_attributes: str, start: int, open_end: int, parent: Element | None
    ) -> None:
        prefix, _, name = qualified_name.rpartition(":")
        self.prefix = prefix
        self.name = name
        self.raw_attributes = raw_attributes
        self.start = start
        self.open_end = open_end
        self.close_start = open_end
        self.end = open_end
        self.parent = parent
        self.children: list[Element | Text] = []
        self._attributes: dict[str, str] | None = None

    def __repr__(self) -> str:
        return f"<{self.qualified_name}> at {self.start}:{self.end}"

    @property
    def qualified_name(self) -> str:
        return f"{self.prefix}:{self.name}" if self.prefix else self.name

    @property
    def attributes(self) -> dict[str, str]:
        if self._attributes is None:
            self._attributes = {
                name: REFERENCE.sub(resolve_reference, double or single)
                for name, double, single in _ATTRIBUTE.findall(self.raw_attributes)
            }
        return self._attributes

    def get(self, name: str, default: str = "") -> str:
        # Most elements have no attribute of interest: do not parse what cannot hold it.
        if name not in self.raw_attributes:
            return default
        return self.attributes.get(name, default)

    def attribute_span(self, name: str) -> tuple[int, int] | None:
        """Where `name="value"` stands in the source."""
        base = self.start + 1 + len(self.qualified_name)
        for match in _ATTRIBUTE.finditer(self.raw_attributes):
            if match.group(1) == name:
                return base + match.start(), base + match.end()
        return None

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
            stack.extend(child for child in reversed(element.children) if isinstance(child, Element))

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

    def __init__(self, root: Element, doctype: tuple[int, int] | None, too_deep: bool) -> None:
        self.root = root
        self.doctype = doctype
        self.too_deep = too_deep

    def element_at(self, offset: int) -> Element:
        """The innermost element whose tags or content hold this offset (its edges included)."""
        element = self.root
        while True:
            inner = next(
                (child for child in reversed(list(element.elements)) if child.start < offset < child.end), None
            ) or next(
                (child for child in reversed(list(element.elements)) if child.start <= offset <= child.end), None
            )
            if inner is None:
                return element
            element = inner


def scan(text: str) -> Tree:
    """Build the tree of a text. Never fails; on well-formed XML it is exact."""
    root = Element("", "", 0, 0, None)
    current = root
    depth = 0
    too_deep = False
    doctype: tuple[int, int] | None = None
    last = 0
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if start > last:
            current.children.append(Text(last, start))
        last = end
        group = match.lastindex
        if group == 2:
            attributes = match.group(2)
            if attributes.endswith("/"):
                current.children.append(Element(match.group(1), attributes[:-1], start, end, current))
                continue
            element = Element(match.group(1), attributes, start, end, current)
            current.children.append(element)
            if depth < MAX_DEPTH:
                depth += 1
                current = element
            else:
                too_deep = True
        elif group == 3:
            current, depth = _close(current, depth, match.group(3), start, end)
        elif group == 4:
            current.children.append(Text(match.start(4), match.end(4), cdata=True))
        elif group == 5:
            doctype = (start, end)
        elif group == 7:
            current.children.append(Element(match.group(6), match.group(7), start, end, current))
    if last < len(text):
        current.children.append(Text(last, len(text)))
    while current is not root:
        current.close_start = current.end = len(text)
        assert current.parent is not None
        current = current.parent
    root.close_start = root.end = len(text)
    return Tree(root, doctype, too_deep)


def _close(current: Element, depth: int, qualified_name: str, start: int, end: int) -> tuple[Element, int]:
    """Close the nearest open element of this name, and what was left open inside it."""
    opened: Element | None = current
    while opened is not None and opened.qualified_name != qualified_name:
        opened = opened.parent
    if opened is None:
        return current, depth
    while current is not opened:
        current.close_start = current.end = start
        assert current.parent is not None
        current = current.parent
        depth -= 1
    opened.close_start = start
    opened.end = end
    assert opened.parent is not None
    return opened.parent, depth - 1
