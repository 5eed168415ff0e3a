"""The server's commands: each computes edits and asks the client to apply them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from lsprotocol import types

from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.errors import EditError, ModelError, PythiaError
from pythia_epidoc.writeback import (
    INLINE,
    STANDOFF,
    Alternative,
    Written,
    accept_pending,
    reject_pending,
    strip,
)
from pythia_epidoc_lsp import folder, writing
from pythia_epidoc_lsp.lacunae import lacuna_at, shown
from pythia_epidoc_lsp.progress import progress, stop_with_request
from pythia_epidoc_lsp.restorations import Answer, Row
from pythia_epidoc_lsp.server import PythiaServer
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.states import State

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
        except ModelError as error:
            server.model_failed(error)
        except PythiaError as error:
            server.tell(error.message)

    return handle


async def accept(server: PythiaServer, argument: Argument) -> None:
    """Write the hypothesis of a rank in place of the lacuna."""
    analysis, lacuna = await _lacuna(server, argument)
    answers = await _restore(server, [lacuna] if lacuna else [])
    if answers:
        edits = writing.accept_edits(answers[0], _rank(answers[0].rows, argument))
        await _apply(server, analysis, "Accept restoration", edits)


async def insert(server: PythiaServer, argument: Argument) -> None:
    """Write the first hypotheses as alternatives beside the lacuna, or in an apparatus."""
    analysis, lacuna = await _lacuna(server, argument)
    answers = await _restore(server, [lacuna] if lacuna else [])
    if answers:
        count = int(argument.get("count") or server.settings.alternatives)
        form = str(argument.get("form") or _alternatives_form(server))
        written = writing.insert(analysis.document, answers, form, count)
        await _apply_written(server, analysis, "Insert alternatives", written)


async def restore_document(server: PythiaServer, argument: Argument) -> None:
    """Restore every open lacuna of a document in the form that the settings say."""
    analysis = await server.session.analysis(server.workspace, argument["uri"])
    lacunae = _open_lacunae(analysis)
    if not lacunae:
        server.tell("There is no open lacuna that can be restored in this document.")
    answers = await _restore(server, lacunae)
    if answers:
        settings = server.settings
        written = writing.insert(analysis.document, answers, settings.form, settings.alternatives)
        await _apply_written(server, analysis, "Restore document", written)


async def restore_folder(server: PythiaServer, argument: Argument) -> None:
    """Restore the files of a folder; open documents change in the editor, the others on disk."""
    await folder.restore_folder(server, argument["uri"])


async def strip_document(server: PythiaServer, argument: Argument) -> None:
    """Remove exactly what this tool added."""
    analysis = await server.tei(argument["uri"])
    if analysis is not None:
        await _apply(server, analysis, "Remove machine suggestions", strip(analysis.document))


async def accept_suggestion(server: PythiaServer, argument: Argument) -> None:
    """Decide for one of the alternatives that wait beside a lacuna."""
    analysis, lacuna = await _lacuna(server, argument)
    waiting = analysis.states.pending(lacuna) if lacuna else None
    if waiting is not None:
        edits = accept_pending(analysis.document, waiting, _rank(waiting.alternatives, argument))
        await _apply(server, analysis, "Accept suggestion", edits)


async def reject_suggestions(server: PythiaServer, argument: Argument) -> None:
    """Decide against all of them."""
    analysis, lacuna = await _lacuna(server, argument)
    waiting = analysis.states.pending(lacuna) if lacuna else None
    if waiting is not None:
        edits = reject_pending(analysis.document, waiting)
        await _apply(server, analysis, "Reject suggestions", edits)


async def finish_ghost(server: PythiaServer, argument: Argument) -> None:
    """After ghost text was accepted: take away the gap it stands for, and register the model."""
    analysis, lacuna = await _lacuna(server, argument)
    if lacuna is not None and server.door.identity is not None:
        if not analysis.document.text.startswith(argument["inserted"], lacuna.end):
            raise EditError("The ghost text does not stand behind its gap any more; the gap was left.")
        edits = writing.finish_ghost_edits(lacuna, server.door.identity)
        await _apply(server, analysis, "Accept restoration", edits)


COMMANDS: dict[str, Command] = {
    "accept": accept,
    "insert": insert,
    "restoreDocument": restore_document,
    "restoreFolder": restore_folder,
    "strip": strip_document,
    "acceptPending": accept_suggestion,
    "rejectPending": reject_suggestions,
    "finishGhost": finish_ghost,
}


async def _lacuna(server: PythiaServer, argument: Argument) -> tuple[Analysis, Lacuna | None]:
    """The document and the lacuna an argument speaks of."""
    analysis = await server.session.analysis(server.workspace, argument["uri"])
    place = argument["position"]
    position = types.Position(line=int(place["line"]), character=int(place["character"]))
    offset = analysis.positions.offset(position) + 1
    lacuna = lacuna_at(analysis.document, offset) if analysis.is_tei else None
    if lacuna is None or not lacuna.restorable:
        server.tell("There is nothing to restore here.")
        return analysis, None
    return analysis, lacuna


def _rank(offered: Iterable[Row | Alternative], argument: Argument) -> int:
    """The rank that was chosen; refused if the text it was shown with no longer has it."""
    rank, text = int(argument.get("rank", 1)), argument.get("text")
    if text is not None and (rank, text) not in ((each.rank, each.text) for each in offered):
        raise EditError(f"The text was changed: no. {rank} is not “{text}” any more. Choose again.")
    return rank


def _open_lacunae(analysis: Analysis) -> list[Lacuna]:
    if not analysis.is_tei:
        return []
    return [lacuna for lacuna in shown(analysis.document) if analysis.states.of(lacuna) is State.OPEN]


async def _restore(server: PythiaServer, lacunae: Sequence[Lacuna]) -> list[Answer]:
    """Ask the model, with progress that can be cancelled."""
    if not lacunae:
        return []
    total = len(lacunae)
    noun = "lacuna" if total == 1 else "lacunae"
    async with progress(server, f"Restoring {total} {noun}") as shown_progress:

        def report(done: int) -> None:
            shown_progress.report(f"{done} of {total}", done, total)

        return await server.from_model(server.restorations.answers(lacunae, server.settings, report)) or []


async def _apply(server: PythiaServer, analysis: Analysis, label: str, edits: Sequence[Edit]) -> None:
    if not edits:
        server.tell("There is nothing to change.")
        return
    if not await server.apply(analysis, edits, label):
        server.tell("The text was changed meanwhile; nothing was written. Try again.")


async def _apply_written(server: PythiaServer, analysis: Analysis, label: str, written: Written) -> None:
    """Apply, or say why there is nothing to apply."""
    if not written.edits and written.left_out:
        number, reason = next(iter(written.left_out.items()))
        server.tell(f"Lacuna {number} {reason}.")
    else:
        await _apply(server, analysis, label, written.edits)


def _alternatives_form(server: PythiaServer) -> str:
    return STANDOFF if server.settings.form == STANDOFF else INLINE
