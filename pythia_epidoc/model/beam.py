"""Beam search with the network: texts for many lacunae at once, from left to right.

The network is told what the counts expect, if it reads that. Constraints are symbols that are not allowed at
a slot.

Not for what the counts suggest by themselves (see `count_search`), nor for the final scores (`candidates`).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch

from pythia_epidoc.model.alphabet import OUT_NOTHING, OUT_SPACE, OUTPUTS, START
from pythia_epidoc.model.expectations import Expectations
from pythia_epidoc.model.network import DecoderState, Encoded, Prepared, Pythia
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.restoration import check_cancelled


class _Beam:
    """Hypotheses of a chunk of tasks during the search: B tasks, K hypotheses."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tokens = np.zeros((len(tasks), 1, 0), dtype=np.int64)  # B K t
        self.network = np.zeros((len(tasks), 1), dtype=np.float32)
        self.nodes = np.arange(len(tasks))[:, None]  # B K: of what the counts expect
        self.possible = np.ones((len(tasks), 1), dtype=bool)  # B K: breaks no constraint


@torch.inference_mode()
def beam_search(
    tasks: Sequence[Task],
    network: Pythia,
    prepared: Prepared,
    expectations: Expectations | None,
    width: int,
    cancel: threading.Event | None = None,
) -> list[dict[str, float]]:
    """For each task the texts the beam ends with, and what the network thinks of each (log p)."""
    batch = len(tasks)
    beam = _Beam(tasks)
    steps = max(task.steps for task in tasks)
    allowed = np.zeros((batch, steps, len(OUTPUTS)), dtype=bool)
    slots = np.zeros((batch, steps), dtype=np.int64)
    for row, task in enumerate(tasks):
        allowed[row, : task.steps] = task.allowed
        slots[row, : task.steps] = np.minimum(task.first + np.arange(task.steps), len(task.window) - 1)
    state = start_state(tasks, network, prepared.encoded)
    by_character = np.array([task.by_character for task in tasks])
    for step in range(steps):
        check_cancelled(cancel)
        hypotheses = beam.tokens.shape[1]
        last = beam.tokens[:, :, -1] if step else np.full((batch, hypotheses), START, dtype=np.int64)
        at, given = (torch.from_numpy(array).to(network.device) for array in (slots[:, step], last))
        told = told_at(expectations, beam.nodes, network)
        logits, state = network.step(prepared, at, given, state, told)
        learned = logits.log_softmax(-1).float().cpu().numpy()
        total = beam.network[:, :, None] + learned
        total[np.broadcast_to(~allowed[:, None, step], total.shape)] = -np.inf
        total[~beam.possible] = -np.inf
        if step:
            # In the paper's mode two spaces never stand together.
            double = by_character[:, None] & (beam.tokens[:, :, -1] == OUT_SPACE)
            total[:, :, OUT_SPACE][double] = -np.inf
        done = np.array([step >= task.steps for task in tasks])
        keep = min(width, hypotheses * len(OUTPUTS))
        parents, symbols = _best(total, done, keep)
        state = _follow(state, parents, hypotheses)
        _extend(beam, parents, symbols, learned, done, total)
        beam.nodes = np.take_along_axis(beam.nodes, parents, axis=1)
        if expectations is not None:
            beam.nodes = expectations.advance(beam.nodes, symbols)
    return [_texts(row, task, beam) for row, task in enumerate(tasks)]


def told_at(
    expectations: Expectations | None, nodes: npt.NDArray[np.int64], network: Pythia
) -> torch.Tensor | None:
    """What the network is told of the slots at these nodes, if anything."""
    if expectations is None:
        return None
    return torch.from_numpy(expectations.at(nodes)).to(network.device)


def start_state(tasks: Sequence[Task], network: Pythia, encoded: Encoded) -> DecoderState:
    """The decoder's state at the left edge of each task."""
    edges = [(max(0, task.first - 1), min(task.first + task.length, len(task.window) - 1)) for task in tasks]
    tensor = torch.tensor(edges, device=network.device)
    return network.start(encoded, tensor[:, :1], tensor[:, 1:])


def _best(
    total: npt.NDArray[np.float32], done: npt.NDArray[np.bool_], keep: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The best continuations of each task: which hypothesis, which symbol. B keep each."""
    batch, hypotheses, outputs = total.shape
    flat = torch.from_numpy(total.reshape(batch, -1))
    chosen = flat.topk(keep, dim=1).indices.numpy()
    parents, symbols = chosen // outputs, chosen % outputs
    # A finished task keeps its hypotheses in their places.
    parents[done] = np.minimum(np.arange(keep), hypotheses - 1)
    symbols[done] = OUT_NOTHING
    return parents, symbols


def _follow(state: DecoderState, parents: npt.NDArray[np.int64], hypotheses: int) -> DecoderState:
    """Decoder states of the chosen hypotheses."""
    rows = np.arange(len(parents))[:, None] * hypotheses + parents
    index = torch.from_numpy(rows.reshape(-1)).to(state[0].device)
    return state[0].index_select(1, index), state[1].index_select(1, index)


def _extend(
    beam: _Beam,
    parents: npt.NDArray[np.int64],
    symbols: npt.NDArray[np.int64],
    learned: npt.NDArray[np.float32],
    done: npt.NDArray[np.bool_],
    total: npt.NDArray[np.float32],
) -> None:
    rows = np.arange(len(parents))[:, None]
    beam.possible = np.where(
        done[:, None], beam.possible[rows, parents], total[rows, parents, symbols] > -np.inf
    )
    gain = np.where(done[:, None], 0.0, learned[rows, parents, symbols])
    beam.network = beam.network[rows, parents] + gain
    beam.tokens = np.concatenate((beam.tokens[rows, parents], symbols[:, :, None]), axis=2)


def _texts(row: int, task: Task, beam: _Beam) -> dict[str, float]:
    """The finished hypotheses of a task; of two that spell the same text, the better."""
    found: dict[str, float] = {}
    for hypothesis in np.flatnonzero(beam.possible[row]).tolist():
        text = "".join(OUTPUTS[token] for token in beam.tokens[row, hypothesis, : task.steps])
        found[text] = max(float(beam.network[row, hypothesis]), found.get(text, -np.inf))
    return found
