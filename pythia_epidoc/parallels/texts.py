"""A text as an index keeps it: signs, word division, and what is needed to show a passage of it.

Signs are counted without spaces, so a position in a text is the same however its words are divided.
Not for storing: see `index`.
"""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, groupby
from typing import TYPE_CHECKING

from pythia_epidoc.epidoc.written import written_words
from pythia_epidoc.greek import SPACE
from pythia_epidoc.parallels.codes import to_greek, to_signs

if TYPE_CHECKING:
    from pythia_epidoc.corpus.records import Record
    from pythia_epidoc.epidoc.editions import Edition


@dataclass(frozen=True)
class TextLine:
    """A line of a text: its number as printed, its first sign, and its line in the file."""

    n: str
    first: int
    source_line: int


@dataclass(frozen=True)
class IndexedText:
    """One edition: `division[i]` is 1 where a word ends before sign i."""

    number: int
    """From 1, among the editions of its document."""
    signs: str
    division: bytes
    states: bytes
    """The state of each sign (`epidoc.reading.State`)."""
    lines: tuple[TextLine, ...]
    written: str
    """Word for word the model text, but complete words as the edition writes them."""

    @classmethod
    def from_edition(cls, number: int, edition: Edition) -> IndexedText:
        reading, document = edition.reading, edition.document
        letters = reading.letters
        lines: list[TextLine] = []
        first = done = 0
        for line in reading.lines:
            first += line.first - done - letters.count(SPACE, done, line.first)
            done = line.first
            lines.append(TextLine(line.n, first, document.position(line.offset)[0]))
        states = bytes(compress(reading.states, map(SPACE.__ne__, letters)))
        written = SPACE.join(written_words(reading, document))
        return cls(number, to_signs(letters), _division(letters), states, tuple(lines), written)

    @classmethod
    def from_record(cls, record: Record) -> IndexedText:
        states = bytes(compress(map(int, record.states), map(SPACE.__ne__, record.text)))
        written = record.written or record.text
        return cls(1, to_signs(record.text), _division(record.text), states, (), written)

    def __len__(self) -> int:
        return len(self.signs)

    def model_text(self, start: int, stop: int) -> str:
        """Letters and spaces of the signs `start:stop`, with the word divisions at both edges."""
        spaced = "".join(
            SPACE + letter if flag else letter
            for letter, flag in zip(to_greek(self.signs[start:stop]), self.division[start:stop], strict=True)
        )
        return spaced + SPACE if self.division[stop : stop + 1] == b"\1" else spaced

    def line_at(self, position: int) -> TextLine | None:
        """The line a sign stands in, or None before the first numbered line."""
        index = bisect_right(self._firsts, position) - 1
        return self.lines[index] if index >= 0 else None

    def lines_from(self, start: int, stop: int) -> list[int]:
        """Where, after `start` and before `stop`, new lines begin."""
        return self._firsts[bisect_right(self._firsts, start) : bisect_right(self._firsts, stop - 1)]

    @cached_property
    def words(self) -> list[str]:
        return self.written.split(SPACE)

    @cached_property
    def _firsts(self) -> list[int]:
        return [line.first for line in self.lines]

    def pack(self) -> bytes:
        """What cannot be told from signs and division, compressed."""
        lines = [(line.n, line.first, line.source_line) for line in self.lines]
        runs = [(state, len(list(run))) for state, run in groupby(self.states)]
        data = json.dumps([runs, lines, self.written], ensure_ascii=False, separators=(",", ":"))
        return zlib.compress(data.encode(), 9)

    @classmethod
    def unpack(cls, number: int, signs: str, division: bytes, packed: bytes) -> IndexedText:
        runs, lines, written = json.loads(zlib.decompress(packed))
        states = b"".join(bytes((state,)) * count for state, count in runs)
        return cls(number, signs, division, states, tuple(TextLine(*line) for line in lines), written)


def _division(letters: str) -> bytes:
    flags = b"".join(b"\1" + bytes(len(word) - 1) for word in letters.split(SPACE) if word)
    return flags if letters[:1] == SPACE else b"\0"[: len(flags)] + flags[1:]
