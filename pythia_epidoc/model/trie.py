"""How a trie of counted strings is walked: the few loops that must be fast, compiled by numba when they are
first used.

A node is a string; its children are the strings of one character more and stand together, in order.
Not for making nodes (see `linking`), nor for what the counts say (`mixing`) and mean (`counts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba.extending import intrinsic

LEVELS = 64
"""Counts are told apart by their logarithm, in so many levels …"""
STEP = 1.25  # … a count of level q stands for STEP ** q
BRANCHES = 6
"""Strings are told apart, too, by how many characters were seen after them: 1, 2, up to 4, 8, 16, or more."""
RATIO_STEP, RATIO_MIDDLE = 1.1, 100
DEAD = -1
"""No node: this string was never counted."""

NODE = np.dtype(
    [("children", np.uint32), ("first", np.uint32), ("after", np.float32), ("mark", np.uint16),
     ("before", np.uint8)],
    align=True,
)  # fmt: skip
"""children: one bit for each character that a child ends in; first: the first child; after: what was counted
after the string; mark: its branch class and its level; before: what was counted before it, as a ratio to its
count, the level of it."""

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint8]
Nodes = npt.NDArray[np.void]
Flags = npt.NDArray[np.bool_]

COUNTS = (STEP ** np.arange(LEVELS)).astype(np.float32)

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Machine code, kept beside the source (or in the user's cache), that lets other threads run."""
    try:
        made = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # there is nowhere to keep it
        made = numba.njit(nogil=True)(function)
    return cast(Function, made)


def _bits_of(_: object, word: Any) -> Any:
    def instruction(_: object, builder: Any, __: object, words: Sequence[Any]) -> Any:
        return builder.ctpop(words[0])

    return word(word), instruction


bits_of = cast(Callable[[np.uint32], np.uint32], intrinsic(_bits_of))
"""How many bits of a word are set: one instruction, for which numba has no name."""


@compiled
def child(nodes: Nodes, number: int, code: int) -> int:
    """The node reached from a node by a character, or DEAD."""
    if number < 0 or code == 0:
        return DEAD
    bit = np.uint32(1) << np.uint32(code)
    children = nodes[number].children
    if not children & bit:
        return DEAD
    found: int = np.int64(nodes[number].first) + np.int64(bits_of(children & (bit - np.uint32(1))))
    return found


@compiled
def count_of(nodes: Nodes, number: int) -> np.float32:
    counted: np.float32 = COUNTS[nodes[number].mark % LEVELS]
    return counted


@compiled
def advance(nodes: Nodes, states: IntArray, codes: IntArray) -> IntArray:
    """States after one more character each: states H K (the node of the last k characters), codes H."""
    following = np.full_like(states, DEAD)
    for row in range(len(states)):
        following[row, 0] = states[row, 0]
        for depth in range(1, states.shape[1]):
            following[row, depth] = child(nodes, states[row, depth - 1], codes[row])
    return following


@compiled
def reach(nodes: Nodes, following: IntArray, starts: IntArray, order: int) -> IntArray:
    """The node of as many characters that follow as were counted together, up to `order`, and how many: 2 H.

    following H K: codes, the nearest first.
    """
    found = np.zeros((2, len(following)), dtype=np.int64)
    for row in range(len(following)):
        number = starts[row]
        found[0, row] = number
        for depth in range(order):
            number = child(nodes, number, following[row, depth])
            if number < 0:
                break
            found[0, row], found[1, row] = number, depth + 1
    return found


@compiled
def along(nodes: Nodes, state: IntArray, codes: Codes) -> tuple[IntArray, IntArray]:
    """States before each character of texts that begin in one place, R S K, and like `reach` the longest
    string of each that was counted, 2 R S: its node and its length.

    state K: that of the place; codes R S.
    """
    rows, size = codes.shape
    states = np.full((rows, size, len(state)), DEAD, dtype=np.int64)
    found = np.zeros((2, rows, size), dtype=np.int64)
    for row in range(rows):
        for place in range(size):
            states[row, place, 0] = state[0]
            found[0, row, place] = state[0]
            for depth in range(1, len(state)):
                if place:
                    number = child(nodes, states[row, place - 1, depth - 1], codes[row, place - 1])
                else:
                    number = state[depth]
                states[row, place, depth] = number
                if number >= 0:
                    found[0, row, place], found[1, row, place] = number, depth
    return states, found


@compiled
def distinct(nodes: IntArray, read: Flags, lengths: IntArray) -> tuple[IntArray, IntArray]:
    """Which of the different contexts of places each has, R S, and one place for each context.

    nodes V R S: the longest string by which each of V voices knows a place; read R S: places that are asked
    for; lengths R: of the texts. Contexts of a text are sought in the one before it, as far from its
    beginning or from its end; so texts that are alike should stand together.
    """
    voices, rows, size = nodes.shape
    contexts = np.full((rows, size), DEAD, dtype=np.int64)
    chosen = np.empty(rows * size, dtype=np.int64)
    count = 0
    for row in range(rows):
        for place in range(size):
            if not read[row, place]:
                continue
            for other in (place, place + lengths[row - 1] - lengths[row]):
                if not row or not 0 <= other < size or contexts[row - 1, other] < 0:
                    continue
                same = True
                for voice in range(voices):
                    same &= nodes[voice, row, place] == nodes[voice, row - 1, other]
                if same:
                    contexts[row, place] = contexts[row - 1, other]
            if contexts[row, place] < 0:
                contexts[row, place] = count
                chosen[count] = row * size + place
                count += 1
    return contexts, chosen[:count]
