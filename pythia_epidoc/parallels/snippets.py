"""A passage of an indexed text in Leiden notation, from what the index itself holds.

Supplied letters stand in square brackets, expansions in round ones, unclear letters are dotted, `|` is a
new line; so a reader sees whether a parallel is stone or conjecture. Not for whole editions: those are
rendered from their markup by `pythia_epidoc.leiden`.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import regex

from pythia_epidoc.epidoc.reading import State
from pythia_epidoc.greek import LOST, SPACE, UNDERDOT, UNKNOWN, final_sigma
from pythia_epidoc.parallels.codes import to_greek
from pythia_epidoc.parallels.texts import IndexedText

CONTEXT = 30
"""Signs shown on either side, more if a word would be cut."""
_BRACKETS = {
    State.PRESERVED: ("", ""),
    State.UNCLEAR: ("", ""),
    State.SUPPLIED: ("[", "]"),
    State.LOST: ("[", "]"),
    State.UNDERSTOOD: ("(", ")"),
}
_SHOWN_AS = {LOST: ".", UNKNOWN: "- - -"}
_CLUSTER = regex.compile(r"\X")


@dataclass(frozen=True)
class Snippet:
    """Leiden text before, of and after a match; brackets may open in one and close in another."""

    before: str
    match: str
    after: str

    @property
    def text(self) -> str:
        return f"{self.before}{self.match}{self.after}"


def snippet(text: IndexedText, start: int, stop: int, context: int = CONTEXT) -> Snippet:
    """The signs `start:stop` with some around them."""
    first = _word_start(text, max(0, start - context))
    end = _word_end(text, min(len(text), stop + context))
    pieces = _pieces(text, first, end)
    parts = [pieces[: start - first], pieces[start - first : stop - first], pieces[stop - first :]]
    before, match, after = ("".join(part) for part in parts)
    lead = match[: len(match) - len(match.lstrip(" |"))]
    return Snippet(before.lstrip(" |") + lead, match[len(lead) :], after)


def _word_start(text: IndexedText, position: int) -> int:
    return max(0, text.division.rfind(b"\1", 0, position + 1))


def _word_end(text: IndexedText, position: int) -> int:
    end = text.division.find(b"\1", position)
    return len(text) if end < 0 else end


def _pieces(text: IndexedText, first: int, end: int) -> list[str]:
    """What each sign contributes, with the brackets and spaces that stand before it or close after it."""
    letters = _as_written(text, first, end)
    breaks = set(text.lines_from(first, end))
    pieces: list[str] = []
    is_open = ""
    for index, letter in enumerate(letters, first):
        opening, closing = _BRACKETS[State(text.states[index])]
        piece = ""
        if closing != is_open:
            if is_open:
                pieces[-1] += is_open
            piece = opening
        is_open = closing
        space = SPACE if text.division[index] and index > first else ""
        if index in breaks:
            space = " | " if space else "|"
        if text.states[index] == State.UNCLEAR:
            letter = unicodedata.normalize("NFC", letter + UNDERDOT)
        pieces.append(f"{space}{piece}{letter}")
    if is_open:
        pieces[-1] += is_open
    return pieces


def _as_written(text: IndexedText, first: int, end: int) -> list[str]:
    """Each sign of whole words as the edition writes it."""
    words = text.words
    number = text.division.count(b"\1", 0, first + 1)
    shown: list[str] = []
    while first < end:
        stop = text.division.find(b"\1", first + 1)
        stop = len(text) if stop < 0 else stop
        letters = to_greek(text.signs[first:stop])
        clusters = _CLUSTER.findall(words[number]) if number < len(words) else []
        if len(clusters) != len(letters):
            clusters = list(final_sigma(letters) if letters.isalpha() else letters)
        shown += [_SHOWN_AS.get(cluster, cluster) for cluster in clusters]
        first, number = stop, number + 1
    return shown
