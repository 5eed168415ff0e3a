"""Handlers of the standard protocol: each finds the document, asks a pure function, and answers."""

from __future__ import annotations

from lsprotocol import types

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc_lsp import actions, completion, hints, hover, lenses, symbols
from pythia_epidoc_lsp.lacunae import lacuna_at
from pythia_epidoc_lsp.restorations import Answer
from pythia_epidoc_lsp.server import PythiaServer
from pythia_epidoc_lsp.session import Analysis


def register(server: PythiaServer) -> None:
    _register_questions(server)
    _register_completion(server)
    _register_overviews(server)
    _register_hints(server)


async def _ask(
    server: PythiaServer, kind: str, analysis: Analysis, lacuna: Lacuna | None, typed_to: int | None = None
) -> Answer | None:
    """The model's answer about a lacuna; a newer question of the same kind replaces this one."""
    if lacuna is None or not lacuna.restorable:
        return None
    async with server.latest(kind, analysis.uri):
        return await server.from_model(server.restorations.answer(lacuna, server.settings, typed_to))


def _register_questions(server: PythiaServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        analysis = await server.tei(params.text_document.uri)
        if analysis is None or not server.settings.hover:
            return None
        lacuna = lacuna_at(analysis.document, analysis.positions.offset(params.position))
        answer = await _ask(server, "hover", analysis, lacuna)
        if answer is None:
            return None
        parallels = await server.parallels(answer, 1) if answer.rows else None
        return await server.session.off_loop(lambda: hover.hover(analysis, answer, parallels))

    options = types.CodeActionOptions(code_action_kinds=list(actions.KINDS))

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def act(params: types.CodeActionParams) -> list[types.CodeAction]:
        analysis = await server.tei(params.text_document.uri)
        if analysis is None:
            return []
        lacuna = lacuna_at(analysis.document, analysis.positions.offset(params.range.start))
        answer = server.restorations.known(lacuna, server.settings) if lacuna else None
        # Editors ask at every move of the cursor; the model is only troubled when somebody wants to see.
        if params.context.trigger_kind == types.CodeActionTriggerKind.Invoked and actions.wants(
            params.context
        ):
            answer = await _ask(server, "action", analysis, lacuna)
        found = await server.findings(analysis)
        return actions.all_actions(analysis, params, lacuna, answer, found)


def _register_completion(server: PythiaServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(resolve_provider=True))
    async def complete(params: types.CompletionParams) -> types.CompletionList | None:
        analysis = await server.tei(params.text_document.uri)
        if analysis is None or not server.settings.completion:
            return None
        offset = analysis.positions.offset(params.position)
        lacuna = completion.lacuna_to_complete(analysis, offset)
        answer = await _ask(server, "completion", analysis, lacuna, offset)
        if answer is None:
            return None
        return await server.session.off_loop(lambda: completion.completion_list(analysis, answer, offset))

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    async def resolve(item: types.CompletionItem) -> types.CompletionItem:
        place = completion.resolve_data(item)
        analysis = await server.tei(place.uri) if place else None
        if place is None or analysis is None:
            return item
        lacuna = lacuna_at(analysis.document, place.offset + 1)
        answer = await _ask(server, "resolve", analysis, lacuna, place.typed_to)
        if answer is not None and place.rank <= len(answer.rows):
            parallels = await server.parallels(answer, place.rank)
            item.documentation = await server.session.off_loop(
                lambda: completion.documentation(answer, place.rank, parallels)
            )
        return item


def _register_overviews(server: PythiaServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def outline(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        analysis = await server.tei(params.text_document.uri)
        if analysis is None:
            return []
        return await server.session.off_loop(lambda: symbols.document_symbols(analysis))

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        analysis = await server.tei(params.text_document.uri)
        if analysis is None or not server.settings.code_lens:
            return []
        return await server.session.off_loop(lambda: lenses.code_lenses(analysis, has_panel=server.has_panel))

    options = types.DiagnosticOptions(
        identifier="pythia", inter_file_dependencies=False, workspace_diagnostics=False
    )

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def diagnose(params: types.DocumentDiagnosticParams) -> types.RelatedFullDocumentDiagnosticReport:
        analysis = await server.tei(params.text_document.uri)
        found = await server.diagnostics(analysis) if analysis else []
        return types.RelatedFullDocumentDiagnosticReport(items=found)


def _register_hints(server: PythiaServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay(params: types.InlayHintParams) -> list[types.InlayHint]:
        analysis = await server.tei(params.text_document.uri)
        if analysis is None or not server.settings.inlay_hints:
            return []
        return hints.inlay_hints(
            analysis, params.range, lambda lacuna: server.restorations.known(lacuna, server.settings)
        )

    @server.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION)
    async def ghost(params: types.InlineCompletionParams) -> types.InlineCompletionList | None:
        analysis = await server.tei(params.text_document.uri)
        if analysis is None or not server.settings.ghost_text:
            return None
        offset = analysis.positions.offset(params.position)
        lacuna = hints.gap_before(analysis, offset)
        answer = await _ask(server, "ghost", analysis, lacuna)
        if answer is None or not answer.rows:
            return None
        return hints.ghost_text(analysis, answer, offset)
