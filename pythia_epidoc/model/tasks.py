"""What is asked of the model: a window of text with slots to fill, one task per length of a query.

Constraints are symbols that are not allowed at a slot. The encoder reads each different window once.

Not for filling the slots: see `candidates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from pythia_epidoc.greek import LETTERS, LOST, PREDICT, SPACE
from pythia_epidoc.model.alphabet import (
    LETTER_COUNT,
    OUT_NOTHING,
    OUT_SPACE,
    OUTPUT_CODES,
    OUTPUTS,
    PREDICT_CHARACTER,
    SPACED,
    Vocabulary,
    encode,
    letter_outputs,
)
from pythia_epidoc.model.network import Encoded, Pythia
from pythia_epidoc.restoration import ANY, REACH, Query

CONTEXT = 80
"""Characters of text the network sees around a lacuna, at least, …"""
_GRID = 80
"""… and at most so many more: windows begin at multiples of this, so that neighbouring lacunae share one (of
several lengths each has its own anyhow). It was trained on windows of 160, and more does not help it."""
_ENCODER_CHUNK = 16_000
"""Characters encoded together."""


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

    @property
    def as_read(self) -> str:
        """The window as the network reads it: it does not tell lost letters from those that are asked for."""
        return self.window.replace(LOST, PREDICT)

    def outputs(self, text: str) -> tuple[int, ...]:
        """The output symbols that write a text."""
        return tuple(OUTPUT_CODES[symbol] for symbol in text) if self.by_character else letter_outputs(text)

    def admits(self, text: str) -> bool:
        """Whether a text has the right length and breaks no constraint."""
        outputs = self.outputs(text)
        return len(outputs) == self.steps and bool(self.allowed[np.arange(self.steps), list(outputs)].all())


def tasks_for(number: int, query: Query) -> list[Task]:
    """One task per admissible length that the constraints leave possible."""
    tasks = []
    grid = _GRID if len(query.lengths) == 1 else 1
    for length in query.lengths:
        allowed = _allowed(query, length)
        if allowed is not None:
            slot = PREDICT_CHARACTER if query.by_character else PREDICT
            window, first = _window(query.before, slot * length, query.after, grid)
            tasks.append(
                Task(
                    number, length, window, first, query.before[-REACH:], query.after[:REACH],
                    allowed, query.by_character,
                )
            )  # fmt: skip
    return tasks


def task_of(number: int, query: Query, text: str) -> Task:
    """The task that a given text answers, whatever lengths and letters the query asks for."""
    length = len(text) if query.by_character else len(text.replace(SPACE, ""))
    [task] = tasks_for(number, replace(query, lengths=(length,), pattern="", prefix=""))
    return task


def _window(before: str, slots: str, after: str, grid: int) -> tuple[str, int]:
    """At least CONTEXT characters around the slots, from a multiple of `grid` on."""
    text = f"{before}{slots}{after}"
    if len(text) <= CONTEXT:
        return text, len(before)
    middle = len(before) + len(slots) // 2
    start = max(0, min(middle - CONTEXT // 2, len(text) - CONTEXT))
    start -= start % grid
    return text[start : start + CONTEXT + grid], len(before) - start


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


@torch.inference_mode()
def encode_texts(texts: Sequence[str], longest: int, network: Pythia, vocabulary: Vocabulary) -> Encoded:
    """Encode texts of up to `longest` characters together."""
    characters = np.zeros((len(texts), longest), dtype=np.int64)
    words = np.zeros_like(characters)
    for row, text in enumerate(texts):
        characters[row, : len(text)] = encode(text)
        words[row, : len(text)] = vocabulary.encode(text)
    device = network.device
    return network.encode(torch.from_numpy(characters).to(device), torch.from_numpy(words).to(device))


@torch.inference_mode()
def encode_tasks(tasks: Sequence[Task], network: Pythia, vocabulary: Vocabulary) -> tuple[Encoded, list[int]]:
    """Encode each different window once; and which of them each task has."""
    windows = sorted({task.as_read for task in tasks}, key=len)
    longest = max(map(len, windows))
    per_pass = max(1, _ENCODER_CHUNK // longest)
    pieces = [
        encode_texts(windows[start : start + per_pass], longest, network, vocabulary)
        for start in range(0, len(windows), per_pass)
    ]

    def joined(name: str) -> Tensor:
        parts = [getattr(piece, name) for piece in pieces]
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    numbers = {window: number for number, window in enumerate(windows)}
    encoded = Encoded(joined("states"), joined("keys"), joined("padding"), pieces[0].first_layer[:, :0])
    return encoded, [numbers[task.as_read] for task in tasks]
