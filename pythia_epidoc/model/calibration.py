"""Fit, on validation data, how network, counts and words combine and how sure the model may be.

The weights and the temperature at which "80 %" is right four times in five are taken from small grids: seven
numbers, so there is little to overfit. Validation texts are of the collections that were counted; on texts of
others the counts know less, so of all their weights that rank the true texts as well as the best one, as far
as these items can tell, the least is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from pythia_epidoc.epidoc.extent import UNKNOWN_LENGTHS
from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.model.candidates import Candidate, Weights
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.lengths import LengthWeights, told
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.model.tasks import tasks_for

_NETWORK_WEIGHTS = (1.0, 0.6, 0.4, 0.25, 0.15)
_COUNT_WEIGHTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0, 5.5, 7.5, 10.0, 14.0, 20.0)
_WORD_WEIGHTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0)
_NUMBER_WEIGHTS = (0.0, -1.0, -2.0, -3.0, -4.0, -5.5, -7.5, -10.0)
_LENGTH_WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.2)
_ROUNDS = 2
_TEMPERATURES: tuple[float, ...] = tuple(np.geomspace(0.5, 30, 44).round(2).tolist())
"""Each a tenth higher than the one before."""

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Found = Sequence[tuple[list[Candidate], str]]
"""For each item its candidates and the true text."""


def calibrate(
    checkpoint: Checkpoint, items: Sequence[Item], counted: Sequence[Item], *, beam: int = 100
) -> Checkpoint:
    """The same checkpoint with weights and temperature fitted to these items, in the paper's mode, and the
    weights of lengths to items that count letters."""
    tasks = [task for number, item in enumerate(items) for task in tasks_for(number, item.query(True))]
    golds = [items[task.query].gold for task in tasks]
    if checkpoint.network is None:
        checkpoint = replace(checkpoint, calibration=Calibration(Weights(0.0, 1.0)))

    def found() -> Found:
        return list(zip(PythiaRestorer(checkpoint).candidates(tasks, beam), golds, strict=True))

    weights = fit_weights(found(), checkpoint)
    checkpoint = replace(checkpoint, calibration=Calibration(weights))
    # With these weights other candidates are found, and others given up.
    temperature = fit_temperature(found(), weights)
    return replace(
        checkpoint, calibration=Calibration(weights, temperature, fit_lengths(checkpoint, counted))
    )


def fit_lengths(checkpoint: Checkpoint, items: Sequence[Item]) -> LengthWeights:
    """The weights by which the true lengths of these items are likeliest, if they are not known."""
    queries = [item.query(False, UNKNOWN_LENGTHS) for item in items]
    tasks = [tasks_for(number, query) for number, query in enumerate(queries)]
    found = told(queries, tasks, checkpoint.judges)
    places = [query.lengths.index(item.length) for query, item in zip(queries, items, strict=True)]

    def likelihood(weights: LengthWeights) -> float:
        return sum(float(each.logs(weights)[place]) for each, place in zip(found, places, strict=True))

    grid = product(_LENGTH_WEIGHTS if checkpoint.network else (0.0,), _LENGTH_WEIGHTS)
    options = [LengthWeights(*pair) for pair in grid if any(pair)]
    return max(options, key=likelihood)


def fit_weights(found: Found, checkpoint: Checkpoint) -> Weights:
    """The least weight of the counts, and the best of network and words, by the mean reciprocal rank of the
    true text."""
    weights = checkpoint.calibration.weights
    if checkpoint.network is not None:
        weights = Weights(1.0, weights.counts if checkpoint.counts is not None else 0.0)
    ranks = _Ranks(found)

    def reciprocal(option: Weights) -> float:
        return float(ranks.reciprocal(option).mean())

    for _ in range(_ROUNDS):
        if checkpoint.network is not None and checkpoint.counts is not None:
            weights = _least([replace(weights, counts=weight) for weight in _COUNT_WEIGHTS], ranks)
        if checkpoint.words is not None:
            grid = product(_WORD_WEIGHTS, _WORD_WEIGHTS, _NUMBER_WEIGHTS, _NUMBER_WEIGHTS)
            options = [
                replace(weights, words=own, beside=beside, made=made, unknown=unknown)
                for own, beside, made, unknown in grid
            ]
            weights = max(options, key=reciprocal)
            # Of two judges only the ratio matters; beside two others the network may have less to say.
            if checkpoint.network is not None and checkpoint.counts is not None:
                weights = max((replace(weights, network=own) for own in _NETWORK_WEIGHTS), key=reciprocal)
    return weights


def _least(options: Sequence[Weights], ranks: _Ranks) -> Weights:
    """The first that is within one standard error of the best."""
    reciprocals = [ranks.reciprocal(option) for option in options]
    best = max(reciprocals, key=np.mean)

    def as_good(reciprocal: FloatArray) -> bool:
        behind = best - reciprocal
        return bool(behind.mean() <= behind.std() / np.sqrt(len(behind)))

    return next(option for option, each in zip(options, reciprocals, strict=True) if as_good(each))


class _Ranks:
    """Where the true texts stand among the candidates."""

    def __init__(self, found: Found) -> None:
        size = max((len(candidates) for candidates, _ in found), default=0)
        names = [field.name for field in fields(Weights)]
        self.judged = np.zeros((len(found), size, len(names)))
        self.missing = np.ones((len(found), size), dtype=bool)
        self.true = np.full(len(found), size)
        for row, (candidates, gold) in enumerate(found):
            for place, each in enumerate(candidates):
                self.judged[row, place] = [getattr(each, name) for name in names]
                self.missing[row, place] = False
                if each.text == gold:
                    self.true[row] = place

    def reciprocal(self, weights: Weights) -> FloatArray:
        scores = self.judged @ np.array(astuple(weights))
        scores[self.missing] = -np.inf
        return reciprocal_ranks(scores, self.true)


def reciprocal_ranks(scores: npt.NDArray[np.floating], true: IntArray) -> FloatArray:
    """1 / rank of each true candidate: scores C N, true C; 0 where the number is N, for none of them."""
    last = scores.shape[1] - 1
    of_true = np.take_along_axis(scores, np.minimum(true, last)[:, None], axis=1)
    return np.where(true > last, 0.0, 1 / (1 + (scores > of_true).sum(axis=1)))


def fit_temperature(found: Found, weights: Weights) -> float:
    """The temperature at which the probability of the best candidate says how often it is right."""
    scored = []
    for candidates, gold in found:
        if candidates:
            scores = np.array([candidate.score(weights) for candidate in candidates])
            best = int(scores.argmax())
            scored.append((scores, best, candidates[best].text == gold))
    return best_temperature(scored)


def best_temperature(scored: Sequence[tuple[FloatArray, int, bool]]) -> float:
    """The same for scores of what may be right, which of them is the best candidate, and whether it is."""

    def likelihood(temperature: float) -> float:
        total = 0.0
        for scores, best, right in scored:
            log = scores[best] / temperature - np.logaddexp.reduce(scores / temperature)
            probability = float(np.clip(np.exp(log), 1e-6, 1 - 1e-6))
            total += np.log(probability if right else 1 - probability)
        return total

    return max(_TEMPERATURES, key=likelihood)
