"""Learning whom to believe: a jury that has seen, on validation texts, which candidate was the true one, or
that none was.

How sure it may be is told from lacunae of texts that it did not learn from: the texts are shared out into
folds, and for each a jury learns from the others. The one that is shipped learns from all.

Not for what a jury does: see `pythia_epidoc.model.jury`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from pythia_epidoc.corpus.attributions import by_kind
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.epidoc.extent import UNKNOWN_LENGTHS
from pythia_epidoc.evaluation.items import Item, sample_items
from pythia_epidoc.model.calibration import best_temperature, reciprocal_ranks
from pythia_epidoc.model.candidates import Searched, Weights
from pythia_epidoc.model.checkpoint import Checkpoint
from pythia_epidoc.model.jury import OPINIONS, SITUATION, Jury, heard, situation_of
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.restoration import Query
from pythia_epidoc.training.counted import Report
from pythia_epidoc.training.folds import FOLDS, folds_of

ITEMS = 400
"""Lacunae of each kind of text, fold and way of asking."""
_COUNTED = 4
"""Of lacunae whose letters somebody has roughly counted, there may be fewer than so many more or less."""
_BATCH = 64
_EPOCHS = 20
_RATE = 2e-3
_DECAY = 0.1
_DROPOUT = 0.2

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cases:
    """Lacunae with their candidates: C lacunae of at most N candidates."""

    opinions: Tensor  # C N F
    leanings: Tensor  # C N: -inf where there is no candidate
    situations: Tensor  # C S
    true: Tensor  # C: which candidate is; N if it was not found
    folds: IntArray  # C

    def chosen(self, rows: IntArray) -> Cases:
        index = torch.from_numpy(rows)
        return Cases(
            self.opinions[index],
            self.leanings[index],
            self.situations[index],
            self.true[index],
            self.folds[rows],
        )


def with_jury(
    checkpoint: Checkpoint, records: Sequence[Record], beam: int = 100, report: Report = lambda message: None
) -> Checkpoint:
    """The same checkpoint with a jury."""
    report("Learning whom to believe, on validation texts …")
    cases = cases_of(_searched(checkpoint, records, beam, report), checkpoint.calibration.weights)
    found = cases.true.numpy() < cases.leanings.shape[1]
    if not found.any():
        report("  nothing to learn from: judges are weighed alike everywhere")
        return checkpoint
    scores = torch.full((len(found), cases.leanings.shape[1] + 1), -torch.inf)
    for fold in range(FOLDS):
        own, others = (np.flatnonzero(chosen) for chosen in (cases.folds == fold, cases.folds != fold))
        if len(own) and found[others].any():
            report(f"  learning from all but a part of the texts ({fold + 1} of {FOLDS})")
            scores[torch.from_numpy(own)] = verdicts(fit_jury(cases.chosen(others)), cases.chosen(own))
    before, after = (
        reciprocal_ranks(each.numpy(), cases.true.numpy()).mean() for each in (cases.leanings, scores[:, :-1])
    )
    report(f"  on {len(cases.true):,} lacunae, mean reciprocal rank {before:.3f} → {after:.3f}")
    jury = fit_jury(cases)
    jury.temperature.fill_(best_temperature(list(_judged(scores, cases.true.tolist()))))
    return replace(checkpoint, jury=jury)


def _judged(scores: Tensor, true: Sequence[int]) -> Iterator[tuple[FloatArray, int, bool]]:
    """Of each lacuna that was judged the scores, which candidate has the best, and whether it is right."""
    for of_case, number in zip(scores.double().numpy(), true, strict=True):
        there = of_case[of_case > -np.inf]
        if len(there):
            best = int(there[:-1].argmax())
            yield there, best, best == number


def _searched(
    checkpoint: Checkpoint, records: Sequence[Record], beam: int, report: Report
) -> list[tuple[Searched, str, int]]:
    """What is found for lacunae of texts, the true text and the fold of each. Some are counted in characters,
    some in letters, some are of unknown length, as many of each kind of text."""
    asked: list[tuple[Item, int, Query]] = []
    fold_of = dict(zip((record.key for record in records), folds_of(records), strict=True))
    for of_kind in by_kind(records).values():
        for fold in range(FOLDS):
            texts = [record for record in of_kind if fold_of[record.key] == fold]
            for item, query in _questions(texts, fold) if texts else ():
                asked.append((item, fold, query))
    queries = [query for _, _, query in asked]
    told = 0

    def tell(share: float) -> None:
        nonlocal told
        if int(10 * share) > told:
            told = int(10 * share)
            report(f"  {10 * told} % of {len(queries):,} lacunae are searched")

    found = PythiaRestorer(checkpoint).searched(queries, [()] * len(queries), beam, report=tell)
    return [
        (each, item.gold, fold) for each, (item, fold, _) in zip(found, asked, strict=True) if each.answers
    ]


def cases_of(searched: Sequence[tuple[Searched, str, int]], weights: Weights) -> Cases:
    """What a jury hears of lacunae."""
    most = max((len(each.texts) for each, _, _ in searched), default=0)
    opinions = np.zeros((len(searched), most, len(OPINIONS)), dtype=np.float32)
    leanings = np.full((len(searched), most), -np.inf, dtype=np.float32)
    situations = np.zeros((len(searched), SITUATION), dtype=np.float32)
    true = np.full(len(searched), most)
    for row, (each, gold, _) in enumerate(searched):
        texts_found = each.texts
        own = slice(len(texts_found))
        opinions[row, own], leanings[row, own] = heard(each, weights)
        situations[row] = situation_of(each)
        if gold in texts_found:
            true[row] = texts_found.index(gold)
    folds = np.array([fold for _, _, fold in searched], dtype=np.int64)
    as_tensor = torch.from_numpy
    return Cases(as_tensor(opinions), as_tensor(leanings), as_tensor(situations), as_tensor(true), folds)


def _questions(records: Sequence[Record], seed: int) -> Iterator[tuple[Item, Query]]:
    """Lacunae of texts, and what is asked of them. Of those of unknown length every other may have any, and
    of the others somebody has an idea."""
    for by_character in (True, False):
        for item in sample_items(records, ITEMS, seed=100 + seed, by_character=by_character):
            yield item, item.query(by_character)
    chance = np.random.default_rng(seed)
    for number, item in enumerate(sample_items(records, ITEMS, seed=200 + seed, by_character=False)):
        fewer, more = chance.integers(0, _COUNTED, 2).tolist()
        roughly = range(max(1, item.length - fewer), item.length + more + 1)
        yield item, item.query(False, UNKNOWN_LENGTHS if number % 2 else roughly)


def fit_jury(cases: Cases, seed: int = 1) -> Jury:
    """A jury that gives the true candidates of these lacunae, or none, the highest probability."""
    chance = np.random.default_rng(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        jury = Jury(_DROPOUT)
        given = cases.opinions[cases.leanings > -torch.inf]
        jury.middle, jury.spread = given.mean(dim=0), given.std(dim=0).clamp(min=1e-3)
        optimizer = torch.optim.AdamW(jury.parameters(), lr=_RATE, weight_decay=_DECAY)
        steps = _EPOCHS * max(1, len(cases.true) // _BATCH)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
        for _ in range(steps):
            batch = cases.chosen(chance.integers(0, len(cases.true), _BATCH))
            loss = cross_entropy(jury(batch.opinions, batch.leanings, batch.situations), batch.true)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    return jury.eval()


@torch.inference_mode()
def verdicts(jury: Jury, cases: Cases) -> Tensor:
    """The score of each candidate, and of none: C N+1."""
    scores: Tensor = jury(cases.opinions, cases.leanings, cases.situations)
    return scores
