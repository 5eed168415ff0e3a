"""Beam search with the network: texts for many lacunae at once, from left to right.

The network is told what the counts expect, if it reads that. Texts that others propose stay in the beam to
the end, whatever the network thinks of them, so that it judges them as it does its own. Constraints are
symbols that are not allowed at a slot.

Not for what the counts suggest by themselves (see `count_search`), nor for the final scores (`candidates`).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from pythia_epidoc.model.alphabet import OUT_SPACE, OUTPUTS, START
from pythia_epidoc.model.expectations import Beginnings, Expectations
from pythia_epidoc.model.network import DecoderState, Encoded, Prepared, Pythia
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.trie import FloatArray, IntArray
from pythia_epidoc.restoration import check_cancelled

BEHIND = 4.0
"""A hypothesis so much less likely than the best one (log p) is given up."""


@dataclass(frozen=True)
class Read:
    """What the network has read of the windows of some tasks."""

    prepared: Prepared
    texts: Sequence[int]
    """Which of the windows each task has."""


@dataclass
class _Beam:
    """H hypotheses, those of a task together."""

    owners: IntArray
    tokens: IntArray  # H t
    scores: FloatArray  # H: log p
    proposed: IntArray  # H: where they are among the texts that stay
    expected: IntArray  # H: where they are among those the counts expect
    state: DecoderState

    def chosen(self, rows: IntArray) -> _Beam:
        index = torch.from_numpy(rows).to(self.state[0].device)
        hidden, cell = (part.index_select(1, index) for part in self.state)
        return _Beam(
            self.owners[rows], self.tokens[rows], self.scores[rows], self.proposed[rows],
            self.expected[rows], (hidden, cell),
        )  # fmt: skip


@torch.inference_mode()
def beam_search(
    tasks: Sequence[Task],
    network: Pythia,
    read: Read,
    proposed: Beginnings,
    expectations: Expectations | None,
    width: int,
    cancel: threading.Event | None = None,
) -> list[dict[str, float]]:
    """For each task the texts the beam ends with, and what the network thinks of each (log p)."""
    roots = np.arange(len(tasks))
    state = start_state(tasks, network, read.prepared.encoded, read.texts)
    beam = _Beam(
        roots, np.full((len(tasks), 1), START), np.zeros(len(tasks), np.float32), roots, roots, state
    )
    found: list[dict[str, float]] = [{} for _ in tasks]
    lengths = np.array([task.steps for task in tasks])
    for step in range(int(lengths.max())):
        check_cancelled(cancel)
        learned = _learned(beam, step, tasks, network, read, expectations)
        rows, symbols = _best(beam, learned, step, tasks, proposed, width)
        scores = beam.scores[rows] + learned[rows, symbols]
        beam = beam.chosen(rows)
        beam.scores, beam.tokens = scores, np.column_stack((beam.tokens, symbols))
        beam.proposed = proposed.advance(beam.proposed, symbols)
        if expectations is not None:
            beam.expected = expectations.advance(beam.expected, symbols)
        going_on = lengths[beam.owners] > step + 1
        _collect(beam, np.flatnonzero(~going_on), found)
        beam = beam.chosen(np.flatnonzero(going_on))
    return found


def start_state(
    tasks: Sequence[Task], network: Pythia, encoded: Encoded, texts: Sequence[int]
) -> DecoderState:
    """The decoder's state at the left edge of each task; texts: which of the encoded ones each has."""
    edges = [(max(0, task.first - 1), min(task.first + task.length, len(task.window) - 1)) for task in tasks]
    tensor = torch.tensor(edges, device=network.device)
    return network.start(encoded, tensor[:, :1], tensor[:, 1:], torch.tensor(texts, device=network.device))


def _learned(
    beam: _Beam,
    step: int,
    tasks: Sequence[Task],
    network: Pythia,
    read: Read,
    expectations: Expectations | None,
) -> FloatArray:
    """What the network thinks of each symbol after each hypothesis: H O. Moves the decoder on."""
    slots = [min(task.first + step, len(task.window) - 1) for task in tasks]
    told: Tensor | None = None
    if expectations is not None:
        told = torch.from_numpy(expectations.at(beam.expected)).to(network.device)
    logits, beam.state = network.step(
        read.prepared,
        read.texts,
        torch.tensor(slots, device=network.device),
        np.bincount(beam.owners, minlength=len(tasks)).tolist(),
        torch.from_numpy(beam.tokens[:, -1]).to(network.device),
        beam.state,
        told,
    )
    return np.asarray(logits.log_softmax(-1).float().cpu().numpy())


def _best(
    beam: _Beam, learned: FloatArray, step: int, tasks: Sequence[Task], proposed: Beginnings, width: int
) -> tuple[IntArray, IntArray]:
    """The continuations that remain: which hypothesis, which symbol."""
    outputs = len(OUTPUTS)
    allowed = np.array([task.allowed[min(step, task.steps - 1)] for task in tasks])
    total = beam.scores[:, None] + learned
    total[~allowed[beam.owners]] = -np.inf
    # In the paper's mode two spaces never stand together.
    by_character = np.array([task.by_character for task in tasks])
    double = by_character[beam.owners] & (beam.tokens[:, -1] == OUT_SPACE)
    total[double, OUT_SPACE] = -np.inf
    stays = proposed.following(beam.proposed) >= 0
    ends = np.searchsorted(beam.owners, np.arange(len(tasks) + 1)) * outputs
    kept: list[npt.NDArray[np.int64]] = []
    for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        part = total.reshape(-1)[start:end]
        good = np.flatnonzero(part > part.max(initial=-np.inf) - BEHIND)
        if len(good) > width:
            good = good[np.argpartition(-part[good], width)[:width]] if width else good[:0]
        stay = stays.reshape(-1)[start:end]
        kept.append(start + np.union1d(good, np.flatnonzero(stay & (part > -np.inf))))
    chosen = np.concatenate(kept)
    return chosen // outputs, chosen % outputs


def _collect(beam: _Beam, rows: IntArray, found: list[dict[str, float]]) -> None:
    """Write down finished hypotheses; of two that spell the same text, the better."""
    for row in rows.tolist():
        text = "".join(OUTPUTS[token] for token in beam.tokens[row, 1:])
        texts = found[beam.owners[row]]
        texts[text] = max(float(beam.scores[row]), texts.get(text, -np.inf))
