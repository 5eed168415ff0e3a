"""Attention and occlusion: which signs they speak of, and how they are drawn."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from typing import Any

import pytest

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.reading import State
from pythia_epidoc.evidence.pictures import html, svg, text
from pythia_epidoc.evidence.saliency import Saliency, rank_correlation, saliency
from pythia_epidoc.model.restorer import Attention
from pythia_epidoc.restoration import Query

EDITION = Document.from_text(
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc"><ab>'
    '<lb n="1"/>ἔδοξεν τῆι <gap reason="lost" quantity="6" unit="character"/> καὶ <unclear>τ</unclear>ῶι '
    '<lb n="2"/>δήμωι &amp; &lt;</ab></div></body></text></TEI>'
)


class LookingRestorer:
    """Looks only at the word after the lacuna, and goes only by it."""

    def attention(self, query: Query, hypothesis: str) -> Attention:
        letters = len(hypothesis.replace(" ", ""))
        window = f"{query.before}{'?' * letters}{query.after}"
        place = window.index("και")
        row = tuple(1 / 3 if place <= index < place + 3 else 0.0 for index in range(len(window)))
        return Attention(0, window, (row,) * letters)

    def scores(self, queries: Sequence[Query], texts: Sequence[str]) -> list[float]:
        return [-1.0 if "και" in query.after else -5.0 for query in queries]


def found(**options: Any) -> Saliency:
    return saliency(EDITION.lacunae[0], "βουληι", LookingRestorer(), **options)  # type: ignore[arg-type]


def test_the_hypothesis_stands_in_the_midst_of_the_signs_around_it() -> None:
    signs = found().signs
    assert "".join(sign.letter for sign in signs).startswith("εδοξεν τηι βουληι και τωι δημωι")
    assert "".join(sign.letter for sign in signs if sign.is_restored) == "βουληι"
    assert signs["εδοξεν τηι βουληι και τ".index("τ", 20)].state == State.UNCLEAR


def test_attention_and_occlusion_are_given_to_the_signs_they_belong_to() -> None:
    signs = found().signs
    looked_at = {sign.letter for sign in signs if sign.attention > 0}
    assert looked_at == set("και")
    assert {sign.occlusion for sign in signs if sign.attention > 0} == {4.0}
    assert all(sign.occlusion == 0.0 for sign in signs[:6])


def test_agreement_is_full_where_the_model_goes_by_what_it_looks_at() -> None:
    assert found().agreement == pytest.approx(1.0)
    assert found(occlude=False).agreement is None


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 2, 3], [2, 4, 9], 1.0),
        ([1, 2, 3], [3, 2, 1], -1.0),
        ([1, 1, 1], [1, 2, 3], None),
        ([1], [1], None),
    ],
)
def test_rank_correlation(first: list[float], second: list[float], expected: float | None) -> None:
    assert rank_correlation(first, second) == (None if expected is None else pytest.approx(expected))


def test_the_picture_is_well_formed_and_has_every_letter() -> None:
    picture = ElementTree.fromstring(svg(found()))
    letters = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert (
        "".join(letter or "" for letter in letters if letter not in ("1", "2"))
        .replace(" ", "")
        .startswith("εδοξεντηιβουληικαιτωιδημωι")
    )
    assert svg(found()) in html(found())


def test_in_a_terminal_shades_stand_under_the_letters() -> None:
    first, shades, *_ = text(found()).splitlines()
    assert shades[first.index("και")] == "█"
    assert shades[first.index("βουληι")] == "^"


def test_pictures_have_final_sigmas_where_words_end() -> None:
    edition = Document.from_text(
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc"><ab>'
        'τῆς <gap reason="lost" quantity="3" unit="character"/>σως τοὺς δὲ και</ab></div></body></text></TEI>'
    )
    restored = saliency(edition.lacunae[0], "σοσ", LookingRestorer())  # type: ignore[arg-type]
    assert text(restored).splitlines()[0].endswith("της σοσσως τους δε και")
    assert restored.to_dict()["signs"][2]["letter"] == "σ"
    whole = saliency(EDITION.lacunae[0], "δημοσ", LookingRestorer())  # type: ignore[arg-type]
    assert '<b lang="grc">δημος</b>' in html(whole)


def test_json_says_everything() -> None:
    data = json.loads(json.dumps(found().to_dict()))
    assert data["text"] == "βουληι"
    assert {"letter", "state", "line", "attention", "occlusion", "restored"} == set(data["signs"][0])
