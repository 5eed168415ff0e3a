"""Making the nodes of a trie, and what is kept of them in a file: most follows from shorter strings.

Strings of one length need only shorter ones, so half of them are linked by one thread, half by another.

Not for walking the nodes: see `trie`.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pythia_epidoc.model.trie import (
    BRANCHES,
    COUNTS,
    DEAD,
    LEVELS,
    NODE,
    RATIO_MIDDLE,
    RATIO_STEP,
    STEP,
    Codes,
    FloatArray,
    Nodes,
    bits_of,
    child,
    compiled,
    count_of,
)

_BRANCHES = np.minimum(np.ceil(np.log2(np.maximum(np.arange(33), 1))), BRANCHES - 1).astype(np.uint16)
"""The branch class of each number of children."""
_LOG_RATIO = np.log(RATIO_STEP)
_MANY = 100_000
"""Fewer nodes are not worth a thread."""

Numbers = npt.NDArray[np.int32]
Planes = tuple[Codes, Codes, Codes]
"""What is kept of each node: its last character (0 where it can be foreseen), how many children it has, and
how much lower the level of its count is than that of the string without its last character.

A last character can be foreseen if it is the only one that was seen after the string without its first
character."""


def level_of(counts: FloatArray) -> Codes:
    """The level of each count."""
    levels = np.round(np.log(np.maximum(counts, 1)) / np.log(STEP))
    return np.asarray(np.minimum(levels, LEVELS - 1).astype(np.uint8))


def linked(planes: Planes, roots: int) -> Nodes:
    """Nodes ready to be walked. They stand as in the planes: the roots first, then strings by length, the
    children of a node together and in order."""
    symbols, children, drops = planes
    size, bounds = len(symbols), _bounds(children, roots)
    if not size == len(children) == len(drops) == bounds[-1]:
        raise ValueError("a trie whose nodes do not add up")
    nodes = np.zeros(size, dtype=NODE)
    # What is known of the strings of one length is not needed for the next but one: the memory is used again,
    # because getting it takes longer than filling it.
    most = max((end - start for start, end in pairwise(bounds)), default=0)
    all_ends = np.empty((2, most), dtype=np.int32)
    all_before = np.empty((2, most), dtype=np.float32)
    all_ends[0, :roots] = DEAD
    with ThreadPoolExecutor(2) as threads:
        for length, (start, stop) in enumerate(pairwise(bounds)):
            ends, longer_ends = all_ends[length % 2], all_ends[(length + 1) % 2]
            before = all_before[:, : stop - start]
            _link_length(
                nodes, planes, start, stop, ends, longer_ends, before, threads if size > _MANY else None
            )
    return nodes


def _bounds(children: Codes, roots: int) -> list[int]:
    """Where the strings of each length begin, and where the longest end."""
    bounds = [0, roots]
    while bounds[-1] > bounds[-2]:
        bounds.append(bounds[-1] + int(children[bounds[-2] : bounds[-1]].sum(dtype=np.int64)))
    return bounds[:-1]


def _link_length(
    nodes: Nodes,
    planes: Planes,
    start: int,
    stop: int,
    ends: Numbers,
    longer_ends: Numbers,
    before: FloatArray,
    threads: ThreadPoolExecutor | None,
) -> None:
    """Link the strings of one length, from `start` to `stop`.

    ends: for each of them the node of the string without its first character; those of their children are
    written to `longer_ends`. before: 2 N, to work with.
    """
    middle = (start + stop) // 2
    of_first_half = int(planes[1][start:middle].sum(dtype=np.int64))
    halves = ((start, middle, stop, before[0]), (middle, stop, stop + of_first_half, before[1]))

    def link(half: tuple[int, int, int, FloatArray]) -> None:
        begin, end, first, counted = half
        counted[:] = 0
        _link(nodes, *planes, ends, longer_ends, counted, start, stop, begin, end, first)

    def tell_before(half: tuple[int, int, int, FloatArray]) -> None:
        begin, end, *_ = half
        _tell_before(nodes, before[:, begin - start : end - start], begin, end)

    each = map if threads is None else threads.map
    list(each(link, halves))
    list(each(tell_before, halves))


@compiled
def _link(
    nodes: Nodes, symbols: Codes, children: Codes, drops: Codes, ends: Numbers, longer_ends: Numbers,
    before: FloatArray, start: int, stop: int, begin: int, end: int, first: int,
) -> None:  # fmt: skip
    """Link the nodes from `begin` to `end` of those of one length, from `start` to `stop`; their children
    begin at `first`. Adds up, too, what was counted before each string: all that end in it and have one
    character more."""
    for number in range(begin, end):
        if not children[number]:
            continue
        shorter, level = ends[number - start], np.int64(nodes[number].mark) if start else LEVELS - 1
        known, first_known = np.uint32(0), np.uint32(0)  # the children of the shorter string
        if shorter >= 0:
            known, first_known = nodes[shorter].children, nodes[shorter].first
        only = known & (known - np.uint32(1)) == 0
        after, bits = np.float32(0), np.uint32(0)
        next_ = first + children[number]
        for longer in range(first, next_):
            ending = DEAD if start else number
            bit = np.uint32(1) << np.uint32(symbols[longer])
            if symbols[longer] == 0 and only and known:  # foreseen
                bit, ending = known, np.int64(first_known)
            elif known & bit:
                ending = np.int64(first_known) + np.int64(bits_of(known & (bit - np.uint32(1))))
            bits |= bit
            level_of_longer = (level - drops[longer]) & (LEVELS - 1)
            nodes[longer].mark = level_of_longer
            counted = COUNTS[level_of_longer]
            after += counted
            longer_ends[longer - stop] = ending
            if ending >= 0:
                before[ending - start] += counted
        node = nodes[number]
        node.children, node.first, node.after = bits, first, after
        node.mark += _BRANCHES[children[number]] * LEVELS
        first = next_


@compiled
def _only(bits: np.uint32) -> int:
    """The code of the only child, or 0 if there are others or none."""
    return 0 if bits == 0 or bits & (bits - np.uint32(1)) else np.int64(bits_of(bits - np.uint32(1)))


@compiled
def _tell_before(nodes: Nodes, before: FloatArray, begin: int, end: int) -> None:
    """Write down what was counted before each string, as a ratio to its count; before: 2 N, to be added."""
    for number in range(begin, end):
        counted = count_of(nodes, number)
        beside = before[0, number - begin] + before[1, number - begin]
        if beside == counted:
            nodes[number].before = RATIO_MIDDLE
        elif beside > 0:
            level = RATIO_MIDDLE + np.round(np.log(beside / counted) / _LOG_RATIO)
            nodes[number].before = min(max(level, 1), 255)


def packed(nodes: Nodes, roots: int) -> Planes:
    """What has to be kept of nodes."""
    symbols, children, drops = (np.zeros(len(nodes), dtype=np.uint8) for _ in range(3))
    _pack(nodes, roots, symbols, children, drops)
    return symbols, children, drops


@compiled
def _pack(nodes: Nodes, roots: int, symbols: Codes, children: Codes, drops: Codes) -> None:
    ends = np.full(len(nodes), DEAD, dtype=np.int32)
    for number in range(len(nodes)):
        bits, longer, end = nodes[number].children, np.int64(nodes[number].first), ends[number]
        foreseen = _only(nodes[end].children) if end >= 0 else 0
        level = nodes[number].mark % LEVELS if number >= roots else LEVELS - 1
        children[number] = bits_of(bits)
        while bits:
            lowest = bits & (~bits + np.uint32(1))
            symbol = np.int64(bits_of(lowest - np.uint32(1)))
            symbols[longer] = 0 if symbol == foreseen else symbol
            drops[longer] = level - nodes[longer].mark % LEVELS
            ends[longer] = number if number < roots else child(nodes, end, symbol)
            bits ^= lowest
            longer += 1


def unpacked(planes: Planes, size: int) -> Nodes:
    """Nodes from what `packed` keeps of them; size: the highest code of a character."""
    symbols, children, _ = planes
    if max(symbols.max(initial=0), children.max(initial=0)) > size:
        raise ValueError("a trie of another alphabet")
    return linked(planes, roots=1)
