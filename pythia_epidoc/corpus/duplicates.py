"""Texts that are the same, or nearly so, so that no test text has a twin in training.

Two texts are near duplicates when half of the shorter one's sampled 16-letter strings occur in the
other, and enough of them to be more than a formula. Not for finding parallels for a reader: see
`pythia_epidoc.parallels`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

WIDTH = 16
_SAMPLE = 8
_LONG = 20_000
_LONG_SAMPLE = 512
_EVIDENCE = 4  # sampled strings in common, some 45 letters
_FORMULA = 40  # a string in more texts than this is a formula and tells nothing


def fingerprints(letters: str) -> np.ndarray:
    """Hashes of a consistent sample of the text's 16-letter strings."""
    if len(letters) < WIDTH:
        return np.array([hash_letters(letters)], dtype=np.uint64)
    codes = np.frombuffer(letters.encode("utf-16-le"), dtype=np.uint16).astype(np.uint64)
    count = len(codes) - WIDTH + 1
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(WIDTH):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + codes[offset : offset + count]
    hashes ^= hashes >> np.uint64(29)
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    hashes ^= hashes >> np.uint64(32)
    sample = _LONG_SAMPLE if len(letters) > _LONG else _SAMPLE
    kept = np.unique(hashes[hashes % np.uint64(sample) == 0])
    return kept if len(kept) else np.unique(hashes)[:1]


def hash_letters(letters: str) -> int:
    """A hash of a short text that is the same in every run."""
    value = 0
    for letter in letters:
        value = (value * 0x9E3779B97F4A7C15 + ord(letter)) % 2**64
    return value


def near_duplicates(texts: Sequence[str]) -> list[int]:
    """For each text the index of the first text of its group; a text alone is its own group."""
    prints = [fingerprints(text) for text in texts]
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for index, hashes in enumerate(prints):
        for value in hashes.tolist():
            holders[value].append(index)
    shared: Counter[tuple[int, int]] = Counter()
    for indexes in holders.values():
        if 1 < len(indexes) <= _FORMULA:
            for position, first in enumerate(indexes):
                for second in indexes[position + 1 :]:
                    shared[first, second] += 1
    parents = list(range(len(texts)))

    def leader(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    for (first, second), count in shared.items():
        if count >= _EVIDENCE and 2 * count >= min(len(prints[first]), len(prints[second])):
            low, high = sorted((leader(first), leader(second)))
            parents[high] = low
    return [leader(index) for index in range(len(texts))]
