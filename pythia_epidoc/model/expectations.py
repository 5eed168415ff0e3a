"""What the counts expect in each slot of a lacuna, given what is written before it: log p of each output.

It follows from the texts that they propose for the whole lacuna, which know what stands on either side of
it: of the proposals that begin as the hypothesis does, the share of each next symbol. A network that was
trained so reads it (`NetworkConfig.expecting`); it is told nothing where no proposal begins like that.

Not for finding the proposals: see `count_search`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pythia_epidoc.model.alphabet import OUTPUTS
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.trie import DEAD, FloatArray, IntArray

_SURPRISE = 0.05
"""How much is left for what the counts did not propose, shared out evenly."""


class Beginnings:
    """A trie of texts for B tasks; node b is where those of task b begin."""

    def __init__(self, tasks: Sequence[Task], texts: Sequence[Iterable[str]]) -> None:
        outputs = len(OUTPUTS)
        given = [list(each) for each in texts]
        owners = np.repeat(np.arange(len(tasks)), list(map(len, given)))
        steps = max(task.steps for task in tasks)
        symbols = np.zeros((len(owners), steps), dtype=np.int64)
        lengths = np.array([task.steps for task in tasks])[owners]
        written = [task.outputs(text) for task, of_task in zip(tasks, given, strict=True) for text in of_task]
        for row, symbols_of in enumerate(written):
            symbols[row, : len(symbols_of)] = symbols_of
        self.paths = np.full((len(owners), steps + 1), DEAD, dtype=np.int64)
        """The nodes of each text, one text after another."""
        self.paths[:, 0] = owners
        keys: list[IntArray] = []
        size = len(tasks)
        for step in range(steps):
            going_on = np.flatnonzero(lengths > step)
            known, places = np.unique(
                self.paths[going_on, step] * outputs + symbols[going_on, step], return_inverse=True
            )
            keys.append(known)
            self.paths[going_on, step + 1] = size + places
            size += len(known)
        self.edges = np.concatenate(keys)
        """For each node but the first B, the node before it and its symbol, in one number."""
        self._children = np.full((size, outputs), DEAD, dtype=np.int64)
        self._children.reshape(-1)[self.edges] = np.arange(len(tasks), size)

    def __len__(self) -> int:
        return len(self._children)

    def advance(self, nodes: IntArray, symbols: IntArray) -> IntArray:
        """The nodes after one more symbol each, or DEAD."""
        return np.asarray(np.where(nodes >= 0, self._children[nodes, symbols], DEAD))

    def following(self, nodes: IntArray) -> IntArray:
        """The nodes after each symbol, or DEAD: … O."""
        return np.asarray(np.where((nodes >= 0)[..., None], self._children[nodes], DEAD))


class Expectations(Beginnings):
    """What is expected after each beginning of the texts proposed for B tasks."""

    def __init__(self, tasks: Sequence[Task], proposals: Sequence[Mapping[str, float]]) -> None:
        """`proposals`: for each task, texts with the log-probability that the counts give them."""
        super().__init__(tasks, proposals)
        outputs = len(OUTPUTS)
        weights = np.exp([weight for proposed in proposals for weight in _relative(proposed)])
        mass = np.zeros(len(self))
        for nodes in self.paths.T:
            going_on = nodes >= 0
            mass += np.bincount(nodes[going_on], weights[going_on], minlength=len(self))
        shares = np.full((len(self), outputs), _SURPRISE / outputs, dtype=np.float32)
        parents = self.edges // outputs
        shares.reshape(-1)[self.edges] += (1 - _SURPRISE) * mass[len(tasks) :] / mass[parents]
        self._logs: FloatArray = np.log(shares)
        ends = np.ones(len(self), dtype=bool)
        ends[parents] = False
        self._logs[ends] = 0  # nothing to tell: there is no proposal, or it is at its end

    def at(self, nodes: IntArray) -> FloatArray:
        """log p of each output at each node: … O; zeros where there is nothing to tell."""
        return np.asarray(self._logs[nodes] * (nodes >= 0)[..., None])


def _relative(proposed: Mapping[str, float]) -> list[float]:
    best = max(proposed.values(), default=0.0)
    return [weight - best for weight in proposed.values()]
