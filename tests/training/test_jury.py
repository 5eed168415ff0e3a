"""A jury learns whom to believe where, and says no more than it has learned."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
import torch

from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.calibration import reciprocal_ranks
from pythia_epidoc.model.candidates import Candidate, Searched, Weights
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint, load_checkpoint, save_checkpoint
from pythia_epidoc.model.jury import Jury, heard, situation_of
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.restoration import Query
from pythia_epidoc.training.jury import Cases, fit_jury, verdicts

WEIGHTS = Weights(1.0, 1.0)
SHORT, LONG = 2, 9
CANDIDATES = 5
FOUND = [Candidate("α", -1.0, -3.0), Candidate("β", -2.0, -1.0), Candidate("γ", -5.0, -4.0)]


def searched(length: int, candidates: Sequence[Candidate], *, cut: bool = False) -> Searched:
    [task] = tasks_for(0, Query("και ο ", "σ και" if cut else " και", (length,)))
    return Searched([(task, candidates)], {length: 0.0})


def cases(seed: int, count: int = 300) -> Cases:
    """In short lacunae the network is right, in long ones the counts; the other errs. Where a word is cut,
    the true text is not found in half of the lacunae."""
    chance = np.random.default_rng(seed)
    rows, true = [], []
    for number in range(count):
        truth, cut = int(chance.integers(0, CANDIDATES)), bool(chance.integers(0, 2))
        says = chance.normal(size=(CANDIDATES, 2))
        if cut and chance.integers(0, 2):
            truth = CANDIDATES
        else:
            says[truth, number % 2] += 3
        candidates = [Candidate(str(place), *each) for place, each in enumerate(says.tolist())]
        found = searched(LONG if number % 2 else SHORT, candidates, cut=cut)
        rows.append((*heard(found, WEIGHTS), situation_of(found)))
        true.append(truth)
    arrays = (torch.from_numpy(np.stack(each)) for each in zip(*rows, strict=True))
    return Cases(*arrays, torch.tensor(true), np.zeros(count, dtype=np.int64))


@pytest.fixture(scope="module")
def jury() -> Jury:
    return fit_jury(cases(1, 3000))


def test_it_learns_whom_to_believe_where(jury: Jury) -> None:
    unseen = cases(2)
    before, after = (
        reciprocal_ranks(scores.numpy(), unseen.true.numpy()).mean()
        for scores in (unseen.leanings, verdicts(jury, unseen)[:, :-1])
    )
    assert after > before + 0.035, "of three quarters, in which the true text is found"


def test_before_it_has_learned_it_follows_the_weights() -> None:
    unseen = cases(3)
    scores = verdicts(Jury().eval(), unseen)[:, :-1]
    assert torch.equal(scores.argsort(dim=1), unseen.leanings.argsort(dim=1))


def test_it_does_not_hear_candidates_that_are_not_there(jury: Jury) -> None:
    unseen = cases(4, 20)
    padded = torch.nn.functional.pad(unseen.opinions, (0, 0, 0, 3))
    leanings = torch.nn.functional.pad(unseen.leanings, (0, 3), value=-torch.inf)
    scores = verdicts(jury, Cases(padded, leanings, unseen.situations, unseen.true, unseen.folds))
    expected = verdicts(jury, unseen)
    assert torch.allclose(scores[:, :CANDIDATES], expected[:, :-1], atol=1e-5)
    assert torch.allclose(scores[:, -1], expected[:, -1], atol=1e-5)
    assert bool((scores[:, CANDIDATES:-1] == -torch.inf).all())


def test_the_same_cases_make_the_same_jury() -> None:
    first, second = (fit_jury(cases(1, 100)).state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_it_knows_where_the_true_text_is_often_not_found(jury: Jury) -> None:
    unseen = cases(5, 600)
    of_none = verdicts(jury, unseen).softmax(dim=1)[:, -1]
    cut = unseen.situations[:, 2] > 0
    assert of_none[cut].mean().item() == pytest.approx(0.5, abs=0.1)
    assert of_none[~cut].mean().item() < 0.1
    [whole], [damaged] = (
        np.exp(jury.logs(searched(SHORT, FOUND[:1], cut=each), WEIGHTS)) for each in (False, True)
    )
    assert damaged < whole < 1, "even a candidate that stands alone may be wrong"


def test_a_checkpoint_keeps_its_jury(jury: Jury, tmp_path: Path) -> None:
    path = tmp_path / "jury.safetensors"
    made = Checkpoint(None, Vocabulary([]), None, None, Calibration(WEIGHTS), {}, jury=jury)
    save_checkpoint(made, path)
    kept = load_checkpoint(path)
    logs = made.logs(searched(LONG, FOUND))
    assert np.allclose(kept.logs(searched(LONG, FOUND)), logs, atol=1e-5)
    assert not np.allclose(logs, made.logs(searched(SHORT, FOUND)))


def test_lengths_are_heard_together_each_as_likely_as_it_is() -> None:
    """Without a jury, too: but then lengths are told before texts are looked at."""
    short, long = tasks_for(0, Query("και ο ", " και", (SHORT, LONG)))
    likely, unlikely = np.log([0.9, 0.1])
    for jury, temperature in ((None, 2.5), (Jury().eval(), 1.0)):
        made = Checkpoint(None, Vocabulary([]), None, None, Calibration(WEIGHTS, temperature), {}, jury=jury)
        one, other = (
            made.logs(Searched([(short, FOUND), (long, FOUND)], {SHORT: first, LONG: second}))
            for first, second in ((likely, unlikely), (unlikely, likely))
        )
        assert np.allclose(one[:3], other[3:], atol=1e-5)
        assert np.allclose(one[:3] - one[3:], likely - unlikely, atol=1e-5)
        assert np.exp(one).sum() <= 1 + 1e-5


def test_where_nothing_was_found_there_is_nothing_to_say(jury: Jury) -> None:
    for voice in (None, jury):
        made = Checkpoint(None, Vocabulary([]), None, None, Calibration(WEIGHTS), {}, jury=voice)
        assert len(made.logs(Searched([], {SHORT: 0.0}))) == 0


def test_a_high_temperature_makes_it_less_sure(jury: Jury) -> None:
    sure = jury.logs(searched(LONG, FOUND), WEIGHTS)
    unsure = deepcopy(jury)
    unsure.temperature.fill_(4.0)
    assert np.ptp(unsure.logs(searched(LONG, FOUND), WEIGHTS)) == pytest.approx(np.ptp(sure) / 4, rel=1e-4)
