"""Characters of a source → signs: letters, single spaces, and what editors type among them.

Knows character data, references, combining marks, punctuation and letters of other scripts; not
elements (see `reader`).
"""

from __future__ import annotations

import re
from typing import Final

import regex

from pythia_epidoc import greek
from pythia_epidoc.epidoc.reading import ALIGNED, LOST, PRESERVED, UNCLEAR, UNDERSTOOD, Piece
from pythia_epidoc.epidoc.references import REFERENCE, resolve_reference
from pythia_epidoc.greek import (
    FOLD_TABLE,
    FOREIGN,
    LETTERS,
    REPEATED,
    SILENT,
    SPACE,
    UNDERDOT,
    UNKNOWN,
    is_lookalike,
    replace_lookalikes,
    shadow,
)

_OF_ONE_KIND = re.compile(f"{SILENT}+|{FOREIGN}+|[^{SILENT}{FOREIGN}]+")
_FOREIGN_WORD = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{M}]+")
# A Greek letter in the same word, beyond tags that do not end it.
_GREEK_FOLLOWS = regex.compile(
    r"""(?:\s*<lb\b[^<>]*\bbreak="no"[^<>]*>\s*"""
    r"""|</?(?!(?:\w+:)?(?:lb|cb|w|ab|l|p|div|gap|rdg)\b)[^<>]*>)*+\p{Greek}"""
)
_OUTSIDE_WORDS = frozenset((SPACE, greek.LOST, UNKNOWN))

NO_EDGE: Final = -1
GLUED: Final = -2
"""After break="no": whitespace does not count until the next letter."""


