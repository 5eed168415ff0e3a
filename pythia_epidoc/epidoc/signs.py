"""Characters of a source → signs: letters, single spaces, and what editors type among them.

Knows character data, references, combining marks, punctuation and letters of other scripts; not
elements (see `reader`).
"""

from __future__ import annotations

import re

import regex

from pythia_epidoc.epidoc.reading import ALIGNED, Piece, State
from pythia_epidoc.epidoc.references import REFERENCE, resolve_reference
from pythia_epidoc.greek import (
    FOLD_TABLE,
    FOREIGN,
    LETTERS,
    LOOKALIKES,
    LOST,
    REPEATED,
    SILENT,
    SPACE,
    UNDERDOT,
    UNKNOWN,
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
_BLANKS = SPACE + REPEATED
_OUTSIDE_WORDS = frozenset((SPACE, LOST, UNKNOWN))

Run = tuple[str, int, int, "int | str"]
"""Letters of a run of text, where in it they begin, where blanks follow them or 0, and their layout."""

_MAX_RUN_KEPT = 12
_MAX_RUNS_KEPT = 50_000
KNOWN_RUNS: dict[str, Run] = {}
"""Short runs of text that were met before."""


class SignWriter:
    """Collects signs, in pieces of one state, and decides where words part."""

    def __init__(self, source: str, start: int, end: int, entities: dict[str, str]) -> None:
        self.source = source
        self.entities = entities
        self.shadow = shadow(source[start:end])
        self.base = start
        self.pieces: list[Piece] = []
        self.count = 0
        self.last_letter = SPACE
        self.pending: tuple[int, int] | None = None  # whitespace seen, not yet known to matter
        self.soft_edge = False  # a <w> ended or begins: a space unless a lacuna adjoins
        self.glued = False  # after break="no": whitespace does not count

    def add(self, letters: str, state: int, start: int, layout: int | str) -> None:
        """Add signs, after what parts them from the last."""
        if self.pending is not None or self.soft_edge:
            self.part_words(state, letters[0] in _OUTSIDE_WORDS, start)
        self.pieces.append((letters, state, start, layout))
        self.count += len(letters)
        self.last_letter = letters[-1]
        self.glued = False

    def part_words(self, state: int, is_lacuna: bool, start: int) -> None:
        """Turn what stood between the last sign and the next into a space, or into nothing."""
        pending = self.pending
        self.pending, self.soft_edge = None, False
        if self.last_letter == SPACE:
            return
        if pending is None:
            if is_lacuna or self.last_letter in _OUTSIDE_WORDS:
                return
            pending = (start, start)
        self.pieces.append((SPACE, State.PRESERVED if state == State.LOST else state, *pending))
        self.count += 1
        self.last_letter = SPACE

    def edge(self, start: int, end: int) -> None:
        """A word ends here, if one was being read."""
        if self.pending is None and not self.glued:
            self.pending = (start, end)

    def take_back(self, count: int) -> None:
        """Forget the signs from index `count` on; a piece begins there."""
        while self.count > count:
            self.count -= len(self.pieces.pop()[0])
        self.last_letter = self.pieces[-1][0][-1] if self.pieces else SPACE

    # -- character data ---------------------------------------------------------------------------

    def text(self, run: str, start: int, state: int, is_raw: bool = False) -> None:
        """Read a run of character data; `is_raw` in CDATA, where `&` is only a sign."""
        folded = self.shadow[start - self.base : start - self.base + len(run)]
        if SILENT in folded or FOREIGN in folded:
            self._irregular(run, folded, start, state, is_raw)
            return
        laid_out = _lay_out(folded)
        if len(run) <= _MAX_RUN_KEPT:
            if len(KNOWN_RUNS) >= _MAX_RUNS_KEPT:
                KNOWN_RUNS.clear()
            KNOWN_RUNS[run] = laid_out
        self.laid_out(laid_out, start, state)

    def laid_out(self, run: Run, start: int, state: int) -> None:
        """Add a regular run. It is `edge` and `add` written out: most of the time of reading goes here."""
        letters, first, stop, layout = run
        if not letters:
            self.edge(start, start + 1)
            return
        if first and self.pending is None and not self.glued:
            self.pending = (start, start + 1)
        if self.pending is not None:
            if self.last_letter != SPACE:
                self.pieces.append((SPACE, state, *self.pending))
                self.count += 1
            self.soft_edge = False
        elif self.soft_edge:
            self.part_words(state, False, start)
        self.pieces.append((letters, state, start + first, layout))
        self.count += len(letters)
        self.last_letter = letters[-1]
        self.glued = False
        self.pending = (start + stop, start + stop + 1) if stop else None

    def _irregular(self, raw: str, folded: str, start: int, state: int, is_raw: bool) -> None:
        """Character data with references, or with characters that stand for no letter."""
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
            elif part[0] == FOREIGN or not part.strip(_BLANKS):
                self.edge(place, place + 1)
            else:
                self.laid_out(_lay_out(part), place, state)

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
        if UNDERDOT in marks and state != State.UNDERSTOOD:
            state = State.UNCLEAR
        self.pieces.append((letters, state, first, end))

    # -- letters of other scripts -----------------------------------------------------------------

    def _with_greek_twins(self, raw: str, start: int) -> str:
        """Put Greek letters for look-alikes in Greek words, also where tags cut a word in pieces."""
        text = replace_lookalikes(raw)
        for match in _FOREIGN_WORD.finditer(text):
            if LOOKALIKES.keys() >= set(match.group()) and self._in_greek_word(match, len(text), start):
                word = replace_lookalikes(f"α{match.group()}")[1:]
                text = text[: match.start()] + word + text[match.end() :]
        return text

    def _in_greek_word(self, match: regex.Match[str], length: int, start: int) -> bool:
        if match.start() == 0 and self.pending is None and not self.soft_edge and self.last_letter in LETTERS:
            return True
        return match.end() == length and _GREEK_FOLLOWS.match(self.source, start + length) is not None


def _lay_out(folded: str) -> Run:
    core = folded.strip(_BLANKS)
    if not core:
        return "", 0, 0, ALIGNED
    first = stop = 0
    if len(core) < len(folded):
        first = folded.index(core)
        stop = first + len(core)
        stop = stop if stop < len(folded) else 0
    if REPEATED in core:
        return core.replace(REPEATED, ""), first, stop, core
    return core, first, stop, ALIGNED


def _end_of(letters: str, first: int, layout: int | str) -> int:
    if isinstance(layout, str):
        return first + len(layout)
    return first + len(letters) if layout == ALIGNED else layout


_MARKS = "".join(map(chr, (*range(0x300, 0x370), *range(0x1DC0, 0x1E00))))
