"""What the model reads: every rule of the table, alignment, lines, vacats and ambiguous letters."""

from __future__ import annotations

import pytest
from reading_rules import RULES, Rule

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.reading import Reading, State

_STATES = {
    ".": State.PRESERVED,
    "u": State.UNCLEAR,
    "s": State.SUPPLIED,
    "l": State.LOST,
    "e": State.UNDERSTOOD,
}


def edition(markup: str, language: str = "grc") -> Document:
    return Document.from_bytes(f'<div type="edition" xml:lang="{language}"><ab>{markup}</ab></div>'.encode())


def reading(markup: str) -> Reading:
    (only,) = edition(markup).editions
    return only.reading


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_letters_and_states(rule: Rule) -> None:
    result = reading(rule.markup)
    assert result.letters == rule.letters
    if rule.states:
        assert [State(state).name for state in result.states] == [_STATES[mark].name for mark in rule.states]
    else:
        assert set(result.states) <= {State.PRESERVED}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_text_that_is_not_checked_reads_the_same(rule: Rule) -> None:
    text = f'<div type="edition" xml:lang="grc"><ab>{rule.markup}</ab></div>'
    (only,) = Document.from_text(text).editions
    assert only.reading.letters == rule.letters


def test_a_sign_knows_its_place_in_the_source() -> None:
    document = edition("τῶι δ<unclear>ή</unclear>μωι")
    signs = list(document.editions[0].reading)
    assert [document.text[sign.start : sign.end] for sign in signs] == list("τῶι δήμωι")


def test_a_decomposed_letter_stands_where_its_marks_stand_too() -> None:
    document = edition("δη\u0342\u0323μος")
    sign = document.editions[0].reading[1]
    assert document.text[sign.start : sign.end] == "η\u0342\u0323"
    assert sign.state == State.UNCLEAR


def test_a_referenced_letter_stands_where_its_reference_stands() -> None:
    document = edition("δ&#x3b7;μος")
    sign = document.editions[0].reading[1]
    assert document.text[sign.start : sign.end] == "&#x3b7;"


def test_all_signs_of_a_gap_stand_where_the_gap_stands() -> None:
    gap = '<gap reason="lost" quantity="3" unit="character"/>'
    document = edition(f"δῆ{gap}")
    assert {document.text[sign.start : sign.end] for sign in list(document.editions[0].reading)[2:]} == {gap}


def test_a_source_offset_leads_to_its_sign() -> None:
    document = edition('ὁ δῆ<gap reason="lost" quantity="3" unit="character"/> καί')
    result = document.editions[0].reading
    text = document.text
    assert result.sign_at(text.index("δ")) == 2
    assert result.sign_at(text.index("quantity")) == 4, "the first sign of the gap"
    assert result.sign_at(text.index("καί")) == 8
    assert result.sign_at(text.index("<ab>")) is None
    assert result.sign_at(len(text) - 1) is None


def test_lines_keep_their_number_and_first_sign() -> None:
    result = reading("<lb n='1'/>ἔδοξεν τῆι βου<lb n='2' break='no'/>λῆι <lb n='3'/>καί")
    assert [(line.n, line.first, line.broken_word) for line in result.lines] == [
        ("1", 0, False),
        ("2", 14, True),
        ("3", 17, False),
    ]
    assert [line.n if (line := result.line_of(index)) else None for index in (0, 13, 14, 18)] == [
        "1",
        "1",
        "2",
        "3",
    ]


def test_a_line_that_begins_within_a_numeral_or_a_joined_gap_begins_after_it() -> None:
    numeral = reading("<lb n='1'/>ἔτους <num>ι<lb n='2' break='no'/>β</num> μηνός")
    assert [(line.n, line.first) for line in numeral.lines] == [("1", 0), ("2", 7)]
    unknown = '<gap reason="lost" extent="unknown" unit="character"/>'
    counted = '<gap reason="lost" quantity="4" unit="character"/>'
    joined = reading(f"<lb n='1'/>δῆ{counted}<lb n='2' break='no'/>{unknown}")
    assert joined.letters == "δη----#"
    assert [(line.n, line.first) for line in joined.lines] == [("1", 0), ("2", 7)]


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        ("<choice><orig>δῆ<lb n='2' break='no'/>μως</orig><reg>δῆμος</reg></choice> καί", [("2", 5)]),
        ("<choice><orig>δῆ<lb n='2' break='no'/>μως</orig><reg>δῆ<lb n='2'/>μος</reg></choice>", [("2", 2)]),
        ("<subst><del>δῆ<lb n='2'/>μος</del><add>βουλή</add></subst> καί", [("2", 5)]),
        ("δῆ<surplus>μη<lb n='2' break='no'/></surplus>μος", [("2", 2)]),
        ("δῆμος <foreign xml:lang='la'>Iulia<lb n='2'/>sum <lb n='3'/></foreign> καί", [("3", 5)]),
        ("<seg xml:lang='la'>Iulia<lb n='2'/>sum <seg xml:lang='grc'>καί</seg></seg>", [("2", 0)]),
        ("δῆμος<note>in the other copy<lb n='2'/></note> καί", []),
    ],
)
def test_a_line_that_begins_in_what_is_not_read_begins_after_it(
    markup: str, lines: list[tuple[str, int]]
) -> None:
    assert [(line.n, line.first) for line in reading(markup).lines] == lines


def test_a_vacat_is_remembered_where_it_stands() -> None:
    assert reading("χαῖ<space/>ρε").vacats == (3,)


def test_a_vacat_keeps_gaps_apart() -> None:
    gap = '<gap reason="lost" quantity="2" unit="character"/>'
    assert [stretch.extent.exact for stretch in reading(f"{gap}<space/>{gap}").stretches] == [2, 2]


def test_ambiguous_letters_are_remembered() -> None:
    result = reading("ὁ <choice><unclear>Α</unclear><unclear>Λ</unclear><unclear>Δ</unclear></choice>ὐτός")
    assert result.letters == "ο αυτοσ"
    assert result.ambiguous == {2: "αδλ"}


def test_entities_of_the_document_are_read_at_their_reference() -> None:
    data = (
        '<!DOCTYPE div [<!ENTITY demos "δῆμος">]><div type="edition" xml:lang="grc"><ab>ὁ &demos;</ab></div>'
    )
    document = Document.from_bytes(data.encode())
    result = document.editions[0].reading
    assert result.letters == "ο δημοσ"
    assert {document.text[sign.start : sign.end] for sign in list(result)[2:]} == {"&demos;"}


@pytest.mark.parametrize(
    ("xml", "letters"),
    [
        (
            '<TEI xml:lang="en"><text><body><div type="edition"><ab>δῆμος</ab></div></body></text></TEI>',
            "δημοσ",
        ),
        ('<TEI><text xml:lang="la"><body><div type="edition"><ab>δῆμος</ab></div></body></text></TEI>', ""),
        (
            '<TEI.2><text lang="grc"><body><div type="edition"><ab>δῆμος</ab></div></body></text></TEI.2>',
            "δημοσ",
        ),
    ],
    ids=["the language of TEI is the metadata's", "the language of text counts", "P4 says lang"],
)
def test_inherited_language(xml: str, letters: str) -> None:
    (only,) = Document.from_bytes(xml.encode()).editions
    assert only.reading.letters == letters
    assert only.is_greek == bool(letters)
