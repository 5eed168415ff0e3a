"""The texts that editors have open, cut into lines as the protocol does it.

pygls also ends a line at U+2028, U+0085 and form feeds; the protocol knows only CR, LF and CRLF. On an
edition that holds one of those characters pygls would apply changes in the wrong place.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from pythia_epidoc_lsp.convert import Positions


class ProtocolText(TextDocument):
    """A text that changes exactly where the client said."""

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        if isinstance(change, types.TextDocumentContentChangePartial):
            source = self.source
            start, end = Positions(source, self.position_codec.encoding).offsets(change.range)
            self._source = source[:start] + change.text + source[end:]
        else:
            self._source = change.text


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
