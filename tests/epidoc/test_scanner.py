"""The tree of a text that somebody is typing."""

from __future__ import annotations

import pytest

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.scanner import scan

# text with | for the cursor, names of the elements around it from the inside out
TYPING = [
    ("<ab><w>δῆ|μος</w></ab>", ["w", "ab"]),
    ("<ab><w>δῆ|μος</ab>", ["w", "ab"]),
    ("<ab><w>δῆ|", ["w", "ab"]),
    ("<ab>δῆ<ga|p</ab>", ["gap", "ab"]),
    ('<ab>δῆ<gap reason="lo|st" quantity="3"</ab>', ["gap", "ab"]),
    ('<ab>δῆ<gap reason="lo|', ["gap", "ab"]),
    ("<ab>δῆ<gap |/></ab>", ["gap", "ab"]),
    ("<ab>δῆ < 5 μ|ος</ab>", ["ab"]),
    ("<ab>δῆ</w>μ|ος</ab>", ["ab"]),
    ("<ab><supplied reason='lost'>δῆ|μος</ab><ab>καί</ab>", ["supplied", "ab"]),
    ("<ab><supplied>δῆμος</ab><ab>κα|ί</ab>", ["ab"]),
    ("<ab>δῆ<!-- μ|ος", ["ab"]),
    ("<TEI><text><body><div type='edition'><ab>δῆμ|", ["ab", "div", "body", "text", "TEI"]),
    ("δῆ|μος", []),
    ("|", []),
]


@pytest.mark.parametrize(("text", "names"), TYPING, ids=[row[0] for row in TYPING])
def test_the_elements_around_the_cursor(text: str, names: list[str]) -> None:
    cursor = text.index("|")
    element = scan(text.replace("|", "")).element_at(cursor)
    assert [
        name for name in (element.name, *(ancestor.name for ancestor in element.ancestors())) if name
    ] == names


STRAY_BRACKETS = [
    '<seg n="a>b"/>',
    "<seg n='>'/>",
    "δ > 5",
    "<!-- > <w> -->",
    "<?a > <w> ?>",
    "<![CDATA[ > <w> ]]>",
    '<!-- > --><seg n=">"/>',
]


@pytest.mark.parametrize("inside", STRAY_BRACKETS)
def test_a_bracket_that_ends_no_tag_is_passed_over(inside: str) -> None:
    text = f"<ab>{inside}<gap/></ab>"
    ours = [repr(element) for element in Document.from_bytes(text.encode()).tree.root.iter()]
    assert ours == [repr(element) for element in scan(text).root.iter()]
    assert ours[-1] == f"<gap> at {text.index('<gap')}:{text.index('</ab')}"


def test_what_was_left_open_is_closed_where_its_parent_ends() -> None:
    text = "<ab><w>δῆμος</ab>"
    (word,) = scan(text).root.iter("w")
    assert (word.close_start, word.end) == (text.index("</ab>"), text.index("</ab>"))


def test_a_lacuna_is_found_while_the_rest_of_the_file_is_broken() -> None:
    text = '<div type="edition" xml:lang="grc"><ab>δῆ<gap reason="lost" quantity="3" unit="character"/> <w>κα'
    (lacuna,) = Document.from_text(text).lacunae
    assert lacuna.extent.exact == 3
    assert lacuna.context(9) == ("δη", " κα")


def test_a_broken_text_tells_why_it_is_not_well_formed() -> None:
    error = Document.from_text("<ab>\n<w></ab>").error
    assert error is not None
    assert error.line == 2
    assert "w" in str(error)


def test_attributes_are_found_with_their_place() -> None:
    text = "<ab><gap reason = 'lost' quantity=\"3\" n='a &amp; b > c'/></ab>"
    (gap,) = scan(text).root.iter("gap")
    assert gap.attributes == {"reason": "lost", "quantity": "3", "n": "a & b > c"}
    span = gap.attribute_span("quantity")
    assert span is not None
    assert text[slice(*span)] == 'quantity="3"'
    assert gap.attribute_span("unit") is None
    assert (gap.get("unit"), gap.get("unit", "character")) == ("", "character")


def test_the_nearest_of_some_ancestors() -> None:
    (word,) = scan("<div xml:lang='grc'><ab><w/></ab></div>").root.iter("w")
    assert word.within("div", "ab") is word.parent
    assert word.within("TEI") is None


def test_a_prefix_is_not_part_of_the_name() -> None:
    (gap,) = scan("<tei:gap/>").root.iter("gap")
    assert (gap.prefix, gap.name, gap.qualified_name) == ("tei", "gap", "tei:gap")


def test_the_doctype_is_not_content() -> None:
    text = "<!DOCTYPE a [<!ENTITY b '<c/>'>]>\n<a/>"
    tree = scan(text)
    assert tree.doctype == (0, text.index("\n"))
    assert [element.name for element in tree.root.elements] == ["a"]
