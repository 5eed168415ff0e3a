"""Restorations → edits, in any of the three forms, with the header brought into line."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.errors import EditError
from pythia_epidoc.restoration import Hypothesis, Restoration
from pythia_epidoc.writeback import accept
from pythia_epidoc.writeback.compose import compose, edited_text
from pythia_epidoc.writeback.header import Tally, last_date, register, resp_for, update
from pythia_epidoc.writeback.inline import wrap
from pythia_epidoc.writeback.marks import Marks, find_marks
from pythia_epidoc.writeback.options import ACCEPT, STANDOFF, WriteOptions
from pythia_epidoc.writeback.pending import clear, pending
from pythia_epidoc.writeback.places import count_letters, innermost, replaced_pieces, why_no_text
from pythia_epidoc.writeback.standoff import annotate


@dataclass(frozen=True)
class Written:
    """What writing restorations comes to: the edits, and the lacunae left out with the reason."""

    edits: list[Edit]
    lacunae: tuple[int, ...]
    """Numbers of the lacunae that got something."""
    left_out: dict[int, str]
    """Number of a lacuna → why its restoration was not written."""


def write_back(
    document: Document, restorations: Sequence[Restoration], options: WriteOptions | None = None
) -> list[Edit]:
    """Edits that write restorations into the document; alternatives already there are replaced."""
    return write(document, restorations, options or WriteOptions()).edits


def accept_hypothesis(
    document: Document, restoration: Restoration, rank: int = 1, options: WriteOptions | None = None
) -> list[Edit]:
    """Edits that put the hypothesis of this rank in the place of its lacuna, because a person said so."""
    if not 1 <= rank <= len(restoration.hypotheses):
        raise EditError(
            f"Lacuna {restoration.lacuna.number} has no hypothesis {rank}; "
            f"there are {len(restoration.hypotheses)}.",
            path=document.path,
        )
    why_not = why_no_text(restoration.lacuna)
    if why_not:
        raise EditError(f"Lacuna {restoration.lacuna.number} {why_not}.", path=document.path)
    chosen = replace(restoration, hypotheses=(restoration.hypotheses[rank - 1],))
    options = replace(options or WriteOptions(), form=ACCEPT, min_probability=0.0)
    return write(document, [chosen], options, chosen=True).edits


def write(
    document: Document, restorations: Sequence[Restoration], options: WriteOptions, *, chosen: bool = False
) -> Written:
    """Write restorations, and tell which were left out."""
    marks = find_marks(document)
    wanted = {restoration.lacuna.number for restoration in restorations}
    first = clear(document, marks, wanted)
    if not first:
        return _write(document, marks, restorations, options, chosen)
    cleared = Document.from_text(edited_text(document.text, first), document.path)
    lacunae = {lacuna.number: lacuna for lacuna in cleared.lacunae}
    moved = [replace(restoration, lacuna=lacunae[restoration.lacuna.number]) for restoration in restorations]
    left = find_marks(cleared)
    written = _write(cleared, left, moved, options, chosen)
    second = written.edits or update(cleared, left, Tally(len(pending(cleared)), len(left.accepted)))
    return replace(written, edits=compose(document.text, first, second))


def signed_date(document: Document) -> str:
    """The date with which an earlier run signed this document, or empty."""
    return last_date(find_marks(document))


def _write(
    document: Document,
    marks: Marks,
    restorations: Sequence[Restoration],
    options: WriteOptions,
    chosen: bool,
) -> Written:
    proposals, left_out = _proposals(restorations, options, _restored(marks, chosen))
    if not proposals:
        return Written([], (), left_out)
    model = proposals[0][0].model
    resp = resp_for(document, marks, model, options.resp_id)
    edits: list[Edit] = []
    alternatives, restored = len(pending(document)), len(marks.accepted)
    if options.form == ACCEPT:
        for restoration, hypotheses in proposals:
            text = hypotheses[0].polytonic or hypotheses[0].text
            edits += accept.replace(
                document, restoration.lacuna, text, resp, marks, chosen=chosen, final=options.final
            )
        before = {found.element for found in marks.accepted}
        restored += len(edits) - sum(restoration.lacuna.elements[0] in before for restoration, _ in proposals)
    elif options.form == STANDOFF:
        pairs = [(restoration.lacuna, hypotheses) for restoration, hypotheses in proposals]
        edits += annotate(document, pairs, marks, resp)
        alternatives += len(proposals)
    else:
        for restoration, hypotheses in proposals:
            edits += wrap(restoration.lacuna, hypotheses, resp)
        alternatives += len(proposals)
    edits += register(document, marks, model, resp, Tally(alternatives, restored), options.date)
    # sorted() keeps the order of edits at one place: where two lacunae touch, the first closes first.
    edits.sort(key=lambda edit: (edit.start, edit.end))
    return Written(edits, tuple(restoration.lacuna.number for restoration, _ in proposals), left_out)


def _restored(marks: Marks, chosen: bool) -> set[Element]:
    """What holds restorations of ours, and these themselves, unless a person now chooses another."""
    elements = {ancestor for found in marks.accepted for ancestor in found.element.ancestors()}
    return elements if chosen else elements | {found.element for found in marks.accepted}


def _proposals(
    restorations: Sequence[Restoration], options: WriteOptions, done: Container[Element]
) -> tuple[list[tuple[Restoration, list[Hypothesis]]], dict[int, str]]:
    """What is worth writing for each lacuna, best first; what is `done` stays."""
    left_out: dict[int, str] = {}
    proposals: list[tuple[Restoration, list[Hypothesis]]] = []
    inner = set(innermost([restoration.lacuna for restoration in restorations]))
    for restoration in sorted(restorations, key=lambda restoration: restoration.lacuna.start):
        lacuna = restoration.lacuna
        if lacuna not in inner:
            left_out[lacuna.number] = "holds nothing but another lacuna; see that one"
            continue
        if lacuna.elements[0] in done:
            left_out[lacuna.number] = "was restored by this tool before; `strip` takes that back"
            continue
        least = len(replaced_pieces(lacuna))
        fitting = [
            hypothesis
            for hypothesis in restoration.hypotheses
            if hypothesis.probability >= options.threshold and count_letters(hypothesis.text) >= least
        ]
        why_not = why_no_text(lacuna) if options.form == ACCEPT else ""
        if why_not:
            left_out[lacuna.number] = why_not
        elif not fitting:
            left_out[lacuna.number] = f"has no hypothesis of probability {options.threshold:.2f} or more"
        else:
            proposals.append((restoration, fitting[: options.top]))
    return proposals, left_out
