"""What the network of accents expects of one word: how likely a form is, and which forms are likeliest.

It writes oxytones with a grave where they stand in a sentence; a word on its own has an acute for both.
Not for what a lexicon or the document say: see `chooser`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pythia_epidoc.model.accents.marks import (
    ACCENTS,
    NOT_KNOWN,
    SIGN_SETS,
    can_carry,
    place_marks,
    sign_numbers,
)
from pythia_epidoc.model.accents.passages import Expected

_ACUTE = [column for column, signs in enumerate(SIGN_SETS) if "/" in signs]
_GRAVE = [SIGN_SETS.index(SIGN_SETS[column].replace("/", "\\")) for column in _ACUTE]
_IMPOSSIBLE = -30.0
"""log p of what nobody writes."""
_FAR_BEHIND = 5.0
"""Signs of a letter that are so much less likely than others (log p) are not tried."""
_KEPT = 4
"""So many forms are kept."""


class Heard:
    """The signs expected of a word, or of the part of it that is not visible."""

    def __init__(self, letters: str, first: int, expected: Expected) -> None:
        """expected: of the letters from `first` on, as many as are not visible."""
        self.letters = letters
        self.first = first
        self._acutes, self._graves = expected[:, _ACUTE], expected[:, _GRAVE]
        self._alone = expected.copy()
        self._alone[:, _ACUTE] = np.logaddexp(self._acutes, self._graves)
        self._alone[:, _GRAVE] = _IMPOSSIBLE

    def log(self, code: str) -> float:
        """log p of a form of the word on its own."""
        numbers = self._numbers(code)
        rows = self._alone[np.arange(len(numbers)), np.array(numbers) - 1].tolist()
        return sum(
            _IMPOSSIBLE if number == NOT_KNOWN else row for number, row in zip(numbers, rows, strict=True)
        )

    def acute_odds(self, code: str) -> float:
        """log of how much more likely an acute is than a grave on an oxytone; 0 if its accent is visible."""
        odds = 0.0
        for row, number in enumerate(self._numbers(code)):
            if number - 1 in _ACUTE:
                column = _ACUTE.index(number - 1)
                odds = float(self._acutes[row, column] - self._graves[row, column])
        return odds

    def likeliest(self, visible: Sequence[str | None]) -> list[str]:
        """Some forms of the word on its own, which have one accent at most; visible: the signs of each
        letter, None where they are not known (or empty, if none is)."""
        forms: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]
        for index, letter in enumerate(self.letters):
            seen = visible[index] if visible else None
            tried = self._tried(index - self.first, letter) if seen is None else [(0.0, seen)]
            forms = sorted(
                (
                    (log + more, (*marks, signs))
                    for log, marks in forms
                    for more, signs in tried
                    if not (_has_accent(signs) and any(map(_has_accent, marks)))
                ),
                reverse=True,
            )[:_KEPT]
        return [place_marks(list(marks)) for _, marks in forms]

    def _tried(self, row: int, letter: str) -> list[tuple[float, str]]:
        """What a letter may carry, unless it is far less likely than something else."""
        logs = self._alone[row]
        likely = np.flatnonzero(logs > logs.max() - _FAR_BEHIND).tolist()
        return [
            (float(logs[column]), SIGN_SETS[column])
            for column in likely
            if can_carry(letter, SIGN_SETS[column])
        ]

    def _numbers(self, code: str) -> list[int]:
        return sign_numbers(len(self.letters), code)[self.first : self.first + len(self._alone)]


def _has_accent(signs: str) -> bool:
    return not ACCENTS.isdisjoint(signs)
