"""Restoring all EpiDoc files of a folder: open documents change in the editor, the others on disk."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.uris import to_fs_path

from pythia_epidoc.collection import xml_files
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, save
from pythia_epidoc.errors import Cancelled, ModelError, PythiaError
from pythia_epidoc_lsp import writing
from pythia_epidoc_lsp.lacunae import shown
from pythia_epidoc_lsp.progress import progress
from pythia_epidoc_lsp.states import State, States

if TYPE_CHECKING:
    from pythia_epidoc_lsp.server import PythiaServer


async def restore_folder(server: PythiaServer, uri: str) -> None:
    """Restore file by file; one that cannot be read or written is logged and passed over.

    Whoever stops it, or has the model fail in the middle, is told how many files were changed by then.
    """
    root = Path(to_fs_path(uri) or "")
    files = await server.session.off_loop(lambda: xml_files([root]))
    changed, failed, stopped = 0, 0, ""
    try:
        async with progress(server, f"Restoring {root.name}") as shown_progress:
            for done, path in enumerate(files):
                shown_progress.report(path.name, done, len(files))
                try:
                    changed += await _restore_file(server, path)
                except (Cancelled, ModelError):
                    raise
                except PythiaError as error:
                    failed += 1
                    server.window_log_message(types.LogMessageParams(types.MessageType.Warning, str(error)))
    except (asyncio.CancelledError, Cancelled):
        stopped = "Stopped; "
    except ModelError as error:
        server.model_failed(error)
    problems = f"; {failed} could not be read or written, see the log" if failed else ""
    server.tell(f"{stopped}{changed} of {len(files)} files were given suggestions{problems}.")


async def _restore_file(server: PythiaServer, path: Path) -> bool:
    """Restore one file; whether it was changed."""
    # By path: editors do not all escape the same characters in a URI.
    is_open = {text.path: text.uri for text in server.workspace.text_documents.values()}
    if str(path) in is_open:
        return await _restore_open(server, is_open[str(path)])
    document = await server.session.off_loop(lambda: Document.open(path))
    edits = await _edits(server, document)
    if edits:
        # Here and not elsewhere: who stops it must not come between writing a file and counting it.
        save(document.source, edits)
    return bool(edits)


async def _restore_open(server: PythiaServer, uri: str) -> bool:
    analysis = await server.tei(uri)
    edits = await _edits(server, analysis.document) if analysis else []
    if analysis is None or not edits:
        return False
    return await server.apply(analysis, edits)


async def _edits(server: PythiaServer, document: Document) -> list[Edit]:
    if not document.is_tei:
        return []
    states = States(document)
    lacunae = [lacuna for lacuna in shown(document) if states.of(lacuna) is State.OPEN]
    if not lacunae:
        return []
    answers = await server.restorations.answers(lacunae, server.settings)
    return writing.insert(document, answers, server.settings.form, server.settings.alternatives).edits
