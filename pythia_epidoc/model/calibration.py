"""Fit, on validation data, how network and counts combine and how sure the model may be.

The weight and the temperature at which "80 %" is right four times in five are taken from small grids: two
numbers, so there is little to overfit. Validation texts are of the collections that were counted; on texts of
others the counts know less, so of all weights that rank the true texts as well as the best one, as far as
these items can tell, the least is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.model.candidates import Candidate, Weights
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.model.tasks import tasks_for

_COUNT_WEIGHTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0, 5.5, 7.5, 10.0, 14.0, 20.0)
_TEMPERATURES = (
    0.6,
    0.8,
    1.0,
    1.3,
    1.6,
    2.0,
    2.5,
    3.0,
    4.0,
    5.0,
    6.0,
    8.0,
    10.0,
    13.0,
    16.0,
    20.0,
    25.0,
    30.0,
)

Found = Sequence[tuple[list[Candidate], str]]
"""For each item its candidates and the true text."""


def calibrate(checkpoint: Checkpoint, items: Sequence[Item], *, beam: int = 100) -> Checkpoint:
    """The same checkpoint with weights and temperature fitted to these items, in the paper's mode."""
    tasks = [task for number, item in enumerate(items) for task in tasks_for(number, item.query(True))]
    golds = [items[task.query].gold for task in tasks]
    if checkpoint.network is None:
        checkpoint = replace(checkpoint, calibration=Calibration(Weights(0.0, 1.0)))
    found = list(zip(PythiaRestorer(checkpoint).candidates(tasks, beam), golds, strict=True))
    weights = fit_weights(found, checkpoint)
    return replace(checkpoint, calibration=Calibration(weights, fit_temperature(found, weights)))


def fit_weights(found: Found, checkpoint: Checkpoint) -> Weights:
    """The least weight of the counts whose mean reciprocal rank of the true text is within one standard error
    of the best."""
    if checkpoint.network is None or checkpoint.counts is None:
        return checkpoint.calibration.weights if checkpoint.counts is not None else Weights(1.0, 0.0)
    options = [Weights(1.0, weight) for weight in _COUNT_WEIGHTS]
    ranks = [np.array([_reciprocal_rank(*each, weights) for each in found]) for weights in options]
    best = max(ranks, key=np.mean)

    def as_good(reciprocal: npt.NDArray[np.float64]) -> bool:
        behind = best - reciprocal
        return bool(behind.mean() <= behind.std() / np.sqrt(len(behind)))

    return next(weights for weights, each in zip(options, ranks, strict=True) if as_good(each))


def _reciprocal_rank(candidates: list[Candidate], gold: str, weights: Weights) -> float:
    true = next((candidate.score(weights) for candidate in candidates if candidate.text == gold), None)
    if true is None:
        return 0.0
    return 1.0 / (1 + sum(candidate.score(weights) > true for candidate in candidates))


def fit_temperature(found: Found, weights: Weights) -> float:
    """The temperature at which the probability of the best candidate says how often it is right."""
    scored = []
    for candidates, gold in found:
        if candidates:
            scores = np.array([candidate.score(weights) for candidate in candidates])
            scored.append((scores, candidates[int(scores.argmax())].text == gold))

    def likelihood(temperature: float) -> float:
        total = 0.0
        for scores, right in scored:
            log = (scores.max() - np.logaddexp.reduce(scores / temperature) * temperature) / temperature
            probability = float(np.clip(np.exp(log), 1e-6, 1 - 1e-6))
            total += np.log(probability if right else 1 - probability)
        return total

    return max(_TEMPERATURES, key=likelihood)
