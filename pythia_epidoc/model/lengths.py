"""How many letters a lacuna has, where nobody has counted them.

Two can tell: the network, which has learned it from the text around lacunae, and the counts, by how well
they can fill each length so that what follows is to be expected. Both are weighed as fitted on validation
texts. What is unlikely need not be searched.

Not for the texts themselves: see `candidates`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from pythia_epidoc.greek import UNKNOWN
from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.candidates import Judges
from pythia_epidoc.model.cores import beside, leaving_a_core, parts_for_cores, shared_out
from pythia_epidoc.model.count_search import proposed
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import Pythia
from pythia_epidoc.model.tasks import Task, encode_texts
from pythia_epidoc.restoration import Query, check_cancelled

LIKELY = 8
"""Of the lengths of a query so many are searched."""
_CONTEXT = 80
"""Characters on either side by which the network tells a length; it was trained on windows of 160."""
_TOGETHER = 8
"""Queries that are thought about together, at most."""
_WIDTH = 10
"""Texts of each length that the counts are asked for, …"""
_BREADTH = 6
"""… how many times as wide they search, …"""
_BEHIND = 6.0
"""… and how far behind the best (log p) they give up."""
_NOTHING = -60.0
"""log p of a length for which the counts know no text."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LengthWeights:
    """How much each has to say of lengths; fitted on validation data."""

    network: float = 1.0
    counts: float = 0.0


@dataclass(frozen=True)
class Told:
    """What is told of the lengths of a query, one after another (log p, which need not sum to one)."""

    network: FloatArray
    counts: FloatArray

    def logs(self, weights: LengthWeights) -> FloatArray:
        """log p of each length."""
        both = weights.network * self.network + weights.counts * self.counts
        return np.asarray(both - np.logaddexp.reduce(both))


def told(
    queries: Sequence[Query],
    tasks: Sequence[Sequence[Task]],
    judges: Judges,
    cancel: threading.Event | None = None,
) -> list[Told]:
    """What network and counts tell of the lengths of each query; tasks: those that each query can be."""

    def work(part: slice, aside: Executor | None) -> list[Told]:
        check_cancelled(cancel)
        counted = beside(aside, lambda: _counted(tasks[part], judges.counts))
        with leaving_a_core(aside is not None and judges.counts is not None):
            learned = _learned(queries[part], tasks[part], judges.network, judges.vocabulary)
        return [Told(*both) for both in zip(learned, counted(), strict=True)]

    parts = parts_for_cores(len(queries), 1, _TOGETHER)
    return [each for part in shared_out(work, parts) for each in part]


def _counted(tasks: Sequence[Sequence[Task]], counts: CountModel | None) -> list[FloatArray]:
    """How well the counts can fill each length."""
    if counts is None:
        return [np.zeros(len(each)) for each in tasks]
    together = [task for each in tasks for task in each]
    if not together:
        return [np.zeros(0) for _ in tasks]
    texts = proposed(together, counts.local(together), _WIDTH, breadth=_BREADTH, behind=_BEHIND)
    fits = [float(np.logaddexp.reduce(list(each.values()))) if each else _NOTHING for each in texts]
    return list(np.split(np.array(fits), np.cumsum([len(each) for each in tasks])[:-1]))


@torch.inference_mode()
def _learned(
    queries: Sequence[Query], tasks: Sequence[Sequence[Task]], network: Pythia | None, vocabulary: Vocabulary
) -> list[FloatArray]:
    """What the network expects."""
    if network is None:
        return [np.zeros(len(each)) for each in tasks]
    befores = [query.before[-_CONTEXT:] for query in queries]
    texts = [
        f"{before}{UNKNOWN}{query.after[:_CONTEXT]}" for before, query in zip(befores, queries, strict=True)
    ]
    encoded = encode_texts(texts, max(map(len, texts)), network, vocabulary)
    places = torch.tensor([len(before) for before in befores], device=network.device)
    states = encoded.states[torch.arange(len(texts), device=network.device), places]
    logs = network.length_output(states).log_softmax(-1).cpu().numpy()
    found: list[FloatArray] = []
    for row, each in zip(logs, tasks, strict=True):
        # Class 0 is everything longer than the others; it is shared out over the next twenty lengths.
        longer = float(row[0]) - math.log(20)
        found.append(np.array([row[task.length] if task.length < len(row) else longer for task in each]))
    return found
