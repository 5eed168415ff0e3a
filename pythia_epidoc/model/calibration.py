"""Fit, on validation data, how network and counts combine and how sure the model may be.

The weights and the temperature that make the true texts most probable are taken from a small grid: two
numbers, so there is little to overfit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.model.beam import Candidate, Weights, tasks_for
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.restorer import PythiaRestorer

_COUNT_WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0)
_TEMPERATURES = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4, 1.6, 1.8, 2.1, 2.5, 3.0, 3.5, 4.0)


def calibrate(checkpoint: Checkpoint, items: Sequence[Item], *, beam: int = 100) -> Checkpoint:
    """The same checkpoint with weights and temperature fitted to these items, in the paper's mode."""
    tasks = [task for number, item in enumerate(items) for task in tasks_for(number, item.query(True))]
    found = PythiaRestorer(checkpoint).candidates(tasks, beam)
    golds = [items[task.query].gold for task in tasks]
    return replace(checkpoint, calibration=fit(found, golds, checkpoint))


def fit(found: Sequence[list[Candidate]], golds: Sequence[str], checkpoint: Checkpoint) -> Calibration:
    network_weight = 1.0 if checkpoint.network is not None else 0.0
    count_weights = _COUNT_WEIGHTS if checkpoint.counts is not None else (0.0,)
    if checkpoint.network is None:
        count_weights = (1.0,)
    best, best_score = Calibration(), -np.inf
    for count_weight in count_weights:
        weights = Weights(network_weight, count_weight)
        scored = [
            (
                np.array([candidate.score(weights) for candidate in candidates]),
                next(index for index, candidate in enumerate(candidates) if candidate.text == gold),
            )
            for candidates, gold in zip(found, golds, strict=True)
            if any(candidate.text == gold for candidate in candidates)
        ]
        for temperature in _TEMPERATURES:
            score = sum(
                values[gold] / temperature - np.logaddexp.reduce(values / temperature)
                for values, gold in scored
            )
            if score > best_score:
                best, best_score = Calibration(weights, temperature), float(score)
    return best
