"""The counts suggest texts from both edges of a lacuna, for every length at once."""

from __future__ import annotations

import itertools
import math

import pytest

from pythia_epidoc.greek import LETTERS
from pythia_epidoc.model import count_search
from pythia_epidoc.model.count_search import promising, suggested
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.counts import ORDER, decode
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.restoration import Query

DOCUMENTS = ["εδοξεν τηι βουληι και τωι δημωι", "εδοξεν τωι δημωι", "ο δημοσ και η βουλη", "θεοισ και δημωι"]


@pytest.fixture(scope="module")
def counts() -> CountModel:
    return CountModel(count([(1.0, (text,)) for text in DOCUMENTS], [2] * ORDER))


def fitting(query: Query, counts: CountModel, width: int) -> list[set[str]]:
    tasks = tasks_for(0, query)
    found = suggested(tasks, counts.local(tasks), width, behind=math.inf)
    texts = [map(decode, codes) for codes in found]
    return [{text for text in each if task.admits(text)} for task, each in zip(tasks, texts, strict=True)]


def test_a_wide_search_suggests_everything_that_fits(counts: CountModel) -> None:
    [found] = fitting(Query("τ", "κ", (2,)), counts, 40_000)
    divisions = list(itertools.product(("", " "), repeat=3))
    assert found == {
        f"{left}{first}{middle}{second}{right}"
        for first, second in itertools.product(LETTERS, repeat=2)
        for left, middle, right in divisions
    }


def test_in_the_papers_mode_a_space_is_a_character(counts: CountModel) -> None:
    [found] = fitting(Query("τωι ", "κ", (2,), by_character=True), counts, 40_000)
    assert found == {first + second for first in LETTERS for second in LETTERS + " "}


def test_constraints_hold_from_both_edges(counts: CountModel) -> None:
    [found] = fitting(Query("τωι ", " και", (5,), pattern="..μ..", prefix="δη"), counts, 200)
    assert "δημωι" in found
    assert all(text.replace(" ", "").startswith("δημ") for text in found)


@pytest.mark.parametrize(
    ("before", "after"),
    [("και τωι δ", "ξξξ"), ("ξξξ", "ωι")],
    ids=["what precedes decides", "what follows decides"],
)
def test_either_edge_is_enough(counts: CountModel, before: str, after: str) -> None:
    [found] = fitting(Query(before, after, (3,)), counts, 12)
    assert any(text.strip().endswith("ημ") or text.startswith("ημω") for text in found)


@pytest.mark.parametrize(("by_character", "length"), [(True, 5), (False, 4)])
def test_each_edge_tells_its_own_half(
    by_character: bool, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither would have guessed the other word: all that is ever seen beside these is another."""
    texts = ["αβγθ ξπ", "ξπ κδεζ", "ξπ ξπ ξπ"] * 2
    counts = CountModel(count([(1.0, (text,)) for text in texts], [2] * ORDER))
    query = Query("αβ", "εζ", (length,), by_character=by_character)
    assert "γθ κδ" in fitting(query, counts, 4)[0]
    monkeypatch.setattr(count_search, "_HALVES", 0)
    assert "γθ κδ" not in fitting(query, counts, 4)[0]


def test_texts_that_do_not_lead_to_what_follows_are_not_worth_judging(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Alone, what is written more often is likelier; beside what stands at the far edge it is not."""
    monkeypatch.setattr(count_search, "_WORTH", 1)
    texts = ["ξ αβγ ξ", "ξ αβγ ξ", "ξ αβγ ξ", "ξ αβδ θ", "ξ αβδ θ"]
    counts = CountModel(count([(1.0, (text,)) for text in texts], [2] * ORDER))
    for after, wanted in ((" ξ", "γ"), (" θ", "δ")):
        tasks = tasks_for(0, Query("ξ αβ", after, (1,), by_character=True))
        [found] = suggested(tasks, counts.local(tasks), 4, behind=math.inf)
        assert wanted in map(decode, found)
        assert len(found) < 4


def test_texts_far_behind_are_given_up_if_there_are_enough_others() -> None:
    scores = [0.0, -1.0, *(-20.0 - number for number in range(30))]
    kept = list(promising((f"{number}", score) for number, score in enumerate(scores)))
    assert [text for text, _ in kept] == [f"{number}" for number in range(20)]
    near = [(f"{number}", -number / 4) for number in range(60)]
    assert list(promising(near)) == near[:41]
    assert list(promising([])) == []


def test_one_walk_serves_every_length(counts: CountModel) -> None:
    query = Query("εδοξεν τωι ", " και", tuple(range(1, 8)))
    together = fitting(query, counts, 40)
    for length, found in zip(query.lengths, together, strict=True):
        alone = fitting(Query(query.before, query.after, (length,)), counts, 40)
        assert alone == [found]
    assert "δημωι" in together[4]
