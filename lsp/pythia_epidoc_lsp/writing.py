"""From restorations to edits of the document, in every form of write-back."""

from __future__ import annotations

from collections.abc import Sequence

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc_lsp.restorations import Answer


def accept_edits(answer: Answer, rank: int) -> list[Edit]:
    lacuna = answer.lacuna
    text = answer.rows[rank - 1].text
    return [
        Edit(lacuna.start, lacuna.end, f'<supplied reason="lost" cert="low" resp="#pythia">{text}</supplied>')
    ]


def insert_edits(document: Document, answers: Sequence[Answer], form: str, count: int) -> list[Edit]:
    return [edit for answer in answers for edit in accept_edits(answer, 1)]


def strip_edits(document: Document) -> list[Edit]:
    return []


def accept_pending_edits(document: Document, lacuna: Lacuna, rank: int) -> list[Edit]:
    return []


def reject_pending_edits(document: Document, lacuna: Lacuna) -> list[Edit]:
    return []


def finish_ghost_edits(answer: Answer) -> list[Edit]:
    lacuna = answer.lacuna
    return [
        Edit(edit.start, edit.end, "") if edit.start <= lacuna.start and lacuna.end <= edit.end else edit
        for edit in accept_edits(answer, 1)
    ]
