"""Parts and metadata → a complete EpiDoc file.

Not for what stands inside a part: see `markup`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pythia_epidoc import __version__
from pythia_epidoc.leiden.items import Kind, Passage
from pythia_epidoc.leiden.markup import build
from pythia_epidoc.leiden.model import Date, Heading, Metadata
from pythia_epidoc.leiden.xml import Node, element, serialise

_SCHEMA = "http://www.stoa.org/epidoc/schema/9.8/tei-epidoc.rng"
_PROLOG = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    f'<?xml-model href="{_SCHEMA}" schematypens="http://relaxng.org/ns/structure/1.0"?>\n'
)
_PHI_LICENCE = (
    "The text was taken from the Searchable Greek Inscriptions of the Packard Humanities Institute, "
    "© The Packard Humanities Institute; its terms of use apply to the text. The markup is free to use."
)
_OTHER_LICENCE = (
    "The rights in the text are those of the edition it was taken from; the markup is free to use."
)
_PHI_LINK = "https://inscriptions.packhum.org/text/"
_LANGUAGES = (("grc", "Ancient Greek"), ("la", "Latin"), ("en", "English"))


@dataclass(frozen=True)
class Part:
    """A face, column or fragment, or the whole text if it has no heading."""

    heading: Heading | None
    passage: Passage


def document(metadata: Metadata, parts: list[Part], notation: str) -> str:
    """The file of one text."""
    root = Node(
        "TEI",
        {"xmlns": "http://www.tei-c.org/ns/1.0", "xml:lang": "en"},
        ["\n", _header(metadata, notation), "\n", _text(metadata, parts), "\n"],
    )
    return _PROLOG + serialise([root]) + "\n"


def _lines(node: Node, depth: int) -> Node:
    """Put every child of a header element on a line of its own."""
    if any(isinstance(child, str) for child in node.children):
        return node
    children = [child for child in node.children if isinstance(child, Node)]
    if children:
        node.children = []
        for child in children:
            node.add("\n" + "  " * (depth + 1), _lines(child, depth + 1))
        node.add("\n" + "  " * depth)
    return node


def _header(metadata: Metadata, notation: str) -> Node:
    publication = element("publicationStmt", element("authority", "Converted text, not published"))
    if metadata.phi_id:
        publication.add(element("idno", metadata.phi_id, type="PHI"))
        publication.add(element("idno", _PHI_LINK + metadata.phi_id, type="URI"))
    licence = _OTHER_LICENCE if notation == "Leiden" else _PHI_LICENCE
    publication.add(element("availability", element("licence", licence)))
    description = element(
        "fileDesc",
        element("titleStmt", element("title", metadata.title or _untitled(metadata))),
        publication,
        element("sourceDesc", _source(metadata), *_bibliography(metadata)),
    )
    languages = element("langUsage", *(element("language", name, ident=ident) for ident, name in _LANGUAGES))
    remark = f"Converted from {notation} notation by Pythia-EpiDoc {__version__}."
    header = element(
        "teiHeader",
        description,
        element("encodingDesc", element("p", remark)),
        element("profileDesc", languages),
    )
    return _lines(header, 0)


def _untitled(metadata: Metadata) -> str:
    if metadata.phi_id:
        return f"PHI {metadata.phi_id}"
    return ", ".join(part for part in (metadata.region, metadata.place) if part) or "Untitled text"


def _source(metadata: Metadata) -> Node:
    name = metadata.title or _untitled(metadata)
    source = element("msDesc", element("msIdentifier", element("msName", name)))
    objects = element("objectDesc")
    if metadata.object_type:
        objects.add(element("supportDesc", element("support", element("objectType", metadata.object_type))))
    if metadata.layout:
        layout = element("layout", metadata.layout, style=_layout_style(metadata.layout))
        objects.add(element("layoutDesc", layout))
    if objects.children:
        source.add(element("physDesc", objects))
    origin = element("origin")
    if metadata.region or metadata.place:
        place = element("origPlace")
        if metadata.region:
            place.add(element("region", metadata.region))
        if metadata.place:
            place.add(element("placeName", metadata.place))
        origin.add(place)
    if metadata.date is not None:
        origin.add(_date(metadata.date))
    if origin.children:
        source.add(element("history", origin))
    return source


def _layout_style(layout: str) -> str:
    lower = layout.lower()
    if "stoich" in lower:
        return "non-stoichedon" if "non-stoich" in lower else "stoichedon"
    return "boustrophedon" if "boustr" in lower else ""


def _date(date: Date) -> Node:
    return element(
        "origDate",
        date.text,
        notBefore=_year(date.not_before),
        notAfter=_year(date.not_after),
        precision="low" if date.circa else "",
        cert="low" if date.doubtful else "",
    )


def _year(year: int | None) -> str:
    if year is None:
        return ""
    return f"-{-year:04d}" if year < 0 else f"{year:04d}"


def _bibliography(metadata: Metadata) -> list[Node]:
    if not metadata.bibliography:
        return []
    return [element("listBibl", *(element("bibl", entry) for entry in metadata.bibliography))]


def _text(metadata: Metadata, parts: list[Part]) -> Node:
    edition = element("div", type="edition", xml_lang="grc", xml_space="preserve")
    outer: Node = edition
    for part in parts:
        block = _block(part.passage)
        if part.heading is None:
            edition.add("\n", block)
            continue
        heading = part.heading
        div = element("div", type="textpart", subtype=heading.kind, n=heading.n)
        if part.passage.items:
            div.add("\n", block)
        if heading.kind == "column" and outer is not edition:
            outer.add("\n", div)
        else:
            edition.add("\n", div)
            outer = div if heading.kind != "column" else edition
    if not parts:
        edition.add("\n", element("ab"))
    _close_parts(edition)
    body = element("body", "\n", edition, "\n")
    if metadata.remarks:
        remarks = [element("p", remark) for remark in metadata.remarks]
        body.add(element("div", *remarks, type="commentary"), "\n")
    return element("text", "\n", body, "\n")


def _close_parts(div: Node) -> None:
    """A part without text still needs a block; every part ends with a line end."""
    inner = [child for child in div.children if isinstance(child, Node)]
    for child in inner:
        if child.name == "div":
            _close_parts(child)
    if not inner:
        div.add("\n", element("ab"))
    div.add("\n")


def _block(passage: Passage) -> Node:
    """An `ab` of prose, or an `lg` of verses."""
    verse = any(span.kind is Kind.VERSE for span in passage.spans)
    block = Node("lg" if verse else "ab", {}, build(passage))
    if block.children:
        block.add("\n")
    return block
