"""What the server knows about the open documents: the latest analysis of each, made off the event loop.

At most one analysis of a document runs at a time; what was typed meanwhile is analysed next, so a fast
typist never queues up work and a slow one waits for nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

from pygls.workspace import TextDocument, Workspace

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.lint import Finding, lint
from pythia_epidoc_lsp.convert import Positions
from pythia_epidoc_lsp.states import States

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Analysis:
    """One version of one open document, as far as it could be understood."""

    uri: str
    version: int | None
    document: Document
    positions: Positions

    @property
    def is_tei(self) -> bool:
        return self.document.is_tei

    @cached_property
    def states(self) -> States:
        return States(self.document)

    @cached_property
    def findings(self) -> list[Finding]:
        return list(lint(self.document))


def analyse(text: TextDocument) -> Analysis:
    document = Document.from_text(text.source, text.path or None)
    return Analysis(text.uri, text.version, document, Positions(text.source, text.position_codec.encoding))


class Session:
    """The analyses of the open documents, and the thread that makes them."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="analysis")
        self._latest: dict[str, Analysis] = {}
        self._running: dict[str, asyncio.Future[Analysis]] = {}

    async def analysis(self, workspace: Workspace, uri: str) -> Analysis:
        """The analysis of the text as it is now."""
        while True:
            text = _snapshot(workspace.get_text_document(uri))
            known = self._latest.get(uri)
            if known is not None and known.version == text.version and known.document.text == text.source:
                return known
            running = self._running.get(uri)
            # A finished one is no longer waited for: awaiting it would not let its callback run.
            if running is None or running.done():
                running = asyncio.ensure_future(self.off_loop(partial(analyse, text)))
                self._running[uri] = running
                running.add_done_callback(lambda done: self._finished(uri, done))
            # Shielded: a cancelled request must not take away an analysis that others wait for.
            self._latest[uri] = await asyncio.shield(running)

    async def tei(self, workspace: Workspace, uri: str) -> Analysis | None:
        """The analysis, if this is a TEI document; other XML gets no answers."""
        analysis = await self.analysis(workspace, uri)
        return analysis if analysis.is_tei else None

    async def off_loop(self, work: Callable[[], T]) -> T:
        """Run something slow about documents where it does not hold up the protocol."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    def forget(self, uri: str) -> None:
        self._latest.pop(uri, None)

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _finished(self, uri: str, done: asyncio.Future[Analysis]) -> None:
        if self._running.get(uri) is done:
            del self._running[uri]
        if not done.cancelled() and done.exception() is None:
            self._latest[uri] = done.result()


def _snapshot(text: TextDocument) -> TextDocument:
    """The text as it is now; what is neither open nor on disk, as after closing, is empty."""
    try:
        source = text.source
    except (OSError, UnicodeError):
        source = ""
    return TextDocument(text.uri, source, text.version, text.language_id, position_codec=text.position_codec)
