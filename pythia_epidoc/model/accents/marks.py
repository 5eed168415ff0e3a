"""Written Greek words as letters and marks, and the rules by which neighbours change an accent.

A word is its folded letters plus a *code* of its marks in the signs of Beta Code (`)` `(` breathings,
`/` `\\` `=` accents, `|` iota subscript, `+` diaeresis, `*` capital), each with the place of its letter:
`A`, `B` for breathings and capitals on the first and second letter, else the distance from the word's end.
So `Αὐρήλιος` is `αυρηλιοσ` with `A*B)4/`, and every `-ήλιος` shares its `4/`.

Not for choosing among forms: see `chooser`.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import product
from typing import Literal

from pythia_epidoc.greek import LETTERS, fold

SIGNS = {
    "\u0313": ")",
    "\u0314": "(",
    "\u0308": "+",
    "\u0301": "/",
    "\u0300": "\\",
    "\u0342": "=",
    "\u0345": "|",
}
_COMBINING = {sign: mark for mark, sign in SIGNS.items()}
_ORDER = "*)(+/\\=|"
SIGN_SETS = tuple(
    map("".join, product(("", "*"), ("", ")", "("), ("", "+"), ("", "/", "\\", "="), ("", "|")))
)
"""All that a letter can carry; the number of each is its index here, plus 1."""
NOT_KNOWN, NO_SIGNS = 0, 1
"""The number where nobody has told what a letter carries, and of one that carries nothing."""
_NUMBERS = {signs: number for number, signs in enumerate(SIGN_SETS, 1)}
_DISTANCE = "0123456789abcdefghijklmnopqrstuvwxyz"
_VOWELS = frozenset("αεηιουω")
_DIPHTHONGS = frozenset(("αι", "ει", "οι", "υι", "αυ", "ευ", "ου", "ηυ", "ωυ"))
ACCENTS = frozenset("/\\=")
_NO_ACCENT = dict.fromkeys(map(ord, ACCENTS))
Accent = Literal["none", "oxytone", "perispomenon", "paroxytone", "early"]
"""Where a word's accent stands: `early` is properispomenon or proparoxytone, which lean no further."""


@lru_cache(maxsize=65536)
def decode(form: str) -> tuple[str, str] | None:
    """Letters and code of a written word, or None if it is not plain polytonic Greek.

    >>> decode("Αὐρήλιος"), decode("τῷ")
    (('αυρηλιοσ', 'A*B)4/'), ('τω', '0=|'))
    """
    letters: list[str] = []
    marks: list[str] = []
    for character in unicodedata.normalize("NFD", form):
        letter = fold(character)
        if letter and letter in LETTERS:
            letters.append(letter)
            marks.append("*" if character.isupper() else "")
        elif character in SIGNS and marks:
            marks[-1] += SIGNS[character]
        else:
            return None
    if not letters or len(letters) > len(_DISTANCE):
        return None
    return "".join(letters), place_marks(marks)


def place_marks(marks: list[str]) -> str:
    """The code of a word whose letters carry these signs."""
    last = len(marks) - 1
    return "".join(
        _place(index, last, signs) + "".join(sorted(set(signs), key=_ORDER.index))
        for index, signs in enumerate(marks)
        if signs
    )


def _place(index: int, last: int, signs: str) -> str:
    is_initial = index < 2 and not ACCENTS.issuperset(signs.rstrip("|+"))
    return "AB"[index] if is_initial else _DISTANCE[last - index]


def marks_of(length: int, code: str) -> list[str]:
    """The signs of each letter of a word of this length."""
    marks = [""] * length
    index = 0
    for symbol in code:
        if symbol in "AB":
            index = "AB".index(symbol)
        elif symbol in _DISTANCE:
            index = length - 1 - _DISTANCE.index(symbol)
        else:
            marks[index] += symbol
    return marks


def sign_numbers(length: int, code: str) -> list[int]:
    """The number of what each letter of a word of this length carries."""
    return [_NUMBERS.get(signs, NOT_KNOWN) for signs in marks_of(length, code)]


