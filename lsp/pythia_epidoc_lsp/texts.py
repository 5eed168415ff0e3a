"""The texts that editors have open, cut into lines as the protocol does it.

pygls also ends a line at U+2028, U+0085 and form feeds; the protocol knows only CR, LF and CRLF. On an
edition that holds one of those characters pygls would apply changes in the wrong place.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from pythia_epidoc_lsp.convert import Positions, lines_of


class ProtocolText(TextDocument):
    """A text that changes exactly where the client said.

    Replacing a word everywhere sends thousands of changes at once. They are made on the lines, which become
    a text again when somebody looks.
    """

    _lines: list[str] | None = None

    @property
    def source(self) -> str:
        if self._lines is not None:
            self._source, self._lines = "".join(self._lines), None
        return super().source

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        if not isinstance(change, types.TextDocumentContentChangePartial):
            self._source, self._lines = change.text, None
            return
        lines = self._lines = lines_of(self.source) if self._lines is None else self._lines
        first, start = self._place(lines, change.range.start)
        last, end = self._place(lines, change.range.end)
        new = lines[first][:start] + change.text + lines[last][end:]
        if first and lines[first - 1].endswith("\r"):
            # What begins with a line feed now belongs to the carriage return before it.
            first -= 1
            new = lines[first] + new
        inserted = lines_of(new)
        if last + 1 < len(lines):
            inserted.pop()  # nothing: the line that follows is still there
        lines[first : last + 1] = inserted

    def _place(self, lines: list[str], position: types.Position) -> tuple[int, int]:
        """Which line a position is in, and after how many of its characters."""
        if position.line >= len(lines):
            return len(lines) - 1, len(lines[-1])
        line = lines[position.line]
        return position.line, Positions("", self.position_codec.encoding).column(line, position.character)


class ProtocolWorkspace(Workspace):
    """A workspace of such texts."""

    @classmethod
    def like(cls, other: Workspace) -> ProtocolWorkspace:
        folders = list(other.folders.values())
        return cls(other.root_uri, types.TextDocumentSyncKind.Incremental, folders, other.position_encoding)

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> TextDocument:
        return ProtocolText(
            doc_uri,
            source=source,
            version=version,
            language_id=language_id,
            position_codec=self.position_codec,
        )