class SignWriter:
    """Collects signs, in pieces of one state, and decides where words part."""

    def __init__(self, source: str, entities: dict[str, str]) -> None:
        self.source = source
        self.entities = entities
        self.pieces: list[Piece] = []
        self.count = 0
        self.pending = NO_EDGE  # where whitespace was seen, not yet known to matter, or GLUED
        self.pending_end = 0
        self.soft_edge = False  # a <w> ended or begins: a space unless a lacuna adjoins

    @property
    def last_letter(self) -> str:
        return self.pieces[-1][0][-1] if self.pieces else SPACE

    def add(self, letters: str, state: int, start: int, layout: int | str) -> None:
        """Add signs, after what parts them from the last."""
        if self.pending >= 0:
            if self.pieces:
                blank = PRESERVED if state == LOST else state
                self.pieces.append((SPACE, blank, self.pending, self.pending_end))
                self.count += 1
            self.soft_edge = False
        elif self.soft_edge:
            self._part_softly(state, letters[0] in _OUTSIDE_WORDS, start)
        self.pieces.append((letters, state, start, layout))
        self.count += len(letters)
        self.pending = NO_EDGE

    def _part_softly(self, state: int, is_lacuna: bool, start: int) -> None:
        """A space between two words with nothing between them, unless a lacuna adjoins."""
        self.soft_edge = False
        if self.pieces and not is_lacuna and self.last_letter not in _OUTSIDE_WORDS:
            self.pieces.append((SPACE, state, start, start))
            self.count += 1

    def edge(self, start: int, end: int) -> None:
        """A word ends here, if one was being read."""
        if self.pending == NO_EDGE:
            self.pending, self.pending_end = start, end

    def take_back(self, count: int) -> None:
        """Forget the signs from index `count` on; a piece begins there."""
        while self.count > count:
            self.count -= len(self.pieces.pop()[0])

    # -- character data ---------------------------------------------------------------------------

    def regular(self, folded: str, start: int, state: int) -> None:
        """Add a run in whose shadow are letters and blanks, and nothing else."""
        letters = folded.strip()
        first = folded.index(letters)
        stop = first + len(letters)
        if first:
            self.edge(start, start + 1)
        if self.soft_edge and self.pending < 0:
            self._part_softly(state, False, start)
        if REPEATED in letters:
            self.add(letters.replace(REPEATED, ""), state, start + first, letters)
        else:
            self.add(letters, state, start + first, ALIGNED)
        if stop < len(folded):
            self.pending, self.pending_end = start + stop, start + stop + 1

    def irregular(self, raw: str, folded: str, start: int, state: int, is_raw: bool = False) -> None:
        """Character data with references, or with characters that stand for no letter; `is_raw` in CDATA,
        where `&` is only a sign."""
        position = 0
        if "&" in raw and not is_raw:
            for match in REFERENCE.finditer(raw):
                first, stop = match.span()
                if first > position:
                    self._mixed(raw[position:first], folded[position:first], start + position, state)
                for character in resolve_reference(match, self.entities):
                    self._referenced(character, start + first, start + stop, state)
                position = stop
        if position < len(raw):
            self._mixed(raw[position:], folded[position:], start + position, state)

    def _mixed(self, raw: str, folded: str, start: int, state: int) -> None:
        if FOREIGN in folded:
            with_twins = self._with_greek_twins(raw, start)
            if with_twins != raw:
                raw = with_twins
                folded = shadow(raw)
        for match in _OF_ONE_KIND.finditer(folded):
            part, place = match.group(), start + match.start()
            if part[0] == SILENT:
                self._marks(raw[match.start() : match.end()], place)
            elif part[0] == FOREIGN or part.isspace():
                self.edge(place, place + 1)
            else:
                self.regular(part, place, state)

    def _referenced(self, character: str, start: int, end: int, state: int) -> None:
        """One character of what a reference stands for; all of them share its place."""
        letter = character.translate(FOLD_TABLE)
        if letter in (SPACE, FOREIGN):
            self.edge(start, end)
        elif letter:
            self.add(letter, state, start, end)
        else:
            self._marks(character, start, end)

    def _marks(self, raw: str, start: int, end: int | None = None) -> None:
        """Give combining marks to the letter before them; an underdot tells that it is unclear."""
        marks = raw[: len(raw) - len(raw.lstrip(_MARKS))]
        if not marks or not self.pieces or self.last_letter in _OUTSIDE_WORDS:
            return
        letters, state, first, layout = self.pieces[-1]
        end = start + len(marks) if end is None else end
        stop = _end_of(letters, first, layout)
        if stop not in (start, end):
            return
        self.pieces.pop()
        if len(letters) > 1 and (layout == ALIGNED or isinstance(layout, str)):
            self.pieces.append(
                (letters[:-1], state, first, layout[:-1] if isinstance(layout, str) else ALIGNED)
            )
            letters, first = letters[-1], stop - 1
        if UNDERDOT in marks and state != UNDERSTOOD:
            state = UNCLEAR
        self.pieces.append((letters, state, first, end))

    # -- letters of other scripts -----------------------------------------------------------------

    def _with_greek_twins(self, raw: str, start: int) -> str:
        """Put Greek letters for look-alikes in Greek words, also where tags cut a word in pieces."""
        text = replace_lookalikes(raw)
        for match in _FOREIGN_WORD.finditer(text):
            if is_lookalike(match.group()) and self._in_greek_word(match, len(text), start):
                word = replace_lookalikes(f"α{match.group()}")[1:]
                text = text[: match.start()] + word + text[match.end() :]
        return text

    def _in_greek_word(self, match: regex.Match[str], length: int, start: int) -> bool:
        if match.start() == 0 and self.pending < 0 and not self.soft_edge and self.last_letter in LETTERS:
            return True
        return match.end() == length and _GREEK_FOLLOWS.match(self.source, start + length) is not None


def _end_of(letters: str, first: int, layout: int | str) -> int:
    if isinstance(layout, str):
        return first + len(layout)
    return first + len(letters) if layout == ALIGNED else layout


_MARKS = "".join(map(chr, (*range(0x300, 0x370), *range(0x1DC0, 0x1E00))))
