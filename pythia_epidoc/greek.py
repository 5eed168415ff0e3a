"""Greek letters: how any way of writing one becomes the single letter the model reads.

Not for reading XML (see `epidoc.reading`) and not for putting accents back (see `model.accents`).
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import regex

LETTERS = "αβγδεζηθικλμνξοπρστυφχψωϝϙϡh"
"""The letters of the model: the twenty-four, digamma, koppa, sampi, and heta as `h`."""

LOST = "-"
PREDICT = "?"
UNKNOWN = "#"
NUMERAL = "0"
SPACE = " "

UNDERDOT = "\u0323"
HETA_FORMS = "ℎͰͱ"

# Letters of other scripts that editors type by mistake because they look the same.
LOOKALIKES = dict(
    zip(
        "ABEZHIKMNOPTYXaeikotuvxcspyw" + "ɑɛɩʋɣß" + "АВГЕЄЗНІКМОПРСТУФХаеєікорстуфхѵ",
        "αβεζηικμνορτυχαεικοτυνχσσργω" + "αειυγβ" + "αβγεεζηικμοπρστυφχαεεικορστυφχυ",
        strict=True,
    )
)
# Editions of archaic texts write heta as a Latin h.
LOOKALIKES["h"] = "ͱ"

_FOREIGN_LETTER = regex.compile(r"[\p{Latin}\p{Cyrillic}]")
_WORD_WITH_FOREIGN_LETTER = regex.compile(
    r"(?<![\p{L}\p{M}])(?:[^\P{L}\p{Latin}\p{Cyrillic}]|\p{M})*+[\p{Latin}\p{Cyrillic}][\p{L}\p{M}]*+"
)
_GREEK = regex.compile(r"\p{Greek}")
_VARIANTS = {
    "ς": "σ",
    "ϲ": "σ",
    "ϐ": "β",
    "ϑ": "θ",
    "ϕ": "φ",
    "ϖ": "π",
    "ϰ": "κ",
    "ϱ": "ρ",
    "ϵ": "ε",
    "ϳ": "ι",
    "ϟ": "ϙ",
    "ϛ": "ϝ",
    "ͷ": "ϝ",
    "ͳ": "ϡ",
    "µ": "μ",
    "ȣ": "υ",
}
# Signs editors set between words or sentences: they end a word but are not read.
_BETWEEN_WORDS = set(".,;:·•∙⋅●‧⸱⁖⁘⁙⁚⁝⁞⋮∶!?|‖/\\'’ʼ᾽᾿‘`´\"“”«»–—―…†‡*=+~_ʹ͵ʺ§¶")


@lru_cache(maxsize=65536)
def fold(character: str) -> str:
    """The model's letter for one character: a letter, a space, or nothing at all.

    >>> fold("Ἄ"), fold("ς"), fold("·"), fold("\u0301")
    ('α', 'σ', ' ', '')
    """
    if character in HETA_FORMS:
        return "h"
    decomposed = unicodedata.normalize("NFD", character)
    base = decomposed[0].lower()
    base = _VARIANTS.get(base, base)
    if base in LETTERS and base != "h":
        return base
    if character.isspace() or decomposed[0] in _BETWEEN_WORDS:
        return SPACE
    return ""


FOREIGN = "\0"
"""What `FOLD_TABLE` gives for a Latin or Cyrillic letter: a sign that look-alikes must be considered."""

SILENT = "\1"
"""What `shadow` has for a character that is not read and does not part words: marks, brackets."""

REPEATED = "\t"
"""What `shadow` has for a blank after a blank: of its blanks, `str.isspace` and `str.strip` know both."""


class _FoldTable(dict[int, str]):
    """A translation table filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        folded = FOREIGN if _is_foreign(character) else fold(character)
        self[code] = folded
        return folded


def _is_foreign(character: str) -> bool:
    return (
        character not in HETA_FORMS
        and character.lower() not in _VARIANTS
        and bool(_FOREIGN_LETTER.match(character))
    )


FOLD_TABLE = _FoldTable()


class _Shadows:
    """Folds whole texts at once by a table that is filled as characters are met.

    `str.translate` takes 150 ns a character, three times what lxml needs to parse it; this takes 8.
    """

    def __init__(self) -> None:
        import numpy

        self._numpy = numpy
        self._table = numpy.full(sys.maxunicode + 1, ord(_UNSEEN), dtype="<u2")
        self._table[ord(_BETWEEN_TEXTS)] = ord(_CUT)

    def cast(self, text: str) -> str:
        codes = self._numpy.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        signs = self._table.take(codes)
        blank = signs == ord(SPACE)
        self._numpy.putmask(signs[1:], blank[1:] & blank[:-1], ord(REPEATED))
        folded = str(signs.tobytes(), "utf-16-le")
        if _UNSEEN in folded:
            for code in set(codes[signs == ord(_UNSEEN)].tolist()):
                self._table[code] = ord(FOLD_TABLE[code] or SILENT)
            return self.cast(text)
        return folded


_UNSEEN = "\uffff"
_BETWEEN_TEXTS = "\ufffe"
"""No character: XML forbids it."""
_CUT = "\3"
"""What the shadow of many texts has there."""


@lru_cache(maxsize=1)
def _shadows() -> _Shadows:
    return _Shadows()


