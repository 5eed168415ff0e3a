"""Model text ↔ the signs an index keeps: one byte each, without word division.

Greek takes two bytes a letter in UTF-8; the Latin letters of Beta Code take one, and SQLite and regular
expressions run faster on them. Not for showing: users see Greek.
"""

from __future__ import annotations

from pythia_epidoc.greek import LETTERS, LOST, NUMERAL, SPACE, UNKNOWN

_LATIN = "abgdezhqiklmncoprstufxywvj12"
SIGNS = _LATIN + LOST + UNKNOWN + NUMERAL
"""Every sign an index can hold."""
LETTER_SIGNS = frozenset(_LATIN)

_TO_SIGNS = dict(zip(map(ord, LETTERS), _LATIN, strict=True)) | {ord(SPACE): ""}
_TO_GREEK = dict(zip(map(ord, _LATIN), LETTERS, strict=True))


def to_signs(model_text: str) -> str:
    """The signs of a model text; spaces go.

    >>> to_signs("εδοξεν --#")
    'edocen--#'
    """
    return model_text.translate(_TO_SIGNS)


def to_greek(signs: str) -> str:
    """Signs as model text without word division."""
    return signs.translate(_TO_GREEK)
