"""Which parts of a document are its edition."""

from __future__ import annotations

import gc
import weakref

import pytest

from pythia_epidoc.epidoc.document import Document


def editions(*divisions: str) -> list[str]:
    data = f"<TEI><teiHeader><p>μή</p></teiHeader><text><body>{''.join(divisions)}</body></text></TEI>"
    return [edition.reading.letters for edition in Document.from_bytes(data.encode()).editions]


def division(text: str, subtype: str = "", kind: str = "edition") -> str:
    return f'<div type="{kind}"{f" subtype={subtype!r}" if subtype else ""}><ab>{text}</ab></div>'


@pytest.mark.parametrize(
    ("best", "other"),
    [
        ("interpretive", "diplomatic"),
        ("transcription", "diplomatic"),
        ("primary", "simple-lemmatized"),
        ("", "simple-lemmatized"),
        ("", "diplomatic"),
        ("transcription", "transcription_segmented"),
    ],
)
def test_of_several_editions_of_one_text_the_interpretive_is_read(best: str, other: str) -> None:
    for pair in ((division("α", best), division("β", other)), (division("β", other), division("α", best))):
        assert editions(*pair) == ["α"]


def test_editions_alike_are_all_read() -> None:
    assert editions(division("α"), division("β")) == ["α", "β"]


def test_an_edition_of_unknown_subtype_is_read_too() -> None:
    assert editions(division("α", "interpretive"), division("β", "fragment-b")) == ["α", "β"]


def test_a_lone_diplomatic_edition_is_read() -> None:
    assert editions(division("α", "diplomatic")) == ["α"]


def test_text_parts_belong_to_their_edition() -> None:
    parts = '<div type="textpart" n="1"><ab>α</ab></div><div type="textpart" n="2"><ab>β</ab></div>'
    assert editions(f'<div type="edition">{parts}</div>') == ["α β"]


def test_an_edition_within_an_edition_is_not_a_second_one() -> None:
    assert editions(f'<div type="edition">{division("α")}</div>') == ["α"]


def test_other_divisions_are_not_read() -> None:
    assert editions(division("β", kind="translation"), division("α"), division("γ", kind="commentary")) == [
        "α"
    ]


def test_without_an_edition_the_whole_text_is_read_but_not_what_is_about_it() -> None:
    assert editions("<p>α</p>", division("β", kind="translation"), division("γ", kind="section")) == ["α γ"]


def test_every_text_of_a_corpus_has_its_editions() -> None:
    both = division("α", "interpretive") + division("β", "diplomatic")
    texts = "".join(
        f"<TEI><text><body>{body}</body></text></TEI>" for body in (both, division("γ", "edited"))
    )
    document = Document.from_bytes(f"<teiCorpus>{texts}</teiCorpus>".encode())
    assert [edition.reading.letters for edition in document.editions] == ["α", "γ"]


def test_every_text_of_a_group_is_read() -> None:
    texts = "".join(f"<text><body><p>{letter}</p></body></text>" for letter in "αβ")
    document = Document.from_bytes(f"<TEI><text><group>{texts}</group></text></TEI>".encode())
    assert [edition.reading.letters for edition in document.editions] == ["α", "β"]


@pytest.mark.parametrize("language", ["grc", "GRC", "el", "gr", "grc_GR", "grc-x-doric", "grc la", ""])
def test_greek_by_any_name_is_read(language: str) -> None:
    (edition,) = Document.from_bytes(f'<div type="edition" xml:lang="{language}">α</div>'.encode()).editions
    assert edition.reading.letters == "α"


def test_a_file_that_is_only_an_edition_division() -> None:
    (edition,) = Document.from_bytes('<div type="edition"><ab>α</ab></div>'.encode()).editions
    assert edition.reading.letters == "α"


def test_an_empty_edition_is_an_edition_with_nothing_in_it() -> None:
    assert editions('<div type="edition"/>') == [""]


def test_a_text_without_elements_has_no_edition() -> None:
    assert Document.from_text("ἔδοξεν").editions == ()


def test_a_document_that_was_read_goes_without_the_garbage_collector() -> None:
    document = Document.from_bytes('<div type="edition"><ab>α<gap/></ab></div>'.encode())
    seen = weakref.ref(document)
    gc.disable()
    try:
        assert [edition.reading.letters for edition in document.editions] == ["α#"]
        assert len(document.lacunae) == 1
        del document
        assert seen() is None
    finally:
        gc.enable()


def test_an_edition_has_a_document_even_if_nobody_else_holds_it() -> None:
    document = Document.from_bytes('<div type="edition"><ab>α<gap/></ab></div>'.encode())
    (edition,) = document.editions
    assert edition.document is document
    del document
    assert edition.document is edition.document
    assert edition.document.text.startswith("<div")
    assert edition.document.editions[0].element is edition.element