def shadow(text: str) -> str:
    """The text with every character replaced by what it is read as: a letter, a blank, SILENT or FOREIGN.

    It has the length of the text, so an offset in one is an offset in the other.

    >>> shadow("Ἔδοξεν, [τῆι]")
    'εδοξεν \\t\\x01τηι\\x01'
    """
    return _shadows().cast(text).replace(_CUT, SILENT)


def shadows(texts: Sequence[str]) -> list[str]:
    """The shadows of many texts: for short ones, much faster than one by one.

    >>> shadows(["Ἔδοξεν ", "", " τῆι"])
    ['εδοξεν ', '', ' τηι']
    """
    found = _shadows().cast(_BETWEEN_TEXTS.join(texts)).split(_CUT)
    return found if len(found) == len(texts) else list(map(shadow, texts))


def replace_lookalikes(text: str) -> str:
    """Turn look-alike letters inside Greek words into Greek, one character for one.

    Words wholly in another script are left alone, and are not read.

    >>> replace_lookalikes("χίωνοs Mαρκος Marcus")
    'χίωνοσ Μαρκος Marcus'
    """

    def greek_word(match: regex.Match[str]) -> str:
        word = match.group()
        if not _GREEK.search(word):
            return word
        return "".join(_greek_twin(character) for character in word)

    return _WORD_WITH_FOREIGN_LETTER.sub(greek_word, text)


def _greek_twin(character: str) -> str:
    """The Greek letter for a look-alike, with its accent if that is one character; else what it was."""
    decomposed = unicodedata.normalize("NFD", character)
    base = decomposed[0]
    twin = LOOKALIKES.get(base)
    if twin is None:
        return character
    twin = twin.upper() if base.isupper() else twin
    accented = unicodedata.normalize("NFC", twin + decomposed[1:])
    return accented if len(accented) == 1 else twin


def is_lookalike(text: str) -> bool:
    """True if every letter could stand for a Greek one, and there is one."""
    bases = [sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign)]
    return bool(bases) and LOOKALIKES.keys() >= set(bases)


def letters(text: str) -> str:
    """Fold a whole text: letters and single spaces only.

    >>> letters("Ἔδοξεν τῆι  βουλῆι·")
    'εδοξεν τηι βουληι'
    """
    folded = text.translate(FOLD_TABLE)
    if FOREIGN in folded:
        folded = replace_lookalikes(text).translate(FOLD_TABLE).replace(FOREIGN, "")
    return " ".join(folded.split())


def letters_only(model_text: str) -> str:
    """The letters of a model text, without word division, numerals and what is lost.

    >>> letters_only("εδοξεν --# τηι 0")
    'εδοξεντηι'
    """
    return model_text.translate(_NO_LETTERS)


_NO_LETTERS = dict.fromkeys(map(ord, f"{SPACE}{LOST}{PREDICT}{UNKNOWN}{NUMERAL}_"))


def final_sigma(text: str) -> str:
    """Write σ as ς at the end of words.

    >>> final_sigma("δημοσ και σοφοσ")
    'δημος και σοφος'
    """
    return _MEDIAL_AT_END.sub("ς", text)


_MEDIAL_AT_END = regex.compile(r"(?<=[\p{L}\p{M}])σ(?![\p{L}\p{M}])")

_UNITS = dict(
    zip(
        "αβγδεϝζηθικλμνξοπϙρστυφχψωϡ",
        [*range(1, 10), *range(10, 100, 10), *range(100, 1000, 100)],
        strict=True,
    )
)
_ACROPHONIC = frozenset("ιπδηχμ")
# Number words that would also do as numerals; the others have two letters of one magnitude.
_NUMBER_WORDS = frozenset(["εισ", "εν", "δυο", "εξ"])


def numeral_value(text: str) -> int | None:
    """The value of a Milesian numeral (`νε` is 55), or None if the letters are not one."""
    total = 0
    seen: set[int] = set()
    for letter in letters(text).replace(SPACE, ""):
        value = _UNITS.get(letter)
        if value is None:
            return None
        magnitude = len(str(value))
        if magnitude in seen:
            return None
        seen.add(magnitude)
        total += value
    return total or None


@lru_cache(maxsize=8192)
def is_numeral(text: str, value: str = "") -> bool:
    """True if the content of a `num` is figures (Milesian, with thousands, or acrophonic), not a word.

    >>> [is_numeral(text) for text in ("ιβ", "Βφκζ", "ΗΗΔΔΙ", "δώδεκα", "δυο")]
    [True, True, True, False, False]
    """
    figures = letters(text).replace(SPACE, "")
    number = numeral_value(figures)
    if number is not None and str(number) == value:
        return True
    if is_accented(text) or figures in _NUMBER_WORDS:
        return False
    if number is not None or _ACROPHONIC.issuperset(figures):
        return True
    thousands, rest = _UNITS.get(figures[0], 0), numeral_value(figures[1:])
    return thousands < 10 and rest is not None


def is_accented(text: str) -> bool:
    """True if any letter carries an accent or breathing: then a numeral is written as a word."""
    return any(mark in "\u0300\u0301\u0342\u0313\u0314" for mark in unicodedata.normalize("NFD", text))
