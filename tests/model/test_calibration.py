"""How network and counts combine is fitted with reserve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.model import calibration
from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.calibration import calibrate, fit_temperature, fit_weights
from pythia_epidoc.model.candidates import Candidate
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import NetworkConfig, build_network
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.word_judge import WordJudge
from pythia_epidoc.model.words import FIRST_WORD, Lexicon, WordConfig, WordNetwork

Found = list[tuple[list[Candidate], str]]


@pytest.fixture(scope="module")
def checkpoint() -> Checkpoint:
    network = build_network(NetworkConfig(hidden=4, decoder_hidden=4), 2)
    return Checkpoint(network, Vocabulary([]), CountModel(count([], [])), None, Calibration(), {})


UNDECIDED = [Candidate("δημοσ", -3.0, -1.0), Candidate("πολισ", -1.0, -2.0)]
"""The network prefers one, and the counts the other, if they weigh more than twice as much."""


def items(helped: int, harmed: int) -> Found:
    """Items that greater weight of the counts helps, and such as it harms."""
    return [(UNDECIDED, "δημοσ")] * helped + [(UNDECIDED, "πολισ")] * harmed


def test_the_least_weight_that_ranks_as_well_as_the_best(checkpoint: Checkpoint) -> None:
    assert fit_weights(items(90, 10), checkpoint).counts == 2.2


def test_what_may_be_chance_is_no_reason_for_more_weight(checkpoint: Checkpoint) -> None:
    assert fit_weights(items(51, 49), checkpoint).counts == 0.0


def test_a_network_that_errs_has_less_to_say_than_words(checkpoint: Checkpoint) -> None:
    network = WordNetwork(WordConfig(size=4, hidden=4), FIRST_WORD)
    with_words = replace(checkpoint, words=WordJudge(network, Lexicon([])))
    found: Found = [
        ([Candidate("δημοσ", against, -1.0, words=1.0), Candidate("πολισ", -1.0, -1.0)], "δημοσ")
        for against in (-3.2, -5.0)
    ]
    weights = fit_weights(50 * found, with_words)
    assert weights.network < 1
    assert weights.words > 4 * weights.network


def test_the_temperature_makes_percentages_mean_what_they_say() -> None:
    """Two nats ahead, and right four times in five: at a temperature at which that is four to one."""
    found = [(UNDECIDED, "πολισ")] * 80 + [(UNDECIDED, "δημοσ")] * 20
    weights = calibration.Weights(network=1.0, counts=0.0)
    assert fit_temperature(found, weights) == pytest.approx(2 / 1.386, rel=0.1)


def test_the_temperature_is_that_of_what_is_found_with_the_fitted_weights(
    checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched_with, fitted_to = [], []

    def candidates(restorer: PythiaRestorer, tasks: Sequence[Task], beam: int) -> list[list[Candidate]]:
        searched_with.append(restorer.checkpoint.calibration.weights)
        return [UNDECIDED if len(searched_with) == 1 else UNDECIDED[:1] for _ in tasks]

    def temperature(found: Found, weights: calibration.Weights) -> float:
        fitted_to.extend(found)
        return 1.0

    monkeypatch.setattr(PythiaRestorer, "candidates", candidates)
    monkeypatch.setattr(calibration, "fit_temperature", temperature)
    made = calibrate(checkpoint, [Item("και ο ", " και", 5, "δημοσ")] * 20, [])
    assert made.calibration.weights.counts == 2.2
    assert searched_with == [Calibration().weights, made.calibration.weights]
    assert fitted_to == [(UNDECIDED[:1], "δημοσ")] * 20
