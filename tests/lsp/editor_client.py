"""A client that talks to a language server over stdio as an editor does, and records what it hears."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

STUB = [sys.executable, str(Path(__file__).parent / "stub_server.py")]

EDITION = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
  <teiHeader><fileDesc><titleStmt><title>Test</title></titleStmt><publicationStmt><p/></publicationStmt>\
<sourceDesc><p/></sourceDesc></fileDesc></teiHeader>
  <text><body><div type="edition" xml:lang="grc"><ab>
{}
  </ab></div></body></text>
</TEI>
"""
GAP = '<gap reason="lost" quantity="5" unit="character"/>'


def edition(*lines: str) -> str:
    """A small TEI document whose edition has these lines; the first is line 4 (from 0) of the text."""
    return EDITION.format("\n".join(lines))


class Editor:
    """A client with one open document, and the gestures of somebody who edits it."""

    def __init__(self, client: LanguageClient, uri: str) -> None:
        self.client = client
        self.uri = uri
        self.version = 0
        self.text = ""
        client.edits.clear()
        client.custom.clear()
        client.messages.clear()

    def open(self, text: str) -> None:
        self.text = text
        item = types.TextDocumentItem(uri=self.uri, language_id="xml", version=self.version, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    def close(self) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=self.document))

    def change(self, start: types.Position, end: types.Position, text: str) -> None:
        self.version += 1
        change = types.TextDocumentContentChangePartial(range=types.Range(start=start, end=end), text=text)
        document = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(text_document=document, content_changes=[change])
        )

    def replace_all(self, text: str) -> None:
        self.version += 1
        self.text = text
        document = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                text_document=document,
                content_changes=[types.TextDocumentContentChangeWholeDocument(text=text)],
            )
        )

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(uri=self.uri)

    def at(self, needle: str, shift: int = 0) -> types.Position:
        """The position of a piece of text, in UTF-16 units (the default of the protocol)."""
        offset = self.text.index(needle) + shift
        line = self.text.count("\n", 0, offset)
        start = self.text.rfind("\n", 0, offset) + 1
        return types.Position(line=line, character=len(self.text[start:offset].encode("utf-16-le")) // 2)

    async def complete(self, position: types.Position) -> list[types.CompletionItem]:
        params = types.CompletionParams(text_document=self.document, position=position)
        found = await self.client.text_document_completion_async(params)
        return list(found.items) if isinstance(found, types.CompletionList) else list(found or [])

    async def hover(self, position: types.Position) -> str | None:
        params = types.HoverParams(text_document=self.document, position=position)
        found = await self.client.text_document_hover_async(params)
        return found.contents.value if found is not None else None

    async def actions(
        self, position: types.Position, only: list[Any] | None = None
    ) -> list[types.CodeAction]:
        context = types.CodeActionContext(
            diagnostics=[], only=only, trigger_kind=types.CodeActionTriggerKind.Invoked
        )
        span = types.Range(start=position, end=position)
        params = types.CodeActionParams(text_document=self.document, range=span, context=context)
        return list(await self.client.text_document_code_action_async(params) or [])

    async def execute(self, command: str, **argument: Any) -> str:
        """Run a command, apply the edit it asks for, and give back the new text."""
        params = types.ExecuteCommandParams(
            command=f"pythia.server.{command}", arguments=[{"uri": self.uri, **argument}]
        )
        await self.client.workspace_execute_command_async(params)
        if self.client.edits:
            self.replace_all(apply(self.text, self.client.edits.pop()))
        return self.text


def apply(text: str, edit: types.WorkspaceEdit) -> str:
    """The text after an edit of one document; positions in UTF-16 units."""
    (document_edit,) = edit.document_changes or []
    edits = [
        (offset(text, e.range.start), offset(text, e.range.end), e.new_text) for e in document_edit.edits
    ]
    return apply_spans(text, edits)


def apply_item(text: str, item: types.CompletionItem) -> str:
    """The text after a completion item was accepted."""
    edits = [item.text_edit, *(item.additional_text_edits or [])]
    return apply_spans(
        text, [(offset(text, e.range.start), offset(text, e.range.end), e.new_text) for e in edits]
    )


def apply_spans(text: str, spans: list[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(spans, key=lambda span: span[:2], reverse=True):
        text = text[:start] + new + text[end:]
    return text


def offset(text: str, position: types.Position) -> int:
    start = 0
    for _ in range(position.line):
        start = text.index("\n", start) + 1
    units = text[start:].encode("utf-16-le")[: position.character * 2]
    return start + len(units.decode("utf-16-le"))


def capabilities(**changes: Any) -> types.ClientCapabilities:
    found = client_capabilities("visual-studio-code")
    for name, value in changes.items():
        holder: Any = found
        *path, last = name.split("__")
        for part in path:
            holder = getattr(holder, part)
        setattr(holder, last, value)
    return found


async def start_client(
    settings: dict[str, Any] | None = None,
    command: list[str] | None = None,
    client_caps: types.ClientCapabilities | None = None,
) -> LanguageClient:
    """A started server and an initialised client that records what the server asks of it."""
    client = make_test_lsp_client()
    client.edits = []
    client.custom = []

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply_edit(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        client.edits.append(params.edit)
        return types.ApplyWorkspaceEditResult(applied=True)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        client.registered = params.registrations

    client.inlay_hint_refresh_count = 0

    @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
    def refresh_hints(params: None) -> None:
        client.inlay_hint_refresh_count += 1

    for name in ("pythia/status", "pythia/lacunaeChanged"):

        @client.feature(name)
        def note(params: Any, name: str = name) -> None:
            client.custom.append((name, params))

    await client.start_io(*(command or STUB))
    client.set_configuration({"pythia": settings or {}})
    params = types.InitializeParams(
        capabilities=client_caps or capabilities(),
        root_uri="file:///inscriptions",
        initialization_options={"panel": True},
    )
    client.init_result = await client.initialize_session(params)
    return client


async def until(condition: Callable[[], bool], seconds: float = 90.0) -> None:
    """Wait for something the server does on its own account."""
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not happen")


StartEditor = Callable[..., Awaitable[Editor]]
