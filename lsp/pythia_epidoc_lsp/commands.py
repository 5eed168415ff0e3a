"""The server's commands: each computes edits and asks the client to apply them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from lsprotocol import types

from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc_lsp import folder, writing
from pythia_epidoc_lsp.convert import workspace_edit
from pythia_epidoc_lsp.lacunae import State, lacuna_at, shown
from pythia_epidoc_lsp.progress import progress, stop_with_request
from pythia_epidoc_lsp.restorations import Answer
from pythia_epidoc_lsp.server import PythiaServer
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.states import state_of

PREFIX = "pythia.server."
Argument = dict[str, Any]
Command = Callable[[PythiaServer, Argument], Awaitable[None]]


def register(server: PythiaServer) -> None:
    for name, command in COMMANDS.items():
        server.command(PREFIX + name)(_handler(server, command))


def _handler(server: PythiaServer, command: Command) -> Callable[[Argument], Awaitable[None]]:
    async def handle(argument: Argument) -> None:
        stop_with_request(server)
        try:
            await command(server, argument)
        except asyncio.CancelledError:
            server.tell("Stopped; nothing was changed.")

    return handle


async def accept(server: PythiaServer, argument: Argument) -> None:
    """Write the hypothesis of a rank in place of the lacuna."""
    analysis, lacuna = await _lacuna(server, argument)
    answers = await _restore(server, analysis, [lacuna] if lacuna else [])
    if answers:
        edits = writing.accept_edits(answers[0], int(argument.get("rank", 1)))
        await _apply(server, analysis, "Accept restoration", edits)


async def insert(server: PythiaServer, argument: Argument) -> None:
    """Write the first hypotheses as alternatives beside the lacuna, or in an apparatus."""
    analysis, lacuna = await _lacuna(server, argument)
    answers = await _restore(server, analysis, [lacuna] if lacuna else [])
    if answers:
        count = int(argument.get("count") or server.settings.alternatives)
        form = str(argument.get("form") or _alternatives_form(server))
        edits = writing.insert_edits(analysis.document, answers, form, count)
        await _apply(server, analysis, "Insert alternatives", edits)


async def restore_document(server: PythiaServer, argument: Argument) -> None:
    """Restore every open lacuna of a document in the form that the settings say."""
    analysis = await server.tei(argument["uri"])
    if analysis is None:
        server.tell("This is not a TEI document.")
        return
    lacunae = [lacuna for lacuna in shown(analysis.document) if state_of(lacuna) is State.OPEN]
    answers = await _restore(server, analysis, lacunae)
    if answers:
        settings = server.settings
        edits = writing.insert_edits(analysis.document, answers, settings.form, settings.alternatives)
        await _apply(server, analysis, "Restore document", edits)
    elif not lacunae:
        server.tell("There is no open lacuna that can be restored.")


async def restore_folder(server: PythiaServer, argument: Argument) -> None:
    """Restore the files of a folder; open documents change in the editor, the others on disk."""
    await folder.restore_folder(server, argument["uri"])


async def strip(server: PythiaServer, argument: Argument) -> None:
    """Remove exactly what this tool added."""
    analysis = await server.tei(argument["uri"])
    if analysis is not None:
        await _apply(server, analysis, "Remove machine suggestions", writing.strip_edits(analysis.document))


async def accept_pending(server: PythiaServer, argument: Argument) -> None:
    """Decide for one of the alternatives that wait beside a lacuna."""
    analysis, lacuna = await _lacuna(server, argument)
    if lacuna is not None:
        edits = writing.accept_pending_edits(analysis.document, lacuna, int(argument["rank"]))
        await _apply(server, analysis, "Accept suggestion", edits)


async def reject_pending(server: PythiaServer, argument: Argument) -> None:
    """Decide against all of them."""
    analysis, lacuna = await _lacuna(server, argument)
    if lacuna is not None:
        edits = writing.reject_pending_edits(analysis.document, lacuna)
        await _apply(server, analysis, "Reject suggestions", edits)


async def finish_ghost(server: PythiaServer, argument: Argument) -> None:
    """After ghost text was accepted: take away the gap it stands for, and register the model."""
    analysis, lacuna = await _lacuna(server, argument)
    answers = await _restore(server, analysis, [lacuna] if lacuna else [])
    if answers:
        await _apply(server, analysis, "Accept restoration", writing.finish_ghost_edits(answers[0]))


COMMANDS: dict[str, Command] = {
    "accept": accept,
    "insert": insert,
    "restoreDocument": restore_document,
    "restoreFolder": restore_folder,
    "strip": strip,
    "acceptPending": accept_pending,
    "rejectPending": reject_pending,
    "finishGhost": finish_ghost,
}


async def _lacuna(server: PythiaServer, argument: Argument) -> tuple[Analysis, Lacuna | None]:
    """The document and the lacuna an argument speaks of."""
    analysis = await server.session.analysis(server.workspace, argument["uri"])
    place = argument["position"]
    position = types.Position(line=int(place["line"]), character=int(place["character"]))
    lacuna = (
        lacuna_at(analysis.document, analysis.positions.offset(position) + 1) if analysis.is_tei else None
    )
    if lacuna is None or not lacuna.restorable:
        server.tell("There is nothing to restore here.")
        return analysis, None
    return analysis, lacuna


async def _restore(server: PythiaServer, analysis: Analysis, lacunae: Sequence[Lacuna]) -> list[Answer]:
    """Ask the model, with progress that can be cancelled."""
    if not lacunae:
        return []
    total = len(lacunae)
    noun = "lacuna" if total == 1 else "lacunae"
    async with progress(server, f"Restoring {total} {noun}") as shown_progress:
        work = server.restorations.answers(
            lacunae,
            server.settings,
            lambda done: shown_progress.report(f"{done} of {total}", done, total),
        )
        return await server.from_model(work) or []


async def _apply(server: PythiaServer, analysis: Analysis, label: str, edits: Sequence[Edit]) -> None:
    if not edits:
        server.tell("There is nothing to change.")
        return
    edit = workspace_edit(analysis.uri, analysis.version, analysis.positions, edits)
    result = await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit=edit, label=label))
    if not result.applied:
        server.tell("The text was changed meanwhile; nothing was written. Try again.")


def _alternatives_form(server: PythiaServer) -> str:
    return "standoff" if server.settings.form == "standoff" else "alternatives"
