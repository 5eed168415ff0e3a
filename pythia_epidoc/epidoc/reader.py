"""How an edition is read: one walk over its elements applies every rule of docs/reading.md.

To add a markup rule, add a method to `_Reader` and name it in `_RULES`. Not for turning characters into
signs: see `signs`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pythia_epidoc.epidoc.extent import Extent, extent_of
from pythia_epidoc.epidoc.languages import is_greek, language_of
from pythia_epidoc.epidoc.reading import ALIGNED, Line, Reading, State, Stretch
from pythia_epidoc.epidoc.scanner import Element, Text
from pythia_epidoc.epidoc.signs import SignWriter
from pythia_epidoc.greek import FOLD_TABLE, FOREIGN, LOST, NUMERAL, SPACE, UNKNOWN, is_numeral

MAX_LOST = 200
"""Longer lacunae are shown to the model as an unknown stretch."""


def read(edition: Element, source: str, entities: dict[str, str] | None = None) -> Reading:
    """Read an edition element of a source text."""
    reader = _Reader(edition, source, entities or {})
    if is_greek(language_of(edition)):
        reader.walk(edition, State.PRESERVED)
    else:
        reader.walk_foreign(edition)
    return Reading(reader.pieces, reader.lines, reader.stretches, reader.vacats, reader.ambiguous)


def lost_letters(extent: Extent) -> str:
    """How a lacuna looks to the model when it is context: `-` per letter, `#` where nobody knows."""
    if not extent.in_letters or extent.least is None:
        return UNKNOWN
    if extent.most is None:
        return LOST * min(extent.least, MAX_LOST) + UNKNOWN
    middle = (extent.least + extent.most) // 2
    return UNKNOWN if middle > MAX_LOST or middle == 0 else LOST * middle


class _Reader(SignWriter):
    """Walks the elements; what it knows besides the signs are lines, lacunae and vacats."""

    def __init__(self, edition: Element, source: str, entities: dict[str, str]) -> None:
        super().__init__(source, edition.start, edition.end, entities)
        self.lines: list[Line] = []
        self.stretches: list[Stretch] = []
        self.vacats: list[int] = []
        self.ambiguous: dict[int, str] = {}
        self.supplied_depth = 0
        self.word_depth = 0

    def walk(self, element: Element, state: int) -> None:
        for child in element.children:
            if child.__class__ is Text:
                self.text(child, state)
            else:
                self.visit(child, state)  # type: ignore[arg-type]

    def visit(self, element: Element, state: int) -> None:
        """Read one element by its rule, if it is in Greek."""
        language = element.tag.language
        if language and not is_greek(language):
            self.edge(element.start, element.start)
            self.walk_foreign(element)
            return
        rule = _RULES.get(element.name)
        if rule is None:
            self.walk(element, state)
        else:
            rule(self, element, state)

    def walk_foreign(self, element: Element) -> None:
        """Inside another language only parts marked as Greek are read."""
        for child in element.elements:
            language = child.tag.language
            if language and is_greek(language):
                self.edge(child.start, child.start)
                self.visit(child, State.PRESERVED)
                self.edge(child.end, child.end)
            elif child.name not in _DROPPED:
                self.walk_foreign(child)

    # -- blocks, words, lines ---------------------------------------------------------------------

    def drop(self, element: Element, state: int) -> None:
        pass

    def block(self, element: Element, state: int) -> None:
        if element.get("type") in _NOT_TEXT:
            return
        self.edge(element.start, element.start)
        self.walk(element, state)
        self.edge(element.end, element.end)

    def word(self, element: Element, state: int) -> None:
        part = element.get("part")
        if part not in ("M", "F"):
            self.soft_edge = True
        self.word_depth += 1
        self.walk(element, state)
        self.word_depth -= 1
        if part not in ("I", "M"):
            self.soft_edge = True

    def line_break(self, element: Element, state: int) -> None:
        broken = self._breaks_a_word(element)
        if broken:
            self.pending, self.soft_edge, self.glued = None, False, True
        else:
            self.glued = False
            self.edge(element.start, element.start)
        if element.name == "lb":
            self.lines.append(Line(element.get("n"), self.count, element.start, broken))

    def _breaks_a_word(self, element: Element) -> bool:
        said = element.get("break")
        if said:
            return said == "no"
        if element.get("type") == "inWord" or self.word_depth:
            return True
        # Blocks of a monument go through names: Νυ<milestone/>μφόδωρον.
        return element.name == "milestone" and element.within("name") is not None

    def glyph(self, element: Element, state: int) -> None:
        if element.within("w", "name", "num", "abbr") is None:
            self.soft_edge = True

    def space(self, element: Element, state: int) -> None:
        self.vacats.append(self.count)

    # -- states -----------------------------------------------------------------------------------

    def unclear(self, element: Element, state: int) -> None:
        self.walk(element, state if state == State.UNDERSTOOD else State.UNCLEAR)

    def understood(self, element: Element, state: int) -> None:
        self.walk(element, State.UNDERSTOOD)

    # -- lacunae ----------------------------------------------------------------------------------

    def gap(self, element: Element, state: int) -> None:
        if element.get("reason") == "ellipsis":
            self.edge(element.start, element.end)
        else:
            self.lacuna(element, extent_of(element))

    def lacuna(self, element: Element, extent: Extent) -> None:
        """Add the signs of something lost, joined to a lacuna directly before it."""
        elements: tuple[Element, ...] = (element,)
        previous = self._adjacent_gap(element, extent)
        if previous is None:
            self.add(lost_letters(extent), State.LOST, element.start, element.end)
            first = self.count - len(lost_letters(extent))
        else:
            self.stretches.pop()
            first, elements, joined = previous.first, (*previous.elements, element), previous.extent + extent
            if previous.extent.exact is None or extent.exact is None:
                self.take_back(first)
                self.add(lost_letters(joined), State.LOST, previous.elements[0].start, element.end)
                self._move_lines(len(self.lines), first)
            else:
                self.add(lost_letters(extent), State.LOST, element.start, element.end)
            extent = joined
        self.stretches.append(Stretch(elements, first, self.count, extent))

    def _move_lines(self, limit: int, first: int) -> None:
        """Lines that began among signs now taken back, at most so many, begin after what replaced them."""
        for index in range(len(self.lines) - 1, len(self.lines) - 1 - limit, -1):
            if self.lines[index].first <= first:
                break
            self.lines[index] = replace(self.lines[index], first=self.count)

    def _adjacent_gap(self, element: Element, extent: Extent) -> Stretch | None:
        """The lacuna just before, if nothing stands between and both can be replaced as one."""
        if not self.stretches or self.pending is not None or self.soft_edge or element.name != "gap":
            return None
        previous = self.stretches[-1]
        is_adjacent = (
            previous.first < previous.stop == self.count
            and previous.elements[-1].name == "gap"
            and previous.elements[-1].parent is element.parent
            and previous.extent.unit == extent.unit
            and self.count not in self.vacats[-1:]
        )
        return previous if is_adjacent else None

    def supplied(self, element: Element, state: int) -> None:
        reason = element.get("reason")
        if reason in ("subaudible", "explanation"):
            return
        if reason == "omitted" or state == State.UNDERSTOOD:
            self.walk(element, State.UNDERSTOOD)
            return
        mark, first, pending = len(self.pieces), self.count, self.pending
        self.supplied_depth += 1
        self.walk(element, State.SUPPLIED)
        self.supplied_depth -= 1
        if self.supplied_depth:
            return
        own = self.pieces[mark:]
        if own and own[0][0] == SPACE and own[0][2] < element.open_end:
            first += 1  # a space that stood before the element
        if first == self.count:
            self.pending = pending
            self.lacuna(element, extent_of(element))
            return
        on_stone = sum(
            len(letters) - letters.count(SPACE) for letters, state, _, _ in own if state != State.UNDERSTOOD
        )
        self.stretches.append(Stretch((element,), first, self.count, Extent.exactly(on_stone)))

    # -- one of several ---------------------------------------------------------------------------

    def choice(self, element: Element, state: int) -> None:
        options = [option for option in element.elements if is_greek(option.tag.language)]
        if not options:
            return
        names = [option.name for option in options]
        wanted = next((name for name in ("reg", "corr", "expan") if name in names), names[0])
        before = self.count
        self.visit(options[names.index(wanted)], state)
        if names.count("unclear") > 1 and self.count > before:
            self._ambiguity(options)

    def _ambiguity(self, options: list[Element]) -> None:
        letters = {
            self.source[option.open_end : option.close_start].translate(FOLD_TABLE).replace(FOREIGN, "")
            for option in options
        }
        if all(len(letter) == 1 for letter in letters):
            self.ambiguous[self.count - 1] = "".join(sorted(letters))

    def apparatus(self, element: Element, state: int) -> None:
        children = list(element.elements)
        readings = [child for child in children if child.name == "lem"][:1] or [
            reading for child in children for reading in _readings_of(child)
        ]
        if readings and is_greek(readings[-1].tag.language):
            self.walk(readings[-1], state)

    def substitution(self, element: Element, state: int) -> None:
        for child in element.elements:
            if child.name != "del":
                self.visit(child, state)

    # -- numerals ---------------------------------------------------------------------------------

    def number(self, element: Element, state: int) -> None:
        """Read a `num` like anything else, then put one sign in its place if it holds figures."""
        mark, count = len(self.pieces), self.count
        edges = self.pending, self.glued
        lines, stretches, vacats = len(self.lines), len(self.stretches), len(self.vacats)
        self.soft_edge = True
        self.walk(element, state)
        if is_numeral(self._written_since(mark), element.get("value")):
            states = {piece[1] for piece in self.pieces[mark:] if piece[0] != SPACE}
            self.take_back(count)
            self.pending, self.glued = edges
            self.soft_edge = True
            self.add(NUMERAL, _state_of_numeral(states, state), element.start, element.end)
            del self.stretches[stretches:]
            del self.vacats[vacats:]
            while self.ambiguous and next(reversed(self.ambiguous)) >= count:
                self.ambiguous.popitem()
            self._move_lines(len(self.lines) - lines, count)
        self.soft_edge = True

    def _written_since(self, mark: int) -> str:
        """The letters read since then, with the accents that the source has."""
        written = ""
        for letters, state, start, end in self.pieces[mark:]:
            raw = self.source[start : start + len(letters) if end == ALIGNED else end]
            written += "" if state == State.LOST else letters if raw.startswith("&") else raw
        return written


def _state_of_numeral(states: set[int], state: int) -> int:
    """Lost in part: the editor knows, not the stone."""
    if state != State.PRESERVED:
        return state
    for weakest in (State.LOST, State.SUPPLIED):
        if weakest in states:
            return State.SUPPLIED
    return State.UNCLEAR if State.UNCLEAR in states else state


def _readings_of(element: Element) -> list[Element]:
    if element.name == "rdgGrp":
        return [reading for reading in element.elements if reading.name in ("lem", "rdg")]
    return [element] if element.name == "rdg" else []


_Rule = Callable[[_Reader, Element, int], None]
_DROPPED = frozenset(
    (
        "surplus",
        "note",
        "desc",
        "certainty",
        "rdg",
        "figDesc",
        "fw",
        "bibl",
        "listBibl",
        "head",
        "label",
        "figure",
        "am",
        "speaker",
        "teiHeader",
        "interp",
        "index",
        "witDetail",
    )
)
_BLOCKS = frozenset(
    (
        "ab",
        "p",
        "l",
        "lg",
        "div",
        "div1",
        "div2",
        "div3",
        "div4",
        "div0",
        "sp",
        "list",
        "item",
        "table",
        "row",
        "cell",
        "u",
        "closer",
        "opener",
    )
)
# Divisions that are about the text, not part of it.
_NOT_TEXT = frozenset(("apparatus", "translation", "commentary", "bibliography", "description", "history"))
_BREAKS = frozenset(("lb", "cb", "pb", "gb", "milestone"))
_RULES: dict[str, _Rule] = {
    **dict.fromkeys(_DROPPED, _Reader.drop),
    **dict.fromkeys(_BLOCKS, _Reader.block),
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
