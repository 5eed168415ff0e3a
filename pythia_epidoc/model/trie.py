"""How a trie of counted strings is walked: the few loops that must be fast, compiled by numba when they are
first used.

A node is a string; its children are the strings of one character more and stand together, in order.
Not for making nodes (see `linking`), nor for what the counts mean (`counts`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

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
Marks = npt.NDArray[np.uint16]
Sights = tuple[Marks, FloatArray, FloatArray]
"""What was seen beside characters, by strings of each length: the mark of the string; of all that was seen
beside it, the share of the character that stands here; how much of all that there is to share out."""

COUNTS = (STEP ** np.arange(LEVELS)).astype(np.float32)
_RATIOS = (RATIO_STEP ** (np.arange(256) - RATIO_MIDDLE)).astype(np.float32)
_RATIOS[0] = 0
_ONE = np.float32(1)

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Machine code, kept beside the source (or in the user's cache), that lets other threads run."""
    try:
        made = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # there is nowhere to keep it
        made = numba.njit(nogil=True)(function)
    return cast(Function, made)


@compiled
def bits_of(word: np.uint32) -> np.uint32:
    """How many bits are set."""
    word = word - ((word >> np.uint32(1)) & np.uint32(0x55555555))
    word = (word & np.uint32(0x33333333)) + ((word >> np.uint32(2)) & np.uint32(0x33333333))
    word = (word + (word >> np.uint32(4))) & np.uint32(0x0F0F0F0F)
    bits: np.uint32 = np.uint32(word * np.uint32(0x01010101)) >> np.uint32(24)
    return bits


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
def _before(nodes: Nodes, number: int, roots: int) -> np.float32:
    """All that was counted before a node's string."""
    beside: np.float32 = nodes[number].after
    if number >= roots:
        beside = count_of(nodes, number) * _RATIOS[nodes[number].before]
    return beside


@compiled
def _whole(nodes: Nodes, number: int, beside: np.float32) -> np.float32:
    """What the counts beside a string are shares of. Where fewer were counted than the string itself was, the
    rest was too rare to keep: that share is left to shorter strings."""
    return max(max(beside, count_of(nodes, number)), _ONE)


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
def mix_after(
    nodes: Nodes, trust: FloatArray, states: IntArray, least: int, shares: FloatArray, steps: FloatArray
) -> None:
    """Bring into the shares of characters (by code - 1: H SIZE) what was seen after the strings of each state
    that have `least` characters or more.

    steps H K SIZE (or H 0 SIZE): the shares by strings up to each length are written there.
    """
    for row in range(len(states)):
        for depth in range(least, states.shape[1]):
            if 0 < depth <= steps.shape[1]:
                steps[row, depth - 1] = shares[row]
            number = states[row, depth]
            if number < 0 or not nodes[number].children:
                continue
            node = nodes[number]
            weight = trust[depth, node.mark] / _whole(nodes, number, node.after)
            left = _ONE - weight * node.after
            for place in range(shares.shape[1]):
                shares[row, place] *= left
            bits, found = node.children, np.int64(node.first)
            while bits:
                lowest = bits & (~bits + np.uint32(1))
                place = np.int64(bits_of(lowest - np.uint32(1))) - 1
                shares[row, place] += weight * count_of(nodes, found)
                bits ^= lowest
                found += 1
        if steps.shape[1]:
            steps[row, -1] = shares[row]


@compiled
def mix_before(
    nodes: Nodes, trust: FloatArray, following: IntArray, starts: IntArray, roots: int, least: int,
    shares: FloatArray, steps: FloatArray,
) -> None:  # fmt: skip
    """Bring into the shares of characters (by code - 1: H SIZE) what was seen before `least` or more of the
    characters that follow them.

    following H K: codes, the nearest first; starts H: the root of each text, or DEAD; steps as in
    `mix_after`.
    """
    size = shares.shape[1]
    longer = np.empty(size, dtype=np.int64)
    for row in range(len(following)):
        number = starts[row]
        if number < 0:
            continue
        for place in range(size):
            longer[place] = child(nodes, number, place + 1)
        said = 0
        for depth in range(len(trust)):
            if depth:
                code = following[row, depth - 1]
                number = child(nodes, number, code)
                if number < 0:
                    break
                for place in range(size):
                    if longer[place] >= 0:
                        longer[place] = child(nodes, longer[place], code)
            if depth < least:
                continue
            beside = _before(nodes, number, roots)
            weight = trust[depth, nodes[number].mark] / _whole(nodes, number, beside)
            left = _ONE - weight * beside
            for place in range(size):
                shares[row, place] *= left
                if longer[place] >= 0:
                    shares[row, place] += weight * count_of(nodes, longer[place])
            if steps.shape[1]:
                steps[row, depth] = shares[row]
                said = depth + 1
        for depth in range(said, steps.shape[1]):
            steps[row, depth] = shares[row]


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
def see(nodes: Nodes, codes: Codes, start: int, roots: int, least: int, sights: Sights) -> None:
    """What was seen beside each character of a text, by strings of `least` characters and more.

    codes S: the text; 0 interrupts. start: its root, or DEAD. sights: 2 K S (forward, backward), all zeros.
    """
    marks, shares, known = sights
    order, size = marks.shape[1], len(codes)
    here, next_ = np.empty(order + 1, dtype=np.int64), np.full(order + 1, DEAD, dtype=np.int64)
    next_[0] = start
    for begin in range(size - 1, -1, -1):
        here[:], here[0] = DEAD, start
        for depth in range(min(order, size - begin)):
            number, place = here[depth], begin + depth
            if number < 0:
                break
            here[depth + 1] = child(nodes, number, codes[place])
            if depth >= least and codes[place]:
                marks[0, depth, place] = nodes[number].mark
                whole = _whole(nodes, number, nodes[number].after)
                known[0, depth, place] = nodes[number].after / whole
                if here[depth + 1] >= 0:
                    shares[0, depth, place] = count_of(nodes, here[depth + 1]) / whole
        for depth in range(least, order):
            number = next_[depth]
            if number < 0 or not codes[begin]:
                break
            beside = _before(nodes, number, roots)
            marks[1, depth, begin] = nodes[number].mark
            whole = _whole(nodes, number, beside)
            known[1, depth, begin] = beside / whole
            if here[depth + 1] >= 0:
                shares[1, depth, begin] = count_of(nodes, here[depth + 1]) / whole
        here, next_ = next_, here


