"""The symbols the network reads and writes, and the words it knows.

What it reads: letters, space, numeral, unknown stretch `#`, and two kinds of slot: `?` is one letter (word
division is free), `_` is one character as in the paper (a letter or a space). A lost letter `-` is read as
`?`: whether it is asked about is the decoder's business, so that one pass of the encoder serves every
lacuna of a text. What it writes, one per slot: a letter, a letter with a space before it, or a space; and
after the last `?` slot, whether a space follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import regex

from pythia_epidoc.greek import LETTERS, LOST, NUMERAL, PREDICT, SPACE, UNKNOWN

PREDICT_CHARACTER = "_"
INPUTS = "\0" + LETTERS + SPACE + NUMERAL + UNKNOWN + PREDICT + PREDICT_CHARACTER
"""Input symbols; the first is padding."""

LETTER_COUNT = len(LETTERS)
SPACED = LETTER_COUNT
"""Output `SPACED + i` is a space and then letter i."""
OUT_SPACE = 2 * LETTER_COUNT
OUT_NOTHING = OUT_SPACE + 1
OUTPUTS = (*LETTERS, *(SPACE + letter for letter in LETTERS), SPACE, "")
"""Output symbols as text, by number."""
START = len(OUTPUTS)
"""What the decoder is given before the first slot."""

UNKNOWN_WORD = 1

_INPUT_CODES = np.zeros(0x400, dtype=np.uint8)
for _code, _symbol in enumerate(INPUTS):
    _INPUT_CODES[ord(_symbol)] = _code
_INPUT_CODES[ord(LOST)] = INPUTS.index(PREDICT)
OUTPUT_CODES = {symbol: code for code, symbol in enumerate(OUTPUTS)}
_WORD = regex.compile(r"[^ ]+")
_MISSING = regex.compile(r"[-#?_]")


def encode(text: str) -> npt.NDArray[np.uint8]:
    """Input codes of a model text; a symbol of another alphabet is padding."""
    codes = np.frombuffer(text.encode("utf-16-le"), dtype=np.uint16)
    return _INPUT_CODES[np.minimum(codes, 0x3FF)]


def letter_outputs(text: str) -> tuple[int, ...]:
    """Output symbols of a text: one per letter, and one for what follows the last."""
    outputs: list[int] = []
    spaced = False
    for symbol in text:
        if symbol == SPACE:
            spaced = True
        else:
            outputs.append(OUTPUT_CODES[SPACE + symbol if spaced else symbol])
            spaced = False
    return (*outputs, OUT_SPACE if spaced else OUT_NOTHING)


class Vocabulary:
    """The most frequent words; number 0 is "no word", 1 a word unknown or damaged."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        self.numbers = {word: number for number, word in enumerate(self.words, 2)}

    def __len__(self) -> int:
        return len(self.words) + 2

    @classmethod
    def from_texts(cls, texts: Iterable[str], size: int) -> Vocabulary:
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(text.split())
        whole = [(word, count) for word, count in counts.items() if count > 1 and not _MISSING.search(word)]
        common = sorted(whole, key=lambda item: (-item[1], item[0]))[:size]
        return cls(word for word, _ in common)

    def encode(self, text: str) -> npt.NDArray[np.int32]:
        """For each character of a model text the number of the word it belongs to."""
        numbers = np.zeros(len(text), dtype=np.int32)
        known = self.numbers
        for match in _WORD.finditer(text):
            start, end = match.span()
            numbers[start:end] = known.get(match.group(), UNKNOWN_WORD)
        return numbers
