"""Beam search: from queries to candidate texts, many lacunae at once.

A query with several admissible lengths becomes several tasks, one per length; each task is a window of
text with slots. The encoder reads each different window once. The beam is scored by the network, by the
counts, or by both together; constraints are symbols that are not allowed at a slot.

Not for probabilities or ranking across lengths: see `restorer`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from pythia_epidoc.greek import LETTERS, PREDICT, SPACE
from pythia_epidoc.model import counts as counting
from pythia_epidoc.model.alphabet import (
    LETTER_COUNT,
    OUT_NOTHING,
    OUT_SPACE,
    OUTPUTS,
    PREDICT_CHARACTER,
    SPACED,
    START,
    Vocabulary,
    encode,
)
from pythia_epidoc.model.counts import Counts
from pythia_epidoc.model.network import Encoded, Pythia
from pythia_epidoc.restoration import ANY, Query, check_cancelled

CONTEXT = 400
"""Characters of text the network sees around a lacuna."""
_GRID = 100
"""Windows begin at multiples of this, so that neighbouring lacunae share one."""
_CHUNK = 24
"""Tasks searched together: bounds memory, whatever the number of lacunae."""
_ENCODER_CHUNK = 16_000
"""Characters encoded together."""


@dataclass(frozen=True)
class Weights:
    """How much network and counts have to say; fitted on validation data."""

    network: float = 1.0
    counts: float = 0.5


@dataclass(frozen=True)
class Task:
    """One length of one query: a window with slots to fill."""

    query: int
    length: int
    window: str
    first: int
    """Index of the first slot in the window."""
    before: str
    after: str
    allowed: npt.NDArray[np.bool_]
    """steps × outputs"""
    by_character: bool

    @property
    def steps(self) -> int:
        return len(self.allowed)


@dataclass(frozen=True)
class Candidate:
    """A text for a task with what network and counts think of it (log-probabilities)."""

    text: str
    network: float
    counts: float

    def score(self, weights: Weights) -> float:
        return weights.network * self.network + weights.counts * self.counts


def tasks_for(number: int, query: Query) -> list[Task]:
    """One task per admissible length that the constraints leave possible."""
    tasks = []
    for length in query.lengths:
        allowed = _allowed(query, length)
        if allowed is not None:
            slot = PREDICT_CHARACTER if query.by_character else PREDICT
            window, first = _window(query.before, slot * length, query.after)
            tasks.append(
                Task(
                    number, length, window, first, query.before[-2 * counting.ORDER :],
                    query.after[: 2 * counting.ORDER], allowed, query.by_character,
                )
            )  # fmt: skip
    return tasks


def _window(before: str, slots: str, after: str) -> tuple[str, int]:
    """At most CONTEXT characters around the slots, cut at a fixed grid."""
    text = f"{before}{slots}{after}"
    if len(text) <= CONTEXT:
        return text, len(before)
    middle = len(before) + len(slots) // 2
    start = max(0, min(middle - CONTEXT // 2, len(text) - CONTEXT))
    start -= start % _GRID
    return text[start : start + CONTEXT + _GRID], len(before) - start


def _allowed(query: Query, length: int) -> npt.NDArray[np.bool_] | None:
    """Which output symbols each step may give, or None if nothing fits."""
    letters = slice(0, LETTER_COUNT)
    spaced = slice(SPACED, SPACED + LETTER_COUNT)
    edge_before = not query.before or query.before[-1] == SPACE
    edge_after = not query.after or query.after[0] == SPACE
    steps = length if query.by_character else length + 1
    allowed = np.zeros((steps, len(OUTPUTS)), dtype=bool)
    allowed[:length, letters] = True
    if query.by_character:
        allowed[:, OUT_SPACE] = True
        allowed[0, OUT_SPACE] &= not edge_before
        allowed[-1, OUT_SPACE] &= not edge_after
    else:
        allowed[:length, spaced] = True
        allowed[0, spaced] &= not edge_before
        allowed[length, OUT_NOTHING] = True
        allowed[length, OUT_SPACE] = not edge_after
    if query.pattern:
        if len(query.pattern) != length:
            return None
        for step, letter in enumerate(query.pattern):
            if letter != ANY:
                _only(allowed[step], letter)
    if query.prefix and not _apply_prefix(allowed, query, length):
        return None
    return allowed


def _only(row: npt.NDArray[np.bool_], letter: str) -> None:
    index = LETTERS.index(letter)
    keep = np.zeros_like(row)
    keep[[index, SPACED + index]] = True
    row &= keep


def _apply_prefix(allowed: npt.NDArray[np.bool_], query: Query, length: int) -> bool:
    """Allow only what begins with the letters and spaces the user typed."""
    step, pending_space = 0, False
    for symbol in query.prefix.lstrip(SPACE) if not query.by_character else query.prefix:
        if query.by_character:
            if step >= length:
                return False
            output = OUT_SPACE if symbol == SPACE else LETTERS.index(symbol)
            allowed[step] &= np.arange(len(OUTPUTS)) == output
            step += 1
        elif symbol == SPACE:
            pending_space = True
        else:
            if step >= length:
                return False
            _only(allowed[step], symbol)
            if step:
                allowed[step, slice(0, SPACED) if pending_space else slice(SPACED, OUT_SPACE)] = False
            pending_space = False
            step += 1
    return True


class _Beam:
    """Hypotheses of a chunk of tasks during the search: B tasks, K hypotheses."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tokens = np.zeros((len(tasks), 1, 0), dtype=np.int64)  # B K t
        self.network = np.zeros((len(tasks), 1), dtype=np.float32)
        self.counts = np.zeros((len(tasks), 1), dtype=np.float32)
        self.possible = np.ones((len(tasks), 1), dtype=bool)  # B K: breaks no constraint
        self.states: npt.NDArray[np.int64] | None = None  # B K ORDER


