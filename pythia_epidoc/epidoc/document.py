"""A document: source, elements with offsets, and lxml's judgement on whether it is well-formed.

Opening a file raises `DocumentError` for anything that cannot be read safely; `Document.from_text` is
for a text that somebody is typing, and accepts anything.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from lxml import etree

from pythia_epidoc.epidoc.editions import Edition, find_editions
from pythia_epidoc.epidoc.lacunae import Lacuna, find_lacunae
from pythia_epidoc.epidoc.scanner import MAX_DEPTH, REFERENCE, Element, Tree, resolve_reference, scan
from pythia_epidoc.epidoc.source import Source
from pythia_epidoc.errors import DocumentError

TEI_NAMESPACE = "http://www.tei-c.org/ns/1.0"
_MAX_ENTITY = 10_000
_ENTITY = re.compile(
    r"<!ENTITY\s+(%\s+)?([^\s\"'>]+)\s+(?:\"([^\"]*)\"|'([^']*)'|((?:SYSTEM|PUBLIC)\b[^>]*))\s*>", re.DOTALL
)


class Document:
    """One XML file, or the text of one in an editor."""

    def __init__(self, source: Source, tree: Tree, entities: dict[str, str]) -> None:
        self.source = source
        self.tree = tree
        self.entities = entities

    @classmethod
    def open(cls, path: Path | str) -> Document:
        return cls._checked(Source.from_path(path))

    @classmethod
    def from_bytes(cls, data: bytes, path: Path | str | None = None) -> Document:
        return cls._checked(Source.from_bytes(data, path))

    @classmethod
    def from_text(cls, text: str, path: Path | str | None = None) -> Document:
        """A document in an editor's memory, perhaps broken at this moment; never fails."""
        source = Source.from_text(text, path)
        tree = scan(text)
        try:
            entities = _entities(source, tree)
        except DocumentError:
            entities = {}
        return cls(source, tree, entities)

    @classmethod
    def _checked(cls, source: Source) -> Document:
        tree = scan(source.text)
        document = cls(source, tree, _entities(source, tree))
        error = document.error
        if error is not None:
            raise error
        return document

    @property
    def path(self) -> Path | None:
        return self.source.path

    @property
    def text(self) -> str:
        return self.source.text

    @cached_property
    def root(self) -> Element | None:
        """The document element, or None in a text without one."""
        return next(self.tree.root.elements, None)

    @cached_property
    def _parsed(self) -> etree._Element | DocumentError:
        if self.tree.too_deep is not None:
            return DocumentError(
                f"Elements are nested more than {MAX_DEPTH} deep, which no edition is; check the end tags.",
                path=self.path,
                line=self.position(self.tree.too_deep)[0],
            )
        if self.source.text.find("\x00") >= 0:
            return DocumentError("The text holds a NUL character.", path=self.path)
        # The declared encoding has been dealt with in Source: libxml2 is given UTF-8 throughout.
        is_plain = self.source.encoding == "utf-8" and not self.source.bom
        data = self.source.data if is_plain else self.source.text.encode("utf-8", "surrogatepass")
        parser = etree.XMLParser(
            encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
        )
        try:
            return etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            line, column = error.position
            reason = (error.msg or "no element found").split(", line ")[0]
            return DocumentError(
                f"Not well-formed XML: {reason}. Correct this place and try again.",
                path=self.path,
                line=line or None,
                column=column or None,
            )

    @property
    def error(self) -> DocumentError | None:
        """Why this is not well-formed XML, or None if it is."""
        parsed = self._parsed
        return parsed if isinstance(parsed, DocumentError) else None

    @property
    def lxml(self) -> etree._Element:
        """lxml's root element, for XPath and validation; never for writing."""
        parsed = self._parsed
        if isinstance(parsed, DocumentError):
            raise parsed
        return parsed

    @property
    def is_tei(self) -> bool:
        root = self.root
        if root is None:
            return False
        namespace = root.get(f"xmlns:{root.prefix}" if root.prefix else "xmlns")
        if namespace not in ("", TEI_NAMESPACE):
            return False
        if root.name in ("TEI", "TEI.2", "teiCorpus"):
            return True
        return root.name == "div" and root.get("type") == "edition"

    @cached_property
    def editions(self) -> tuple[Edition, ...]:
        return find_editions(self)

    @cached_property
    def lacunae(self) -> tuple[Lacuna, ...]:
        """Every gap and supplied of the editions, numbered from 1, restorable or not."""
        return find_lacunae(self.editions)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of an offset."""
        place = self.source.position(offset)
        return place.line, place.column


def _entities(source: Source, tree: Tree) -> dict[str, str]:
    """Text entities declared in the document itself; anything that could reach outside is refused."""
    if tree.doctype is None:
        return {}
    start, end = tree.doctype
    entities: dict[str, str] = {}
    for match in _ENTITY.finditer(source.text, start, end):
        parameter, name, double, single, external = match.groups()
        line = source.position(match.start()).line

        def refuse(why: str, name: str = name, line: int = line) -> DocumentError:
            return DocumentError(
                f"The DOCTYPE declares the entity {name!r}, {why}; "
                "remove the declaration and write the text itself.",
                path=source.path,
                line=line,
            )

        if external is not None:
            if parameter or not re.search(r"\sNDATA\s", external):
                raise refuse("which would load another file, and this tool never does")
            continue
        if parameter:
            raise refuse("a parameter entity, which this tool does not expand")
        value = REFERENCE.sub(
            lambda reference: resolve_reference(reference, entities), double or single or ""
        )
        if len(value) > _MAX_ENTITY:
            raise refuse(f"which expands to more than {_MAX_ENTITY:,} characters")
        if "<" in value:
            raise refuse("which holds markup")
        entities.setdefault(name, value)
    return entities
