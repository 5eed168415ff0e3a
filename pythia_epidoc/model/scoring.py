"""What network and counts think of given texts, without a search: candidates that somebody else proposes.

Not for finding candidates: see `beam`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model import counts as counting
from pythia_epidoc.model.alphabet import OUTPUT_CODES, START, Vocabulary, letter_outputs
from pythia_epidoc.model.beam import Candidate, Task, encode_tasks
from pythia_epidoc.model.counts import Counts
from pythia_epidoc.model.network import Pythia
from pythia_epidoc.restoration import check_cancelled

_CHUNK = 24
"""Tasks scored together: bounds memory, whatever the number of lacunae."""


def score(
    tasks: Sequence[Task],
    texts: Sequence[Sequence[str]],
    network: Pythia | None,
    vocabulary: Vocabulary,
    counts: Counts | None,
    cancel: threading.Event | None = None,
) -> list[list[Candidate]]:
    """A candidate for each text of each task; texts that do not fit a task are left out."""
    fitting = [
        [text for text in dict.fromkeys(proposed) if _fits(task, _outputs(task, text))]
        for task, proposed in zip(tasks, texts, strict=True)
    ]
    results: list[list[Candidate]] = [[] for _ in tasks]
    wanted = sorted(
        (number for number in range(len(tasks)) if fitting[number]),
        key=lambda number: (tasks[number].steps, len(tasks[number].window)),
    )
    for start in range(0, len(wanted), _CHUNK):
        check_cancelled(cancel)
        chosen = wanted[start : start + _CHUNK]
        chunk, proposed = [tasks[number] for number in chosen], [fitting[number] for number in chosen]
        learned = _network_scores(chunk, proposed, network, vocabulary)
        for row, number in enumerate(chosen):
            counted = _count_scores(chunk[row], proposed[row], counts)
            results[number] = [
                Candidate(text, float(learned[row, index]), float(counted[index]))
                for index, text in enumerate(proposed[row])
            ]
    return results


def _outputs(task: Task, text: str) -> tuple[int, ...]:
    return tuple(OUTPUT_CODES[symbol] for symbol in text) if task.by_character else letter_outputs(text)


def _fits(task: Task, outputs: tuple[int, ...]) -> bool:
    return len(outputs) == task.steps and bool(task.allowed[np.arange(task.steps), list(outputs)].all())


@torch.inference_mode()
def _network_scores(
    tasks: Sequence[Task], texts: Sequence[Sequence[str]], network: Pythia | None, vocabulary: Vocabulary
) -> npt.NDArray[np.float64]:
    """log p of each text, B K."""
    width = max(map(len, texts))
    if network is None:
        return np.zeros((len(tasks), width))
    steps = max(task.steps for task in tasks)
    symbols = np.zeros((len(tasks), width, steps), dtype=np.int64)
    counted = np.zeros((len(tasks), width, steps), dtype=bool)
    slots = np.zeros((len(tasks), steps), dtype=np.int64)
    for row, task in enumerate(tasks):
        slots[row] = np.minimum(task.first + np.arange(steps), len(task.window) - 1)
        counted[row, :, : task.steps] = True
        for index, text in enumerate(texts[row]):
            symbols[row, index, : task.steps] = _outputs(task, text)
    previous = np.full_like(symbols, START)
    previous[:, :, 1:] = symbols[:, :, :-1]
    device = network.device
    encoded = encode_tasks(tasks, network, vocabulary)
    before = [[max(0, task.first - 1)] for task in tasks]
    after = [[min(task.first + task.length, len(task.window) - 1)] for task in tasks]
    hidden, cell = network.start(
        encoded, torch.tensor(before, device=device), torch.tensor(after, device=device)
    )
    state = (hidden.repeat_interleave(width, dim=1), cell.repeat_interleave(width, dim=1))
    at = torch.from_numpy(np.repeat(slots[:, None], width, axis=1)).to(device)
    logits, _, _ = network.decode(encoded, at, torch.from_numpy(previous).to(device), state)
    chosen = torch.from_numpy(symbols).to(device).unsqueeze(-1)
    logs = logits.log_softmax(-1).gather(-1, chosen).squeeze(-1).double().cpu().numpy()
    return np.asarray((logs * counted).sum(axis=-1))


def _count_scores(task: Task, texts: Sequence[str], counts: Counts | None) -> npt.NDArray[np.float64]:
    """log p of each text and of what follows it, as the beam counts it."""
    total = np.zeros(len(texts))
    if counts is None:
        return total
    after = (task.after or SPACE)[: counting.ORDER - 1]
    rows = [counting.encode(text + after).astype(np.int64) for text in texts]
    states = np.repeat(counts.start(task.before or SPACE), len(texts), axis=0)
    alive = np.ones(len(texts), dtype=bool)
    for step in range(max(map(len, rows))):
        codes = np.array([row[step] if step < len(row) else 0 for row in rows], dtype=np.int64)
        alive &= codes > 0
        if not alive.any():
            break
        logs = counts.log_probabilities(states[alive])
        total[alive] += logs[np.arange(len(logs)), codes[alive] - 1]
        states[alive] = counts.advance(states[alive], codes[alive])
    return total
