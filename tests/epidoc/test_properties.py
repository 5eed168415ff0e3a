"""Whatever the edition: signs and source agree, edits change what they say, the scanner is exact."""

from __future__ import annotations

import unicodedata

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from trees import EDITIONS, damaged

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, apply_edits
from pythia_epidoc.epidoc.reading import State
from pythia_epidoc.epidoc.references import REFERENCE, resolve_reference
from pythia_epidoc.epidoc.scanner import Element, Text, scan
from pythia_epidoc.greek import FOLD_TABLE, LETTERS, LOOKALIKES, LOST, NUMERAL, SPACE, UNKNOWN

settings.register_profile(
    "editions", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("editions")


def letter_in(raw: str) -> str:
    """The letter a piece of source stands for, by way of Unicode and not of our scanner."""
    text = REFERENCE.sub(resolve_reference, raw)
    base = unicodedata.normalize("NFD", text)[:1]
    return LOOKALIKES.get(base, base).translate(FOLD_TABLE)


@given(EDITIONS)
def test_every_sign_is_the_character_at_its_offset(text: str) -> None:
    document = Document.from_bytes(text.encode())
    for sign in document.editions[0].reading:
        raw = text[sign.start : sign.end]
        if sign.letter in LETTERS:
            assert letter_in(raw) == sign.letter
        elif sign.letter in (LOST, UNKNOWN):
            assert raw.startswith(("<gap", "<supplied"))
            assert sign.state == State.LOST
        elif sign.letter == NUMERAL:
            assert raw.startswith("<num")
        else:
            assert sign.letter == SPACE


@given(EDITIONS)
def test_signs_stand_in_the_order_of_the_source(text: str) -> None:
    reading = Document.from_bytes(text.encode()).editions[0].reading
    assert len(reading.letters) == len(reading.states) == len(reading.starts) == len(reading.ends)
    assert list(reading.starts) == sorted(reading.starts)
    assert all(start <= end for start, end in zip(reading.starts, reading.ends, strict=True))


@given(EDITIONS)
def test_an_offset_leads_to_a_sign_that_stands_there(text: str) -> None:
    reading = Document.from_bytes(text.encode()).editions[0].reading
    places = set(zip(reading.starts, reading.ends, strict=True))
    for offset in range(len(text)):
        index = reading.sign_at(offset)
        if index is not None:
            assert reading.starts[index] <= offset < max(reading.ends[index], reading.starts[index] + 1)
        else:
            assert not any(start <= offset < end for start, end in places)


@given(EDITIONS)
def test_words_are_parted_by_single_spaces(text: str) -> None:
    letters = Document.from_bytes(text.encode()).editions[0].reading.letters
    assert "  " not in letters
    assert not letters.startswith(SPACE)


@given(EDITIONS)
def test_every_gap_and_supplied_belongs_to_exactly_one_lacuna(text: str) -> None:
    document = Document.from_bytes(text.encode())
    found = sorted(element.start for lacuna in document.lacunae for element in lacuna.elements)
    assert found == [element.start for element in document.tree.root.iter("gap", "supplied")]
    for lacuna in document.lacunae:
        assert lacuna.first <= lacuna.stop <= len(lacuna.edition.reading)


@given(EDITIONS)
def test_no_edits_and_gaps_replaced_by_themselves_give_the_same_bytes(text: str) -> None:
    document = Document.from_bytes(text.encode())
    assert apply_edits(document.source, []) == text.encode()
    edits = [Edit(gap.start, gap.end, text[gap.start : gap.end]) for gap in document.tree.root.iter("gap")]
    assert apply_edits(document.source, edits) == text.encode()


@given(
    EDITIONS, st.lists(st.tuples(st.integers(0, 400), st.integers(0, 12), st.text(max_size=5)), max_size=8)
)
def test_edits_equal_a_naive_replacement_from_the_end(text: str, wanted: list[tuple[int, int, str]]) -> None:
    edits: list[Edit] = []
    position = 0
    for start, length, new in sorted(wanted):
        if position <= start and start + length <= len(text):
            edits.append(Edit(start, start + length, new))
            position = start + length
    expected = text
    for edit in reversed(edits):
        expected = expected[: edit.start] + edit.text + expected[edit.end :]
    source = Document.from_text(text).source
    assert apply_edits(source, edits) == expected.encode("utf-8", "xmlcharrefreplace")


@given(EDITIONS)
def test_elements_and_their_text_are_those_of_lxml(text: str) -> None:
    ours = list(Document.from_bytes(text.encode()).tree.root.iter())[1:]
    theirs = list(etree.fromstring(text.encode()).iter(etree.Element))
    assert [element.name for element in ours] == [str(element.tag) for element in theirs]
    for element, parsed in zip(ours, theirs, strict=True):
        assert text[element.start] == "<"
        assert text[element.end - 1] == ">"
        assert element.attributes == {
            str(key).replace("{http://www.w3.org/XML/1998/namespace}", "xml:"): value
            for key, value in parsed.attrib.items()
        }
        assert content(element, text) == "".join(parsed.xpath(".//text()"))


def content(element: Element, source: str) -> str:
    parts: list[str] = []
    for child in element.children:
        if isinstance(child, Element):
            parts.append(content(child, source))
        else:
            raw = source[child.start : child.end]
            parts.append(raw if child.cdata else REFERENCE.sub(resolve_reference, raw))
    return "".join(parts)


@given(EDITIONS)
def test_a_text_that_is_well_formed_scans_alike_checked_or_not(text: str) -> None:
    checked, unchecked = Document.from_bytes(text.encode()), Document.from_text(text)
    assert checked.editions[0].reading.letters == unchecked.editions[0].reading.letters
    assert [repr(element) for element in checked.tree.root.iter()] == [
        repr(element) for element in unchecked.tree.root.iter()
    ]


@given(damaged())
def test_a_damaged_text_still_has_a_tree_that_covers_it(text: str) -> None:
    document = Document.from_text(text)
    for element in document.tree.root.iter():
        assert element.start <= element.open_end <= element.close_start <= element.end <= len(text)
        position = element.open_end
        for child in element.children:
            assert position <= child.start <= child.end <= element.close_start
            position = child.end
    for edition in document.editions:
        assert len(edition.reading.letters) == len(edition.reading.starts)
    assert all(lacuna.first <= lacuna.stop for lacuna in document.lacunae)


@given(damaged(), st.integers(0, 300))
def test_the_element_found_at_an_offset_is_the_innermost_that_holds_it(text: str, offset: int) -> None:
    tree = scan(text)
    offset = min(offset, len(text))
    element = tree.element_at(offset)
    assert element.start <= offset <= element.end
    assert not any(child.start < offset < child.end for child in element.elements)


@given(EDITIONS, st.data())
def test_in_a_text_cut_off_the_elements_open_at_the_cut_are_found(text: str, data: st.DataObject) -> None:
    """Typing at the end of what is written so far: every element open there is still around the cursor."""
    document = Document.from_bytes(text.encode())
    runs = [
        (child.start, child.end, element)
        for element in document.tree.root.iter()
        for child in element.children
        if isinstance(child, Text) and not child.cdata and "&" not in text[child.start : child.end]
    ]
    if not runs:
        return
    start, end, parent = data.draw(st.sampled_from(runs))
    cut = data.draw(st.integers(start, end))
    element = scan(text[:cut]).element_at(cut)
    expected = [parent.name, *(ancestor.name for ancestor in parent.ancestors())]
    found = [element.name, *(ancestor.name for ancestor in element.ancestors())]
    if text[:cut].endswith(">"):  # at the edge of a child that just ended, the child is as good an answer
        assert found[-len(expected) :] == expected
    else:
        assert found == expected
