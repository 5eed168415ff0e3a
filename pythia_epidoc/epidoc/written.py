"""Words as the edition writes them, with accents and capitals, for signs of a reading.

Editorial dots are left out and look-alikes put right, so that folding a written word gives its signs.
Not for the letters the model reads: those are `Reading.letters`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pythia_epidoc.epidoc.reading import Reading
from pythia_epidoc.epidoc.scanner import REFERENCE, resolve_reference
from pythia_epidoc.greek import LETTERS, SPACE, UNDERDOT, replace_lookalikes

if TYPE_CHECKING:
    from pythia_epidoc.epidoc.document import Document

_LETTERS = frozenset(LETTERS)
WORDS_BESIDE = 5
"""So many words on either side of a lacuna tell how one is accented that stands in it."""


def written(reading: Reading, document: Document, start: int, stop: int) -> str:
    """The signs `start:stop` as the source writes them, in NFC; a sign that is no letter keeps its symbol."""
    source = document.text
    pieces: list[str] = []
    place = -1
    for index in range(start, stop):
        letter, first = reading.letters[index], reading.starts[index]
        if letter not in _LETTERS:
            pieces.append(letter)
        elif first != place:
            pieces.append(source[first : reading.ends[index]])
        place = first  # the letters of one entity reference share a place
    text = "".join(pieces)
    if "&" in text:
        text = REFERENCE.sub(lambda match: resolve_reference(match, document.entities), text)
    text = unicodedata.normalize("NFD", text).replace(UNDERDOT, "")
    return unicodedata.normalize("NFC", replace_lookalikes(text))


def written_words(reading: Reading, document: Document) -> list[str]:
    """One for each word of `reading.letters.split(" ")`: as written if complete, else as the model has it."""
    words: list[str] = []
    start = 0
    for word in reading.letters.split(SPACE):
        stop = start + len(word)
        words.append(written(reading, document, start, stop) if is_complete(word) else word)
        start = stop + 1
    return words


def words_of(document: Document) -> tuple[str, ...]:
    """The complete words of a document, as it writes them: the same tuple as long as the document lives."""
    words = _words.get(document)
    if words is None:
        words = _words[document] = tuple(_complete_words(document))
    return words


# Every lacuna of a document asks for its words.
_words: WeakKeyDictionary[Document, tuple[str, ...]] = WeakKeyDictionary()


def _complete_words(document: Document) -> Iterator[str]:
    return (
        form
        for edition in document.editions
        for word, form in zip(
            edition.reading.letters.split(SPACE), written_words(edition.reading, document), strict=True
        )
        if is_complete(word)
    )


def is_complete(word: str) -> bool:
    """True if a word of model text consists of letters only: nothing lost, and no numeral."""
    return bool(word) and _LETTERS.issuperset(word)


def context_before(reading: Reading, document: Document, first: int) -> str:
    """The part of a word directly before a sign, and some words before that."""
    start = first + 1
    for _ in range(1 + WORDS_BESIDE):
        start = _word_start(reading.letters, start - 1)
    return written(reading, document, start, first)


def context_after(reading: Reading, document: Document, stop: int) -> str:
    """The part of a word directly after a sign, and some words after that."""
    end = stop - 1
    for _ in range(1 + WORDS_BESIDE):
        end = _word_end(reading.letters, end + 1)
    return written(reading, document, stop, end)


def _word_start(letters: str, index: int) -> int:
    return letters.rfind(SPACE, 0, max(index, 0)) + 1


def _word_end(letters: str, index: int) -> int:
    end = letters.find(SPACE, index)
    return len(letters) if end < 0 else end
