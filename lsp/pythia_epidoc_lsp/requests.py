"""Handlers of the requests that only editors with a Lacunae view and a Restoration panel make."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from pythia_epidoc.errors import ModelError
from pythia_epidoc_lsp import panel
from pythia_epidoc_lsp.evidence import Evidence, find_evidence
from pythia_epidoc_lsp.lacunae import lacuna_at
from pythia_epidoc_lsp.restorations import Answer
from pythia_epidoc_lsp.server import PythiaServer
from pythia_epidoc_lsp.session import Analysis


def register(server: PythiaServer) -> None:
    @server.feature("pythia/lacunae")
    async def lacunae(params: Any) -> dict[str, Any]:
        analysis = await server.session.analysis(server.workspace, params.textDocument.uri)
        return await server.session.off_loop(lambda: panel.lacunae_answer(analysis))

    @server.feature("pythia/restoration")
    async def restoration(params: Any) -> dict[str, Any] | None:
        async with server.latest("panel", params.textDocument.uri):
            found = await _answer(server, params)
            if found is None:
                return None
            analysis, answer = found
            evidence = await _evidence(server, answer, 1)
            return await server.session.off_loop(lambda: panel.restoration_answer(analysis, answer, evidence))

    @server.feature("pythia/evidence")
    async def evidence(params: Any) -> dict[str, Any] | None:
        async with server.latest("panel", params.textDocument.uri):
            found = await _answer(server, params)
            if found is None or params.rank > len(found[1].rows):
                return None
            return panel.evidence_answer(await _evidence(server, found[1], params.rank))


async def _evidence(server: PythiaServer, answer: Answer, rank: int) -> Evidence:
    return await find_evidence(server.door, answer, rank, await server.parallels(answer, rank))


async def _answer(server: PythiaServer, params: Any) -> tuple[Analysis, Answer] | None:
    analysis = await server.tei(params.textDocument.uri)
    if analysis is None:
        return None
    position = types.Position(line=params.position.line, character=params.position.character)
    lacuna = lacuna_at(analysis.document, analysis.positions.offset(position) + 1)
    if lacuna is None or not lacuna.restorable:
        return None
    answer = await _or_fail(server.restorations.answer(lacuna, server.settings))
    server.refresh_hints()
    return analysis, answer


async def _or_fail(work: Any) -> Any:
    """The panel has a place of its own for the message of a failing model."""
    try:
        return await work
    except ModelError as error:
        raise JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed) from None
