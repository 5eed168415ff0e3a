"""Handlers of beginning and end: initialisation, settings, and documents that open, change and close."""

from __future__ import annotations

import contextlib
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from pythia_epidoc_lsp.server import PythiaServer
from pythia_epidoc_lsp.texts import ProtocolWorkspace

SECTION = "pythia"


def register(server: PythiaServer) -> None:
    _register_settings(server)
    _register_documents(server)


def _register_settings(server: PythiaServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.protocol._workspace = ProtocolWorkspace.like(server.workspace)
        server.has_panel = bool(_entry(params.initialization_options, "panel"))
        server.started()
        server.use_settings(_entry(params.initialization_options, SECTION))

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        await _fetch_settings(server, None)
        server.settled.set()
        if _can_announce_settings(server):
            section = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
            change = types.Registration(
                id="settings", method=types.WORKSPACE_DID_CHANGE_CONFIGURATION, register_options=section
            )
            await server.client_register_capability_async(types.RegistrationParams(registrations=[change]))

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def settings_changed(params: types.DidChangeConfigurationParams) -> None:
        await _fetch_settings(server, _entry(params.settings, SECTION))
        await server.refresh_editor()

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.cancel_everything()
        server.close()


async def _fetch_settings(server: PythiaServer, sent: object) -> None:
    """Ask the client for the settings if it can be asked; else take what it sent."""
    workspace = server.client_capabilities.workspace
    if workspace is not None and workspace.configuration:
        item = types.ConfigurationItem(section=SECTION)
        params = types.ConfigurationParams(items=[item])
        # Some clients promise to answer, and then refuse or send nothing: the defaults do.
        with contextlib.suppress(JsonRpcException, ValueError):
            (sent,) = await server.workspace_configuration_async(params)
    if sent is not None:
        server.use_settings(_plain(sent))


def _can_announce_settings(server: PythiaServer) -> bool:
    workspace = server.client_capabilities.workspace
    change = workspace.did_change_configuration if workspace else None
    return bool(change and change.dynamic_registration)


def _register_documents(server: PythiaServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await server.text_changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.cancel_questions(params.text_document.uri)
        await server.text_changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.text_closed(params.text_document.uri)


def _entry(options: Any, name: str) -> Any:
    """A value of a JSON object, which pygls gives as a dict or as a named tuple."""
    value = options.get(name) if isinstance(options, dict) else getattr(options, name, None)
    return _plain(value)


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(entry) for name, entry in value._asdict().items()}
    return value
