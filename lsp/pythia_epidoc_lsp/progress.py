"""Work-done progress around a long command, and the ways a client can stop it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer


class Progress:
    """Reports to the client, or to nobody if the client has no place to show it."""

    def __init__(self, server: LanguageServer, token: str | None) -> None:
        self._server = server
        self._token = token

    def report(self, message: str, done: int, total: int) -> None:
        if self._token is not None:
            percentage = 100 * done // max(1, total)
            value = types.WorkDoneProgressReport(message=message, percentage=percentage)
            self._server.work_done_progress.report(self._token, value)


@asynccontextmanager
async def progress(
    server: LanguageServer, title: str, *, cancellable: bool = True
) -> AsyncIterator[Progress]:
    """Show progress while the body runs; cancelling it cancels the task that runs the body."""
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        yield Progress(server, None)
        return
    token = str(uuid.uuid4())
    await server.work_done_progress.create_async(token)
    task = asyncio.current_task()
    if cancellable and task is not None:
        server.work_done_progress.tokens[token].add_done_callback(lambda done: _stop(task, done))
    begin = types.WorkDoneProgressBegin(title=title, cancellable=cancellable, percentage=0)
    server.work_done_progress.begin(token, begin)
    try:
        yield Progress(server, token)
    finally:
        server.work_done_progress.end(token, types.WorkDoneProgressEnd())
        server.work_done_progress.tokens.pop(token, None)


def stop_with_request(server: LanguageServer) -> None:
    """Make `$/cancelRequest` stop the running command, which pygls by itself would let run on."""
    task = asyncio.current_task()
    protocol = server.protocol
    request = protocol._request_futures.get(protocol.msg_id) if protocol.msg_id is not None else None
    if task is not None and request is not None:
        request.add_done_callback(lambda done: _stop(task, done))


def _stop(task: asyncio.Task[Any], done: Future[Any]) -> None:
    if done.cancelled():
        task.cancel()
