"""The known words in order, so that those with given letters at an edge are found at once.

Not for what is expected of them: see `word_search`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from pythia_epidoc.model.trie import FloatArray

_FREQUENT = 12_000


class Shelf:
    """Words in alphabetical order: those that begin alike stand together."""

    def __init__(self, words: Sequence[str], vectors: Tensor, often: Tensor) -> None:
        """vectors W S; often W: log of how frequent they are."""
        order = sorted(range(len(words)), key=words.__getitem__)
        rows = torch.tensor(order, device=vectors.device)
        self.words = [words[number] for number in order]
        self.lengths = np.array(list(map(len, self.words)), dtype=np.int64)
        self.vectors, self.often = vectors[rows], often[rows]

    @cached_property
    def frequent(self) -> Shelf:
        """The most frequent of the words."""
        best = self.often.topk(min(_FREQUENT, len(self.words))).indices
        return Shelf([self.words[number] for number in best.tolist()], self.vectors[best], self.often[best])

    def beginning_with(self, letters: str) -> slice:
        """Where the words are that begin with these letters."""
        return slice(bisect_left(self.words, letters), bisect_left(self.words, f"{letters}\uffff"))

    def fits(self, expected: Tensor, among: slice | Tensor) -> FloatArray:
        """log p of some of the words where this is expected: … S → … W."""
        logs = expected @ self.vectors[among].T + self.often[among]
        return np.asarray(logs.float().cpu().numpy())


class Shelves:
    """The same words by their beginnings, and by their endings."""

    def __init__(self, words: Sequence[str], vectors: Tensor, often: Tensor) -> None:
        self.from_left = Shelf(words, vectors, often)
        self.from_right = Shelf([word[::-1] for word in words], vectors, often)
        """Words that are spelled backwards."""
