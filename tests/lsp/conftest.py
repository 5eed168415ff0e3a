"""Editors for the tests: one server process for each set of options, shared by the tests that need it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from editor_client import Editor, StartEditor, start_client
from pytest_lsp import LanguageClient

_numbers = itertools.count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Clients outlive a test, so all tests of this folder share one event loop."""
    for item in items:
        asynchronous = iscoroutinefunction(getattr(item, "function", None))
        if asynchronous and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def clients() -> AsyncIterator[dict[str, LanguageClient]]:
    started: dict[str, LanguageClient] = {}
    yield started
    for client in started.values():
        await client.shutdown_session()


@pytest_asyncio.fixture(loop_scope="session")
async def start(clients: dict[str, LanguageClient]) -> AsyncIterator[StartEditor]:
    """Gives an editor with a document in a server that has these settings."""
    editors: list[Editor] = []

    async def begin(text: str | None = None, *, uri: str | None = None, **options: Any) -> Editor:
        key = repr(sorted(options.items(), key=lambda option: option[0]))
        client = clients.get(key)
        if client is None:
            command, caps = options.pop("command", None), options.pop("client_caps", None)
            clients[key] = client = await start_client(options, command, caps)
        editor = Editor(client, uri or f"file:///inscriptions/{next(_numbers)}/decree.xml")
        editors.append(editor)
        if text is not None:
            editor.open(text)
        return editor

    yield begin
    for editor in editors:
        editor.close()


@pytest.fixture
def decree(samples_dir: Path) -> str:
    return (samples_dir / "decree.xml").read_text(encoding="utf-8")
