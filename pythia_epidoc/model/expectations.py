"""What the counts expect in a slot, in the network's own symbols: log p of each output.

The beam is pruned by it, and a network that was trained so reads it (`NetworkConfig.expecting`).

Not for judging finished texts: see `LocalCounts.score`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pythia_epidoc.model.alphabet import LETTER_COUNT, OUT_NOTHING, OUT_SPACE, OUTPUTS, SPACED
from pythia_epidoc.model.counts import SPACE_CODE, FloatArray, IntArray
from pythia_epidoc.model.local_counts import LocalCounts
from pythia_epidoc.model.tasks import Task

FLOOR = -12.0
"""Least log p: what cannot stand in a slot, and what the counts have no idea of."""

BoolArray = npt.NDArray[np.bool_]


def expected_outputs(
    counts: LocalCounts, states: IntArray, by_character: BoolArray, at_end: BoolArray
) -> tuple[FloatArray, IntArray]:
    """log p of each output after each state, H O, and the states after a space, H K.

    by_character H: whether a slot is a character; at_end H: whether the slots of letters are over and it
    remains to say if a space follows.
    """
    plain = counts.logs_after(states)
    space = plain[:, SPACE_CODE - 1]
    spaced = states.copy()
    expected = np.full((len(states), len(OUTPUTS)), FLOOR, dtype=np.float32)
    slots = np.flatnonzero(~at_end)
    expected[slots, :LETTER_COUNT] = plain[slots, :LETTER_COUNT]
    expected[by_character, OUT_SPACE] = space[by_character]
    letters = np.flatnonzero(~by_character & ~at_end)
    if len(letters):
        spaced[letters] = counts.advance(states[letters], np.full(len(letters), SPACE_CODE))
        after_space = counts.logs_after(spaced[letters])[:, :LETTER_COUNT]
        expected[letters, SPACED:OUT_SPACE] = space[letters, None] + after_space
    expected[at_end, OUT_SPACE] = space[at_end]
    expected[at_end, OUT_NOTHING] = np.log1p(-np.minimum(np.exp(space[at_end]), 1 - 1e-6))
    return np.maximum(expected, np.float32(FLOOR)), spaced


class Expectations:
    """What the counts expect while K hypotheses of each of B tasks are written, symbol by symbol."""

    def __init__(self, counts: LocalCounts, tasks: Sequence[Task], hypotheses: int = 1) -> None:
        self._counts = counts
        self._tasks = tasks
        self._by_character = np.array([task.by_character for task in tasks])
        states = np.concatenate([counts.after(task) for task in tasks])
        self._states = np.repeat(states[:, None], hypotheses, axis=1)  # B K nodes
        self._spaced = self._states

    def outputs(self, step: int) -> FloatArray:
        """log p of each output in the slot of this number: B K O."""
        batch, hypotheses, nodes = self._states.shape
        at_end = np.array([not task.by_character and step >= task.length for task in self._tasks])
        each = [np.repeat(column, hypotheses) for column in (self._by_character, at_end)]
        expected, spaced = expected_outputs(self._counts, self._states.reshape(-1, nodes), *each)
        self._spaced = spaced.reshape(self._states.shape)
        return expected.reshape(batch, hypotheses, -1)

    def follow(self, parents: IntArray) -> None:
        """Go on with these hypotheses of each task: B K."""
        rows = np.arange(len(parents))[:, None]
        self._states, self._spaced = self._states[rows, parents], self._spaced[rows, parents]

    def write(self, symbols: IntArray) -> None:
        """Write a symbol in the slot whose outputs were asked for: B K."""
        spaced = (symbols >= SPACED) & (symbols < OUT_SPACE)
        states = np.where(spaced[:, :, None], self._spaced, self._states)
        codes = np.where(symbols == OUT_SPACE, SPACE_CODE, symbols % LETTER_COUNT + 1)
        moved = self._counts.advance(states.reshape(-1, states.shape[2]), codes.reshape(-1))
        stays = symbols == OUT_NOTHING
        self._states = np.where(stays[:, :, None], states, moved.reshape(states.shape))
