"""Greek letters as PHI and Leiden editions print them: marks on letters, scripts, numerals.

Not for the model's alphabet: that is `pythia_epidoc.greek`.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import Final

import regex

from pythia_epidoc.leiden.items import Letters

UNDERDOT: Final = "\u0323"
MARKS: Final = {"\u0332": "previous", "\u0305": "supraline"}
TIE: Final = "\u0361"
LOOK_ALIKES: Final = frozenset("ABEZHIKMNOPTYXC")

_CLUSTER = regex.compile(r"\P{M}\p{M}*+")
_SPECIAL = (UNDERDOT, TIE, *MARKS)
_UNITS = {
    **{letter: order for order, letter in enumerate("αβγδεϛζηθ", start=1)},
    **{letter: 10 * order for order, letter in enumerate("ικλμνξοπϟ", start=1)},
    **{letter: 100 * order for order, letter in enumerate("ρστυφχψωϡ", start=1)},
    "ς": 6,
    "ϝ": 6,
    "ϙ": 90,
    "ͳ": 900,
    "ϲ": 200,
}
_READ_ALOUD = re.compile("[\u0300\u0301\u0308\u0313\u0314\u0342\u0345]")
"""Accents and breathings: a word, no numeral."""
_ACROPHONIC = {"Ι": 1, "Π": 5, "Δ": 10, "Η": 100, "Χ": 1000, "Μ": 10000}


def normalise(text: str) -> str:
    """NFC, and heta as the letter h (PHI prints U+210E, the Planck constant)."""
    return unicodedata.normalize("NFC", text.replace("\u210e", "h"))


def letter_runs(text: str) -> list[Letters]:
    """Cut a run of letters where its state changes, and take the state's marks off."""
    decomposed = unicodedata.normalize("NFD", text)
    if not any(mark in decomposed for mark in _SPECIAL):
        return [Letters(normalise(text))]
    runs: list[tuple[bool, str, list[str]]] = []
    tied = False
    for cluster in _CLUSTER.findall(decomposed):
        unclear = UNDERDOT in cluster
        rend = next((name for mark, name in MARKS.items() if mark in cluster), "")
        if tied or TIE in cluster:
            rend = "ligature"
        tied = TIE in cluster
        for mark in _SPECIAL:
            cluster = cluster.replace(mark, "")
        if runs and runs[-1][:2] == (unclear, rend):
            runs[-1][2].append(cluster)
        else:
            runs.append((unclear, rend, [cluster]))
    return [Letters(normalise("".join(clusters)), unclear, rend) for unclear, rend, clusters in runs]


@lru_cache(maxsize=4096)
def is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


def is_heta(letter: str) -> bool:
    return letter in "hH"


def fold(text: str) -> str:
    """Letters without diacritics, in lower case."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)).lower()


def is_bare_capitals(text: str) -> bool:
    """Only capitals, and none with a breathing or accent."""
    letters = [c for c in unicodedata.normalize("NFD", text) if c != "\u0345"]
    return bool(letters) and all(c.isupper() for c in letters)


def has_number_sign(text: str) -> bool:
    return any("\U00010140" <= c <= "\U00010178" for c in text)


def numeral_value(text: str) -> int | None:
    """The value of an alphabetic numeral such as `͵βφ` or `ιβ`, or None if it is none."""
    if _READ_ALOUD.search(unicodedata.normalize("NFD", text)):
        return None
    total = 0
    last = 1_000_000
    thousand = False
    for letter in fold(text):
        if letter == "\u0375":
            thousand = True
            continue
        value = _UNITS.get(letter)
        if value is None:
            return None
        if thousand:
            value *= 1000
            thousand = False
        if len(str(value)) >= len(str(last)):
            return _reversed_value(fold(text))
        total += value
        last = value
    return total or None


def _reversed_value(text: str) -> int | None:
    """`ζκ` for 27: in dates the smaller number often stands first."""
    values = [_UNITS.get(letter) for letter in text]
    if len(values) > 3 or any(value is None for value in values):
        return None
    numbers = [value for value in values if value is not None]
    sizes = [len(str(number)) for number in numbers]
    return sum(numbers) if sizes == sorted(set(sizes)) else None


def acrophonic_value(text: str) -> str:
    """The value of acrophonic numerals such as `ΧΗΔΙΙ` or `𐅄Ι`, or an empty string if they are none."""
    values: list[Fraction] = []
    for letter in text:
        if letter in _ACROPHONIC:
            values.append(Fraction(_ACROPHONIC[letter]))
        elif has_number_sign(letter):
            values.append(Fraction(unicodedata.numeric(letter, 0)).limit_denominator(100))
        else:
            return ""
    if any(value == 0 for value in values) or values != sorted(values, reverse=True):
        return ""
    return str(sum(values))
