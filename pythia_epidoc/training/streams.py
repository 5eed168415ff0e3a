"""Texts one after another, from which stretches are drawn: each kind of text as often as it is to be.

Not for what becomes of a stretch: see `word_run` and `accent_run`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from pythia_epidoc.errors import CorpusError

Stream = npt.NDArray[Any]
"""… N: whatever is known of each of N words or characters."""


class Streams:
    """Streams that are long enough for a stretch of some size."""

    def __init__(self, given: Iterable[tuple[Stream, float]], size: int, what: str) -> None:
        """given: streams, and how often each is to be taken; what: of which there may be too few."""
        long_enough = [(stream, share) for stream, share in given if stream.shape[-1] > size]
        if not long_enough:
            raise CorpusError(
                f"There are too few {what} to train on or to validate with; build a larger corpus."
            )
        self.size = size
        self.streams = [stream for stream, _ in long_enough]
        shares = np.array([share for _, share in long_enough])
        self.shares = shares / shares.sum()

    def drawn(self, count: int, chance: np.random.Generator) -> npt.NDArray[np.int64]:
        """Stretches from anywhere: count … size."""
        found = []
        for number in chance.choice(len(self.streams), size=count, p=self.shares).tolist():
            stream = self.streams[number]
            start = chance.integers(0, stream.shape[-1] - self.size)
            found.append(stream[..., start : start + self.size])
        return np.stack(found).astype(np.int64)
