"""What counted strings say of the characters beside them, mixed: the loops that must be fast, compiled like
those of `trie`.

A longer string has its say after the shorter ones: of the share that they give to a character it leaves a
part, and adds its own.

Not for what the shares are needed for (see `counts` and `local_counts`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pythia_epidoc.model.trie import (
    DEAD,
    RATIO_MIDDLE,
    RATIO_STEP,
    Codes,
    FloatArray,
    IntArray,
    Nodes,
    bits_of,
    child,
    compiled,
    count_of,
)

Marks = npt.NDArray[np.uint16]
Sights = tuple[Marks, FloatArray, FloatArray]
"""What was seen beside characters, by strings of each length: the mark of the string; of all that was seen
beside it, the share of the character that stands here; how much of all that there is to share out."""

_RATIOS = (RATIO_STEP ** (np.arange(256) - RATIO_MIDDLE)).astype(np.float32)
_RATIOS[0] = 0
_ONE = np.float32(1)


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
def _said(
    nodes: Nodes, trust: FloatArray, number: int, beside: np.float32, longer: int
) -> tuple[np.float32, np.float32]:
    """What a string gives to the share of a character beside it, and what it leaves of what shorter ones say.

    trust M; number: the string's node; beside: all that was counted there; longer: the node of both together.
    """
    weight = trust[nodes[number].mark] / _whole(nodes, number, beside)
    given = weight * count_of(nodes, longer) if longer >= 0 else np.float32(0)
    return given, _ONE - weight * beside


@compiled
def mix_after(
    nodes: Nodes, trust: FloatArray, states: IntArray, least: int, shares: FloatArray, steps: FloatArray,
    starts: IntArray,
) -> None:  # fmt: skip
    """Bring into the shares of characters (by code - 1: H SIZE) what was seen after the strings of each state
    that have `least` characters or more.

    steps N SIZE (or 0 SIZE): the shares by strings up to each length, to the longest that was counted, are
    written there; starts H: where those of each state begin.
    """
    for row in range(len(states)):
        written = 0
        for depth in range(least, states.shape[1]):
            number = states[row, depth]
            if number < 0:
                continue
            node = nodes[number]
            if node.children:
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
            if len(steps):
                for step in range(written, depth + 1):
                    steps[starts[row] + step] = shares[row]
                written = depth + 1


@compiled
def mix_before(
    nodes: Nodes, trust: FloatArray, following: IntArray, texts: IntArray, roots: int, least: int,
    shares: FloatArray, steps: FloatArray, starts: IntArray,
) -> None:  # fmt: skip
    """Bring into the shares of characters (by code - 1: H SIZE) what was seen before `least` or more of the
    characters that follow them.

    following H K: codes, the nearest first; texts H: the root of each text, or DEAD; steps and starts as in
    `mix_after`.
    """
    size = shares.shape[1]
    # Characters that were seen before what follows, and their nodes: before anything, and before all so far.
    all_places, all_longer = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    places, longer = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    before_anything, root = 0, DEAD
    for row in range(len(following)):
        number = texts[row]
        if number < 0:
            continue
        if number != root:
            root, before_anything = number, 0
            for place in range(size):
                found = child(nodes, root, place + 1)
                if found >= 0:
                    all_places[before_anything], all_longer[before_anything] = place, found
                    before_anything += 1
        known = before_anything
        places[:known], longer[:known] = all_places[:known], all_longer[:known]
        for depth in range(len(trust)):
            if depth:
                code = following[row, depth - 1]
                number = child(nodes, number, code)
                if number < 0:
                    break
                still = 0
                for each in range(known):
                    found = child(nodes, longer[each], code)
                    if found >= 0:
                        places[still], longer[still] = places[each], found
                        still += 1
                known = still
            if depth < least:
                continue
            beside = _before(nodes, number, roots)
            weight = trust[depth, nodes[number].mark] / _whole(nodes, number, beside)
            left = _ONE - weight * beside
            for place in range(size):
                shares[row, place] *= left
            for each in range(known):
                shares[row, places[each]] += weight * count_of(nodes, longer[each])
            if len(steps):
                steps[starts[row] + depth] = shares[row]


@compiled
def expect_after(
    nodes: Nodes, trust: FloatArray, states: IntArray, codes: IntArray, least: int, shares: FloatArray
) -> None:  # fmt: skip
    """What `mix_after` does, for one character after each state: codes H, shares H."""
    for row in range(len(states)):
        for depth in range(least, states.shape[1]):
            number = states[row, depth]
            if number >= 0:
                longer = child(nodes, number, codes[row])
                given, left = _said(nodes, trust[depth], number, nodes[number].after, longer)
                shares[row] = given + left * shares[row]


@compiled
def expect_before(
    nodes: Nodes, trust: FloatArray, following: IntArray, codes: IntArray, texts: IntArray, roots: int,
    least: int, shares: FloatArray,
) -> None:  # fmt: skip
    """What `mix_before` does, for one character before what follows: codes H, shares H."""
    for row in range(len(following)):
        number, longer = texts[row], child(nodes, texts[row], codes[row])
        for depth in range(len(trust)):
            if depth:
                number = child(nodes, number, following[row, depth - 1])
                longer = child(nodes, longer, following[row, depth - 1])
            if number < 0:
                break
            if depth >= least:
                given, left = _said(nodes, trust[depth], number, _before(nodes, number, roots), longer)
                shares[row] = given + left * shares[row]


@compiled
def pool(logs: FloatArray, starts: IntArray, longest: IntArray, weights: FloatArray) -> FloatArray:
    """Add up, for each of U contexts, logarithms of shares: U SIZE.

    logs N SIZE: by strings of no, one, … characters, to the longest that was counted, which speaks for longer
    ones, too; then of all voices together. starts U; weights K K+1: a row for each longest length.
    """
    size = logs.shape[1]
    pooled = np.zeros((len(starts), size), dtype=np.float32)
    for row in range(len(starts)):
        length, start = longest[row], starts[row]
        of_longer = np.float32(0)
        for depth in range(length, weights.shape[1] - 1):
            of_longer += weights[length, depth]
        for depth in range(length + 2):
            weight = weights[length, depth]
            if depth == length:
                weight = of_longer
            elif depth > length:
                weight = weights[length, -1]
            for place in range(size):
                pooled[row, place] += weight * logs[start + depth, place]
    return pooled


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
    known_edge = 0
    while known_edge < order and edge[known_edge + 1] >= 0:
        known_edge += 1
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
        next_[:], known_next = edge, known_edge
        for begin in range(length - 1, -min(size, order) - 1, -1):
            # Strings of up to `shared` characters do not touch the text; `known` is the longest counted.
            shared = max(0, -begin)
            number = to_edge[size - shared]
            if number < 0 and known_next < shared:
                break
            here[shared], known = number, shared if number >= 0 else -1
            while number >= 0 and known < order and begin + known < length + onwards:
                depth, place = known, begin + known
                code = texts[row, place] if place < length else after[place - length]
                longer = child(nodes, number, code)
                if depth >= least and code:
                    given, left = _said(nodes, trust[0, depth], number, nodes[number].after, longer)
                    forward[row, place] = given + left * forward[row, place]
                if longer >= 0:
                    known += 1
                    here[known] = longer
                number = longer
            for depth in range(max(shared, least), min(order, known_next + 1)):
                number = next_[depth]
                beside = _before(nodes, number, roots)
                longer = here[depth + 1] if depth < known else DEAD
                given, left = _said(nodes, trust[1, depth], number, beside, longer)
                backward[row, size + begin] = given + left * backward[row, size + begin]
            here, next_, known_next = next_, here, known
