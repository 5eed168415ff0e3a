"""A document: source, elements with offsets, and lxml's judgement on whether it is well-formed.

Opening a file raises `DocumentError` for anything that cannot be read safely; `Document.from_text` is
for a text that somebody is typing, and accepts anything.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from lxml import etree

from pythia_epidoc.epidoc.complaints import in_words
from pythia_epidoc.epidoc.content import Content
from pythia_epidoc.epidoc.editions import Edition, find_editions
from pythia_epidoc.epidoc.entities import declared_entities
from pythia_epidoc.epidoc.lacunae import Lacuna, find_lacunae
from pythia_epidoc.epidoc.scanner import Element, Tree
from pythia_epidoc.epidoc.source import Source
from pythia_epidoc.epidoc.tokens import MAX_DEPTH, find_doctype, tokenise, tokenise_broken
from pythia_epidoc.errors import DocumentError

TEI_NAMESPACE = "http://www.tei-c.org/ns/1.0"
_CONFLICT = "<<<<<<<"
"""Written by git into a file that two people changed."""
MAX_TAGS = 3_000_000
"""Files with more are refused: they would fill the memory, and no edition has so many."""


def _parser(recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=recover,
    )


_PARSER = _parser()


class Document:
    """One XML file, or the text of one in an editor."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.source = content.source
        self.tokens = content.tokens
        self.entities = content.entities

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
        tokens = tokenise_broken(text)
        try:
            entities = declared_entities(source, tokens.doctype)
        except DocumentError:
            entities = {}
        return cls(Content(source, tokens, entities))

    @classmethod
    def open_tei(cls, path: Path | str) -> Document:
        """Open a file that is to be TEI; other XML is refused."""
        document = cls.open(path)
        if not document.is_tei:
            root = f"its root is <{document.root.name}>" if document.root is not None else "it has no root"
            raise DocumentError(
                f"This is XML, but not a TEI document: {root}. Give an EpiDoc file.", path=path
            )
        return document

    @classmethod
    def _checked(cls, source: Source) -> Document:
        if len(source.text) > MAX_TAGS and source.text.count("<") > MAX_TAGS:
            raise DocumentError(
                f"The file holds more than {MAX_TAGS:,} tags; split it into one file per text.",
                path=source.path,
                line=1,
            )
        doctype = find_doctype(source.text)
        entities = declared_entities(source, doctype)
        parsed = _parse(source)
        if isinstance(parsed, DocumentError):
            raise parsed
        document = cls(Content(source, tokenise(source.text, doctype), entities))
        document._parsed = parsed
        return document

    @property
    def tree(self) -> Tree:
        return self.content.tree

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
        return _parse(self.source)

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


def _parse(source: Source) -> etree._Element | DocumentError:
    """lxml's root element, or why there is none."""
    # The declared encoding has been dealt with in Source: libxml2 is given UTF-8 throughout.
    is_plain = source.encoding == "utf-8" and not source.bom
    data = source.data if is_plain else source.text.encode("utf-8", "surrogatepass")
    try:
        return etree.fromstring(data, _PARSER)
    except etree.XMLSyntaxError as error:
        tolerated = _despite_identifiers(data)
        if tolerated is not None:
            return tolerated
        line, column = error.position
        reason = in_words((error.msg or "no element found").split(", line ")[0])
        if reason.startswith("Excessive depth"):
            reason = f"elements are nested more than {MAX_DEPTH} deep, as if no end tag were written"
        elif source.text.startswith(_CONFLICT, source.offset(line or 1)):
            reason = f"a conflict of versions was left here ({_CONFLICT}); keep one of the two"
        return DocumentError(
            f"Not well-formed XML: {reason}. Correct this place and try again.",
            path=source.path,
            line=line or None,
            column=column or None,
        )


def _despite_identifiers(data: bytes) -> etree._Element | None:
    """The tree of a file in which libxml2 dislikes only an `xml:id`: double or ill-formed, as happens."""
    parser = _parser(recover=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return None
    kinds = {entry.type_name for entry in parser.error_log}
    return root if kinds <= {"DTD_XMLID_VALUE", "DTD_ID_REDEFINED"} else None
