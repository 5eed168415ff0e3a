"""The counts are a proper language model of strings seen in two documents or more."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pythia_epidoc.model.counts import ORDER, SIZE, SYMBOLS, Counts, count

DOCUMENTS = ["εδοξεν τηι βουληι και τωι δημωι", "εδοξεν τωι δημωι", "ο δημοσ και η βουλη", "θεοισ και δημωι"]


@pytest.fixture(scope="module")
def counts() -> Counts:
    return count([(1.0, text) for text in DOCUMENTS], [2] * ORDER)


def strings(counts: Counts) -> set[str]:
    """Every string in the trie, by walking it."""
    found = set()
    waiting = [(0, "")]
    while waiting:
        node, text = waiting.pop()
        for code in range(1, SIZE + 1):
            child = int(counts.child(np.array([node]), np.array([code]))[0])
            if child >= 0:
                found.add(text + SYMBOLS[code - 1])
                waiting.append((child, text + SYMBOLS[code - 1]))
    return found


def test_exactly_the_strings_of_two_documents_are_kept(counts: Counts) -> None:
    padded = [f" {text} " for text in DOCUMENTS]
    expected = {
        text[start : start + length]
        for text in padded
        for length in range(1, ORDER + 1)
        for start in range(len(text) - length + 1)
        if sum(text[start : start + length] in other for other in padded) >= 2
    }
    assert strings(counts) == expected


def test_probabilities_sum_to_one_after_any_text(counts: Counts) -> None:
    for before in ("", "εδοξεν τ", "ξξξ", "και τωι δη", "δη-"):
        logs = counts.log_probabilities(counts.start(before))
        assert math.isclose(float(np.exp(logs).sum()), 1.0, rel_tol=1e-4)


def test_a_formula_goes_on_as_it_did(counts: Counts) -> None:
    logs = counts.log_probabilities(counts.start("τωι δημ"))[0]
    assert SYMBOLS[int(logs.argmax())] == "ω"


def test_lost_letters_interrupt_the_context(counts: Counts) -> None:
    assert np.array_equal(
        counts.log_probabilities(counts.start("εδοξε-")), counts.log_probabilities(counts.start(""))
    )


def test_a_text_scores_as_its_characters_one_by_one(counts: Counts) -> None:
    state = counts.start("τωι ")
    one_by_one = 0.0
    for character in "δημωι":
        code = SYMBOLS.index(character)
        one_by_one += float(counts.log_probabilities(state)[0, code])
        state = counts.advance(state, np.array([code + 1]))
    assert math.isclose(float(counts.score(counts.start("τωι "), "δημωι")[0]), one_by_one, rel_tol=1e-5)
