"""Edits after edits are one set of edits."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.writeback.compose import compose, edited_text

TEXTS = st.text("abc", max_size=12)


@st.composite
def edits_on(draw: st.DrawFn, text: str) -> list[Edit]:
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    spans = zip(places[::2], places[1::2], strict=False)
    return [Edit(start, end, draw(TEXTS)) for start, end in spans]


@given(st.data(), TEXTS)
def test_composed_edits_have_the_effect_of_both(data: st.DataObject, text: str) -> None:
    first = data.draw(edits_on(text))
    middle = edited_text(text, first)
    second = data.draw(edits_on(middle))
    composed = compose(text, first, second)
    assert edited_text(text, composed) == edited_text(middle, second)
    assert all(edit.start <= edit.end for edit in composed)
    assert all(one.end <= two.start for one, two in pairwise(composed))
    assert all(text[edit.start : edit.end] != edit.text for edit in composed)


def test_twenty_thousand_edits_on_twenty_thousand_take_no_minutes() -> None:
    text = "ab" * 20_000
    first = [Edit(start, start + 1, "x") for start in range(0, len(text), 2)]
    second = [Edit(start, start, "y") for start in range(0, len(text), 2)]
    assert edited_text(text, compose(text, first, second)) == "yxb" * 20_000
