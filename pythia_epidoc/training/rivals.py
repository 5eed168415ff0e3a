"""Rivals of a word: the words that would fill the same lacuna, with the same letters left beside it.

What the network of words is asked in use is not which word of all stands in a place, but which of these:
they are as long, what is left of them is the same, and only the text around tells them apart.

Not for what is learned from them: see `word_run`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_LONGEST_LACUNA = 10

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


class Rivals:
    """Draws rivals of words, which go by their index here."""

    def __init__(self, words: Sequence[str], weights: FloatArray) -> None:
        """weights: how readily each word is drawn, compared with others; all above zero."""
        lengths = np.array(list(map(len, words)))
        members: list[IntArray] = []
        lacunae: list[IntArray] = []
        count = 0
        for length in np.unique(lengths).tolist():
            chosen = np.flatnonzero(lengths == length)
            letters = np.array([list(map(ord, words[number])) for number in chosen.tolist()], dtype=np.uint16)
            for lacuna in _lacunae(length):
                left = letters.copy()
                left[:, lacuna] = 0
                filled = _alike(left)
                sizes = np.bincount(filled)
                ends = count + np.cumsum(sizes)
                of_words = np.column_stack((chosen, (ends - sizes)[filled], ends[filled]))
                lacunae.append(of_words[sizes[filled] > 1])
                members.append(chosen[np.argsort(filled, kind="stable")])
                count += len(chosen)
        by_word = np.concatenate(lacunae)
        by_word = by_word[np.argsort(by_word[:, 0], kind="stable")]
        self._starts, self._ends = by_word[:, 1], by_word[:, 2]
        """Of each lacuna, one word after another: where the words that fill it begin among the members, and
        where they end."""
        self.lacunae = np.bincount(by_word[:, 0], minlength=len(words))
        """In how many ways a word can be damaged so that others would fill it."""
        self._firsts = np.cumsum(self.lacunae) - self.lacunae
        self._members = np.concatenate(members)
        self._reached = np.cumsum(np.append(0.0, weights[self._members]))
        """The weights of the members up to each."""

    def drawn(self, words: IntArray, count: int, chance: np.random.Generator) -> IntArray:
        """For each word N, which must have lacunae, so many that would fill one of them; the word itself may
        be among them: N C."""
        lacunae = self._firsts[words] + chance.integers(self.lacunae[words])
        starts, ends = self._starts[lacunae, None], self._ends[lacunae, None]
        low, high = self._reached[starts], self._reached[ends]
        at = low + chance.random((len(words), count)) * (high - low)
        places = np.searchsorted(self._reached, at, side="right") - 1
        # A sum may be rounded beyond the last one.
        return np.asarray(self._members[np.clip(places, starts, ends - 1)])


def _lacunae(length: int) -> list[slice]:
    """Each stretch of a word of this length that can be lost."""
    return [
        slice(begin, end)
        for begin in range(length)
        for end in range(begin + 1, min(length, begin + _LONGEST_LACUNA) + 1)
    ]


def _alike(rows: npt.NDArray[np.uint16]) -> IntArray:
    """A number for each row, the same for rows that are alike."""
    whole = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).reshape(-1)
    return np.asarray(np.unique(whole, return_inverse=True)[1])
