"""Decisions about suggestions that stand in a document: list them, accept one, reject them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.scanner import REFERENCE, Element, Text, resolve_reference
from pythia_epidoc.errors import EditError
from pythia_epidoc.writeback.accept import replace
from pythia_epidoc.writeback.compose import compose, edited_text
from pythia_epidoc.writeback.header import Tally, update
from pythia_epidoc.writeback.marks import Marks, find_marks
from pythia_epidoc.writeback.options import INLINE, STANDOFF
from pythia_epidoc.writeback.places import why_no_text
from pythia_epidoc.writeback.standoff import without_identifiers
from pythia_epidoc.writeback.strip import take_down, unwrap

_LINE_BREAK = re.compile(r"[\r\n]\s*")


@dataclass(frozen=True)
class Alternative:
    """A hypothesis as it stands in a document."""

    rank: int
    text: str
    probability: float | None
    resp: str


@dataclass(frozen=True)
class PendingAlternatives:
    """A lacuna with suggestions that wait for a decision."""

    lacuna: Lacuna
    alternatives: tuple[Alternative, ...]
    app: Element
    form: str

    @property
    def number(self) -> int:
        return self.lacuna.number


def pending(document: Document) -> list[PendingAlternatives]:
    """Every lacuna with suggestions, in the order of the text."""
    marks = find_marks(document)
    return _pending(document, marks) if marks else []


def accept_pending(
    document: Document, waiting: PendingAlternatives, rank: int = 1, *, final: bool = False
) -> list[Edit]:
    """Put one of the alternatives in the place of the lacuna; the others go."""
    choice = next((found for found in waiting.alternatives if found.rank == rank), None)
    if choice is None:
        raise EditError(
            f"Lacuna {waiting.number} has no alternative {rank}; there are {len(waiting.alternatives)}.",
            path=document.path,
            line=waiting.lacuna.position[0],
        )
    marks = find_marks(document)
    first = _take_away(document, [waiting], marks)
    # The gap is replaced where it stands without its `app`: what may be there depends on what is around it.
    cleared = Document.from_text(edited_text(document.text, first), document.path)
    lacuna = next(lacuna for lacuna in cleared.lacunae if lacuna.number == waiting.number)
    why_not = why_no_text(lacuna)
    if why_not:
        raise EditError(
            f"Lacuna {waiting.number} {why_not}.", path=document.path, line=waiting.lacuna.position[0]
        )
    left = find_marks(cleared)
    edits = replace(cleared, lacuna, choice.text, choice.resp, left, chosen=True, final=final)
    tally = Tally(len(_pending(document, marks)) - 1, len(marks.accepted) + len(edits))
    return compose(document.text, first, [*edits, *update(cleared, left, tally)])


def reject_pending(document: Document, *waiting: PendingAlternatives) -> list[Edit]:
    """Take the alternatives for these lacunae away; with the last suggestion every trace of the tool goes."""
    marks = find_marks(document)
    edits = _take_away(document, waiting, marks)
    tally = Tally(len(_pending(document, marks)) - len(waiting), len(marks.accepted))
    return sorted([*edits, *update(document, marks, tally)])


def clear(document: Document, marks: Marks, numbers: set[int]) -> list[Edit]:
    """Take away the alternatives of some lacunae and leave the header as it is."""
    waiting = _pending(document, marks)
    return _take_away(document, [each for each in waiting if each.number in numbers], marks)


def _pending(document: Document, marks: Marks) -> list[PendingAlternatives]:
    inline = set(marks.inline)
    listed = {app.get("from").lstrip("#"): app for app in marks.standoff}
    found = []
    for lacuna in document.lacunae:
        app, form = _app_around(lacuna.elements[0]), INLINE
        if app not in inline:
            app, form = listed.get(lacuna.elements[0].get("xml:id")), STANDOFF
        if app is not None:
            found.append(PendingAlternatives(lacuna, _alternatives(document, app, marks), app, form))
    return found


def _app_around(element: Element) -> Element | None:
    """The `app` whose lemma is this element, or a run of such elements."""
    parent = element.parent
    return parent.parent if parent is not None and parent.name == "lem" else None


def _take_away(document: Document, waiting: Sequence[PendingAlternatives], marks: Marks) -> list[Edit]:
    listed = [each for each in waiting if each.form == STANDOFF]
    edits = take_down(document, [each.app for each in listed], marks)
    for each in waiting:
        if each.form == INLINE:
            edits += unwrap(document, each.app, marks)
        elif marks.owns(each.app):
            edits += without_identifiers(each.lacuna, marks)
    return sorted(edits)


def _alternatives(document: Document, app: Element, marks: Marks) -> tuple[Alternative, ...]:
    alternatives: list[Alternative] = []
    for reading in marks.readings(app):
        certainty = next(reading.iter("certainty"), None)
        alternatives.append(
            Alternative(
                _number(reading.get("n"), len(alternatives) + 1),
                _text(document, reading),
                None if certainty is None else _degree(certainty.get("degree")),
                marks.signature(reading),
            )
        )
    return tuple(alternatives)


def _text(document: Document, reading: Element) -> str:
    """The letters of a reading, references resolved, without what another program indented."""
    pieces = []
    written = [child for child in reading.elements if child.name == "supplied"] or [reading]
    for part in (part for whole in written for part in whole.iter()):
        for child in part.children:
            if isinstance(child, Text):
                raw = document.text[child.start : child.end]
                pieces.append((child.start, REFERENCE.sub(resolve_reference, raw)))
    lines = _LINE_BREAK.split("".join(text for _, text in sorted(pieces)))
    return " ".join(filter(None, lines))


def _number(value: str, default: int) -> int:
    return int(value) if value.isdigit() else default


def _degree(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None
