"""The server: its state, and how features reach documents, settings and the model.

Handlers live in `lifecycle`, `features` (the standard protocol), `requests` (the panel and the tree of an
editor) and `commands`; what they answer is made by pure functions in the module named after each feature.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from pythia_epidoc import __version__
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.errors import Cancelled, ModelError, PythiaError
from pythia_epidoc.lint import Finding
from pythia_epidoc_lsp import review
from pythia_epidoc_lsp.convert import workspace_edit
from pythia_epidoc_lsp.diagnostics import diagnostics
from pythia_epidoc_lsp.door import ModelDoor, Status
from pythia_epidoc_lsp.parallels import find_parallels, index_path
from pythia_epidoc_lsp.progress import progress
from pythia_epidoc_lsp.restorations import Answer, Restorations
from pythia_epidoc_lsp.session import Analysis, Session
from pythia_epidoc_lsp.settings import Settings, parse_settings

if TYPE_CHECKING:
    from pythia_epidoc.parallels.search import Parallel

T = TypeVar("T")
_PATIENCE_SECONDS = 5.0
_REVIEW_PAUSE_SECONDS = 1.0


class PythiaServer(LanguageServer):
    """A language server for TEI documents."""

    def __init__(self, model_factory: str) -> None:
        super().__init__("pythia-epidoc", __version__)
        self.session = Session()
        self.door = ModelDoor(model_factory, self._status_from_thread)
        self.restorations = Restorations(self.door)
        self.settings = Settings()
        self.settled = asyncio.Event()
        """Set once the client's settings are known."""
        self.has_panel = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._loading: tuple[asyncio.Event, asyncio.Future[None]] | None = None
        self._asked: dict[tuple[str, str], asyncio.Task[Any]] = {}
        self._complaints: set[str] = set()
        self._reviews: dict[str, asyncio.Future[None]] = {}

    # -- documents --------------------------------------------------------------------------------

    async def tei(self, uri: str) -> Analysis | None:
        """The analysis of a document if it is TEI; other XML gets no answers."""
        await self._settings_known()
        return await self.session.tei(self.workspace, uri)

    async def findings(self, analysis: Analysis) -> list[Finding]:
        """What lint says about a document, made once and off the loop."""
        if not self.settings.diagnostics:
            return []
        return await self.session.off_loop(lambda: analysis.findings)

    async def diagnostics(self, analysis: Analysis) -> list[types.Diagnostic]:
        found: list[types.Diagnostic] = []
        if self.settings.diagnostics:
            found += await self.session.off_loop(lambda: diagnostics(analysis))
        if self.settings.review_conjectures:
            found += review.hints(analysis, lambda lacuna: self.restorations.known(lacuna, self.settings))
        return found

    async def text_changed(self, uri: str) -> None:
        """Look at a text again, and tell the editor what there is to tell."""
        await self._settings_known()
        analysis = await self.session.analysis(self.workspace, uri)
        pushes = not self._pulls_diagnostics()
        found = await self.diagnostics(analysis) if pushes and analysis.is_tei else []
        text = self._open_text(uri)
        if text is None:
            self.session.forget(uri)
            return
        if analysis.version != text.version:
            return
        if pushes:
            self._publish(uri, found, analysis.version)
        if self.has_panel:
            self.protocol.notify("pythia/lacunaeChanged", {"uri": uri})
        if self.settings.review_conjectures and analysis.is_tei:
            self._reviews[uri] = asyncio.ensure_future(self._review(uri))

    async def _review(self, uri: str) -> None:
        """When nobody has typed for a while, have the model judge the editor's restorations."""
        async with self.latest("review", uri):
            await asyncio.sleep(_REVIEW_PAUSE_SECONDS)
            analysis = await self.tei(uri)
            lacunae = review.conjectures(analysis) if analysis else []
            new = [each for each in lacunae if self.restorations.known(each, self.settings) is None]
            if analysis is None or not new:
                return
            await self.from_model(self.restorations.answers(new, self.settings))
            workspace = self.client_capabilities.workspace
            if not self._pulls_diagnostics():
                self._publish(uri, await self.diagnostics(analysis), analysis.version)
            elif workspace and workspace.diagnostics and workspace.diagnostics.refresh_support:
                self.workspace_diagnostic_refresh(None)

    def _open_text(self, uri: str) -> TextDocument | None:
        return next((text for text in self.workspace.text_documents.values() if text.uri == uri), None)

    def text_closed(self, uri: str) -> None:
        self.cancel_questions(uri)
        self.session.forget(uri)
        self._publish(uri, [], None)

    def _publish(self, uri: str, found: list[types.Diagnostic], version: int | None) -> None:
        params = types.PublishDiagnosticsParams(uri=uri, diagnostics=found, version=version)
        self.text_document_publish_diagnostics(params)

    def _pulls_diagnostics(self) -> bool:
        text_document = self.client_capabilities.text_document
        return text_document is not None and text_document.diagnostic is not None

    async def refresh_editor(self) -> None:
        """The settings changed: what is shown beside the text has to be asked for again.

        The client's answers are not waited for: one that cannot ask again is told the rest all the same.
        """
        workspace = self.client_capabilities.workspace
        if workspace is None:
            return
        if workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if workspace.diagnostics and workspace.diagnostics.refresh_support:
            self.workspace_diagnostic_refresh(None)
        # The keys of the workspace are not escaped as the client escapes them.
        for text in list(self.workspace.text_documents.values()):
            await self.text_changed(text.uri)
        self.refresh_hints()

    def refresh_hints(self) -> None:
        """The model answered something, which hints may show."""
        workspace = self.client_capabilities.workspace
        hints = workspace.inlay_hint if workspace else None
        if self.settings.inlay_hints and hints and hints.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    async def apply(self, analysis: Analysis, edits: Iterable[Edit], label: str | None = None) -> bool:
        """Have the client change a document; not if it is another than the one that was looked at."""
        uri, version = analysis.uri, analysis.version
        if self.workspace.get_text_document(uri).version != version:
            return False
        edit = workspace_edit(uri, version, analysis.positions, edits)
        params = types.ApplyWorkspaceEditParams(edit=edit, label=label)
        return (await self.workspace_apply_edit_async(params)).applied

    # -- settings ---------------------------------------------------------------------------------

    def use_settings(self, raw: object) -> None:
        """Take over settings; what makes no sense is reported once and replaced by its default."""
        self.settings, complaints = parse_settings(raw)
        for complaint in complaints:
            self.complain(complaint, types.MessageType.Warning)
        settings = self.settings
        if self.door.configure(
            checkpoint=settings.model, device=settings.device, parallels=self._index_in_force()
        ):
            self.restorations.forget()
            self._complaints.clear()

    def _index_in_force(self) -> str:
        """The index of the user's collection, or nothing."""
        try:
            path = index_path(self.settings.parallels_index)
        except PythiaError as error:
            self.complain(str(error), types.MessageType.Warning)
            return ""
        return str(path) if path else ""

    async def _settings_known(self) -> None:
        """Wait until the client has told its settings, but not for one that never does, and only once."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.settled.wait(), _PATIENCE_SECONDS)
        self.settled.set()

    def complain(self, message: str, severity: types.MessageType = types.MessageType.Error) -> None:
        """Show a message, but never the same one twice."""
        if message not in self._complaints:
            self._complaints.add(message)
            self.window_show_message(types.ShowMessageParams(type=severity, message=message))

    def tell(self, message: str) -> None:
        self.window_show_message(types.ShowMessageParams(type=types.MessageType.Info, message=message))

    # -- the model --------------------------------------------------------------------------------

    async def from_model(self, work: Awaitable[T]) -> T | None:
        """Await something that needs the model; a failing model is one message, not a failing request."""
        try:
            answer = await work
            self.refresh_hints()
            return answer
        except ModelError as error:
            self.model_failed(error)
            return None
        except Cancelled:
            raise asyncio.CancelledError from None

    async def parallels(self, answer: Answer, rank: int) -> list[Parallel] | None:
        """Where the user's collection attests a hypothesis; an unusable index is one message."""
        try:
            path = index_path(self.settings.parallels_index)
            return await self.session.off_loop(lambda: find_parallels(path, answer, rank))
        except PythiaError as error:
            self.complain(str(error), types.MessageType.Warning)
            return None

    def model_failed(self, error: ModelError) -> None:
        self.complain(f"The model is not available: {error}")

    @contextlib.asynccontextmanager
    async def latest(self, kind: str, uri: str) -> AsyncIterator[None]:
        """Within this, a newer question of the same kind about the same document cancels the older."""
        key = (kind, uri)
        task = asyncio.current_task()
        assert task is not None
        older = self._asked.get(key)
        if older is not None and older is not task:
            older.cancel()
        self._asked[key] = task
        try:
            yield
        finally:
            if self._asked.get(key) is task:
                del self._asked[key]

    def cancel_questions(self, uri: str) -> None:
        """The text changed: what was asked about the old one is not wanted any more."""
        for (_, asked_uri), task in list(self._asked.items()):
            if asked_uri == uri:
                task.cancel()

    def cancel_everything(self) -> None:
        """Cancel what is under way; pygls, doing so itself at the end, stumbles over its own bookkeeping."""
        protocol = self.protocol
        for identifier, request in list(protocol._request_futures.items()):
            if identifier != protocol.msg_id:
                request.cancel()

    # -- status -----------------------------------------------------------------------------------

    def started(self) -> None:
        self._loop = asyncio.get_running_loop()

    def _status_from_thread(self, status: Status) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._show_status, status)

    def _show_status(self, status: Status) -> None:
        if status.state == "loading" and self._loading is None:
            finished = asyncio.Event()
            self._loading = (finished, asyncio.ensure_future(self._show_loading(finished)))
        elif status.state != "loading" and self._loading is not None:
            self._loading[0].set()
            self._loading = None
        if self.has_panel:
            params = {
                "state": status.state,
                "model": status.model,
                "device": status.device,
                "message": status.message,
            }
            self.protocol.notify("pythia/status", params)

    async def _show_loading(self, finished: asyncio.Event) -> None:
        async with progress(self, "Loading the model", cancellable=False):
            await finished.wait()

    @property
    def exit_code(self) -> int:
        """What the protocol wants of a server that ended: 1 if nobody had asked it to shut down."""
        return 0 if self.protocol._shutdown else 1

    def close(self) -> None:
        self.door.close()
        self.session.close()


def create_server(model_factory: str) -> PythiaServer:
    """A server with all its features; `model_factory` names the function that loads the model."""
    from pythia_epidoc_lsp import commands, features, lifecycle, requests

    # At INFO pygls logs every message, and editors show what a server logs.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    server = PythiaServer(model_factory)
    for module in (lifecycle, features, requests, commands):
        module.register(server)
    return server
