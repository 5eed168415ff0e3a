"""Known words suggest every text that they can make in a lacuna, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

import pytest
import torch

from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.candidates import Judges, Weights, search
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.tasks import Task, tasks_for
from pythia_epidoc.model.word_judge import WordJudge
from pythia_epidoc.model.word_search import suggested
from pythia_epidoc.model.words import Lexicon, WordConfig, WordNetwork
from pythia_epidoc.restoration import Query

WORDS = ["και", "η", "γνωμη", "γνωμησ", "γνωμων", "βουλη", "δε", "πρυτανεων", "ων", "τε", "νεων", "αν"]
EVERYTHING = 10_000


@pytest.fixture
def judge() -> WordJudge:
    torch.manual_seed(1)
    lexicon = Lexicon([*WORDS, "0"])
    return WordJudge(WordNetwork(WordConfig(size=8, hidden=8), len(lexicon)).eval(), lexicon)


def made_by_hand(task: Task, left: str, right: str) -> Iterator[str]:
    """All texts that make up to three words, each of them known, or as it stands beside the lacuna."""
    first, last = ([*WORDS, letters] if letters else WORDS for letters in (left, right))
    for words in chain(product(WORDS), product(first, last), product(first, WORDS, last)):
        whole = " ".join(words)
        text = whole[len(left) : len(whole) - len(right)]
        length = len(text) if task.by_character else len(text.replace(" ", ""))
        if f"{left}{text}{right}" == whole and length == task.length and task.admits(text):
            yield text


@pytest.mark.parametrize("by_character", [True, False])
@pytest.mark.parametrize("length", range(1, 9))
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("εδοξεν γνωμ", "εων ειπεν"),
        ("εδοξεν γνωμη", "νεων ειπεν"),
        ("και ", " δε"),
        ("και τ", " δε"),
        ("", "εων ειπεν"),
        ("γν", ""),
    ],
)
def test_every_text_of_known_words_is_suggested(
    judge: WordJudge, before: str, after: str, length: int, by_character: bool
) -> None:
    [task] = tasks_for(0, Query(before, after, (length,), by_character=by_character))
    [found] = suggested([task], judge, judge.surroundings([task]), EVERYTHING)
    left, right = before.rpartition(" ")[2], after.partition(" ")[0]
    assert sorted(found) == sorted(set(made_by_hand(task, left, right)))


def test_the_likeliest_come_first_alone_and_among_others(judge: WordJudge) -> None:
    queries = [Query("εδοξεν γνωμ", "εων ειπεν", (6,)), Query("και ", " δε", (5,)), Query("", "ων", (2,))]
    tasks = [task for number, query in enumerate(queries) for task in tasks_for(number, query)]
    together = suggested(tasks, judge, judge.surroundings(tasks), EVERYTHING)
    assert any(len(texts) > 3 for texts in together)
    for task, texts in zip(tasks, together, strict=True):
        around = judge.surroundings([task])
        assert suggested([task], judge, around, EVERYTHING) == [texts]
        assert suggested([task], judge, around, 2) == [texts[:2]]


def test_words_that_were_seen_are_suggested_as_often_as_they_were_seen(judge: WordJudge) -> None:
    rare, rarer = ("γνωσισ", -1.0), ("γνωσιν", -30.0)
    seen = WordJudge(judge.network, Lexicon(judge.lexicon.words, dict((rarer, rare))))
    [task] = tasks_for(0, Query("και γνωσ", " δε", (2,)))
    for each, expected in ((judge, []), (seen, ["ισ", "ιν"])):
        [texts] = suggested([task], each, each.surroundings([task]), EVERYTHING)
        assert [text for text in texts if not text.startswith(" ")] == expected


def test_lengths_of_one_query_have_their_own_texts(judge: WordJudge) -> None:
    tasks = tasks_for(0, Query("εδοξεν γνωμ", "εων ειπεν", (2, 6, 7)))
    found = suggested(tasks, judge, judge.surroundings(tasks), EVERYTHING)
    assert "η πρυταν" in found[2] and "η ν" in found[0]
    for task, texts in zip(tasks, found, strict=True):
        assert texts and all(task.admits(text) for text in texts)


def test_it_does_not_rely_on_the_default_device(judge: WordJudge) -> None:
    [task] = tasks_for(0, Query("εδοξεν γνωμ", " ειπεν", (7,)))
    with torch.device("meta"):
        [found] = suggested([task], judge, judge.surroundings([task]), EVERYTHING)
    assert suggested([task], judge, judge.surroundings([task]), EVERYTHING) == [found]


def test_a_long_lacuna_is_not_what_three_words_fill(judge: WordJudge) -> None:
    """However long it is, there are no more splits to try than words have lengths."""
    [task] = tasks_for(0, Query("εδοξεν γνωμ", "εων ειπεν", (5000,)))
    assert suggested([task], judge, judge.surroundings([task]), EVERYTHING) == [[]]


def test_constraints_hold(judge: WordJudge) -> None:
    [task] = tasks_for(0, Query("εδοξεν γνωμ", "εων ειπεν", (7,), pattern=".π....."))
    [found] = suggested([task], judge, judge.surroundings([task]), EVERYTHING)
    assert sorted(found) == [" η πρυταν", "η πρυταν"]


def test_a_damaged_word_beside_a_lacuna_is_left_as_it_is(judge: WordJudge) -> None:
    [task] = tasks_for(0, Query("εδοξεν γν-μ", " ειπεν", (3,)))
    [found] = suggested([task], judge, judge.surroundings([task]), EVERYTHING)
    assert " και" in found and all(text.startswith(" ") for text in found)


def test_what_the_counts_never_saw_becomes_a_candidate(judge: WordJudge) -> None:
    counts = CountModel(count([(1.0, ("ουδεν των προτερον",))] * 3, [1] * 8))
    tasks = tasks_for(0, Query("εδοξεν γνωμ", "εων ειπεν", (7,)))
    weights = Weights(0.0, 1.0, 1.0)
    [without] = search(tasks, Judges(None, Vocabulary([]), counts), weights, 20)
    [found] = search(tasks, Judges(None, Vocabulary([]), counts, judge), weights, 20)
    assert "η πρυταν" not in {candidate.text for candidate in without}
    assert "η πρυταν" in {candidate.text for candidate in found}
