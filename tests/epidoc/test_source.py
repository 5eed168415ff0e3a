"""Bytes and text: every encoding gives the same reading and gives back the same bytes."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, apply_edits
from pythia_epidoc.epidoc.source import Position, Source
from pythia_epidoc.errors import DocumentError

GAP = '<gap reason="lost" quantity="3" unit="character"/>'
TEXT = f'<div type="edition" xml:lang="grc">\n<ab>δῆ{GAP} 𐅵 τῶι</ab>\n</div>\n'
LATIN = f'<div type="edition" xml:lang="grc">\n<ab>é&#x3b4;&#951;{GAP}</ab>\n</div>\n'


def declaration(encoding: str) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>\n'


ENCODED = {
    "UTF-8": TEXT.encode(),
    "UTF-8, declared": (declaration("UTF-8") + TEXT).encode(),
    "UTF-8, declared in single quotes and lower case": (
        declaration("utf-8").replace('"', "'") + TEXT
    ).encode(),
    "UTF-8 with BOM": codecs.BOM_UTF8 + TEXT.encode(),
    "UTF-8 with BOM, declared": codecs.BOM_UTF8 + (declaration("UTF-8") + TEXT).encode(),
    "UTF-8 with CRLF": TEXT.replace("\n", "\r\n").encode(),
    "UTF-8 with CR": TEXT.replace("\n", "\r").encode(),
    "UTF-16 LE with BOM": codecs.BOM_UTF16_LE + (declaration("UTF-16") + TEXT).encode("utf-16-le"),
    "UTF-16 BE with BOM": codecs.BOM_UTF16_BE + (declaration("UTF-16") + TEXT).encode("utf-16-be"),
    "UTF-16 LE without BOM": (declaration("UTF-16LE") + TEXT).encode("utf-16-le"),
    "UTF-16 BE without BOM": TEXT.encode("utf-16-be"),
}


@pytest.mark.parametrize("name", ENCODED)
def test_every_encoding_reads_the_same_and_writes_back_the_same_bytes(name: str) -> None:
    document = Document.from_bytes(ENCODED[name])
    (edition,) = document.editions
    assert edition.reading.letters == "δη--- τωι"
    assert apply_edits(document.source, []) == ENCODED[name]


@pytest.mark.parametrize("name", ENCODED)
def test_an_edit_in_any_encoding_changes_only_its_own_bytes(name: str) -> None:
    document = Document.from_bytes(ENCODED[name])
    (lacuna,) = document.lacunae
    changed = apply_edits(document.source, [Edit(lacuna.start, lacuna.end, "μος")])
    codec = "utf-8" if "UTF-8" in name else "utf-16-le" if "LE" in name else "utf-16-be"
    assert changed == ENCODED[name].replace(GAP.encode(codec), "μος".encode(codec))


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "iso-8859-15", "windows-1252", "US-ASCII"])
def test_letters_that_an_encoding_lacks_become_character_references(encoding: str) -> None:
    text = declaration(encoding) + (LATIN if encoding != "US-ASCII" else LATIN.replace("é", ""))
    document = Document.from_bytes(text.encode(encoding))
    assert document.editions[0].reading.letters == "δη---"
    (lacuna,) = document.lacunae
    changed = apply_edits(document.source, [Edit(lacuna.start, lacuna.end, "μος")])
    assert changed == text.encode(encoding).replace(GAP.encode(), b"&#956;&#959;&#962;")
    assert Document.from_bytes(changed).editions[0].reading.letters == "δημοσ"


def test_greek_single_byte_encodings_are_read() -> None:
    text = declaration("ISO-8859-7") + f'<ab xml:lang="grc">δήμος{GAP}</ab>'
    assert Document.from_bytes(text.encode("iso-8859-7")).editions[0].reading.letters == "δημοσ---"


@pytest.mark.parametrize("name", ENCODED)
def test_byte_offsets_point_at_the_same_character(name: str) -> None:
    source = Source.from_bytes(ENCODED[name])
    start, end = source.text.index("<gap"), source.text.index("/>") + 2
    data = source.data[source.byte_offset(start) : source.byte_offset(end)]
    assert data.decode(source.encoding) == GAP


def test_positions_count_lines_of_every_kind_from_one() -> None:
    source = Source.from_bytes(b"<a>\r\n<b>\n<c>\r<d/></c></b></a>")
    assert [source.position(source.text.index(tag)) for tag in ("<a", "<b", "<c", "<d")] == [
        Position(1, 1),
        Position(2, 1),
        Position(3, 1),
        Position(4, 1),
    ]
    assert source.offset(2, 1) == source.text.index("<b")
    assert source.offset(99) == len(source.text)


VARIANTS = {
    "default namespace": '<TEI xmlns="http://www.tei-c.org/ns/1.0">{}</TEI>',
    "prefix": '<tei:TEI xmlns:tei="http://www.tei-c.org/ns/1.0">{}</tei:TEI>',
    "no namespace": "<TEI>{}</TEI>",
    "P4": "<TEI.2>{}</TEI.2>",
    "DOCTYPE with internal subset": (
        '<!DOCTYPE TEI [<!ELEMENT p (#PCDATA)>\n<!-- ]> --><!ENTITY x "]>">]>\n<TEI>{}</TEI>'
    ),
    "external DOCTYPE": '<!DOCTYPE TEI.2 PUBLIC "-//TEI P4//DTD" "tei2.dtd"><TEI.2>{}</TEI.2>',
    "instructions and comments": (
        '<?xml-model href="x.rng"?>\n<!-- <div type="edition"> -->\n<TEI>{}</TEI>\n<!-- end -->'
    ),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_way_of_writing_tei_gives_the_edition(name: str) -> None:
    prefix = "tei:" if name == "prefix" else ""
    body = (
        "<teiHeader/><text><body><div type='edition' xml:lang='grc'>"
        "<ab>δῆ<!-- x --><![CDATA[μος]]><?y z?></ab></div></body></text>"
    )
    body = body.replace("</", f"</{prefix}").replace("<", f"<{prefix}") if prefix else body
    for wrong, right in (
        (f"<{prefix}/{prefix}", f"</{prefix}"),
        (f"<{prefix}!", "<!"),
        (f"<{prefix}?", "<?"),
    ):
        body = body.replace(wrong, right)
    document = Document.from_bytes(VARIANTS[name].format(body).encode())
    assert document.is_tei
    (edition,) = document.editions
    assert edition.element.name == "div"
    assert edition.reading.letters == "δημοσ"


def test_a_document_of_another_kind_is_not_tei() -> None:
    assert not Document.from_bytes(b'<html xmlns="http://www.w3.org/1999/xhtml"/>').is_tei
    assert not Document.from_bytes(b"<svg/>").is_tei


def test_a_name_with_any_letters_can_be_opened(tmp_path: Path) -> None:
    file = tmp_path / "ψήφισμα τοῦ δήμου.xml"
    file.write_text(TEXT, encoding="utf-8")
    assert Document.open(file).path == file


@pytest.mark.parametrize(
    "identifiers", [("1", "2"), ("a", "a"), ("1", "1")], ids=["ill-formed", "double", "both"]
)
def test_a_faulty_identifier_does_not_keep_a_file_from_being_read(identifiers: tuple[str, str]) -> None:
    first, second = identifiers
    data = f'<div type="edition" xml:id="{first}"><ab xml:id="{second}">δῆμος</ab></div>'.encode()
    document = Document.from_bytes(data)
    assert document.editions[0].reading.letters == "δημοσ"
    assert document.lxml.tag == "div"


def test_an_undeclared_prefix_does() -> None:
    with pytest.raises(DocumentError, match="prefix"):
        Document.from_bytes(b'<tei:div type="edition" xml:id="1"/>')