def fits(length: int, code: str) -> bool:
    """True if every place of a code exists in a word of this length."""
    return all(
        (symbol not in "AB" or "AB".index(symbol) < length)
        and (symbol not in _DISTANCE or _DISTANCE.index(symbol) < length)
        for symbol in code
    )


def encode(letters: str, code: str) -> list[str]:
    """The written characters of a word, one string per letter, in NFC, every sigma medial.

    >>> "".join(encode("αυρηλιοσ", "A*B)4/"))
    'Αὐρήλιοσ'
    """
    written = []
    for letter, signs in zip(letters, marks_of(len(letters), code), strict=True):
        base = letter.upper() if "*" in signs else letter
        combining = "".join(_COMBINING[sign] for sign in signs if sign != "*")
        written.append(unicodedata.normalize("NFC", base + combining))
    return written


def citation(letters: str, code: str) -> str:
    """The code a word has on its own: acute for grave, and no second accent from an enclitic.

    >>> citation("καλον", "1\\\\"), citation("δουλοσ", "4=1/")
    ('1/', '4=')
    """
    return without_second_accent(letters, code.replace("\\", "/"))


def without_second_accent(letters: str, code: str) -> str:
    """The code of a word without what an enclitic adds to it."""
    places = accent_places(len(letters), code)
    if len(places) > 1 and is_last_syllable(letters, places[-1]):
        marks = marks_of(len(letters), code)
        marks[places[-1]] = marks[places[-1]].translate(_NO_ACCENT)
        code = place_marks(marks)
    return code


def accent_places(length: int, code: str) -> list[int]:
    """Indexes of the letters that carry an accent."""
    return [index for index, signs in enumerate(marks_of(length, code)) if not ACCENTS.isdisjoint(signs)]


def is_last_syllable(letters: str, place: int) -> bool:
    return _syllables_after(letters, place) == 0


@lru_cache(maxsize=65536)
def _syllables_after(letters: str, place: int) -> int:
    rest = letters[place + 1 :]
    if rest.startswith("ι") and (letters[place] in "ηω" or (letters[place] == "α" and rest == "ι")):
        rest = rest[1:]  # iota adscript
    if rest.endswith(("ωι", "ηι")):
        rest = rest[:-1]
    count = 0
    index = 0
    while index < len(rest):
        if rest[index] in _VOWELS:
            count += 1
            index += rest[index : index + 2] in _DIPHTHONGS
        index += 1
    return count


def accent_of(letters: str, code: str) -> Accent:
    """Where the accent of a citation form stands."""
    places = accent_places(len(letters), code)
    if not places:
        return "none"
    after = _syllables_after(letters, places[-1])
    circumflex = "=" in marks_of(len(letters), code)[places[-1]]
    if after == 0:
        return "perispomenon" if circumflex else "oxytone"
    return "early" if circumflex or after > 1 else "paroxytone"


def can_carry(letter: str, signs: str) -> bool:
    """Whether a letter may have these signs: Γαρ́τιος is no word."""
    return all(letter in _CARRIERS.get(sign, letter) for sign in signs)


_CARRIERS = {"/": "αεηιουω", "=": "αηιυω", ")": "αεηιουωρ", "(": "αεηιουωρ", "|": "αηω", "+": "ιυ"}


def without_capital(length: int, code: str) -> str:
    """The code of a word as it is written in the middle of a sentence, were it no name."""
    return place_marks([signs.replace("*", "") for signs in marks_of(length, code)])


def with_grave(code: str) -> str:
    """An oxytone in the flow of the sentence."""
    return code.replace("/", "\\")


def with_second_accent(letters: str, code: str) -> str:
    """A word with an early accent before an enclitic: δοῦλός τις."""
    marks = marks_of(len(letters), code)
    last = max((index for index, letter in enumerate(letters) if letter in _VOWELS), default=None)
    if last is None:
        return code
    if letters.endswith(("ωι", "ηι")):
        last -= 1
    marks[last] += "/"
    return place_marks(marks)
