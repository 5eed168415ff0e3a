"""How an edition is read: one walk over its tokens applies every rule of docs/reading.md.

A rule is a method that is given the token of a start tag and gives back the token of its end tag. To add
one, write the method and name it in `_RULES`. Not for turning characters into signs: see `signs`.
"""

from __future__ import annotations

from collections.abc import Callable

from pythia_epidoc.epidoc.content import Content
from pythia_epidoc.epidoc.extent import extent_of
from pythia_epidoc.epidoc.languages import is_greek
from pythia_epidoc.epidoc.losses import LossWriter
from pythia_epidoc.epidoc.reading import (
    ALIGNED,
    LOST,
    NEVER_READ,
    NEVER_WRITTEN,
    PRESERVED,
    SUPPLIED,
    UNCLEAR,
    UNDERSTOOD,
    Reading,
)
from pythia_epidoc.epidoc.signs import GLUED
from pythia_epidoc.epidoc.tags import CDATA, CLOSE, EMPTY, OPEN, Tag
from pythia_epidoc.greek import FOLD_TABLE, FOREIGN, NUMERAL, SILENT, SPACE, is_numeral, shadow


def read(content: Content, edition: int, language: str) -> Reading:
    """Read the element that begins with the token `edition`."""
    reader = _Reader(content, edition)
    if content.tokens.tags[edition].kind == OPEN:
        if is_greek(language):
            reader.walk(edition, PRESERVED)
        else:
            reader.foreign(edition, PRESERVED)
    return Reading(
        reader.pieces, reader.lines, reader.marks, reader.vacats, reader.ambiguous, content.element_of
    )


# What the walk does at a tag.
_UNMET, _NOTHING, _ENTER, _LEAVE, _ENTER_UNCLEAR, _ENTER_UNDERSTOOD, _CHARACTERS, _RULE = range(-1, 7)


