"""A passage with letters whose signs are asked for, and what is written around them.

Not for the network that answers: see `network`; free of torch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pythia_epidoc.epidoc.written import WORDS_BESIDE
from pythia_epidoc.greek import LOST, NUMERAL, SPACE, UNKNOWN, fold
from pythia_epidoc.model.accents.marks import NO_SIGNS, NOT_KNOWN, decode, sign_numbers

Expected = npt.NDArray[np.float32]
"""log p of each set of signs, by number - 1, for each letter asked for: N S."""
_NO_LETTERS = frozenset((LOST, NUMERAL, UNKNOWN))


@dataclass(frozen=True)
class Side:
    """Model text, with the numbers of the signs that its letters carry (see `marks.SIGN_SETS`)."""

    letters: str
    signs: tuple[int, ...]


@dataclass(frozen=True)
class Passage:
    """A text whose signs are not known, with what stands before and after it."""

    before: Side
    asked: Side
    after: Side


def passage_around(text: str, left: str, right: str) -> Passage:
    """A text, letters and spaces, between what is written on either side of it. Where fewer words are given
    than are looked at, the whole text begins or ends."""
    if left.count(SPACE) < WORDS_BESIDE:
        left = f"{UNKNOWN}{SPACE}{left.lstrip(SPACE)}"
    if right.count(SPACE) < WORDS_BESIDE:
        right = f"{right.rstrip(SPACE)}{SPACE}{UNKNOWN}"
    signs = tuple(NO_SIGNS if letter == SPACE else NOT_KNOWN for letter in text)
    return Passage(_read(left), Side(text, signs), _read(right))


def _read(written: str) -> Side:
    letters, signs = zip(*map(signed, written.split(SPACE)), strict=True)
    numbers = [number for word in signs for number in (*word, NO_SIGNS)]
    return Side(SPACE.join(letters), tuple(numbers[:-1]))


def signed(form: str) -> tuple[str, list[int]]:
    """The letters of a written word and the number of what each carries; of a damaged one they are not
    known."""
    decoded = decode(form)
    if decoded is None:
        letters = "".join(symbol if symbol in _NO_LETTERS else fold(symbol) for symbol in form)
        return letters, [NOT_KNOWN] * len(letters)
    letters, code = decoded
    return letters, sign_numbers(len(letters), code)
