"""Every gap and supplied is told, with its extent, its context and, if it cannot be restored, the reason."""

from __future__ import annotations

import pytest

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.lacunae import Lacuna

GAP = '<gap reason="lost" quantity="3" unit="character"/>'


def lacunae(markup: str, language: str = "grc") -> tuple[Lacuna, ...]:
    data = f'<div type="edition" xml:lang="{language}"><ab>{markup}</ab></div>'
    return Document.from_bytes(data.encode()).lacunae


@pytest.mark.parametrize(
    ("markup", "obstacle"),
    [
        (GAP, ""),
        ('<supplied reason="lost">μος</supplied>', ""),
        ('<gap reason="lost" extent="unknown" unit="character"/>', ""),
        ('<gap reason="illegible" quantity="40" unit="character"/>', ""),
        ('<gap reason="lost" quantity="41" unit="character"/>', "longer than 40 letters"),
        ('<gap reason="lost" quantity="2" unit="line"/>', "measured in lines"),
        ('<gap reason="lost" quantity="2" unit="cm"/>', "measured in cm"),
        ('<gap reason="ellipsis"/>', "ellipsis"),
        ('<supplied reason="omitted">μος</supplied>', "never had"),
        ('<supplied reason="abbreviation">μος</supplied>', "never had"),
        ('<ex>ν<supplied reason="lost">ό</supplied></ex>', "never had"),
        ('<supplied reason="subaudible">υἱός</supplied>', "explanation"),
        (f"<app><lem>α</lem><rdg>{GAP}</rdg></app>", "variant reading"),
        (f"<note>{GAP}</note>", "note"),
        (f"<surplus>{GAP}</surplus>", "surplus"),
        (f"<choice><orig>{GAP}</orig><reg>α</reg></choice>", "orig"),
        (f"<choice><sic>{GAP}</sic><corr>α</corr></choice>", "sic"),
        (f"<num>ι{GAP}</num>", "numeral"),
        (f'<foreign xml:lang="la">{GAP}</foreign>', "not in Greek"),
        (f"<subst><del>{GAP}</del><add>α</add></subst>", "overwritten"),
        ('<supplied reason="lost"><g type="cross"/></supplied>', "no Greek letters"),
        ('<supplied reason="lost"><space quantity="2" unit="character"/></supplied>', "no Greek letters"),
        ('<supplied reason="lost"><handShift new="m2"/></supplied>', "no Greek letters"),
        ('<supplied reason="lost">·</supplied>', "no Greek letters"),
        ('<supplied reason="lost">&#8212; —</supplied>', ""),
    ],
    ids=lambda value: value[:50],
)
def test_restorable_or_why_not(markup: str, obstacle: str) -> None:
    (lacuna,) = lacunae(f"δῆ{markup} καί")
    assert lacuna.restorable is not bool(obstacle)
    assert obstacle in lacuna.obstacle


def test_lacunae_are_numbered_in_document_order_with_their_lines() -> None:
    found = lacunae(f"<lb n='1'/>δῆ{GAP}<lb n='2'/><supplied reason='lost'>τῶι</supplied> {GAP}")
    assert [(lacuna.number, lacuna.kind, lacuna.line) for lacuna in found] == [
        (1, "gap", "1"),
        (2, "supplied", "2"),
        (3, "gap", "2"),
    ]


def test_a_conjecture_and_its_context() -> None:
    (lacuna,) = lacunae('ἔδοξεν τῶι <supplied reason="lost">δήμωι</supplied> καί')
    assert lacuna.conjecture == "δημωι"
    assert lacuna.context(5) == (" τωι ", " και")
    assert lacuna.extent.exact == 5


def test_letters_are_counted_as_on_the_stone() -> None:
    (lacuna,) = lacunae('<supplied reason="lost">ὁ δῆ<lb n="2" break="no"/>μος <ex>καί</ex></supplied>')
    assert lacuna.extent.exact == 6, "no spaces, no letters that were never there"


def test_a_supplied_that_holds_a_gap_points_to_it() -> None:
    outer, inner = lacunae(f'<supplied reason="lost">ὁ {GAP} καί</supplied>')
    assert (outer.kind, inner.kind) == ("supplied", "gap")
    assert "of its own" in outer.obstacle
    assert inner.restorable


def test_a_supplied_around_nothing_but_a_gap_is_not_a_second_lacuna() -> None:
    gap = '<gap reason="lost" extent="unknown" unit="character"/>'
    outer, inner, mixed, _ = lacunae(
        f'<supplied reason="lost">{gap}</supplied> <supplied reason="lost">μ{gap}</supplied>'
    )
    assert "of its own" in outer.obstacle
    assert inner.restorable
    assert str(outer.extent) == "unknown"
    assert str(mixed.extent) == "at least 1 letter"


def test_nested_supplied_belong_to_the_outer_one() -> None:
    outer, inner = lacunae('<supplied>Παυσ<supplied reason="lost">α</supplied>νία</supplied>')
    assert outer.restorable
    assert "larger supplied" in inner.obstacle


def test_adjacent_gaps_are_one_lacuna_of_several_elements() -> None:
    (lacuna,) = lacunae(f"δῆ{GAP}<lb n='2' break='no'/>{GAP}ς")
    assert len(lacuna.elements) == 2
    assert lacuna.extent.exact == 6
    assert (lacuna.first, lacuna.stop) == (2, 8)


def test_gaps_of_different_parents_stay_two_so_that_each_can_be_replaced() -> None:
    first, second = lacunae(f"<del>{GAP}</del>{GAP}")
    assert (first.start, first.end) == (first.elements[0].start, first.elements[0].end)
    assert first.edition.reading.letters == "------"
    assert second.restorable


def test_the_gaps_of_another_language_are_told_but_not_restored() -> None:
    (lacuna,) = lacunae(f"Marcus {GAP}", language="la")
    assert "not in Greek" in lacuna.obstacle
