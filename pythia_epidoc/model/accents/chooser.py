"""Which of its forms a word takes here: lexicon, neighbours, the document's own habits, and what the network
of accents expects.

Tables (see `learn`), one key space:

    w WORD          forms with counts              g NEXT, h WORD   acute or grave before NEXT, of WORD
    < ( > ) a       what the word before (its end), the word after (its end) and the accent before say
    e NEXT          second accent before NEXT

Not for hypotheses that are parts of words: see `Accents`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pythia_epidoc.model.accents.heard import Heard
from pythia_epidoc.model.accents.marks import (
    accent_of,
    accent_places,
    fits,
    marks_of,
    place_marks,
    with_grave,
    with_second_accent,
    without_capital,
)
from pythia_epidoc.model.accents.numbers import unpack_count, unpack_log
from pythia_epidoc.model.accents.style import Style
from pythia_epidoc.model.accents.table import Table

WORD = "w"
EDGE = "^"
DAMAGED = "-"
SURE = 0.5
"""Accents that are less likely than this are not written."""
HEARD = 0.5
"""How much the network has to say of the forms of a word that the lexicon knows."""
_UNHEARD = 0.05
"""A form that the lexicon lacks counts as so many sightings, if the network is sure of it."""
_UNHEARD_OF = -8.0
"""log p of a known form that the network would never write: others may still know better."""
_HALF = 2.0
"""After so many occurrences in the document, its habit has half its full weight."""
_HABIT = 150.0
_NEW = 0.05
"""The share that a form starts from which only the document has."""
_UNUSUAL = math.log(0.02)


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
        heard: Heard | None = None,
    ) -> str | None:
        """The marks of a word on its own, or None when unsure.

        For a word partly visible, `visible` holds the signs of each letter, None where they are not
        known; a form must agree with them.
        """
        own = {code: count for code, count in style.forms.get(letters, {}).items() if count > 0}
        forms = self._in_either_spelling(letters) or own
        likeliest = [] if heard is None else heard.likeliest(visible)
        said = self._said_by_neighbours(letters, forms, before, after)
        logs = {
            code: _log(code, forms, own, heard) + said.get(code, 0.0) + _habit(code, own)
            for code in dict.fromkeys((*forms, *own, *likeliest))
            if _agrees(letters, code, visible)
        }
        code = _best(letters, logs if style.subscripts else _without_subscripts(logs))
        # That a word has no accent at all is not to be guessed.
        return code if code is None or forms or accent_places(len(letters), code) else None

    def in_context(
        self, letters: str, code: str, after: Neighbour, style: Style, heard: Heard | None = None
    ) -> str:
        """The marks of a word before its neighbour: grave, or the second accent of an enclitic."""
        accent = accent_of(letters, code)
        if accent == "oxytone" and style.graves:
            odds = self._log("g") + self._log("g" + after.letters) + self._log("h" + letters)
            if heard is not None:
                odds += heard.acute_odds(code)
            return with_grave(code) if odds < 0 else code
        leaning = after.code is None or not accent_places(len(after.letters), after.code)
        if accent == "early" and leaning and self._log("e" + after.letters) > 0:
            return with_second_accent(letters, code)
        return code

    def _log(self, key: str) -> float:
        value = self.table.get(key)
        return unpack_log(value) if value else 0.0

    def _said_by_neighbours(
        self, letters: str, forms: Mapping[str, float], before: Neighbour, after: Neighbour
    ) -> dict[str, float]:
        """How each form gains or loses by the words beside it."""
        said = dict.fromkeys(forms, 0.0)
        for value in self._evidence(letters, before, after):
            for code, symbol in zip(forms, value, strict=False):
                said[code] += unpack_log(symbol)
        return said

    def forms(self, letters: str) -> dict[str, float]:
        value = self.table.get(WORD + letters)
        if value is None:
            return {}
        return {form[1:]: unpack_count(form[0]) for form in value.split(" ")}

    def _in_either_spelling(self, letters: str) -> dict[str, float]:
        """The forms of a word. What it has with the iota below the line also tells of the iota beside it,
        which fewer texts have: δήμῳ of δήμωι."""
        forms = self.forms(letters)
        others = self._other_iota(letters) if not forms or letters.endswith(("ωι", "ηι")) else {}
        return {
            code: forms.get(code, 0.0) + others.get(code, 0.0) for code in dict.fromkeys((*forms, *others))
        }

    def _other_iota(self, letters: str) -> dict[str, float]:
        """Forms of a word as they are with the other kind of iota: τῶι for τῷ."""
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


def ending(letters: str) -> str:
    """What of a neighbour tells its case and gender."""
    return letters[-2:]


def _log(code: str, forms: Mapping[str, float], own: Mapping[str, int], heard: Heard | None) -> float:
    """What lexicon and network think of a form; of words that the lexicon lacks only the network can know."""
    expected = 0.0 if heard is None else heard.log(code)
    if not forms:
        return expected
    total = sum(forms.values())
    known = forms.get(code, _NEW * total * (code in own)) + _UNHEARD * math.exp(expected)
    return math.log(known / (total + _UNHEARD)) + HEARD * max(expected, _UNHEARD_OF)


def _habit(code: str, own: Mapping[str, int]) -> float:
    """What it counts for that the document itself writes a form."""
    return math.log1p(_HABIT * own.get(code, 0) / (sum(own.values()) + _HALF))


def _without_subscripts(logs: dict[str, float]) -> dict[str, float]:
    """The same for a document that leaves iotas out: each form also without its own, as τῶ for τῷ."""
    bare = {code[:-1].rstrip("0"): log for code, log in logs.items() if code.endswith("|")}
    unusual = {code: log + _UNUSUAL for code, log in logs.items() if code.endswith("|")}
    return bare | logs | unusual


def _best(letters: str, logs: Mapping[str, float]) -> str | None:
    """The likeliest, if its accents are likely enough, with a capital or without."""
    accents: defaultdict[str, float] = defaultdict(float)
    highest = max(logs.values(), default=0.0)
    for code, log in logs.items():
        accents[without_capital(len(letters), code)] += math.exp(log - highest)
    best = max(accents, key=lambda code: (accents[code], code), default="")
    if not logs or accents[best] < SURE * sum(accents.values()):
        return None
    return max((log, code) for code, log in logs.items() if without_capital(len(letters), code) == best)[1]


def _agrees(letters: str, code: str, visible: Sequence[str | None]) -> bool:
    if not fits(len(letters), code):
        return False
    if not visible:
        return True
    marks = marks_of(len(letters), code)
    return all(seen is None or seen == signs for seen, signs in zip(visible, marks, strict=True))
