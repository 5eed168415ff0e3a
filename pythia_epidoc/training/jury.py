"""Learning whom to believe: a jury that has seen, on validation texts, which candidate was the true one.

How sure it may be is told from lacunae of texts that it did not learn from: the texts are shared out into
folds, and for each a jury learns from the others. The one that is shipped learns from all.

Not for what a jury does: see `pythia_epidoc.model.jury`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from pythia_epidoc.corpus.attributions import by_kind
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.evaluation.items import Item, sample_items
from pythia_epidoc.model.calibration import best_temperature
from pythia_epidoc.model.checkpoint import Checkpoint
from pythia_epidoc.model.jury import OPINIONS, SITUATION, Jury, heard, situation_of
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.training.counted import Report
from pythia_epidoc.training.folds import FOLDS, folds_of

ITEMS = 500
"""Lacunae of each kind of text, fold and way of counting."""
_BATCH = 64
_EPOCHS = 10
_RATE = 2e-3
_DECAY = 0.1
_DROPOUT = 0.2

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Cases:
    """Lacunae with their candidates: C lacunae of at most N candidates."""

    opinions: Tensor  # C N F
    sums: Tensor  # C N: -inf where there is no candidate
    situations: Tensor  # C S
    true: Tensor  # C: which candidate is; -1 if it was not found
    folds: IntArray  # C

    def chosen(self, rows: IntArray) -> Cases:
        index = torch.from_numpy(rows)
        return Cases(
            self.opinions[index], self.sums[index], self.situations[index], self.true[index], self.folds[rows]
        )


def with_jury(
    checkpoint: Checkpoint, records: Sequence[Record], beam: int = 100, report: Report = lambda message: None
) -> Checkpoint:
    """The same checkpoint with a jury."""
    report("Learning whom to believe, on validation texts …")
    cases = cases_of(checkpoint, records, beam)
    known = cases.true.numpy() >= 0
    if not known.any():
        report("  nothing to learn from: judges are weighed alike everywhere")
        return checkpoint
    scores = torch.full_like(cases.sums, -torch.inf)
    for fold in range(FOLDS):
        own = np.flatnonzero(cases.folds == fold)
        others = np.flatnonzero((cases.folds != fold) & known)
        if len(own) and len(others):
            scores[torch.from_numpy(own)] = verdicts(fit_jury(cases.chosen(others)), cases.chosen(own))
    before, after = (mean_reciprocal_rank(each, cases.true.tolist()) for each in (cases.sums, scores))
    report(f"  on {len(cases.true):,} lacunae, mean reciprocal rank {before:.3f} → {after:.3f}")
    temperature = best_temperature(
        [
            (of_case[of_case > -np.inf].astype(np.float64), int(of_case.argmax()) == true)
            for of_case, true in zip(scores.numpy(), cases.true.tolist(), strict=True)
            if (of_case > -np.inf).any()
        ]
    )
    jury = fit_jury(cases.chosen(np.flatnonzero(known)))
    jury.temperature.fill_(temperature)
    return replace(checkpoint, jury=jury)


def cases_of(checkpoint: Checkpoint, records: Sequence[Record], beam: int) -> Cases:
    """Lacunae of texts, some counted in characters, some in letters, as many of each kind of text."""
    asked: list[tuple[Item, int, bool]] = []
    fold_of = dict(zip((record.key for record in records), folds_of(records), strict=True))
    for of_kind in by_kind(records).values():
        for fold in range(FOLDS):
            texts = [record for record in of_kind if fold_of[record.key] == fold]
            for by_character in (True, False) if texts else ():
                items = sample_items(texts, ITEMS, seed=100 + fold, by_character=by_character)
                asked += [(item, fold, by_character) for item in items]
    tasks = [
        task
        for number, (item, _, by_character) in enumerate(asked)
        for task in tasks_for(number, item.query(by_character))
    ]
    all_found = PythiaRestorer(checkpoint).candidates(tasks, beam)
    found = [(task, candidates) for task, candidates in zip(tasks, all_found, strict=True) if candidates]
    most = max((len(candidates) for _, candidates in found), default=0)
    opinions = np.zeros((len(found), most, len(OPINIONS)), dtype=np.float32)
    sums = np.full((len(found), most), -np.inf, dtype=np.float32)
    situations = np.zeros((len(found), SITUATION), dtype=np.float32)
    true = np.full(len(found), -1)
    folds = np.zeros(len(found), dtype=np.int64)
    for row, (task, candidates) in enumerate(found):
        own = slice(len(candidates))
        opinions[row, own], sums[row, own] = heard(candidates, checkpoint.calibration.weights)
        situations[row] = situation_of(task, len(candidates))
        item, folds[row], _ = asked[task.query]
        texts_found = [candidate.text for candidate in candidates]
        if item.gold in texts_found:
            true[row] = texts_found.index(item.gold)
    as_tensor = torch.from_numpy
    return Cases(as_tensor(opinions), as_tensor(sums), as_tensor(situations), as_tensor(true), folds)


def fit_jury(cases: Cases, seed: int = 1) -> Jury:
    """A jury that gives the true candidates of these lacunae the highest probability."""
    chance = np.random.default_rng(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        jury = Jury(_DROPOUT)
        given = cases.opinions[cases.sums > -torch.inf]
        jury.middle, jury.spread = given.mean(dim=0), given.std(dim=0).clamp(min=1e-3)
        optimizer = torch.optim.AdamW(jury.parameters(), lr=_RATE, weight_decay=_DECAY)
        steps = _EPOCHS * max(1, len(cases.true) // _BATCH)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
        for _ in range(steps):
            batch = cases.chosen(chance.integers(0, len(cases.true), _BATCH))
            loss = cross_entropy(jury(batch.opinions, batch.sums, batch.situations), batch.true)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    return jury.eval()


@torch.inference_mode()
def verdicts(jury: Jury, cases: Cases) -> Tensor:
    """The score of each candidate: C N."""
    scores: Tensor = jury(cases.opinions, cases.sums, cases.situations)
    return scores


def mean_reciprocal_rank(scores: Tensor, true: Sequence[int]) -> float:
    """How high the true candidates stand."""
    ranks = [
        1 / (1 + int((of_case > of_case[number]).sum())) if number >= 0 else 0.0
        for of_case, number in zip(scores, true, strict=True)
    ]
    return float(np.mean(ranks))