@compiled
def mix_around(
    nodes: Nodes, trust: FloatArray, start: int, roots: int, least: int, before: Codes, after: Codes,
    texts: Codes, lengths: IntArray, forward: FloatArray, backward: FloatArray,
) -> None:  # fmt: skip
    """Bring into the share of each character of texts in one place, and of the characters around it, what
    `see` would see beside it. What strings that do not touch the texts say is found only once.

    trust 2 K M; start: the root; texts R T, of so many characters each; forward R T+A: of a text and what is
    after it; backward R B+T: of what is before a text and of the text.
    """
    if start < 0:
        return
    order, size, onwards = trust.shape[1], len(before), len(after)
    # What does not touch the texts makes of a share s: given + left * s.
    given_after, left_after = np.zeros(onwards, np.float32), np.ones(onwards, np.float32)
    given_before, left_before = np.zeros(size, np.float32), np.ones(size, np.float32)
    here, next_ = np.empty(order + 1, dtype=np.int64), np.empty(order + 1, dtype=np.int64)
    edge = np.full(order + 1, DEAD, dtype=np.int64)  # of the first characters after the texts
    edge[0] = start
    for begin in range(onwards - 1, -1, -1):
        here[:], here[0] = DEAD, start
        for depth in range(min(order, onwards - begin)):
            number, place = here[depth], begin + depth
            if number < 0:
                break
            here[depth + 1] = child(nodes, number, after[place])
            if depth >= least:
                given, left = _said(nodes, trust[0, depth], number, nodes[number].after, here[depth + 1])
                given_after[place] = given + left * given_after[place]
                left_after[place] *= left
        edge[:] = here
    to_edge = np.full(size + 1, DEAD, dtype=np.int64)  # of all from a place to the texts
    to_edge[size] = start
    next_[:], next_[0] = DEAD, start
    for begin in range(size - 1, -1, -1):
        here[:], here[0] = DEAD, start
        for depth in range(min(order, size - begin)):
            here[depth + 1] = child(nodes, here[depth], before[begin + depth])
        if size - begin <= order:
            to_edge[begin] = here[size - begin]
        for depth in range(least, min(order, size - begin)):
            number = next_[depth]
            if number < 0:
                break
            beside = _before(nodes, number, roots)
            given, left = _said(nodes, trust[1, depth], number, beside, here[depth + 1])
            given_before[begin] = given + left * given_before[begin]
            left_before[begin] *= left
        here, next_ = next_, here
    for row in range(len(texts)):
        length = lengths[row]
        for place in range(onwards):
            forward[row, length + place] *= left_after[place]
            forward[row, length + place] += given_after[place]
        for place in range(size):
            backward[row, place] *= left_before[place]
            backward[row, place] += given_before[place]
        next_[:] = edge
        for begin in range(length - 1, -size - 1, -1):
            # Depths up to `shared` do not touch the text.
            shared = max(0, -begin)
            if shared > order:
                break
            here[:], here[shared] = DEAD, to_edge[size - shared]
            for depth in range(shared, order):
                number, place = here[depth], begin + depth
                if number < 0 or place >= length + onwards:
                    break
                code = texts[row, place] if place < length else after[place - length]
                here[depth + 1] = child(nodes, number, code)
                if depth >= least and code:
                    given, left = _said(nodes, trust[0, depth], number, nodes[number].after, here[depth + 1])
                    forward[row, place] = given + left * forward[row, place]
            for depth in range(max(shared, least), order):
                number = next_[depth]
                if number < 0:
                    break
                beside = _before(nodes, number, roots)
                given, left = _said(nodes, trust[1, depth], number, beside, here[depth + 1])
                backward[row, size + begin] = given + left * backward[row, size + begin]
            here, next_ = next_, here


@compiled
def _said(
    nodes: Nodes, trust: FloatArray, number: int, beside: np.float32, longer: int
) -> tuple[np.float32, np.float32]:
    """What a string gives to the share of a character beside it, and what it leaves of what shorter ones say.

    trust M; number: the string's node; beside: all that was counted there; longer: the node of both together.
    """
    weight = trust[nodes[number].mark] / _whole(nodes, number, beside)
    given = weight * count_of(nodes, longer) if longer >= 0 else np.float32(0)
    return given, _ONE - weight * beside