class _Reader(LossWriter):
    """Walks the tokens and finds the rule for each."""

    def __init__(self, content: Content, edition: int) -> None:
        super().__init__(content, edition)
        self.ambiguous: dict[int, str] = {}
        self.supplied_depth = 0
        self.word_depth = 0
        self.name_depth = 0

    def walk(self, index: int, state: int) -> int:
        """Read the content of an element; `index` is its start tag, the result its end tag."""
        tags, shadows, offsets = self.tags, self.shadows, self.tokens.offsets
        outer: list[int] = []
        if tags[index].kind == EMPTY:
            return index
        while True:
            index += 1
            folded = shadows[index]
            if folded:
                start = offsets[2 * index]
                if folded.isalpha():
                    self.add(folded, state, start, ALIGNED)
                elif folded.isspace():
                    self.edge(start, start + 1)
                elif SILENT in folded or FOREIGN in folded:
                    self.irregular(self.tokens.runs[index], folded, start, state)
                else:
                    self.regular(folded, start, state)
            tag = tags[index]
            action = tag.action
            if action == _UNMET:
                action = _decide(tag)
            if action == _LEAVE:
                if not outer:
                    return index
                state = outer.pop()
            elif action == _RULE:
                index = tag.rule(self, index, state)  # type: ignore[misc]
            elif action == _ENTER:
                outer.append(state)
            elif action == _ENTER_UNDERSTOOD:
                outer.append(state)
                state = UNDERSTOOD
            elif action == _ENTER_UNCLEAR:
                outer.append(state)
                if state != UNDERSTOOD:
                    state = UNCLEAR
            elif action == _CHARACTERS:
                self._characters(index, state)

    def visit(self, index: int, state: int) -> int:
        """Read one element by its rule."""
        tag = self.tags[index]
        action = tag.action if tag.action != _UNMET else _decide(tag)
        if action == _RULE:
            return tag.rule(self, index, state)  # type: ignore[misc]
        if action == _ENTER_UNDERSTOOD or state == UNDERSTOOD:
            return self.walk(index, UNDERSTOOD)
        return self.walk(index, UNCLEAR if action == _ENTER_UNCLEAR else state)

    def foreign(self, index: int, state: int) -> int:
        """Inside another language only parts marked as Greek are read, each in the line that it stands in."""
        is_inline = self.tags[index].name not in _BLOCKS
        line = -1
        self.edge(self._start(index), self._start(index))
        close = self.tokens.close_of(index)
        index += 1
        while index < close:
            tag = self.tags[index]
            if tag.kind in (OPEN, EMPTY):
                if tag.language and is_greek(tag.language):
                    self.edge(self._start(index), self._start(index))
                    self._begin_line(line)
                    line = -1
                    index = self.visit(index, PRESERVED)
                    self.edge(self._end(index), self._end(index))
                elif tag.name in _DROPPED:
                    index = self.tokens.close_of(index)
                elif tag.name == "lb":
                    line = index
            index += 1
        if is_inline:
            self._begin_line(line)
        return close

    def _characters(self, index: int, state: int) -> None:
        """Read a CDATA section."""
        start, end = self._start(index) + len("<![CDATA["), self._end(index)
        if self.source.endswith("]]>", start, end):
            end -= len("]]>")
        if start < end:
            raw = self.source[start:end]
            self.irregular(raw, shadow(raw), start, state, is_raw=True)

    # -- blocks, words, lines ---------------------------------------------------------------------

    def drop(self, index: int, state: int) -> int:
        return self.tokens.close_of(index)

    def surplus(self, index: int, state: int) -> int:
        self._lines_in(index)
        return self.tokens.close_of(index)

    def _lines_in(self, index: int) -> bool:
        """Lines that begin in what is not read begin with what is read next. Tells if there are any."""
        found = [
            token for token in range(index, self.tokens.close_of(index)) if self.tags[token].name == "lb"
        ]
        for token in found:
            self._begin_line(token)
        return bool(found)

    def _begin_line(self, token: int) -> None:
        """A line begins here, at a tag that is not read; -1 is none."""
        if token >= 0 and self.tags[token].kind != CLOSE:
            self.lines.append((self.tags[token], self.count, self._start(token), False))

    def block(self, index: int, state: int) -> int:
        self.edge(self._start(index), self._start(index))
        index = self.walk(index, state)
        self.edge(self._end(index), self._end(index))
        return index

    def word(self, index: int, state: int) -> int:
        part = self.tags[index].get("part")
        if part not in ("M", "F"):
            self.soft_edge = True
        self.word_depth += 1
        index = self.walk(index, state)
        self.word_depth -= 1
        if part not in ("I", "M"):
            self.soft_edge = True
        return index

    def name(self, index: int, state: int) -> int:
        self.name_depth += 1
        index = self.walk(index, state)
        self.name_depth -= 1
        return index

    def line_break(self, index: int, state: int) -> int:
        """A break that is a word edge, unless it stands inside a word."""
        tag = self.tags[index]
        # Blocks of a monument go through names: Νυ<milestone/>μφόδωρον.
        if self.word_depth or (self.name_depth and tag.name == "milestone"):
            return self.break_in_word(index, state)
        start = self.tokens.offsets[2 * index + 1]
        if self.pending < 0:
            self.pending = self.pending_end = start
        if tag.name == "lb":
            self.lines.append((tag, self.count, start, False))
        return index if tag.kind == EMPTY else self.tokens.close_of(index)

    def break_in_word(self, index: int, state: int) -> int:
        tag = self.tags[index]
        self.pending, self.soft_edge = GLUED, False
        if tag.name == "lb":
            self.lines.append((tag, self.count, self._start(index), True))
        return index if tag.kind == EMPTY else self.tokens.close_of(index)

    def break_after_word(self, index: int, state: int) -> int:
        """A break that is said to be a word edge, wherever it stands."""
        depths = self.word_depth, self.name_depth
        self.word_depth = self.name_depth = 0
        index = self.line_break(index, state)
        self.word_depth, self.name_depth = depths
        return index

    def glyph(self, index: int, state: int) -> int:
        if not self.word_depth and not self.name_depth:
            self.soft_edge = True
        return self.tokens.close_of(index)

    def space(self, index: int, state: int) -> int:
        self.vacats.append(self.count)
        return self.tokens.close_of(index)

    # -- lacunae ----------------------------------------------------------------------------------

    def supplied(self, index: int, state: int) -> int:
        if state == UNDERSTOOD:
            return self.walk(index, UNDERSTOOD)
        mark, first = len(self.pieces), self.count
        edge = self.pending, self.pending_end
        self.supplied_depth += 1
        close = self.walk(index, SUPPLIED)
        self.supplied_depth -= 1
        if self.supplied_depth:
            return close
        if first == self.count:
            if self.is_empty(index, close):
                self.pending, self.pending_end = edge
                self.lacuna(index, close, extent_of(self.tags[index]))
            return close
        letters, _, start, _ = self.pieces[mark]
        if letters == SPACE and start < self._end(index):
            first += 1  # a space that stood before the element
        self.marks.append(([index], first, self.count, None))
        return close

    # -- one of several ---------------------------------------------------------------------------

    def choice(self, index: int, state: int) -> int:
        children, close = self.tokens.inside(index)
        options = [option for option in children if is_greek(self.tags[option].language)]
        names = [self.tags[option].name for option in options]
        lines = len(self.lines)
        if options:
            wanted = next((name for name in ("reg", "corr", "expan") if name in names), names[0])
            before = self.count
            self.visit(options[names.index(wanted)], state)
            if names.count("unclear") > 1 and self.count > before:
                self._ambiguity(options)
        if lines == len(self.lines):  # the break stands in the form that is on the stone only
            any(map(self._lines_in, children))
        return close

    def _ambiguity(self, options: list[int]) -> None:
        letters = {
            self.source[self._end(option) : self._start(self.tokens.close_of(option))]
            .translate(FOLD_TABLE)
            .replace(FOREIGN, "")
            for option in options
        }
        if all(len(letter) == 1 for letter in letters):
            self.ambiguous[self.count - 1] = "".join(sorted(letters))

    def apparatus(self, index: int, state: int) -> int:
        readings, close = self._readings(index)
        lemmas = [reading for reading in readings if self.tags[reading].name == "lem"]
        chosen = (lemmas[:1] or readings[-1:])[0] if readings else None
        if chosen is not None and is_greek(self.tags[chosen].language):
            self.walk(chosen, state)
        return close

    def _readings(self, index: int) -> tuple[list[int], int]:
        """The start tags of `lem` and `rdg`, also in groups, and the end tag of the element."""
        readings: list[int] = []
        children, close = self.tokens.inside(index)
        for child in children:
            name = self.tags[child].name
            if name == "rdgGrp":
                readings += self._readings(child)[0]
            elif name in ("lem", "rdg"):
                readings.append(child)
        return readings, close

    def substitution(self, index: int, state: int) -> int:
        children, close = self.tokens.inside(index)
        lines = len(self.lines)
        for child in children:
            if self.tags[child].name != "del":
                self.visit(child, state)
        if lines == len(self.lines):
            any(map(self._lines_in, children))
        return close

    # -- numerals ---------------------------------------------------------------------------------

    def number(self, index: int, state: int) -> int:
        """Read a `num` like anything else, then put one sign in its place if it holds figures."""
        tag = self.tags[index]
        plain = self._plain_text(index)
        if plain is not None and is_numeral(plain, tag.get("value")):  # most are
            close = index + 1 if tag.kind == OPEN else index
            self.soft_edge = True
            self.add(NUMERAL, state, self._start(index), self._end(close))
            self.soft_edge = True
            return close
        mark, count = len(self.pieces), self.count
        edge = self.pending, self.pending_end
        lines, marks, vacats = len(self.lines), len(self.marks), len(self.vacats)
        self.soft_edge = True
        close = self.name(index, state)
        if is_numeral(self._written_since(mark), tag.get("value")):
            states = {piece[1] for piece in self.pieces[mark:] if piece[0] != SPACE}
            self.take_back(count)
            self.pending, self.pending_end = edge
            self.soft_edge = True
            numeral_state = _state_of_numeral(states, state)
            self.add(NUMERAL, numeral_state, self._start(index), self._end(close))
            del self.marks[marks:], self.vacats[vacats:]
            while self.ambiguous and next(reversed(self.ambiguous)) >= count:
                self.ambiguous.popitem()
            self.move_lines(len(self.lines) - lines, count)
        self.soft_edge = True
        return close

    def _plain_text(self, index: int) -> str | None:
        """What an element holds, if that is nothing, or letters without blanks, marks and elements."""
        if self.tags[index].kind == EMPTY:
            return ""
        is_plain = self.tags[index + 1].kind == CLOSE and self.shadows[index + 1].isalpha()
        return self.tokens.runs[index + 1] if is_plain else None

    def _written_since(self, mark: int) -> str:
        """The letters read since then, with the accents that the source has."""
        written = ""
        for letters, state, start, layout in self.pieces[mark:]:
            if isinstance(layout, str) or layout == ALIGNED:
                written += self.source[start : start + len(layout if isinstance(layout, str) else letters)]
            elif state != LOST:
                raw = self.source[start:layout]
                written += letters if raw.startswith("&") else raw
        return written


