"""Offsets ↔ positions, and edits → the protocol's edits, in whatever units the client counts."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

from lsprotocol import types

from pythia_epidoc.epidoc.edits import Edit

_LINE_END = re.compile(r"\r\n|\n|\r")
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends; the last is empty if the text ends with a line end."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text)), len(text)]
    return [text[start:stop] for start, stop in pairwise(starts)]


class Positions:
    """The lines of one text, and places in it as offsets or as positions of the client."""

    def __init__(self, text: str, encoding: types.PositionEncodingKind | str | None = "utf-16") -> None:
        self.text = text
        kind = encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding
        self._codec, self._width = _UNITS[kind or "utf-16"]

    @cached_property
    def line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def offset(self, position: types.Position) -> int:
        """The offset of a position; past the end of a line means its end, as the protocol says."""
        starts = self.line_starts
        if position.line >= len(starts):
            return len(self.text)
        start = starts[position.line]
        stop = starts[position.line + 1] if position.line + 1 < len(starts) else len(self.text)
        return start + self.column(self.text[start:stop], position.character)

    def column(self, line: str, character: int) -> int:
        """How many characters of a line stand before one of the client's positions."""
        units = line.rstrip("\r\n").encode(self._codec, "surrogatepass")[: character * self._width]
        return len(units.decode(self._codec, "ignore"))

    def offsets(self, span: types.Range) -> tuple[int, int]:
        return self.offset(span.start), self.offset(span.end)

    def position(self, offset: int) -> types.Position:
        line = bisect.bisect_right(self.line_starts, offset) - 1
        before = self.text[self.line_starts[line] : offset]
        character = len(before.encode(self._codec, "surrogatepass")) // self._width
        return types.Position(line=line, character=character)

    def range(self, start: int, end: int) -> types.Range:
        return types.Range(start=self.position(start), end=self.position(end))

    def line_bounds(self, offset: int) -> tuple[int, int]:
        """Where the line that holds an offset begins, and where its end-of-line characters begin."""
        line = bisect.bisect_right(self.line_starts, offset) - 1
        start = self.line_starts[line]
        stop = self.line_starts[line + 1] if line + 1 < len(self.line_starts) else len(self.text)
        return start, start + len(self.text[start:stop].rstrip("\r\n"))

    def text_edit(self, edit: Edit) -> types.TextEdit:
        return types.TextEdit(range=self.range(edit.start, edit.end), new_text=edit.text)


def workspace_edit(
    uri: str, version: int | None, positions: Positions, edits: Iterable[Edit]
) -> types.WorkspaceEdit:
    """Edits of one document; the version lets the client refuse them if the text moved on meanwhile."""
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    changes = [positions.text_edit(edit) for edit in edits]
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(text_document=document, edits=changes)]
    )
