"""Editions as Leiden text: lines, styles, previews, and XML that is being typed."""

from __future__ import annotations

import pytest
from edition import convert_one, leiden

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.leiden import StyleName, render, render_line

XML = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc"><ab>\n'
    '<lb n="1"/>ὁ δῆ<supplied reason="lost">μος</supplied>\n'
    '<lb n="2"/>ἐτί<gap reason="lost" quantity="5" unit="character"/> τὸν <unclear>βα</unclear>\n'
    '<lb n="3" break="no"/>σιλέα</ab></div></body></text></TEI>'
)


def test_every_fifth_line_has_its_number() -> None:
    text = "\n".join(f"{'α' * number}β" for number in range(1, 7))
    document = Document.from_text(convert_one(text).xml)
    rows = render(document.editions[0], "phi", numbers=True).splitlines()
    assert [row[:4].strip() for row in rows] == ["1", "", "", "", "5", ""]


@pytest.mark.parametrize(
    ("style", "second_line"),
    [("panciera", "ἐτί[. 5.] τὸν β̣α̣-"), ("london", "ἐτί[· 5·] τὸν β̣α̣-"), ("phi", "ἐτί[․․5․․] τὸν β̣α̣-")],
)
def test_line_around_an_offset(style: StyleName, second_line: str) -> None:
    document = Document.from_text(XML)
    assert render_line(document, XML.index("<gap") + 3, style) == second_line


def test_a_word_in_two_parts_has_one_hyphen() -> None:
    parts = XML.replace("δῆ", '<w part="I">δῆ').replace("</supplied>", "</supplied></w>")
    document = Document.from_text(parts.replace('<lb n="2"/>', '<lb n="2" break="no"/>'))
    assert render_line(document, parts.index("δῆ"), "panciera") == "ὁ δῆ[μος-]"


def test_a_lacuna_printed_as_dashes_keeps_its_hyphen() -> None:
    lost = XML.replace('quantity="5"', 'extent="unknown"').replace(" τὸν <unclear>βα</unclear>", "")
    assert render_line(Document.from_text(lost), lost.index("<gap"), "panciera") == "ἐτί[----]"


def test_preview_marks_a_suggestion() -> None:
    document = Document.from_text(XML)
    gap = next(document.editions[0].element.iter("gap"))
    preview = render_line(document, gap.start, lacuna=gap, replacement="μησεν")
    assert preview == "ἐτί[⟪μησεν⟫] τὸν β̣α̣-"


@pytest.mark.parametrize(
    ("markup", "panciera", "phi"),
    [
        ('ἐτ<gap reason="lost" extent="3" unit="character"/>', "ἐτ[...]", "ἐτ[․․․]"),
        ('ἐτ<gap reason="lost" extent="ca. 5 letters"/>', "ἐτ[. c. 5.]", "ἐτ[․․c.5․․]"),
        ('ἐτ<gap reason="lost" quantity="3" unit="cm"/>', "ἐτ[---]", "ἐτ[— — —]"),
        ('ἐτ <g ref="symbols.xml#leaf"/> β', "ἐτ ((leaf)) β", "ἐτ ❦ β"),
        ("ἐτ<note/> β", "ἐτ β", "ἐτ β"),
    ],
)
def test_markup_of_older_editions(markup: str, panciera: str, phi: str) -> None:
    xml = f'<div type="edition"><ab>{markup}</ab></div>'
    assert (leiden(xml, "panciera"), leiden(xml)) == (panciera, phi)


def test_what_the_machine_proposes_is_no_other_reading() -> None:
    alternatives = (
        '<app type="alternative"><lem><gap reason="lost" quantity="3" unit="character"/></lem>'
        '<rdg n="1" resp="#{}" cert="low"><supplied reason="lost" cert="low">αμη</supplied></rdg></app>'
    )
    gap = '<gap reason="lost" quantity="5" unit="character"/>'
    machine = Document.from_text(XML.replace(gap, alternatives.format("pythia")))
    editor = Document.from_text(XML.replace(gap, alternatives.format("wilhelm")))
    assert "ἐτί[․․․] τὸν" in render(machine.editions[0], "phi")
    assert "ἐτί[․․․] {²⁷[αμη(?)]}²⁷ τὸν" in render(editor.editions[0], "phi")


def test_xml_that_is_being_typed_renders() -> None:
    broken = XML.replace("</unclear>", "").replace("</ab></div></body></text></TEI>", "")
    document = Document.from_text(broken)
    assert render_line(document, broken.index("σιλέα")).startswith("σ")


def test_a_converted_text_is_ready_to_work_on() -> None:
    text = "δῆ[․․5․․] καὶ [τὸν] [․․8-9․․] ․․c.4․․ [— — —]ος ἀνέ-\nθη[․․]"
    document = Document.from_text(convert_one(text).xml)
    extents = [(lacuna.extent.least, lacuna.extent.most, lacuna.extent.about) for lacuna in document.lacunae]
    assert extents == [
        (5, 5, False),
        (3, 3, False),
        (8, 9, False),
        (4, 4, True),
        (None, None, False),
        (2, 2, False),
    ]
    assert all(lacuna.restorable for lacuna in document.lacunae)


def test_the_way_back_is_stable() -> None:
    text = "Αὐρ(ήλιος) [— — — Ἀν]τω[νῖνος] {²⁷Ἀντώ[νιος]}²⁷ 〚Γέ〛-\n〚τας〛 vac. 3 βʹ ∙ <τῆς> {τῆς} ․․7․․"
    once = leiden(convert_one(text).xml)
    assert once == text
