"""The reading of an edition: signs in order, each with its state and its place in the source.

One walk over the elements applies every rule of "what the model reads" (docs/reading.md); the model
text is the reading's string of letters, never a second parser. To add a markup rule, add a method to
`_Reader` and name it in `_RULES`.

Not for deciding what can be restored: see `lacunae`.
"""

from __future__ import annotations

import bisect
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum

from pythia_epidoc.epidoc.extent import Extent, extent_of
from pythia_epidoc.epidoc.scanner import REFERENCE, Element, Text, resolve_reference
from pythia_epidoc.greek import (
    FOLD_TABLE,
    FOREIGN,
    LOST,
    NUMERAL,
    SPACE,
    UNDERDOT,
    UNKNOWN,
    is_accented,
    numeral_value,
    replace_lookalikes,
)

MAX_LOST = 200
"""Longer lacunae are shown to the model as an unknown stretch."""


class State(IntEnum):
    """How we come to know a sign."""

    PRESERVED = 0
    UNCLEAR = 1
    SUPPLIED = 2
    LOST = 3
    UNDERSTOOD = 4
    """Added by the editor, never on the stone: expansions, omitted letters."""


@dataclass(frozen=True)
class Sign:
    """One character of the reading; `start:end` is where the source has it."""

    letter: str
    state: State
    start: int
    end: int


@dataclass(frozen=True)
class Line:
    """A line of the text: its number as printed and the index of its first sign."""

    n: str
    first: int
    offset: int
    broken_word: bool


@dataclass(frozen=True)
class Stretch:
    """The signs `first:stop` that one or more `gap`s, or one `supplied`, stand for."""

    elements: tuple[Element, ...]
    first: int
    stop: int
    extent: Extent


@dataclass(frozen=True, eq=False)
class Reading:
    """Signs in columns: `letters[i]`, `states[i]`, `starts[i]`, `ends[i]` are the i-th sign."""

    letters: str
    states: bytes
    starts: array[int]
    ends: array[int]
    lines: tuple[Line, ...]
    stretches: tuple[Stretch, ...]
    vacats: tuple[int, ...]
    """Indexes of signs before which the stone is left blank."""
    ambiguous: dict[int, str] = field(default_factory=dict)
    """Index of a sign → the letters it may be, where the editor offers several."""

    def __len__(self) -> int:
        return len(self.letters)

    def __getitem__(self, index: int) -> Sign:
        return Sign(self.letters[index], State(self.states[index]), self.starts[index], self.ends[index])

    def __iter__(self) -> Iterator[Sign]:
        return (self[index] for index in range(len(self.letters)))

    def sign_at(self, offset: int) -> int | None:
        """The index of the sign at a source offset, or None where nothing is read."""
        index = bisect.bisect_right(self.starts, offset) - 1
        while index > 0 and self.starts[index - 1] == self.starts[index] and offset >= self.ends[index]:
            index -= 1
        return index if index >= 0 and offset < max(self.ends[index], self.starts[index] + 1) else None

    def line_of(self, index: int) -> Line | None:
        """The line a sign stands in, or None before the first line number."""
        position = bisect.bisect_right([line.first for line in self.lines], index) - 1
        return self.lines[position] if position >= 0 else None


def is_greek(language: str) -> bool:
    """True for Greek and for "not said", where the script decides; `xly-Grek` is not Greek."""
    return language.lower().split("-")[0] in ("", "grc", "el", "gre", "ell", "greek", "und", "mul", "mis")


def lost_letters(extent: Extent) -> str:
    """How a lacuna looks to the model when it is context: `-` per letter, `#` where nobody knows."""
    if not extent.in_letters or extent.least is None:
        return UNKNOWN
    if extent.most is None:
        return LOST * min(extent.least, MAX_LOST) + UNKNOWN
    middle = (extent.least + extent.most) // 2
    return UNKNOWN if middle > MAX_LOST or middle == 0 else LOST * middle


def read(edition: Element, source: str, entities: dict[str, str] | None = None) -> Reading:
    """Read an edition element of a source text."""
    reader = _Reader(source, entities or {})
    language = edition.get("xml:lang") or edition.get("lang") or _container_language(edition)
    if is_greek(language):
        reader.walk(edition, State.PRESERVED)
    else:
        reader.walk_foreign(edition)
    return reader.finish()


def _container_language(edition: Element) -> str:
    """The language said on `text` or `body`; on `TEI` it is that of the metadata."""
    for ancestor in edition.ancestors():
        if ancestor.name in ("TEI", "TEI.2"):
            break
        language = ancestor.get("xml:lang") or ancestor.get("lang")
        if language:
            return language
    return ""


