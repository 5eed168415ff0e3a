"""Which of its forms a word takes here: lexicon, neighbours, the document's own habits, or a guess.

Tables (see `learn`), one key space:

    w WORD          forms with counts              g NEXT, h WORD   acute or grave before NEXT, of WORD
    < ( > ) a       what the word before (its end), the word after (its end) and the accent before say
    e NEXT          second accent before NEXT      s p n            endings, beginnings, neighbours of
                                                                    unknown words

Not for hypotheses that are parts of words: see `Accents`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pythia_epidoc.model.accents.marks import (
    accent_of,
    accent_places,
    fits,
    is_possible,
    marks_of,
    place_marks,
    with_grave,
    with_second_accent,
)
from pythia_epidoc.model.accents.numbers import unpack_count, unpack_log
from pythia_epidoc.model.accents.style import Style
from pythia_epidoc.model.accents.table import Table

EDGE = "^"
DAMAGED = "-"
SURE_OF_FORM = 0.5
SURE_OF_GUESS = 0.6
_HALF = 2.0
"""After so many occurrences in the document, its habit has half its full weight."""
_HABIT = 60.0
_NEW = 0.05
"""What a form that only the document has starts from."""
_UNUSUAL = 0.02
_LONGEST_ENDING = 8
_LONGEST_BEGINNING = 5


@dataclass(frozen=True)
class Neighbour:
    """A word beside the one to be accented: folded letters, or `EDGE` or `DAMAGED`; code if known."""

    letters: str
    code: str | None = None

    @property
    def is_capital(self) -> bool:
        return self.code is not None and "*" in self.code

    @property
    def accent(self) -> str:
        return "" if self.code is None else accent_of(self.letters, self.code)


class Chooser:
    """Answers for one word at a time, from the tables of a checkpoint."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def citation(
        self,
        letters: str,
        before: Neighbour,
        after: Neighbour,
        style: Style,
        visible: Sequence[str | None] = (),
    ) -> str | None:
        """The marks of a word on its own, or None when unsure.

        For a word partly visible, `visible` holds the signs of each letter, None where they are not
        known; a form must agree with them.
        """
        known = self._known(letters, before, after, style)
        fitting = {code: weight for code, weight in known.items() if _agrees(letters, code, visible)}
        if fitting:
            return _best(fitting, SURE_OF_FORM)
        guesses = {
            code: weight
            for code, weight in self._guess(letters, before, after)
            if _agrees(letters, code, visible)
        }
        guess = _best(guesses, SURE_OF_GUESS)
        return guess if guess is not None and accent_places(len(letters), guess) else None

    def in_context(self, letters: str, code: str, after: Neighbour, style: Style) -> str:
        """The marks of a word before its neighbour: grave, or the second accent of an enclitic."""
        accent = accent_of(letters, code)
        if accent == "oxytone" and style.graves:
            weight = self._log("g") + self._log("g" + after.letters) + self._log("h" + letters)
            return with_grave(code) if weight < 0 else code
        leaning = after.code is None or not accent_places(len(after.letters), after.code)
        if accent == "early" and leaning and self._log("e" + after.letters) > 0:
            return with_second_accent(letters, code)
        return code

    def _log(self, key: str) -> float:
        value = self.table.get(key)
        return unpack_log(value) if value else 0.0

    def _known(self, letters: str, before: Neighbour, after: Neighbour, style: Style) -> dict[str, float]:
        forms = self.forms(letters) or self._other_iota(letters)
        own: Mapping[str, int] = style.forms.get(letters, {})
        seen = sum(own.values())
        total = sum(forms.values())
        codes = list(forms)
        logs = {code: math.log(count / total) for code, count in forms.items()}
        for value in self._evidence(letters, before, after):
            for code, symbol in zip(codes, value, strict=False):
                logs[code] += unpack_log(symbol)
        weights = {code: math.exp(value) for code, value in logs.items()}
        scale = sum(weights.values()) or 1.0
        weights = {code: weight / scale for code, weight in weights.items()}
        for code, count in own.items():
            if count:
                weights[code] = weights.get(code, _NEW) * (1 + _HABIT * count / (seen + _HALF))
        if not style.subscripts:
            return {
                code: weight * (_UNUSUAL if code.endswith("|") else 1.0)
                for code, weight in (weights | self._without_subscript(weights)).items()
            }
        return weights

    @staticmethod
    def _without_subscript(weights: dict[str, float]) -> dict[str, float]:
        """Each form with its iota left out, as some documents write: τῶ for τῷ."""
        return {
            code[:-1].rstrip("0"): weight
            for code, weight in weights.items()
            if code.endswith("|") and code[:-1].rstrip("0") not in weights
        }

    def forms(self, letters: str) -> dict[str, float]:
        value = self.table.get("w" + letters)
        if value is None:
            return {}
        return {form[1:]: unpack_count(form[0]) for form in value.split(" ")}

    def _other_iota(self, letters: str) -> dict[str, float]:
        """Forms of a word that the lexicon has only with the other kind of iota: τῶι for τῷ."""
        others: dict[str, float] = {}
        if letters.endswith(("ωι", "ηι", "αι")):
            for code, count in self.forms(letters[:-1]).items():
                marks = marks_of(len(letters) - 1, code)
                if "|" in marks[-1]:
                    others[place_marks([*marks[:-1], marks[-1].replace("|", ""), ""])] = count
        elif letters.endswith(("ω", "η", "α")):
            for code, count in self.forms(letters + "ι").items():
                marks = marks_of(len(letters) + 1, code)
                if not marks[-1]:
                    others[place_marks([*marks[:-2], marks[-2] + "|"])] = count
        return others

    def _evidence(self, letters: str, before: Neighbour, after: Neighbour) -> Iterator[str]:
        get = self.table.get
        left = get(f"<{letters} {before.letters}") or get(f"({letters} {ending(before.letters)}")
        right = get(f">{letters} {after.letters}") or get(f"){letters} {ending(after.letters)}")
        accent = get(f"a{letters} {before.accent}") if before.accent else None
        return (value for value in (left, right, accent) if value)

    def _guess(self, letters: str, before: Neighbour, after: Neighbour) -> Iterator[tuple[str, float]]:
        endings = self._shares("s", endings_of(letters))
        beginnings = self._shares("p", beginnings_of(letters))
        base = self._shares("n", ("",))
        capital = base.get("*", 0.5)
        around = self._shares("n", (neighbourhood(before, after),)).get("*", capital)
        for tail, tail_share in endings.items():
            for head, head_share in beginnings.items():
                if (tail[:1] == "*") != (head[:1] == "*"):
                    continue
                prior, here = (capital, around) if head[:1] == "*" else (1 - capital, 1 - around)
                code = join(letters, head, tail)
                if code is not None and is_possible(letters, code):
                    yield code, tail_share * head_share * here / max(prior, 1e-3) ** 2

    def _shares(self, kind: str, keys: Iterable[str]) -> dict[str, float]:
        for key in keys:
            value = self.table.get(kind + key)
            if value is not None:
                return {part[1:]: unpack_count(part[0]) for part in value.split(" ")}
        return {}


