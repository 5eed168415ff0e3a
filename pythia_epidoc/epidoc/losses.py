"""What is lost in an edition, and where its lines begin: gaps become signs, adjacent ones are joined.

Not for what editors supplied, nor for any other markup: see `reader`.
"""

from __future__ import annotations

import re
from typing import Final

from pythia_epidoc.epidoc.content import Content
from pythia_epidoc.epidoc.extent import Extent, extent_of
from pythia_epidoc.epidoc.reading import LOST, LineMark, Mark
from pythia_epidoc.epidoc.references import REFERENCE, resolve_reference
from pythia_epidoc.epidoc.signs import SignWriter
from pythia_epidoc.epidoc.tags import CLOSE, EMPTY
from pythia_epidoc.greek import shadows

WORDLESS: Final = frozenset(("g", "space", "handShift", "milestone", "figure"))
"""Elements by which an editor restores something without a letter: a cross, a blank, a change of hand."""
_DASHES = re.compile(r"\s*(?:[-–—―…․]|\.\s*\.)[-–—―…․.\s\[\]]*")


def says_nothing(text: str) -> bool:
    """True for blanks, dashes and dots: a `supplied` that holds no more restores nothing."""
    plain = REFERENCE.sub(resolve_reference, text)
    return not plain.strip() or _DASHES.fullmatch(plain) is not None


class LossWriter(SignWriter):
    """Signs of an edition, and what is known besides: lines, lacunae and vacats."""

    def __init__(self, content: Content, edition: int) -> None:
        super().__init__(content.source.text, content.entities)
        self.tokens = tokens = content.tokens
        self.tags = tokens.tags
        inside = tokens.runs[edition + 1 : tokens.close_of(edition) + 1]
        self.shadows = [""] * (edition + 1) + shadows(inside)
        self.lines: list[LineMark] = []
        self.marks: list[Mark] = []
        self.vacats: list[int] = []

    def _start(self, index: int) -> int:
        return self.tokens.offsets[2 * index + 1]

    def _end(self, index: int) -> int:
        return self.tokens.offsets[2 * index + 2]

    def ellipsis(self, index: int, state: int) -> int:
        close = self.tokens.close_of(index)
        self.edge(self._start(index), self._end(close))
        return close

    def gap(self, index: int, state: int) -> int:
        tag = self.tags[index]
        close = index if tag.kind == EMPTY else self.tokens.close_of(index)
        self.lacuna(index, close, extent_of(tag))
        return close

    def is_empty(self, index: int, close: int) -> bool:
        """True if an element holds nothing that anybody could have restored."""
        inside = range(index + 1, close + 1)
        return says_nothing("".join(self.tokens.runs[token] for token in inside)) and not any(
            self.tags[token].name in WORDLESS for token in inside
        )

    def lacuna(self, index: int, close: int, extent: Extent) -> None:
        """Add the signs of something lost, joined to a lacuna directly before it."""
        tokens = [index]
        is_adjacent = self.marks and self.marks[-1][2] == self.count
        before = self._adjacent_gap(index, extent) if is_adjacent else None
        letters = extent.lost
        if before is None:
            self.add(letters, LOST, self._start(index), self._end(close))
            first = self.count - len(letters)
        else:
            tokens, first, _, _ = self.marks.pop()
            tokens.append(index)
            total = before + extent
            if before.exact is None or extent.exact is None:
                self.take_back(first)
                self.add(total.lost, LOST, self._start(tokens[0]), self._end(close))
                self.move_lines(len(self.lines), first)
            else:
                self.add(letters, LOST, self._start(index), self._end(close))
            extent = total
        self.marks.append((tokens, first, self.count, extent))

    def move_lines(self, limit: int, first: int) -> None:
        """Lines that began among signs now taken back, at most so many, begin after what replaced them."""
        for index in range(len(self.lines) - 1, len(self.lines) - 1 - limit, -1):
            tag, began, offset, broken = self.lines[index]
            if began <= first or began == self.count:
                break
            self.lines[index] = (tag, self.count, offset, broken)

    def _adjacent_gap(self, index: int, extent: Extent) -> Extent | None:
        """The extent of the lacuna just before, if nothing stands between and both can be replaced as one."""
        if self.pending >= 0 or self.soft_edge or self.tags[index].name != "gap":
            return None
        tokens, first, stop, before = self.marks[-1]
        is_adjacent = (
            before is not None
            and first < stop
            and self.tags[tokens[-1]].name == "gap"
            and before.unit == extent.unit
            and self.count not in self.vacats[-1:]
            and self._are_siblings(tokens[-1], index)
        )
        return before if is_adjacent else None

    def _are_siblings(self, first: int, second: int) -> bool:
        index = self.tokens.close_of(first) + 1
        while index < second:
            if self.tags[index].kind == CLOSE:
                return False
            index = self.tokens.close_of(index) + 1
        return index == second
