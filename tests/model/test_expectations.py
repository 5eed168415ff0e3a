"""What the counts expect in a slot follows from the texts they propose for the whole lacuna."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pythia_epidoc.model.alphabet import OUTPUT_CODES, OUTPUTS
from pythia_epidoc.model.expectations import Expectations
from pythia_epidoc.model.tasks import Task, tasks_for
from pythia_epidoc.model.trie import DEAD
from pythia_epidoc.restoration import Query

PROPOSALS = {"δημ": math.log(0.5), "δεκ": math.log(0.25), "πολ": math.log(0.25)}


def task(length: int = 3, number: int = 0, by_character: bool = True) -> Task:
    [only] = tasks_for(number, Query("τωι ", " και", (length,), by_character=by_character))
    return only


def shares(expectations: Expectations, written: str, root: int = 0) -> dict[str, float]:
    """The symbols expected after these, with their shares; none if there is nothing to tell."""
    node = np.array(root)
    for symbol in written:
        node = expectations.advance(node, np.array(OUTPUT_CODES[symbol]))
    logs = expectations.at(node)
    if not logs.any():
        return {}
    assert np.exp(logs).sum() == pytest.approx(1, abs=1e-5)
    return {symbol: float(np.exp(log)) for symbol, log in zip(OUTPUTS, logs, strict=True) if log > -5}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", {"δ": 0.75, "π": 0.25}),
        ("δ", {"η": 2 / 3, "ε": 1 / 3}),
        ("δη", {"μ": 1.0}),
        ("π", {"ο": 1.0}),
        ("δημ", {}),
        ("σ", {}),
        ("σωμ", {}),
    ],
)
def test_of_the_proposals_that_begin_like_this_the_share_of_each_symbol(
    written: str, expected: dict[str, float]
) -> None:
    """Nearly: a little is left for what nobody proposed."""
    found = shares(Expectations([task()], [PROPOSALS]), written)
    assert found == pytest.approx(expected, abs=0.06)


def test_only_the_relation_of_the_proposals_counts() -> None:
    raised = {text: log - 500 for text, log in PROPOSALS.items()}
    for written in ("", "δ", "δη"):
        assert shares(Expectations([task()], [raised]), written) == pytest.approx(
            shares(Expectations([task()], [PROPOSALS]), written)
        )


def test_a_task_hears_of_its_own_proposals_only() -> None:
    tasks = [task(), task(2, 1), task(4, 2, by_character=False), task(3, 3)]
    proposals = [PROPOSALS, {"οι": -1.0}, {"και τ": -2.0, "καιτ ": -3.0}, {}]
    together = Expectations(tasks, proposals)
    for number, (one, proposed) in enumerate(zip(tasks, proposals, strict=True)):
        alone = Expectations([one], [proposed])
        assert shares(together, "", number) == pytest.approx(shares(alone, ""))
    node = np.array(2)
    for symbol in ("κ", "α", "ι", " τ"):
        node = together.advance(node, np.array(OUTPUT_CODES[symbol]))
    assert OUTPUTS[int(together.at(node).argmax())] == ""  # no space follows
    assert not together.at(np.array([3])).any()


def test_nothing_follows_what_is_not_there() -> None:
    expectations = Expectations([task()], [PROPOSALS])
    nodes = np.array([DEAD, 0])
    assert expectations.advance(nodes, np.full(2, OUTPUT_CODES["δ"]))[0] == DEAD
    assert not expectations.at(nodes)[0].any()