def ending(letters: str) -> str:
    """What of a neighbour tells its case and gender."""
    return letters[-2:]


def endings_of(letters: str) -> list[str]:
    """The endings of a word that may tell its accent, longest first, down to none."""
    return [letters[max(0, len(letters) - size) :] for size in range(_LONGEST_ENDING, -1, -1)]


def beginnings_of(letters: str) -> list[str]:
    """The beginnings of a word that may tell its breathing, longest first, down to none."""
    return [letters[:size] for size in range(_LONGEST_BEGINNING, -1, -1)]


def neighbourhood(before: Neighbour, after: Neighbour) -> str:
    """Whether names stand around a word."""
    return f"{_kind(before)}{_kind(after)}"


def _kind(neighbour: Neighbour) -> str:
    if neighbour.code is None:
        return "?"
    return "*" if neighbour.is_capital else "."


def split(letters: str, code: str) -> tuple[str, str]:
    """A code as what a word's beginning tells (capital, breathing) and what its end tells (the rest).

    Both begin with `*` in a capitalised word.
    """
    marks = marks_of(len(letters), code)
    capital = "*" if "*" in marks[0] else ""
    breathing = "".join(
        f"{index}{sign}" for index, signs in enumerate(marks[:10]) for sign in signs if sign in "()"
    )
    rest = "".join(
        f"{len(marks) - 1 - index:x}{sign}"
        for index, signs in enumerate(marks[-16:], max(0, len(marks) - 16))
        for sign in signs
        if sign not in "()*"
    )
    return capital + breathing, capital + rest


def join(letters: str, head: str, tail: str) -> str | None:
    """The code that a beginning and an end make, or None if the word is too short for them."""
    marks = [""] * len(letters)
    if head[:1] == "*":
        head, tail = head[1:], tail[1:]
        marks[0] = "*"
    for index, sign in zip(head[::2], head[1::2], strict=True):
        if int(index) >= len(marks):
            return None
        marks[int(index)] += sign
    for distance, sign in zip(tail[::2], tail[1::2], strict=True):
        if int(distance, 16) >= len(marks):
            return None
        marks[len(marks) - 1 - int(distance, 16)] += sign
    return place_marks(marks)


def _best(weights: dict[str, float], sure: float) -> str | None:
    if not weights:
        return None
    code, weight = max(weights.items(), key=lambda item: (item[1], item[0]))
    return code if weight >= sure * sum(weights.values()) else None


def _agrees(letters: str, code: str, visible: Sequence[str | None]) -> bool:
    if not fits(len(letters), code):
        return False
    if not visible:
        return True
    marks = marks_of(len(letters), code)
    return all(seen is None or seen == signs for seen, signs in zip(visible, marks, strict=True))
