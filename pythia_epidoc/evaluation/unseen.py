"""Which test items occur verbatim in training, with twelve letters of context on each side.

Formulae recur; only items whose context was never seen predict what happens on a new text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.greek import letters_only

CONTEXT = 12
_WIDTH = 12
_CHUNK = 4_000_000


def context_of(item: Item) -> str:
    """The letters of an item with those around it, word division and lost letters left out."""
    before, after = letters_only(item.before), letters_only(item.after)
    return before[-CONTEXT:] + letters_only(item.gold) + after[:CONTEXT]


def unseen(items: Sequence[Item], training_letters: Iterable[str]) -> list[bool]:
    """For each item whether its letters in context are in none of the training texts."""
    contexts = [context_of(item) for item in items]
    starts: defaultdict[int, list[int]] = defaultdict(list)
    for index, context in enumerate(contexts):
        starts[int(_hashes(context[:_WIDTH].ljust(_WIDTH, "\0"))[0])].append(index)
    wanted = np.array(sorted(starts), dtype=np.uint64)
    seen = [False] * len(items)
    for text in _chunks(training_letters):
        if len(text) < _WIDTH:
            continue
        hashes = _hashes(text)
        found = np.searchsorted(wanted, hashes)
        found[found == len(wanted)] = 0
        for position in np.flatnonzero(wanted[found] == hashes).tolist():
            for index in starts[int(hashes[position])]:
                if not seen[index] and text.startswith(contexts[index], position):
                    seen[index] = True
    return [not was_seen for was_seen in seen]


def _chunks(texts: Iterable[str]) -> Iterable[str]:
    """Texts joined into larger pieces, so that few calls do the work."""
    parts: list[str] = []
    size = 0
    for text in texts:
        parts.append(text)
        size += len(text)
        if size > _CHUNK:
            yield "\n".join(parts)
            parts, size = [], 0
    yield "\n".join(parts)


def _hashes(text: str) -> npt.NDArray[np.uint64]:
    codes = np.frombuffer(text.encode("utf-16-le"), dtype=np.uint16).astype(np.uint64)
    count = len(codes) - _WIDTH + 1
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(_WIDTH):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + codes[offset : offset + count]
    return hashes