def search(
    tasks: Sequence[Task],
    network: Pythia | None,
    vocabulary: Vocabulary,
    counts: Counts | None,
    weights: Weights,
    beam: int,
    cancel: threading.Event | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[list[Candidate]]:
    """Candidates of each task, best first; `progress` is told how many tasks are done."""
    results: list[list[Candidate]] = [[] for _ in tasks]
    # Like lengths together, so that few steps are wasted on tasks that are done.
    order = sorted(range(len(tasks)), key=lambda index: (tasks[index].steps, len(tasks[index].window)))
    for start in range(0, len(order), _CHUNK):
        check_cancelled(cancel)
        chosen = order[start : start + _CHUNK]
        chunk = [tasks[index] for index in chosen]
        encoded = encode_tasks(chunk, network, vocabulary) if network is not None else None
        for index, found in zip(
            chosen, _search_chunk(chunk, network, encoded, counts, weights, beam, cancel), strict=True
        ):
            results[index] = found
        if progress is not None:
            progress(start + len(chosen))
    return results


@torch.inference_mode()
def encode_tasks(tasks: Sequence[Task], network: Pythia, vocabulary: Vocabulary) -> Encoded:
    """Encode each different window once, and give every task its own."""
    windows = sorted({task.window for task in tasks}, key=len)
    longest = max(map(len, windows))
    pieces: list[Encoded] = []
    per_pass = max(1, _ENCODER_CHUNK // longest)
    for start in range(0, len(windows), per_pass):
        part = windows[start : start + per_pass]
        characters = np.zeros((len(part), longest), dtype=np.int64)
        words = np.zeros_like(characters)
        for row, text in enumerate(part):
            characters[row, : len(text)] = encode(text)
            words[row, : len(text)] = vocabulary.encode(text)
        device = network.device
        pieces.append(
            network.encode(torch.from_numpy(characters).to(device), torch.from_numpy(words).to(device))
        )
    rows = torch.tensor([windows.index(task.window) for task in tasks], device=network.device)

    def gather(name: str) -> Tensor:
        whole = [getattr(piece, name) for piece in pieces]
        joined = whole[0] if len(whole) == 1 else torch.cat(whole)
        return joined if len(rows) == 1 else joined[rows]

    return Encoded(gather("states"), gather("keys"), gather("padding"), pieces[0].first_layer[:, :0])


@torch.inference_mode()
def _search_chunk(
    tasks: Sequence[Task],
    network: Pythia | None,
    encoded: Encoded | None,
    counts: Counts | None,
    weights: Weights,
    width: int,
    cancel: threading.Event | None,
) -> list[list[Candidate]]:
    batch = len(tasks)
    beam = _Beam(tasks)
    steps = max(task.steps for task in tasks)
    allowed = np.zeros((batch, steps, len(OUTPUTS)), dtype=bool)
    slots = np.zeros((batch, steps), dtype=np.int64)
    for row, task in enumerate(tasks):
        allowed[row, : task.steps] = task.allowed
        slots[row, : task.steps] = np.minimum(task.first + np.arange(task.steps), len(task.window) - 1)
    if counts is not None:
        beam.states = np.stack([counts.start(_spaced(task.before)) for task in tasks])
    state = None
    if network is not None and encoded is not None:
        after = [min(task.first + task.length, len(task.window) - 1) for task in tasks]
        edges = np.array([[max(0, task.first - 1), end] for task, end in zip(tasks, after, strict=True)])
        tensor = torch.from_numpy(edges).to(network.device)
        state = network.start(encoded, tensor[:, :1], tensor[:, 1:])
    by_character = np.array([task.by_character for task in tasks])
    for step in range(steps):
        check_cancelled(cancel)
        hypotheses = beam.tokens.shape[1]
        learned = np.zeros((batch, hypotheses, len(OUTPUTS)), dtype=np.float32)
        if network is not None and encoded is not None and state is not None:
            last = beam.tokens[:, :, -1] if step else np.full((batch, hypotheses), START, dtype=np.int64)
            at = np.repeat(slots[:, step : step + 1], hypotheses, axis=1)
            logits, state, _ = network.decode(
                encoded,
                torch.from_numpy(at).unsqueeze(-1).to(network.device),
                torch.from_numpy(last).unsqueeze(-1).to(network.device),
                state,
            )
            learned = logits[:, :, 0].log_softmax(-1).float().cpu().numpy()
        counted, after_space = _count_step(counts, beam.states, by_character)
        total = weights.network * (beam.network[:, :, None] + learned) + weights.counts * (
            beam.counts[:, :, None] + counted
        )
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
        _extend(beam, parents, symbols, learned, counted, done, total)
        if counts is not None:
            _advance_counts(counts, beam, parents, symbols, after_space, by_character, done)
    return [_candidates(row, task, beam, counts, weights) for row, task in enumerate(tasks)]


def _spaced(before: str) -> str:
    """Text that begins a document begins a word."""
    return before or SPACE


def _count_step(
    counts: Counts | None, states: npt.NDArray[np.int64] | None, by_character: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64] | None]:
    """log p of each output after each state, B K O, and the states after a space."""
    if counts is None or states is None:
        return np.zeros((1, 1, 1), dtype=np.float32), None
    batch, hypotheses, order = states.shape
    flat = states.reshape(-1, order)
    plain = counts.log_probabilities(flat)
    space = plain[:, counting.SPACE_CODE - 1 : counting.SPACE_CODE]
    result = np.zeros((len(flat), len(OUTPUTS)), dtype=np.float32)
    result[:, :LETTER_COUNT] = plain[:, :LETTER_COUNT]
    result[:, OUT_SPACE] = space[:, 0]
    after_space = None
    if not by_character.all():
        after_space = counts.advance(flat, np.full(len(flat), counting.SPACE_CODE))
        result[:, SPACED:OUT_SPACE] = space + counts.log_probabilities(after_space)[:, :LETTER_COUNT]
    return result.reshape(batch, hypotheses, -1), after_space


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


def _follow(
    state: tuple[Tensor, Tensor] | None, parents: npt.NDArray[np.int64], hypotheses: int
) -> tuple[Tensor, Tensor] | None:
    """Decoder states of the chosen hypotheses."""
    if state is None:
        return None
    rows = np.arange(len(parents))[:, None] * hypotheses + parents
    index = torch.from_numpy(rows.reshape(-1)).to(state[0].device)
    return state[0].index_select(1, index), state[1].index_select(1, index)


def _extend(
    beam: _Beam,
    parents: npt.NDArray[np.int64],
    symbols: npt.NDArray[np.int64],
    learned: npt.NDArray[np.float32],
    counted: npt.NDArray[np.float32],
    done: npt.NDArray[np.bool_],
    total: npt.NDArray[np.float32],
) -> None:
    rows = np.arange(len(parents))[:, None]
    beam.possible = np.where(
        done[:, None], beam.possible[rows, parents], total[rows, parents, symbols] > -np.inf
    )
    gain = np.where(done[:, None], 0.0, learned[rows, parents, symbols])
    beam.network = beam.network[rows, parents] + gain
    if counted.size > 1:
        beam.counts = beam.counts[rows, parents] + np.where(
            done[:, None], 0.0, counted[rows, parents, symbols]
        )
    else:
        beam.counts = beam.counts[rows, parents]
    beam.tokens = np.concatenate((beam.tokens[rows, parents], symbols[:, :, None]), axis=2)


def _advance_counts(
    counts: Counts,
    beam: _Beam,
    parents: npt.NDArray[np.int64],
    symbols: npt.NDArray[np.int64],
    after_space: npt.NDArray[np.int64] | None,
    by_character: npt.NDArray[np.bool_],
    done: npt.NDArray[np.bool_],
) -> None:
    """States of the counts after the chosen symbols."""
    assert beam.states is not None
    batch, hypotheses, order = beam.states.shape
    rows = np.arange(batch)[:, None]
    states = beam.states[rows, parents]
    spaced = (symbols >= SPACED) & (symbols < OUT_SPACE)
    if after_space is not None and spaced.any():
        states[spaced] = after_space.reshape(batch, hypotheses, order)[rows, parents][spaced]
    codes = np.where(symbols == OUT_SPACE, counting.SPACE_CODE, symbols % LETTER_COUNT + 1)
    moved = counts.advance(states.reshape(-1, order), codes.reshape(-1)).reshape(states.shape)
    stays = (symbols == OUT_NOTHING) | done[:, None]
    beam.states = np.where(stays[:, :, None], states, moved)


def _candidates(
    row: int, task: Task, beam: _Beam, counts: Counts | None, weights: Weights
) -> list[Candidate]:
    """The finished hypotheses of a task, with the text after the lacuna taken into account."""
    counted = beam.counts[row]
    if counts is not None and beam.states is not None:
        counted = counted + counts.score(beam.states[row], (task.after or SPACE)[: counting.ORDER - 1])
    found: dict[str, Candidate] = {}
    for hypothesis in range(beam.tokens.shape[1]):
        if not beam.possible[row, hypothesis]:
            continue
        tokens = beam.tokens[row, hypothesis, : task.steps]
        text = "".join(OUTPUTS[token] for token in tokens)
        candidate = Candidate(text, float(beam.network[row, hypothesis]), float(counted[hypothesis]))
        if text not in found or found[text].score(weights) < candidate.score(weights):
            found[text] = candidate
    return sorted(found.values(), key=lambda candidate: (-candidate.score(weights), candidate.text))