class _Reader:
    """Collects the columns of a reading during the walk."""

    def __init__(self, source: str, entities: dict[str, str]) -> None:
        self.source = source
        self.entities = entities
        self.pieces: list[str] = []
        self.states = bytearray()
        self.starts: array[int] = array("q")
        self.ends: array[int] = array("q")
        self.lines: list[Line] = []
        self.stretches: list[Stretch] = []
        self.vacats: list[int] = []
        self.ambiguous: dict[int, str] = {}
        self.last_letter = SPACE
        self.pending: tuple[int, int] | None = None  # whitespace seen, not yet known to matter
        self.soft_edge = False  # a <w> ended or begins: a space unless a lacuna adjoins
        self.glued = False  # after break="no": whitespace does not count
        self.supplied_depth = 0
        self.on_stone = 0  # letters so far that stand, or stood, on the stone

    def finish(self) -> Reading:
        return Reading(
            "".join(self.pieces),
            bytes(self.states),
            self.starts,
            self.ends,
            tuple(self.lines),
            tuple(self.stretches),
            tuple(self.vacats),
            self.ambiguous,
        )

    # -- signs ------------------------------------------------------------------------------------

    def add(self, letters: str, state: int, start: int, end: int) -> None:
        """Add signs that all stand for the same stretch of source."""
        self._word_edge(state, letters[0] in (LOST, UNKNOWN), start)
        self._extend(letters, state, [start] * len(letters), [end] * len(letters))

    def _extend(self, letters: str, state: int, starts: object, ends: object) -> None:
        self.pieces.append(letters)
        self.states.extend(bytes((state,)) * len(letters))
        self.starts.extend(starts)  # type: ignore[arg-type]
        self.ends.extend(ends)  # type: ignore[arg-type]
        self.last_letter = letters[-1]
        self.glued = False
        if letters != SPACE and state != State.UNDERSTOOD:
            self.on_stone += len(letters)

    def _word_edge(self, state: int, is_lacuna: bool, start: int) -> None:
        """Turn what stood between the last sign and the next into a space, or into nothing."""
        pending, soft = self.pending, self.soft_edge
        self.pending, self.soft_edge = None, False
        if self.last_letter == SPACE:
            return
        if pending is None:
            if not soft or is_lacuna or self.last_letter in (LOST, UNKNOWN):
                return
            pending = (start, start)
        self._extend(SPACE, state if state != State.LOST else State.PRESERVED, (pending[0],), (pending[1],))

    def edge(self, start: int, end: int) -> None:
        """A word ends here, if one was being read."""
        if not self.glued and self.pending is None:
            self.pending = (start, end)

    def text(self, node: Text, state: int) -> None:
        raw = self.source[node.start : node.end]
        if raw.isspace():
            self.edge(node.start, node.start + 1)
            return
        if "&" not in raw or node.cdata:
            self.run(raw, node.start, state)
            return
        position = 0
        for match in REFERENCE.finditer(raw):
            if match.start() > position:
                self.run(raw[position : match.start()], node.start + position, state)
            value = resolve_reference(match, self.entities)
            self.reference(value, node.start + match.start(), node.start + match.end(), state)
            position = match.end()
        if position < len(raw):
            self.run(raw[position:], node.start + position, state)

    def reference(self, value: str, start: int, end: int, state: int) -> None:
        """Read what a character or entity reference stands for; its signs share its place."""
        for character in value:
            self.character(character, start, end, state)

    def run(self, raw: str, start: int, state: int) -> None:
        """Read characters that stand one after another in the source."""
        folded = raw.translate(FOLD_TABLE)
        if FOREIGN in folded:
            raw = replace_lookalikes(raw)
            folded = raw.translate(FOLD_TABLE).replace(FOREIGN, "")
        if len(folded) != len(raw):
            self.irregular_run(raw, start, state)
            return
        core = folded.strip(SPACE)
        if not core:
            if folded:
                self.edge(start, start + 1)
            return
        lead = len(folded) - len(folded.lstrip(SPACE))
        if lead:
            self.edge(start, start + 1)
        position = lead
        for word in core.split(SPACE):
            if not word:
                position += 1
                continue
            if position > lead:
                self.edge(start + position - 1, start + position)
            if self.pending is not None or self.soft_edge:
                self._word_edge(state, False, start + position)
            first, stop = start + position, start + position + len(word)
            self._extend(word, state, range(first, stop), range(first + 1, stop + 1))
            position += len(word) + 1
        if lead + len(core) < len(folded):
            self.edge(start + lead + len(core), start + lead + len(core) + 1)

    def irregular_run(self, raw: str, start: int, state: int) -> None:
        """Read characters of which some stand for no letter: combining marks, brackets, foreign words."""
        for index, character in enumerate(raw, start):
            self.character(character, index, index + 1, state)

    def character(self, character: str, start: int, end: int, state: int) -> None:
        letter = character.translate(FOLD_TABLE)
        if letter == SPACE:
            self.edge(start, end)
        elif letter == FOREIGN:
            self.edge(start, start)
        elif letter:
            self._word_edge(state, False, start)
            self._extend(letter, state, (start,), (end,))
        elif self.starts and _is_mark(character) and self.ends[-1] in (start, end):
            self.ends[-1] = end
            if character == UNDERDOT and self.states[-1] != State.LOST:
                self.states[-1] = State.UNCLEAR

    # -- rules ------------------------------------------------------------------------------------

    def walk(self, element: Element, state: int) -> None:
        for child in element.children:
            if isinstance(child, Text):
                self.text(child, state)
                continue
            if "lang" in child.raw_attributes:
                language = child.get("xml:lang") or child.get("lang")
                if language and not is_greek(language):
                    self.edge(child.start, child.start)
                    self.walk_foreign(child)
                    continue
            rule = _RULES.get(child.name)
            if rule is None:
                self.walk(child, state)
            else:
                rule(self, child, state)

    def walk_foreign(self, element: Element) -> None:
        """Inside another language only parts marked as Greek are read."""
        for child in element.elements:
            language = child.get("xml:lang") or child.get("lang")
            if language and is_greek(language):
                self.edge(child.start, child.start)
                rule = _RULES.get(child.name, _Reader.walk)
                rule(self, child, State.PRESERVED)
                self.edge(child.end, child.end)
            elif child.name not in _DROPPED:
                self.walk_foreign(child)

    def drop(self, element: Element, state: int) -> None:
        pass

    def block(self, element: Element, state: int) -> None:
        self.edge(element.start, element.start)
        self.walk(element, state)
        self.edge(element.end, element.end)

    def word(self, element: Element, state: int) -> None:
        part = element.get("part")
        if part not in ("M", "F"):
            self.soft_edge = True
        self.walk(element, state)
        if part not in ("I", "M"):
            self.soft_edge = True

    def line_break(self, element: Element, state: int) -> None:
        broken = element.get("break") == "no" or element.get("type") == "inWord"
        if broken:
            self.pending, self.soft_edge, self.glued = None, False, True
        else:
            self.glued = False
            self.edge(element.start, element.start)
        if element.name == "lb":
            self.lines.append(Line(element.get("n"), len(self.states), element.start, broken))

    def unclear(self, element: Element, state: int) -> None:
        self.walk(element, State.UNCLEAR)

    def understood(self, element: Element, state: int) -> None:
        self.walk(element, State.UNDERSTOOD)

    def gap(self, element: Element, state: int) -> None:
        if element.get("reason") == "ellipsis":
            self.edge(element.start, element.end)
            return
        self.lacuna(element, extent_of(element))

    def lacuna(self, element: Element, extent: Extent) -> None:
        """Add the signs of something lost, joined to a lacuna directly before it."""
        count = len(self.states)
        previous = self.stretches[-1] if self.stretches else None
        if (
            previous is not None
            and previous.stop == count
            and previous.first < count
            and self.pending is None
            and not self.soft_edge
            and all(lost.name == "gap" for lost in (*previous.elements, element))
            and previous.extent.unit == extent.unit
        ):
            self.stretches.pop()
            joined = previous.extent + extent
            if previous.extent.exact is None or extent.exact is None:
                self._cut(previous.first)
                first = previous.first
                self.add(lost_letters(joined), State.LOST, previous.elements[0].start, element.end)
                self.lines = [
                    replace(line, first=min(line.first, len(self.states))) for line in self.lines
                ]
            else:
                first = previous.first
                self.add(lost_letters(extent), State.LOST, element.start, element.end)
            elements, extent = (*previous.elements, element), joined
        else:
            self.add(lost_letters(extent), State.LOST, element.start, element.end)
            elements, first = (element,), len(self.states) - len(lost_letters(extent))
        self.stretches.append(Stretch(elements, first, len(self.states), extent))

    def _cut(self, length: int) -> None:
        """Take back the lost signs from index `length` on."""
        excess = len(self.states) - length
        self.on_stone -= excess
        while excess > 0:
            excess -= len(self.pieces.pop())
        self.last_letter = self.pieces[-1][-1] if self.pieces else SPACE
        del self.states[length:], self.starts[length:], self.ends[length:]

    def supplied(self, element: Element, state: int) -> None:
        reason = element.get("reason")
        if reason in ("subaudible", "explanation"):
            return
        if reason == "omitted" or state == State.UNDERSTOOD:
            self.walk(element, State.UNDERSTOOD)
            return
        before, on_stone, pending = len(self.states), self.on_stone, self.pending
        self.supplied_depth += 1
        self.walk(element, State.SUPPLIED)
        self.supplied_depth -= 1
        first = before
        while first < len(self.states) and self.starts[first] < element.open_end:
            first += 1  # a space that stood before the element
        if first == len(self.states):
            if self.supplied_depth == 0:
                self.pending = pending
                self.lacuna(element, extent_of(element))
            return
        if self.supplied_depth == 0:
            extent = Extent.exactly(self.on_stone - on_stone)
            self.stretches.append(Stretch((element,), first, len(self.states), extent))

    def choice(self, element: Element, state: int) -> None:
        options = list(element.elements)
        if not options:
            return
        names = [option.name for option in options]
        wanted = next((name for name in ("reg", "corr", "expan") if name in names), names[0])
        before = len(self.states)
        self._walk_one(options[names.index(wanted)], state)
        if names.count("unclear") > 1 and len(self.states) == before + 1:
            letters = {self.source[option.open_end : option.close_start] for option in options}
            self.ambiguous[before] = "".join(sorted(text.translate(FOLD_TABLE) for text in letters))

    def apparatus(self, element: Element, state: int) -> None:
        lemma = [child for child in element.elements if child.name == "lem"]
        readings = [child for child in element.elements if child.name in ("rdg", "rdgGrp")]
        if lemma:
            self.walk(lemma[0], state)
        elif readings:
            self.walk(readings[-1], state)

    def substitution(self, element: Element, state: int) -> None:
        for child in element.elements:
            if child.name != "del":
                self._walk_one(child, state)

    def _walk_one(self, element: Element, state: int) -> None:
        rule = _RULES.get(element.name, _Reader.walk)
        rule(self, element, state)

    def number(self, element: Element, state: int) -> None:
        text = "".join(
            self.source[node.start : node.end]
            for part in element.iter()
            for node in part.children
            if isinstance(node, Text)
        )
        value = numeral_value(text)
        written = element.get("value")
        is_word = is_accented(text) or (value is None and any(character.isalpha() for character in text))
        if is_word and not (value is not None and written == str(value)):
            self.walk(element, state)
            return
        self.soft_edge = True
        self.add(NUMERAL, self._state_of_numeral(element, state), element.start, element.end)
        self.soft_edge = True

    def _state_of_numeral(self, element: Element, state: int) -> int:
        names = {part.name for part in element.iter()}
        if "supplied" in names and state == State.PRESERVED:
            return State.SUPPLIED
        return State.UNCLEAR if "unclear" in names and state == State.PRESERVED else state

    def glyph(self, element: Element, state: int) -> None:
        if element.within("w", "name", "num", "abbr") is None:
            self.soft_edge = True

    def space(self, element: Element, state: int) -> None:
        self.vacats.append(len(self.states))


def _is_mark(character: str) -> bool:
    return "\u0300" <= character <= "\u036f" or "\u1dc0" <= character <= "\u1dff"


_Rule = Callable[[_Reader, Element, int], None]
_DROPPED = frozenset(
    "surplus note desc certainty rdg figDesc fw bibl listBibl head label figure am "
    "speaker teiHeader interp index witDetail".split()
)
_BLOCKS = frozenset("ab p l lg div div1 div2 div3 div4 div0 sp list item table row cell quote q u closer opener".split())
_BREAKS = frozenset("lb cb pb gb milestone".split())
_RULES: dict[str, _Rule] = {
    **dict.fromkeys(_DROPPED, _Reader.drop),
    **dict.fromkeys(_BLOCKS - {"q", "quote"}, _Reader.block),
    **dict.fromkeys(_BREAKS, _Reader.line_break),
    "w": _Reader.word,
    "unclear": _Reader.unclear,
    "ex": _Reader.understood,
    "gap": _Reader.gap,
    "supplied": _Reader.supplied,
    "choice": _Reader.choice,
    "app": _Reader.apparatus,
    "subst": _Reader.substitution,
    "num": _Reader.number,
    "g": _Reader.glyph,
    "space": _Reader.space,
}
