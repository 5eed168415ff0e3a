"""Rules about single letters: of another script inside Greek words, and not in Unicode's normal form."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import regex

from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.scanner import Text
from pythia_epidoc.greek import LOOKALIKES
from pythia_epidoc.lint.findings import Fix, Report
from pythia_epidoc.lint.scope import Scope

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_GREEK = regex.compile(r"\p{Greek}")
_SUSPECT = regex.compile(r"[\p{Latin}\p{Cyrillic}µ]")
# Some Latin letters editors of Greek write on purpose: heta, yod, and the ligature of omicron and upsilon.
_FOREIGN_RUN = regex.compile(r"[[\p{Latin}\p{Cyrillic}µ]--[hHjȢȣ]]+", regex.V1)
# Normal form C turns these into full-width brackets of East Asian typography, which do not look the same.
_ANGLE_BRACKETS = "\u2329\u232a"
_CLUSTER = regex.compile(r"\P{M}\p{M}*|\p{M}+")
# Indistinguishable in print, so whoever typed them meant the Greek letter; v for ν, p for ρ are guesses.
_TWINS = frozenset("ABEHIKMNOPTXYZoАВГЕНІКМОПРТФХоµ")
_NAMES = {"µ": "the micro sign"}
_GREEK_FOR = {
    **{letter: twin.upper() if letter.isupper() else twin for letter, twin in LOOKALIKES.items()},
    "µ": "μ",
}


def lookalike_letters(scope: Scope) -> Iterator[Report]:
    """Runs of foreign letters inside a word that is Greek otherwise, even when markup cuts the word."""
    running = scope.running_text
    if not _SUSPECT.search(running.text):
        return
    for word in _WORD.finditer(running.text):
        if not _is_greek_word(word.group()):
            continue
        for run in _FOREIGN_RUN.finditer(word.group()):
            first = word.start() + run.start()
            places = [running.offset(first + index) for index in range(len(run.group()))]
            fix = _in_greek(run, places)
            yield Report(
                places[0],
                places[-1] + 1,
                f"{_described(run.group())} in the Greek word {word.group()}"
                + ("; the Greek letter that looks like it is meant." if fix else "."),
                fix,
            )


def _is_greek_word(word: str) -> bool:
    """More Greek than foreign, and not the sigla of manuscripts (`VΓΟΩΔ`), which mix alphabets on purpose."""
    greek, foreign = len(_GREEK.findall(word)), _SUSPECT.findall(word)
    return greek >= max(1, len(foreign)) and not (word.isupper() and not _TWINS.issuperset(foreign))


def _in_greek(run: regex.Match[str], places: list[int]) -> Fix | None:
    """Greek letters in their places; none for what looks like a Latin word (`sic`, `vacat`)."""
    letters, word = run.group(), run.string
    if len(letters) > 2 and letters.islower():
        return None
    greek = [_greek_for(letter) for letter in letters]
    if "" in greek:
        return None
    if greek[-1] == "σ" and run.end() == len(word):
        greek[-1] = "ς"
    edits = tuple(Edit(place, place + 1, letter) for place, letter in zip(places, greek, strict=True))
    return Fix(
        f"Write {''.join(greek)} in Greek", edits, safe=_TWINS.issuperset(letters) and not word.isupper()
    )


def _greek_for(letter: str) -> str:
    decomposed = unicodedata.normalize("NFD", letter)
    twin = _GREEK_FOR.get(decomposed[0], "")
    return unicodedata.normalize("NFC", twin + decomposed[1:]) if twin else ""


def not_normalised(scope: Scope) -> Iterator[Report]:
    """Accents and letters written in another than the composed form: one finding for an edition."""
    edits: list[Edit] = []
    for element in scope.edition.iter():
        for node in element.children:
            if isinstance(node, Text):
                raw = scope.source[node.start : node.end]
                if not unicodedata.is_normalized("NFC", raw):
                    edits += _normalising(raw, node.start)
    if not edits:
        return
    edits.sort()
    start, end = edits[0].start, edits[0].end
    count = "A character is" if len(edits) == 1 else f"{len(edits)} characters of this edition are"
    yield Report(
        start,
        end,
        f"{count} not in normal form C (here {scope.source[start:end]}): they look the same, "
        "but a search may miss them.",
        Fix("Normalise", tuple(edits), safe=True),
    )


def _normalising(raw: str, offset: int) -> Iterator[Edit]:
    for cluster in _CLUSTER.finditer(raw):
        composed = unicodedata.normalize("NFC", cluster.group())
        if composed != cluster.group() and cluster.group() not in _ANGLE_BRACKETS:
            yield Edit(offset + cluster.start(), offset + cluster.end(), composed)


def _described(letters: str) -> str:
    if letters in _NAMES:
        return f"There is {_NAMES[letters]}"
    script = "Cyrillic" if regex.match(r"\p{Cyrillic}", letters) else "Latin"
    return f"There is a {script} {letters}" if len(letters) == 1 else f"There are {script} letters {letters}"
