"""Candidates for tasks: from the beam, from the counts, or proposed by others; judged by network and counts.

Not for probabilities or ranking across lengths: see `restorer`.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt
import torch

from pythia_epidoc.model.alphabet import START, Vocabulary
from pythia_epidoc.model.beam import beam_search, start_state, told_at
from pythia_epidoc.model.count_search import proposed
from pythia_epidoc.model.expectations import Expectations
from pythia_epidoc.model.local_counts import CountModel, LocalCounts
from pythia_epidoc.model.network import Prepared, Pythia
from pythia_epidoc.model.tasks import Task, encode_tasks
from pythia_epidoc.restoration import check_cancelled

_CHUNK = 24
"""Tasks searched together: bounds memory, whatever the number of lacunae."""
_SHARED_WIDTH = 2
"""A query of many lengths gets so many times the beam for all of them together …"""
_LEAST_WIDTH = 10
"""… but each length at least this."""


@dataclass(frozen=True)
class Weights:
    """How much network and counts have to say; fitted on validation data."""

    network: float = 1.0
    counts: float = 0.5


@dataclass(frozen=True)
class Candidate:
    """A text for a task with what network and counts think of it (log-probabilities)."""

    text: str
    network: float
    counts: float

    def score(self, weights: Weights) -> float:
        return weights.network * self.network + weights.counts * self.counts


def search(
    tasks: Sequence[Task],
    network: Pythia | None,
    vocabulary: Vocabulary,
    counts: CountModel | None,
    weights: Weights,
    beam: int,
    cancel: threading.Event | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[list[Candidate]]:
    """Candidates of each task, best first; `progress` is told how many tasks are done."""
    results: list[list[Candidate]] = [[] for _ in tasks]
    widths = _widths(tasks, beam)
    done = 0
    for chosen in _chunks(tasks, widths):
        check_cancelled(cancel)
        chunk, width = [tasks[number] for number in chosen], widths[chosen[0]]
        local = counts.local(chunk) if counts is not None else None
        counted: list[dict[str, float]] = [{} for _ in chunk]
        if local is not None:
            counted = proposed(chunk, local, width)
        learned = _learned(chunk, counted, network, vocabulary, width, cancel)
        for task, known, texts in zip(chunk, learned, counted, strict=True):
            texts.update(_count_scores(task, [text for text in known if text not in texts], local))
        for number, known, texts in zip(chosen, learned, counted, strict=True):
            found = _joined(known, texts)
            results[number] = sorted(found, key=lambda each: (-each.score(weights), each.text))
        done += len(chosen)
        if progress is not None:
            progress(done)
    return results


def score(
    tasks: Sequence[Task],
    texts: Sequence[Sequence[str]],
    network: Pythia | None,
    vocabulary: Vocabulary,
    counts: CountModel | None,
    beam: int,
    cancel: threading.Event | None = None,
) -> list[list[Candidate]]:
    """A candidate for each text of each task; texts that do not fit a task are left out. They are judged as
    in a search with this beam."""
    fitting = [
        [text for text in dict.fromkeys(given) if task.admits(text)]
        for task, given in zip(tasks, texts, strict=True)
    ]
    results: list[list[Candidate]] = [[] for _ in tasks]
    widths = _widths(tasks, beam)
    for chosen in _chunks(tasks, widths):
        check_cancelled(cancel)
        wanted = [number for number in chosen if fitting[number]]
        if not wanted:
            continue
        chunk, suited = [tasks[number] for number in wanted], [fitting[number] for number in wanted]
        learned: list[dict[str, float]] = [{} for _ in chunk]
        local = counts.local(chunk) if counts is not None else None
        if network is not None:
            prepared = _prepared(chunk, network, vocabulary)
            expectations = None
            if local is not None and network.config.expecting:
                expectations = Expectations(chunk, proposed(chunk, local, widths[chosen[0]]))
            learned = _network_scores(chunk, suited, network, prepared, expectations)
        for number, known in zip(wanted, learned, strict=True):
            counted = _count_scores(tasks[number], fitting[number], local)
            results[number] = _joined(known, counted)
    return results


@torch.inference_mode()
def _prepared(tasks: Sequence[Task], network: Pythia, vocabulary: Vocabulary) -> Prepared:
    return network.prepare(encode_tasks(tasks, network, vocabulary))


def _joined(learned: dict[str, float], counted: dict[str, float]) -> list[Candidate]:
    return [
        Candidate(text, learned.get(text, 0.0), counted.get(text, 0.0)) for text in {**learned, **counted}
    ]


def _widths(tasks: Sequence[Task], beam: int) -> list[int]:
    """How many hypotheses each task may have: the lengths of one query share what it gets."""
    lengths = Counter(task.query for task in tasks)
    return [min(beam, max(_LEAST_WIDTH, _SHARED_WIDTH * beam // lengths[task.query])) for task in tasks]


def _chunks(tasks: Sequence[Task], widths: Sequence[int]) -> Iterator[list[int]]:
    """Numbers of tasks that are worked on together: equal widths, like lengths, so that little is wasted."""

    def kind(number: int) -> tuple[int, int, int]:
        return widths[number], tasks[number].steps, len(tasks[number].window)

    for _, group in groupby(sorted(range(len(tasks)), key=kind), key=lambda number: widths[number]):
        numbers = list(group)
        for start in range(0, len(numbers), _CHUNK):
            yield numbers[start : start + _CHUNK]


def _learned(
    tasks: Sequence[Task],
    counted: Sequence[dict[str, float]],
    network: Pythia | None,
    vocabulary: Vocabulary,
    width: int,
    cancel: threading.Event | None,
) -> list[dict[str, float]]:
    """What the network thinks of the texts that its beam finds and of those that the counts propose."""
    if network is None:
        return [{} for _ in tasks]
    prepared = _prepared(tasks, network, vocabulary)
    expectations = Expectations(tasks, counted) if network.config.expecting else None
    learned = beam_search(tasks, network, prepared, expectations, width, cancel)
    more = [
        [text for text in texts if text not in known] for texts, known in zip(counted, learned, strict=True)
    ]
    added = _network_scores(tasks, more, network, prepared, expectations)
    return [{**known, **scores} for known, scores in zip(learned, added, strict=True)]


def _count_scores(task: Task, texts: Sequence[str], counts: LocalCounts | None) -> dict[str, float]:
    if counts is None or not texts:
        return {}
    return dict(zip(texts, counts.score(task, texts).tolist(), strict=True))


@torch.inference_mode()
def _network_scores(
    tasks: Sequence[Task],
    texts: Sequence[Sequence[str]],
    network: Pythia,
    prepared: Prepared,
    expectations: Expectations | None,
) -> list[dict[str, float]]:
    """log p of each text of each task."""
    width = max(map(len, texts))
    if not width:
        return [{} for _ in tasks]
    steps = max(task.steps for task in tasks)
    symbols = np.zeros((len(tasks), width, steps), dtype=np.int64)
    written = np.zeros((len(tasks), width, steps), dtype=bool)
    slots = np.zeros((len(tasks), steps), dtype=np.int64)
    for row, task in enumerate(tasks):
        slots[row] = np.minimum(task.first + np.arange(steps), len(task.window) - 1)
        written[row, :, : task.steps] = True
        for index, text in enumerate(texts[row]):
            symbols[row, index, : task.steps] = task.outputs(text)
    previous = np.full_like(symbols, START)
    previous[:, :, 1:] = symbols[:, :, :-1]
    at, given, chosen = (torch.from_numpy(array).to(network.device) for array in (slots, previous, symbols))
    hidden, cell = start_state(tasks, network, prepared.encoded)
    state = (hidden.repeat_interleave(width, dim=1), cell.repeat_interleave(width, dim=1))
    logs = np.zeros(symbols.shape)
    nodes = np.repeat(np.arange(len(tasks))[:, None], width, axis=1)
    for step in range(steps):
        told = told_at(expectations, nodes, network)
        if expectations is not None:
            nodes = expectations.advance(nodes, symbols[:, :, step])
        logits, state = network.step(prepared, at[:, step], given[:, :, step], state, told)
        of_chosen = logits.log_softmax(-1).gather(-1, chosen[:, :, step, None]).squeeze(-1)
        logs[:, :, step] = of_chosen.double().cpu().numpy()
    totals: npt.NDArray[np.float64] = (logs * written).sum(axis=-1)
    return [dict(zip(each, totals[row].tolist(), strict=False)) for row, each in enumerate(texts)]
