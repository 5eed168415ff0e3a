"""A language server process with the stub restorer for each test that asks for an editor."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from editor_client import Editor, StartEditor, start_client
from pytest_lsp import LanguageClient


@pytest_asyncio.fixture
async def start() -> AsyncIterator[StartEditor]:
    """Starts a server with given settings and gives an editor for it."""
    clients: list[LanguageClient] = []

    async def begin(text: str | None = None, *, uri: str | None = None, **options: Any) -> Editor:
        command = options.pop("command", None)
        client_caps = options.pop("client_caps", None)
        client = await start_client(options, command, client_caps)
        clients.append(client)
        editor = Editor(client)
        if text is not None:
            editor.open(text, uri)
        return editor

    yield begin
    for client in clients:
        await client.shutdown_session()


@pytest.fixture
def decree(samples_dir: Path) -> str:
    return (samples_dir / "decree.xml").read_text(encoding="utf-8")
