"""From restorations to edits of the document: the write-back of the pipeline, with the server's settings."""

from __future__ import annotations

from collections.abc import Sequence

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.restoration import Hypothesis, ModelIdentity, Restoration, Settings
from pythia_epidoc.writeback import WriteOptions, Written, accept_hypothesis, write
from pythia_epidoc_lsp.restorations import Answer


def accept_edits(answer: Answer, rank: int) -> list[Edit]:
    """Put the hypothesis of a rank in place of its lacuna."""
    return accept_hypothesis(answer.lacuna.edition.document, answer.restoration, rank)


def insert(document: Document, answers: Sequence[Answer], form: str, count: int) -> Written:
    """Write hypotheses into the document in one of the forms of write-back."""
    options = WriteOptions(form=form, top=count)
    return write(document, [answer.restoration for answer in answers], options)


def finish_ghost_edits(lacuna: Lacuna, model: ModelIdentity) -> list[Edit]:
    """After ghost text was put behind a gap: remove the gap, and register the model in the header."""
    stand_in = Hypothesis("α", 0.0, 1.0)
    restoration = Restoration(lacuna, (stand_in,), model, Settings())
    edits = accept_hypothesis(lacuna.edition.document, restoration)
    return [Edit(edit.start, edit.end, "") if covers(edit, lacuna) else edit for edit in edits]


def covers(edit: Edit, lacuna: Lacuna) -> bool:
    return edit.start <= lacuna.start and lacuna.end <= edit.end
