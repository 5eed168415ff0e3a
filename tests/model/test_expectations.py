"""What the counts expect in a slot, in the network's symbols."""

from __future__ import annotations

import numpy as np
import pytest

from pythia_epidoc.greek import NUMERAL
from pythia_epidoc.model.alphabet import OUT_NOTHING, OUT_SPACE, OUTPUT_CODES, OUTPUTS, SPACED
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.counts import ORDER, SYMBOLS
from pythia_epidoc.model.expectations import FLOOR, Expectations, expected_outputs
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.tasks import Task, tasks_for
from pythia_epidoc.restoration import Query

DOCUMENTS = ["εδοξεν τηι βουληι και τωι δημωι", "εδοξεν τωι δημωι", "ο δημοσ και η βουλη", "θεοισ και δημωι"]


@pytest.fixture(scope="module")
def model() -> CountModel:
    return CountModel(count([(1.0, text) for text in DOCUMENTS], [1] * ORDER))


def task(before: str, after: str, length: int, by_character: bool = False) -> Task:
    [only] = tasks_for(0, Query(before, after, (length,), by_character=by_character))
    return only


def expected_after(model: CountModel, before: str, *, by_character: bool, at_end: bool) -> np.ndarray:
    counts = model.local([task(before, "", 3, by_character)])
    states = counts.after_all([before], np.array([0]))
    return expected_outputs(counts, states, np.array([by_character]), np.array([at_end]))[0][0]


@pytest.mark.parametrize("by_character", [True, False])
def test_a_slot_holds_a_letter_or_a_numeral_breaks_the_text(model: CountModel, by_character: bool) -> None:
    before = "εδοξεν τ"
    counts = model.local([task(before, "", 3, by_character)])
    state = counts.after_all([before], np.array([0]))
    shares = np.exp(counts.logs_after(state)[0])
    numeral = shares[SYMBOLS.index(NUMERAL)]
    expected = np.exp(expected_after(model, before, by_character=by_character, at_end=False))
    impossible = np.exp(FLOOR)
    if by_character:
        assert expected.sum() == pytest.approx(1 - numeral, abs=1e-3)
        assert expected[SPACED:OUT_SPACE] == pytest.approx(impossible)
    else:
        assert expected[OUT_SPACE] == expected[OUT_NOTHING] == pytest.approx(impossible)
        assert expected[SPACED:OUT_SPACE].sum() <= shares[SYMBOLS.index(" ")] + 1e-3
    assert OUTPUTS[int(expected.argmax())] in "ηω"


def test_after_the_last_letter_a_space_follows_or_nothing(model: CountModel) -> None:
    expected = np.exp(expected_after(model, "και τωι", by_character=False, at_end=True))
    assert expected[OUT_SPACE] + expected[OUT_NOTHING] == pytest.approx(1, abs=1e-4)
    within_a_word = np.exp(expected_after(model, "και τω", by_character=False, at_end=True))
    assert expected[OUT_SPACE] > 2 * within_a_word[OUT_SPACE]


@pytest.mark.parametrize(("by_character", "text"), [(True, "ωι δη"), (False, "ωι δημ "), (False, "ωιδημ")])
def test_written_symbol_by_symbol_as_read_in_one_go(model: CountModel, by_character: bool, text: str) -> None:
    asked = task("εδοξεν τ", "", 5, by_character)
    counts = model.local([asked])
    expectations = Expectations(counts, [asked], hypotheses=2)
    written = ""
    for step, symbol in enumerate(asked.outputs(text)):
        found = expectations.outputs(step)
        alone = expected_outputs(
            counts,
            counts.after_all([asked.before + written], np.array([0])),
            np.array([by_character]),
            np.array([not by_character and step == asked.length]),
        )[0]
        assert np.allclose(found, alone, atol=1e-4)
        expectations.follow(np.array([[1, 0]]))
        expectations.write(np.full((1, 2), symbol))
        written += OUTPUTS[symbol]
    assert written == text
    assert OUTPUT_CODES[" "] == OUT_SPACE
