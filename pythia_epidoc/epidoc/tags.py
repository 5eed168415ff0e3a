"""One piece of markup, taken apart: its kind, name and attributes.

The same start tags recur by the thousand in an edition, so a tag is taken apart once and shared by all
elements that are written alike. Not for where they stand: see `scanner`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from pythia_epidoc.epidoc.references import REFERENCE, resolve_reference

OPEN: Final = 0
CLOSE: Final = 1
EMPTY: Final = 2
CDATA: Final = 3
OTHER: Final = 4
"""Comments and processing instructions."""

NAME: Final = r"[^\s<>/!?\"'=]+"
_NAME = re.compile(NAME)
_ATTRIBUTE = re.compile(r"([^\s=\"'/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_DIVISIONS = frozenset(("div", "div0", "div1"))
_MAX_KEPT = 20_000


class Tag:
    """A start tag, an end tag or an empty element, as written."""

    __slots__ = (
        "_attributes",
        "action",
        "is_edition",
        "kind",
        "language",
        "name",
        "prefix",
        "qualified_name",
        "raw_attributes",
        "rule",
        "step",
    )

    def __init__(self, qualified_name: str, raw_attributes: str, kind: int = OPEN) -> None:
        self.kind = kind
        self.step = 1 if kind == OPEN else -1 if kind == CLOSE else 0
        """How much deeper the elements after it are."""
        self.qualified_name = qualified_name
        self.prefix, _, self.name = qualified_name.rpartition(":")
        self.raw_attributes = raw_attributes
        self._attributes: dict[str, str] | None = None
        self.action = -1
        """What the reader does here; it fills this in, and `rule`, when it first meets the tag."""
        self.rule: Callable[..., int] | None = None
        self.language = ""
        """What `xml:lang`, or `lang` in P4, says of the element."""
        if "lang" in raw_attributes:
            self.language = self.attributes.get("xml:lang") or self.attributes.get("lang", "")
        self.is_edition = kind != CLOSE and self.name in _DIVISIONS and self.get("type") == "edition"

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

    def emptied(self) -> Tag:
        """The same start tag as that of an empty element."""
        return Tag(self.qualified_name, self.raw_attributes, EMPTY)

    def attribute_span(self, name: str) -> tuple[int, int] | None:
        """Where `name="value"` stands, counted from the `<`."""
        base = 1 + len(self.qualified_name)
        for match in _ATTRIBUTE.finditer(self.raw_attributes):
            if match.group(1) == name:
                return base + match.start(), base + match.end()
        return None


class _Tags(dict[str, Tag]):
    """Markup as written → tag, filled as markup is met and emptied when it has grown large."""

    def __missing__(self, markup: str) -> Tag:
        if markup.startswith("<![CDATA["):
            return _CDATA
        if not markup or markup[1] in "!?":
            return IGNORED
        if len(self) >= _MAX_KEPT:
            self.clear()
        tag = self[markup] = _take_apart(markup)
        return tag


def _take_apart(markup: str) -> Tag:
    if markup[1] == "/":
        return Tag(markup[2:-1].rstrip(), "", CLOSE)
    name = _NAME.match(markup, 1)
    assert name is not None, "the scanner gives markup that begins with a name"
    if not markup.endswith(">"):
        return Tag(name.group(), markup[name.end() :], EMPTY)
    attributes = markup[name.end() : -1]
    if attributes.endswith("/"):
        return Tag(name.group(), attributes[:-1], EMPTY)
    return Tag(name.group(), attributes)


TAGS: Final = _Tags()
_CDATA = Tag("", "", CDATA)
IGNORED: Final = Tag("", "", OTHER)
"""A comment, a processing instruction, or a stray end tag."""
END: Final = Tag("", "", CLOSE)
"""The end of the text."""