_Rule = Callable[[_Reader, int, int], int]


def _state_of_numeral(states: set[int], state: int) -> int:
    """Lost in part: the editor knows, not the stone."""
    if state != PRESERVED:
        return state
    if LOST in states or SUPPLIED in states:
        return SUPPLIED
    return UNCLEAR if UNCLEAR in states else state


def _decide(tag: Tag) -> int:
    """What to do at a tag, found once for all tags that are written alike."""
    tag.action = _action(tag)
    if tag.action == _RULE:
        tag.rule = _Reader.foreign if not is_greek(tag.language) else _rule(tag)
    return tag.action


def _action(tag: Tag) -> int:
    if tag.kind == CLOSE:
        return _LEAVE
    if tag.kind == CDATA:
        return _CHARACTERS
    if tag.kind not in (OPEN, EMPTY):
        return _NOTHING
    if not is_greek(tag.language) or _rule(tag) is not None:
        return _RULE
    if tag.kind == EMPTY:
        return _NOTHING
    if tag.name == "ex" or (tag.name == "supplied" and tag.get("reason") in NEVER_WRITTEN):
        return _ENTER_UNDERSTOOD
    return _ENTER_UNCLEAR if tag.name == "unclear" else _ENTER


def _rule(tag: Tag) -> _Rule | None:
    rule = _RULES.get(tag.name)
    if tag.name in _BREAKS:
        said = tag.get("break")
        if said == "no" or (not said and tag.get("type") in ("inWord", "worddiv")):
            return _Reader.break_in_word
        return _Reader.break_after_word if said else rule
    if tag.name in _BLOCKS and tag.get("type") in _NOT_TEXT:
        return _Reader.drop
    if tag.name == "gap" and tag.get("reason") == "ellipsis":
        return _Reader.ellipsis
    if tag.name == "supplied":
        reason = tag.get("reason")
        if reason in NEVER_WRITTEN:
            return None
        return _Reader.drop if reason in NEVER_READ else rule
    return rule


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DROPPED = _words(
    "surplus note desc certainty rdg figDesc fw bibl listBibl head label figure am "
    "speaker teiHeader interp index witDetail"
)
_BLOCKS = _words("ab p l lg div div1 div2 div3 div4 div0 sp list item table row cell u closer opener")
# Divisions that are about the text, not part of it.
_NOT_TEXT = _words("apparatus translation commentary bibliography description history")
_BREAKS = _words("lb cb pb gb milestone")
_RULES: dict[str, _Rule] = {
    **dict.fromkeys(_DROPPED, _Reader.drop),
    **dict.fromkeys(_BLOCKS, _Reader.block),
    **dict.fromkeys(_BREAKS, _Reader.line_break),
    "surplus": _Reader.surplus,
    "w": _Reader.word,
    "name": _Reader.name,
    "abbr": _Reader.name,
    "gap": _Reader.gap,
    "supplied": _Reader.supplied,
    "choice": _Reader.choice,
    "app": _Reader.apparatus,
    "subst": _Reader.substitution,
    "num": _Reader.number,
    "g": _Reader.glyph,
    "space": _Reader.space,
}
