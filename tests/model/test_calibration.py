"""How network and counts combine is fitted with reserve."""

from __future__ import annotations

import pytest

from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.calibration import fit_weights
from pythia_epidoc.model.candidates import Candidate
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import NetworkConfig, build_network

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
