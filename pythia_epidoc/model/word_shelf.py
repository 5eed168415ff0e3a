"""The known words, and others that were seen, in order, so that those with given letters at an edge are found
at once.

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

_TRIED = (12_000, 60_000)
"""Where no letter of a word is left only so many of the most frequent are tried, and where one is left."""


class Shelf:
    """Words in alphabetical order: those that begin alike stand together."""

    def __init__(self, words: Sequence[str], vectors: Tensor, often: Tensor) -> None:
        """vectors W S; often W: log of how frequent they are."""
        order = np.array(sorted(range(len(words)), key=words.__getitem__), dtype=np.int64)
        rows = torch.from_numpy(order).to(vectors.device)
        self.words = [words[number] for number in order.tolist()]
        self.lengths = np.fromiter(map(len, self.words), dtype=np.int64, count=len(words))
        self.vectors, self.often = vectors[rows], often[rows]

    @cached_property
    def by_letters(self) -> tuple[Shelf, ...]:
        """The words to try where no letter of them is left, where one is left, where there are more."""
        return (*map(self._most_frequent, _TRIED), self)

    def _most_frequent(self, count: int) -> Shelf:
        best = self.often.topk(min(count, len(self.words))).indices.sort().values
        return Shelf([self.words[number] for number in best.tolist()], self.vectors[best], self.often[best])

    def beginning_with(self, letters: str) -> slice:
        """Where the words are that begin with these letters."""
        return slice(bisect_left(self.words, letters), bisect_left(self.words, f"{letters}\uffff"))

    def fits(self, expected: Tensor, among: slice | Tensor) -> FloatArray:
        """log p of some of the words where this is expected: … S → … W."""
        logs = expected @ self.vectors[among].to(expected.dtype).T + self.often[among]
        return np.asarray(logs.float().cpu().numpy())


class Shelves:
    """The same words by their beginnings, and by their endings; in 16 bits, because there are many."""

    def __init__(self, words: Sequence[str], vectors: Tensor, often: Tensor) -> None:
        vectors = vectors.half()
        self.from_left = Shelf(words, vectors, often)
        self.from_right = Shelf([word[::-1] for word in words], vectors, often)
        """Words that are spelled backwards."""
