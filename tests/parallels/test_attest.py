"""Attestation: which passages speak for a text in a lacuna, and how they join the model's hypotheses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stones import indexed, write
from stub_model import StubRestorer

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.parallels.attest import LEAST_SHARED, Collection, fits
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.restorer import AttestingRestorer, attesting
from pythia_epidoc.parallels.update import update_from_records
from pythia_epidoc.restoration import Hypothesis, Query, query_for

DECREES = {
    "a": "ἔδοξεν τῆι βουλῆι καὶ τῶι δήμωι ἐπειδὴ",
    "b": "δεδόχθαι τῆι βουλῆι καὶ τοῖς στρατηγοῖς",
    "c": "ἐν τῆι ἀγορᾶι καὶ τῶι θεάτρωι",
    "d": "τῆι <supplied reason='lost'>πόλει</supplied> δὲ",
}


def collection(folder: Path, **texts: str) -> Collection:
    return Collection(indexed(folder, **(texts or DECREES)))


def test_a_text_is_attested_as_often_as_it_stands_between_the_same_letters(tmp_path: Path) -> None:
    found = collection(tmp_path / "stones").attest(Query("εδοξεν τηι ", " και τωι δημωι", (6,)))
    assert {text: each.count for text, each in found.items() if each.count} == {"βουληι": 2, "αγοραι": 1}
    assert found["βουληι"].weight > found["αγοραι"].weight


def test_the_best_passage_shares_most_context(tmp_path: Path) -> None:
    stones = collection(tmp_path / "stones")
    best = stones.attest(Query("εδοξεν τηι ", " και τωι δημωι", (6,)))["βουληι"]
    assert (best.left, best.right) == (9, 11)
    first, second = stones.parallels(best)
    assert [first.place.document, second.place.document] == ["a", "b"]
    assert first.snippet.match == "βουλῆι"


def test_word_division_comes_from_the_passage_and_its_edges_from_the_query(tmp_path: Path) -> None:
    stones = collection(tmp_path / "stones")
    assert "ηι βουλ" in stones.attest(Query("εδοξεν τ", "ηι και τωι", (6,)))
    assert "βουληι " in stones.attest(Query("εδοξεν τηι ", "και τωι δημωι", (6,)))


def test_where_characters_are_counted_a_space_is_one(tmp_path: Path) -> None:
    stones = collection(tmp_path / "stones")
    found = stones.attest(Query("εδοξεν τ", "ηι και τωι", (7,), by_character=True))
    assert "ηι βουλ" in found
    assert all(len(text) == 7 for text in found)


def test_an_edition_does_not_attest_itself(tmp_path: Path) -> None:
    stones = collection(tmp_path / "stones")
    hidden = Query("δεδοχθαι τηι ", " και τοισ στρατηγοισ", (6,))
    assert [each.place.document for each in stones.parallels(stones.attest(hidden)["βουληι"])] == ["a"]


@pytest.mark.parametrize(
    "edited",
    [
        "ἔδοξεν τῆι [πόλει] καὶ τῶι δήμωι τῶν Ἀθηναίων ἐπειδὴ Διονύσιος",
        "τῶν Ἀθηναίων ἔδοξεν τῆι [πόλει] καὶ δὴ τῶι δήμωι τῶι Ἀθηναίων ἐπαινέσαι",
    ],
    ids=["after it", "on both sides"],
)
def test_an_edition_does_not_attest_itself_after_it_was_edited(tmp_path: Path, edited: str) -> None:
    lost = edited.replace("[", "<supplied reason='lost'>").replace("]", "</supplied>")
    before = "ἔδοξεν τῆι πόλει καὶ τῶι δήμωι τῶν Ἀθηναίων ἐπαινέσαι Διονύσιον"
    stones = collection(tmp_path / "stones", own=before, other="ἔδοξεν τῆι πόλει καὶ τοῖς ἐν τῆι νήσωι")
    (lacuna,) = Document.open(write(tmp_path / "stones", own=lost) / "own.xml").lacunae
    cited = stones.parallels(stones.attest(query_for(lacuna))["πολει"])
    assert [parallel.place.document for parallel in cited] == ["other"]


def test_a_formula_that_an_edition_repeats_attests_what_is_lost_elsewhere_in_it(tmp_path: Path) -> None:
    text = "πρῶτον μὲν τῆι πόλει καὶ τοῖς ἄρχουσιν, ἔπειτα δὲ οὐχ ἧττον τῆι {} καὶ τοῖς ἄλλοις ἀνθρώποις"
    gap = '<gap reason="lost" quantity="5" unit="character"/>'
    stones = collection(tmp_path / "stones", own=text.format(gap))
    (lacuna,) = Document.open(tmp_path / "stones" / "own.xml").lacunae
    assert stones.attest(query_for(lacuna))["πολει"].count == 1


def test_what_is_lost_in_a_passage_attests_nothing(tmp_path: Path) -> None:
    text = 'ἔδοξεν τῆι <gap reason="lost" quantity="6" unit="character"/> καὶ τῶι δήμωι'
    assert not collection(tmp_path / "stones", a=text).attest(Query("εδοξεν τηι ", " και τωι θεωι", (6,)))


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        (Query("", "", (5,)), "δημοσ", True),
        (Query("", "", (5,)), "οσ και", True),
        (Query("", "", (6,), by_character=True), "οσ και", True),
        (Query("", "", (4,)), "δημοσ", False),
        (Query("", "", (5,), pattern="δ...σ"), "δημοσ", True),
        (Query("", "", (5,), pattern="δ...ν"), "δημοσ", False),
        (Query("", "", (5,), prefix="δη"), "δημοσ", True),
        (Query("", "", (5,), prefix="βο"), "δημοσ", False),
    ],
)
def test_a_text_fits_a_query(query: Query, text: str, expected: bool) -> None:
    assert fits(query, text) is expected


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_look_up_finds_every_text_that_stands_between_the_same_letters(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    texts = data.draw(st.lists(st.text("αβγ ", min_size=8, max_size=50), min_size=2, max_size=5))
    texts = [clean for text in texts if len((clean := " ".join(text.split())).replace(" ", "")) > 8]
    if len(texts) < 2:
        return
    index = ParallelsIndex(tmp_path_factory.mktemp("index") / "i.db", create=True)
    update_from_records(
        index, [Record("t", str(number), text, "0" * len(text)) for number, text in enumerate(texts)]
    )
    letters = [text.replace(" ", "") for text in texts]
    before, after = letters[0][:3], letters[0][5:8]
    found = Collection(index).attest(Query(f"ω {before}", f"{after} ω", (2,)))
    expected: dict[str, int] = {}
    for text in letters:
        for place in range(1, len(text) - 2):
            left = _shared(text[:place][::-1], before[::-1])
            right = _shared(text[place + 2 :], after)
            if left and right and max(left, right) == 3 and left + right >= LEAST_SHARED:
                between = text[place : place + 2]
                expected[between] = expected.get(between, 0) + 1
    counted: dict[str, int] = {}
    for each in found.values():
        key = each.text.replace(" ", "")
        counted[key] = counted.get(key, 0) + each.count
    assert {text: count for text, count in counted.items() if count} == expected
    index.close()


def _shared(text: str, wanted: str) -> int:
    count = 0
    while count < min(len(text), len(wanted)) and text[count] == wanted[count]:
        count += 1
    return count


class ClosedRestorer(StubRestorer):
    """Always the same two hypotheses."""

    def answer(self, query: Query, top: int) -> tuple[Hypothesis, ...]:
        return (Hypothesis("τραπεζ", math.log(0.55), 0.55), Hypothesis("βουληι", math.log(0.45), 0.45))[:top]

    def polytonic(self, texts: Sequence[str], left: str, right: str, forms: Sequence[str] = ()) -> list[str]:
        return list(texts)


class OpenedRestorer(ClosedRestorer):
    """Gives what is proposed a low probability."""

    def consider(
        self, queries: Sequence[Query], proposed: Sequence[Sequence[str]], **options: object
    ) -> list[tuple[Hypothesis, ...]]:
        return [
            (*own, *(Hypothesis(text, -6.0, 0.002) for text in texts if text != "βουληι"))
            for own, texts in zip(self.hypotheses(queries), proposed, strict=True)
        ]


QUERY = Query("εδοξεν τηι ", " και τωι δημωι", (6,))


def test_attestation_lifts_a_hypothesis_and_counts_it(tmp_path: Path) -> None:
    restorer = AttestingRestorer(ClosedRestorer(), collection(tmp_path / "stones"))
    [(first, second)] = restorer.hypotheses([QUERY])
    assert (first.text, first.attestations) == ("βουληι", 2)
    assert (second.text, second.attestations) == ("τραπεζ", 0)
    assert first.probability + second.probability == pytest.approx(1.0)


def test_what_the_model_leaves_over_is_not_given_away(tmp_path: Path) -> None:
    """That nobody found the text is less likely where one is attested, but still possible."""
    restorer = AttestingRestorer(ClosedRestorer(), collection(tmp_path / "stones"))
    half = (Hypothesis("τραπεζ", math.log(0.3), 0.3), Hypothesis("βουληι", math.log(0.2), 0.2))
    unattested = restorer.ranked(half, {})
    assert [each.probability for each in unattested] == pytest.approx([0.3, 0.2])
    attested = restorer.ranked(half, restorer.collection.attest(QUERY))
    assert 0.5 < sum(each.probability for each in attested) < 0.99


def test_the_collection_proposes_texts_of_its_own(tmp_path: Path) -> None:
    restorer = AttestingRestorer(OpenedRestorer(), collection(tmp_path / "stones"))
    [hypotheses] = restorer.hypotheses([QUERY])
    assert "αγοραι" in [hypothesis.text for hypothesis in hypotheses]


def test_without_an_index_the_restorer_is_itself() -> None:
    restorer = ClosedRestorer()
    assert attesting(restorer, None) is restorer
