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
_CLUSTER = regex.compile(r"\P{M}\p{M}*|\p{M}+")
# Latin letters that editors of Greek write on purpose: heta, yod, and the ligature of omicron and upsilon.
_INTENDED = frozenset("hHjȢȣ")
# Indistinguishable in print, so whoever typed them meant the Greek letter; v for ν, p for ρ are guesses.
_TWINS = frozenset("ABEHIKMNOPTXYZoАВЕНІКМОРТХоµ")
_NAMES = {"µ": "the micro sign"}
_GREEK_FOR = {**LOOKALIKES, "µ": "μ"}


def lookalike_letters(scope: Scope) -> Iterator[Report]:
    running = scope.running_text
    if not _SUSPECT.search(running.text):
        return
    for word in _WORD.finditer(running.text):
        letters = word.group()
        if not _GREEK.search(letters):
            continue
        for index, letter in enumerate(letters, word.start()):
            if not _SUSPECT.match(letter) or letter in _INTENDED:
                continue
            start = running.offset(index)
            greek = _GREEK_FOR.get(letter, "")
            if greek and letter.isupper():
                greek = greek.upper()
            yield Report(
                start,
                start + 1,
                f"{_described(letter)} in the Greek word {letters}"
                + (f"; {greek} is meant." if greek else "."),
                Fix(f"Write {greek}", (Edit(start, start + 1, greek),), safe=letter in _TWINS)
                if greek
                else None,
            )


def not_normalised(scope: Scope) -> Iterator[Report]:
    """Accents and letters written in another than the composed form, text run by text run."""
    for element in scope.edition.iter():
        for node in element.children:
            if not isinstance(node, Text):
                continue
            raw = scope.source[node.start : node.end]
            if unicodedata.is_normalized("NFC", raw):
                continue
            edits = tuple(_normalising(raw, node.start))
            if edits:
                example = scope.source[edits[0].start : edits[0].end]
                count = "A character is" if len(edits) == 1 else f"{len(edits)} characters are"
                yield Report(
                    edits[0].start,
                    edits[-1].end,
                    f"{count} not in normal form C ({example}): it looks the same, but a search may miss it.",
                    Fix("Normalise", edits, safe=True),
                )


def _normalising(raw: str, offset: int) -> Iterator[Edit]:
    for cluster in _CLUSTER.finditer(raw):
        composed = unicodedata.normalize("NFC", cluster.group())
        if composed != cluster.group():
            yield Edit(offset + cluster.start(), offset + cluster.end(), composed)


def _described(letter: str) -> str:
    if letter in _NAMES:
        return f"There is {_NAMES[letter]}"
    script = "Cyrillic" if regex.match(r"\p{Cyrillic}", letter) else "Latin"
    return f"There is a {script} letter {letter}"
