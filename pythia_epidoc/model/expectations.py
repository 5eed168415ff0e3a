"""What the counts expect in each slot of a lacuna, given what is written before it: log p of each output.

It follows from the texts that they propose for the whole lacuna, which know what stands on either side of
it: of the proposals that begin as the hypothesis does, the share of each next symbol. A network that was
trained so reads it (`NetworkConfig.expecting`); it is told nothing where no proposal begins like that.

Not for finding the proposals: see `count_search`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pythia_epidoc.model.alphabet import OUTPUTS
from pythia_epidoc.model.counts import DEAD, FloatArray, IntArray
from pythia_epidoc.model.tasks import Task

_SURPRISE = 0.05
"""How much is left for what the counts did not propose, shared out evenly."""


class Expectations:
    """A trie of the texts proposed for B tasks; node b is where the hypotheses of task b begin."""

    def __init__(self, tasks: Sequence[Task], proposals: Sequence[Mapping[str, float]]) -> None:
        """`proposals`: for each task, texts with the log-probability that the counts give them."""
        outputs = len(OUTPUTS)
        steps = max(task.steps for task in tasks)
        owners = np.repeat(np.arange(len(tasks)), list(map(len, proposals)))
        symbols = np.zeros((len(owners), steps), dtype=np.int64)
        lengths = np.array([task.steps for task in tasks])[owners]
        texts = [(task, text) for task, proposed in zip(tasks, proposals, strict=True) for text in proposed]
        for row, (task, text) in enumerate(texts):
            symbols[row, : task.steps] = task.outputs(text)
        weights = np.exp([weight for proposed in proposals for weight in _relative(proposed)])
        keys: list[IntArray] = []
        masses = [np.bincount(owners, weights, minlength=len(tasks))]
        nodes, size = owners, len(tasks)
        for step in range(steps):
            going_on = lengths > step
            nodes, symbols = nodes[going_on], symbols[going_on]
            weights, lengths = weights[going_on], lengths[going_on]
            known, places = np.unique(nodes * outputs + symbols[:, step], return_inverse=True)
            keys.append(known)
            masses.append(np.bincount(places, weights, minlength=len(known)))
            nodes = size + places
            size += len(known)
        joined, mass = np.concatenate(keys), np.concatenate(masses)
        children = np.arange(len(tasks), size)
        self._children = np.full((size, outputs), DEAD, dtype=np.int64)
        self._children.reshape(-1)[joined] = children
        shares = np.full((size, outputs), _SURPRISE / outputs, dtype=np.float32)
        shares.reshape(-1)[joined] += (1 - _SURPRISE) * mass[children] / mass[joined // outputs]
        self._logs: FloatArray = np.log(shares)
        ends = np.ones(size, dtype=bool)
        ends[joined // outputs] = False
        self._logs[ends] = 0  # nothing to tell: there is no proposal, or it is at its end

    def at(self, nodes: IntArray) -> FloatArray:
        """log p of each output at each node: … O; zeros where there is nothing to tell."""
        return np.asarray(self._logs[nodes] * (nodes >= 0)[..., None])

    def advance(self, nodes: IntArray, symbols: IntArray) -> IntArray:
        """The nodes after one more symbol each, or DEAD."""
        return np.asarray(np.where(nodes >= 0, self._children[nodes, symbols], DEAD))


def _relative(proposed: Mapping[str, float]) -> list[float]:
    best = max(proposed.values(), default=0.0)
    return [weight - best for weight in proposed.values()]
