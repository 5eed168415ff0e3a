"""What in a document is this tool's own: registrations, pending alternatives, accepted restorations.

Own are things signed (`resp`, `who`) with an identifier that the document registers for this tool, so
an editor's own alternatives, of the same form, are never taken for the machine's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.writeback.markup import TARGET, recorded
from pythia_epidoc.writeback.options import DEFAULT_RESP_ID

SOFTWARE = "Pythia-EpiDoc"
MACHINE = "machine"
"""Subtype of the apparatus this tool writes."""

_PROLOG = re.compile(rf"<!--.*?-->|<\?{TARGET} (.*?)\?>(?:\r\n|\n)?", re.DOTALL)
_PSEUDO_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_XML_ID = re.compile(r"""\b(?:xml:)?id\s*=\s*["']([^"']+)["']""")


@dataclass(frozen=True)
class Registration:
    """Where a document says who `#id` is: a `respStmt`, or an instruction before the root."""

    id: str
    description: str
    start: int
    end: int
    when: str = ""
    element: Element | None = None


@dataclass(frozen=True)
class Accepted:
    """A `supplied` in place of a gap, and the markup that stood there; None if it was not kept."""

    element: Element
    original: str | None
    chosen: bool


@dataclass(frozen=True)
class Marks:
    """Everything of ours in a document."""

    registrations: tuple[Registration, ...] = ()
    changes: tuple[Element, ...] = ()
    inline: tuple[Element, ...] = ()
    """`app`s around gaps."""
    standoff: tuple[Element, ...] = ()
    """`app`s in an apparatus of the machine."""
    accepted: tuple[Accepted, ...] = ()
    ids: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.registrations or self.changes or self.inline or self.standoff or self.accepted)

    def signs(self, element: Element, attribute: str = "resp") -> bool:
        """True if the element is signed by this tool."""
        return bool(self.signature(element, attribute))

    def signature(self, element: Element, attribute: str = "resp") -> str:
        """The identifier of ours with which the element is signed; empty if with none."""
        pointers = (pointer.lstrip("#") for pointer in element.get(attribute).split())
        return next((pointer for pointer in pointers if pointer in self.ids), "")

    def readings(self, app: Element) -> list[Element]:
        return [child for child in app.elements if child.name == "rdg" and self.signs(child)]

    def owns(self, app: Element) -> bool:
        """True if every reading of the `app` is the machine's: nobody has added one."""
        return all(child.name == "lem" or self.signs(child) for child in app.elements)


def xml_ids(text: str) -> set[str]:
    return set(_XML_ID.findall(text))


def find_marks(document: Document) -> Marks:
    """Find everything of ours."""
    if not _could_have_marks(document.text):
        return Marks()
    root = document.root
    if root is None:
        return Marks()
    registrations = (*_notices(document, root), *_statements(document, root))
    ids = {registration.id for registration in registrations}
    if DEFAULT_RESP_ID not in xml_ids(document.text):
        # Somebody may have deleted the registration and left the suggestions.
        ids.add(DEFAULT_RESP_ID)
    own = Marks(ids=frozenset(ids))
    changes: list[Element] = []
    inline: list[Element] = []
    standoff: list[Element] = []
    accepted: list[Accepted] = []
    for element in root.iter("change", "app", "supplied"):
        if element.name == "change":
            if own.signs(element, "who"):
                changes.append(element)
        elif element.name == "app":
            if own.readings(element):
                is_standoff = element.get("from") and machine_apparatus(element) is not None
                (standoff if is_standoff else inline).append(element)
        elif own.signs(element):
            record = recorded(document.text[element.open_end : element.close_start])
            accepted.append(Accepted(element, *(record or (None, True))))
    found = (tuple(changes), tuple(inline), tuple(standoff), tuple(accepted))
    return Marks(registrations, *found, frozenset(ids))


def machine_apparatus(app: Element) -> Element | None:
    """The apparatus of the machine that holds this `app`."""
    return next(
        (
            ancestor
            for ancestor in app.ancestors()
            if ancestor.get("type") == "apparatus" and ancestor.get("subtype") == MACHINE
        ),
        None,
    )


def lemma(app: Element) -> Element | None:
    return next((child for child in app.elements if child.name == "lem"), None)


def _could_have_marks(text: str) -> bool:
    return SOFTWARE in text or TARGET in text or f"#{DEFAULT_RESP_ID}" in text


def _notices(document: Document, root: Element) -> list[Registration]:
    found = []
    for match in _PROLOG.finditer(document.text, 0, root.start):
        if match.group(1) is None:
            continue
        attributes = dict(_PSEUDO_ATTRIBUTE.findall(match.group(1)))
        if "resp" in attributes:
            found.append(
                Registration(
                    attributes["resp"],
                    attributes.get("by", ""),
                    match.start(),
                    match.end(),
                    attributes.get("when", ""),
                )
            )
    return found


def _statements(document: Document, root: Element) -> list[Registration]:
    found = []
    for statement in root.iter("respStmt"):
        identifier = statement.get("xml:id")
        for name in statement.elements:
            description = " ".join(document.text[name.open_end : name.close_start].split())
            if identifier and name.get("type") == "software" and description.startswith(SOFTWARE):
                found.append(
                    Registration(identifier, description, statement.start, statement.end, element=statement)
                )
    return found
