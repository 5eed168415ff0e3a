"""Registration: the header says which model spoke, when, and about how much.

A document without a usable header (a bare `div`, TEI P4) gets a processing instruction before its root
instead, so that `resp` is never a riddle.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pythia_epidoc import __version__
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.restoration import ModelIdentity
from pythia_epidoc.writeback.marks import SOFTWARE, Marks, xml_ids
from pythia_epidoc.writeback.markup import TARGET, escape, prefix_of

_LINE_START = re.compile(r"(?:\r\n|\n|\r)[^\r\n]*\Z")


@dataclass(frozen=True)
class Tally:
    """How many lacunae have something of the machine's."""

    alternatives: int = 0
    restored: int = 0

    def __str__(self) -> str:
        parts = []
        if self.alternatives:
            parts.append(f"alternatives for {_lacunae(self.alternatives)}")
        if self.restored:
            parts.append(f"{_lacunae(self.restored)} restored")
        return f"Machine restorations, to be checked: {', '.join(parts)}."


def _lacunae(count: int) -> str:
    return "1 lacuna" if count == 1 else f"{count} lacunae"


def describe(model: ModelIdentity) -> str:
    spoken = f"model {model.name} {model.version}; checkpoint sha256 {model.digest}"
    return escape(f"{SOFTWARE} {__version__}; {spoken}")


def resp_for(document: Document, marks: Marks, model: ModelIdentity, wanted: str) -> str:
    """The identifier to sign with: the one this model has here, else the one wanted or the next free."""
    for registration in marks.registrations:
        if registration.description == describe(model):
            return registration.id
    taken = xml_ids(document.text) | {registration.id for registration in marks.registrations}
    number, candidate = 1, wanted
    while candidate in taken:
        number += 1
        candidate = f"{wanted}-{number}"
    return candidate


def register(
    document: Document, marks: Marks, model: ModelIdentity, resp: str, tally: Tally, date: str
) -> list[Edit]:
    """Edits that make the document say what is in it once this model's work is."""
    header = _header(document)
    known = any(registration.id == resp for registration in marks.registrations)
    edits = _restate(document, marks, tally, resp, date)
    if header is None:
        if not known and document.root is not None:
            notice = _notice(document, resp, describe(model), date, tally)
            edits.append(Edit(document.root.start, document.root.start, notice))
        return edits
    edits += _state(document, header, marks, resp, tally, date)
    if not known:
        statement = header.title.qualified_name.replace("titleStmt", "respStmt")
        prefix = prefix_of(header.title)
        text = (
            f'<{statement} xml:id="{resp}"><{prefix}resp>machine restoration of lacunae</{prefix}resp>'
            f'<{prefix}name type="software">{describe(model)}</{prefix}name></{statement}>'
        )
        edits.append(_append(document, header.title, text))
    return edits


def update(document: Document, marks: Marks, tally: Tally) -> list[Edit]:
    """Edits after a decision: another count, or nothing at all once nothing of ours is left."""
    if not tally.alternatives and not tally.restored:
        return unregister(document, marks)
    edits = _restate(document, marks, tally)
    header = _header(document)
    if header is not None and marks.changes:
        own = marks.changes[0]
        edits += _state(document, header, marks, own.get("who").lstrip("#"), tally, own.get("when"))
    return edits


def unregister(document: Document, marks: Marks) -> list[Edit]:
    """Edits that take every trace out of the header."""
    edits = []
    for registration in marks.registrations:
        start = registration.start
        if registration.element is not None:
            start = with_space_before(document.text, start)
        edits.append(Edit(start, registration.end, ""))
    for change in marks.changes:
        parent = change.parent
        is_alone = parent is not None and parent.name == "revisionDesc" and len(list(parent.elements)) == 1
        element = parent if is_alone and parent is not None else change
        edits.append(Edit(with_space_before(document.text, element.start), element.end, ""))
    return edits


def last_date(marks: Marks) -> str:
    """The date of the last run in this document; empty if there was none."""
    dates = [change.get("when") for change in marks.changes]
    return next(filter(None, [*dates, *(registration.when for registration in marks.registrations)]), "")


def with_space_before(text: str, offset: int) -> int:
    """Where the white space begins that this tool put between the tag before and what it wrote."""
    start = offset
    while start and text[start - 1].isspace():
        start -= 1
    return start if text[start - 1 : start] == ">" else offset


def space_before(text: str, offset: int) -> str:
    """The line break and indentation before a tag that begins a line: how the document indents."""
    space = text[with_space_before(text, offset) : offset]
    line = _LINE_START.search(space)
    return line.group() if line is not None else ""


@dataclass(frozen=True)
class _Header:
    element: Element
    title: Element
    changes: Element | None
    """The `revisionDesc`, or the list in it, that takes changes; None if it must be made."""


def _header(document: Document) -> _Header | None:
    root = document.root
    if root is None or root.name not in ("TEI", "teiCorpus"):
        return None
    element = next((child for child in root.elements if child.name == "teiHeader"), None)
    title = None if element is None else next(element.iter("titleStmt"), None)
    if element is None or title is None or not list(title.elements):
        return None
    changes = next((child for child in element.elements if child.name == "revisionDesc"), None)
    while changes is not None and (nested := _first(changes)) is not None and nested.name == "listChange":
        changes = nested
    if changes is not None:
        first = _first(changes)
        if first is None or first.name != "change":
            return None
    return _Header(element, title, changes)


def _first(element: Element) -> Element | None:
    return next(element.elements, None)


def _state(
    document: Document, header: _Header, marks: Marks, resp: str, tally: Tally, date: str
) -> list[Edit]:
    """The one `change` that speaks of the machine, new or anew."""
    prefix = prefix_of(header.element)
    change = f'<{prefix}change when="{date}" who="#{resp}">{tally}</{prefix}change>'
    if marks.changes:
        own, *others = marks.changes
        doubled = [Edit(with_space_before(document.text, other.start), other.end, "") for other in others]
        return [Edit(own.start, own.end, change), *doubled]
    if header.changes is None:
        return [_append(document, header.element, f"<{prefix}revisionDesc>{change}</{prefix}revisionDesc>")]
    first = _first(header.changes)
    assert first is not None
    place = header.changes.open_end
    return [Edit(place, place, space_before(document.text, first.start) + change)]


def _restate(document: Document, marks: Marks, tally: Tally, resp: str = "", date: str = "") -> list[Edit]:
    """The instructions before the root, brought up to date: each speaks of the whole document."""
    edits = []
    for known in marks.registrations:
        if known.element is None:
            when = date if known.id == resp else known.when
            notice = _notice(document, known.id, known.description, when, tally)
            edits.append(Edit(known.start, known.end, notice))
    return edits


def _append(document: Document, parent: Element, text: str) -> Edit:
    """Put an element after the last child of `parent`, indented like it."""
    last = list(parent.elements)[-1]
    return Edit(last.end, last.end, space_before(document.text, last.start) + text)


def _notice(document: Document, resp: str, description: str, date: str, tally: Tally) -> str:
    newline = "\r\n" if "\r\n" in document.text else "\n"
    description = description.replace("?>", "")
    return f'<?{TARGET} resp="{resp}" by="{description}" when="{date}" state="{tally}"?>{newline}'
