"""Taking back: edits that remove exactly what this tool added."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.writeback.header import Tally, update, with_space_before
from pythia_epidoc.writeback.marks import Marks, find_marks, lemma, machine_apparatus
from pythia_epidoc.writeback.markup import SPLIT

_OPENED = re.compile(rf"""{re.escape(SPLIT)}<(?:[^<>"']|"[^"]*"|'[^']*')+>""")


def strip(document: Document, *, keep_chosen: bool = False) -> list[Edit]:
    """Remove suggestions, restorations and registration; `keep_chosen` spares what a person chose."""
    marks = find_marks(document)
    if not marks:
        return []
    edits = [
        Edit(*_outer(document, found.element), found.original)
        for found in marks.accepted
        if found.original is not None and not (keep_chosen and found.chosen)
    ]
    tally = Tally(restored=len(marks.accepted) - len(edits))
    for app in marks.inline:
        edits += unwrap(document, app, marks)
    edits += take_down(document, marks.standoff, marks)
    edits += _identifiers(document, marks)
    return sorted([*edits, *update(document, marks, tally)])


def unwrap(document: Document, app: Element, marks: Marks) -> list[Edit]:
    """Take the machine's readings away, and the `app` with them if it has no others."""
    lem = lemma(app)
    if lem is None or not marks.owns(app):
        return [Edit(reading.start, reading.end, "") for reading in marks.readings(app)]
    start, end = _outer(document, app)
    # With white space that another program put there when it indented the file.
    held = document.text[lem.open_end : lem.close_start]
    first, last = lem.open_end + len(held) - len(held.lstrip()), lem.open_end + len(held.rstrip())
    return [Edit(start, first, ""), Edit(last, end, "")]


def take_down(document: Document, apps: Iterable[Element], marks: Marks) -> list[Edit]:
    """Take `app`s out of the machine's apparatus, and the apparatus with the last of them."""
    edits: list[Edit] = []
    removed: dict[Element, list[Element]] = {}
    for app in apps:
        apparatus = machine_apparatus(app)
        if apparatus is not None and marks.owns(app):
            removed.setdefault(apparatus, []).append(app)
        else:
            edits += [Edit(reading.start, reading.end, "") for reading in marks.readings(app)]
    for apparatus, owned in removed.items():
        is_empty = len(owned) == sum(1 for _ in apparatus.iter("app"))
        for element in [apparatus] if is_empty else owned:
            edits.append(Edit(with_space_before(document.text, element.start), element.end, ""))
    return sorted(edits)


def _identifiers(document: Document, marks: Marks) -> list[Edit]:
    """Take the `xml:id`s from gaps that an apparatus of the machine gave them."""
    owned = [app for app in marks.standoff if marks.owns(app)]
    targets = {app.get(name).lstrip("#") for app in owned for name in ("from", "to")} - {""}
    stems = tuple(f"{resp}-lacuna-" for resp in marks.ids)
    edits = []
    for element in document.tree.root.iter("gap", "supplied") if targets else ():
        identifier = element.get("xml:id")
        span = element.attribute_span("xml:id")
        if span is not None and identifier in targets and identifier.startswith(stems):
            edits.append(Edit(span[0] - 1, span[1], ""))
    return edits


def _outer(document: Document, element: Element) -> tuple[int, int]:
    """The span of an element with the tags by which it parted the one it stands in."""
    text = document.text
    opened = _OPENED.match(text, element.end)
    if opened is None or not text.endswith(SPLIT, 0, element.start):
        return element.start, element.end
    return text.rindex("</", 0, element.start), opened.end()
