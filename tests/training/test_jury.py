"""A jury learns whom to believe where, and says no more than it has learned."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
import torch

from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.candidates import Candidate, Weights
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint, load_checkpoint, save_checkpoint
from pythia_epidoc.model.jury import Jury, heard, situation_of
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.restoration import Query
from pythia_epidoc.training.jury import Cases, fit_jury, mean_reciprocal_rank, verdicts

WEIGHTS = Weights(1.0, 1.0)
[SHORT] = tasks_for(0, Query("και ο ", " και", (2,)))
[LONG] = tasks_for(0, Query("και ο ", " και", (9,)))


def cases(seed: int, count: int = 300) -> Cases:
    """In short lacunae the network is right, in long ones the counts; the other errs."""
    chance = np.random.default_rng(seed)
    opinions, sums, situations, true = [], [], [], []
    for number in range(count):
        truth = int(chance.integers(0, 5))
        says = chance.normal(size=(5, 2))
        says[truth, number % 2] += 3
        found = [Candidate(str(place), *each) for place, each in enumerate(says.tolist())]
        for array, each in zip((opinions, sums), heard(found, WEIGHTS), strict=True):
            array.append(each)
        situations.append(situation_of(SHORT if number % 2 == 0 else LONG, 5))
        true.append(truth)
    arrays = (torch.from_numpy(np.stack(each)) for each in (opinions, sums, situations))
    return Cases(*arrays, torch.tensor(true), np.zeros(count, dtype=np.int64))


@pytest.fixture(scope="module")
def jury() -> Jury:
    return fit_jury(cases(1, 3000))


def test_it_learns_whom_to_believe_where(jury: Jury) -> None:
    unseen = cases(2)
    before = mean_reciprocal_rank(unseen.sums, unseen.true.tolist())
    after = mean_reciprocal_rank(verdicts(jury, unseen), unseen.true.tolist())
    assert after > before + 0.05


def test_before_it_has_learned_it_follows_the_weights() -> None:
    unseen = cases(3)
    scores = verdicts(Jury().eval(), unseen)
    assert torch.equal(scores.argsort(dim=1), unseen.sums.argsort(dim=1))


def test_it_does_not_hear_candidates_that_are_not_there(jury: Jury) -> None:
    unseen = cases(4, 20)
    padded = torch.nn.functional.pad(unseen.opinions, (0, 0, 0, 3))
    sums = torch.nn.functional.pad(unseen.sums, (0, 3), value=-torch.inf)
    more = Cases(padded, sums, unseen.situations, unseen.true, unseen.folds)
    scores = verdicts(jury, more)
    assert torch.allclose(scores[:, :5], verdicts(jury, unseen), atol=1e-5)
    assert bool((scores[:, 5:] == -torch.inf).all())


def test_the_same_cases_make_the_same_jury() -> None:
    first, second = (fit_jury(cases(1, 100)).state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_a_checkpoint_keeps_its_jury(jury: Jury, tmp_path: Path) -> None:
    path = tmp_path / "jury.safetensors"
    made = Checkpoint(None, Vocabulary([]), None, None, Calibration(WEIGHTS), {}, jury=jury)
    save_checkpoint(made, path)
    kept = load_checkpoint(path)
    found = [Candidate("α", -1.0, -3.0), Candidate("β", -2.0, -1.0), Candidate("γ", -5.0, -4.0)]
    logs = made.logs(LONG, found)
    assert np.allclose(kept.logs(LONG, found), logs, atol=1e-5)
    assert np.exp(logs).sum() == pytest.approx(1)
    assert not np.allclose(logs, made.logs(SHORT, found))


def test_a_high_temperature_makes_it_less_sure(jury: Jury) -> None:
    found = [Candidate("α", -1.0, -3.0), Candidate("β", -4.0, -1.0)]
    sure = jury.scores(LONG, found, WEIGHTS)
    unsure = deepcopy(jury)
    unsure.temperature.fill_(2.0)
    assert unsure.scores(LONG, found, WEIGHTS) == pytest.approx(sure / 2)
