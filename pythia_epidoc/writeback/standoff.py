"""Pending alternatives apart from the text: an apparatus of the machine, and an `xml:id` on each gap."""

from __future__ import annotations

from collections.abc import Sequence

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.editions import Edition
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.restoration import Hypothesis
from pythia_epidoc.writeback.header import space_before
from pythia_epidoc.writeback.marks import MACHINE, Marks, machine_apparatus, xml_ids
from pythia_epidoc.writeback.markup import escape, prefix_of, reading, supplied_reason

Proposal = tuple[Lacuna, Sequence[Hypothesis]]


def annotate(document: Document, proposals: Sequence[Proposal], marks: Marks, resp: str) -> list[Edit]:
    """Give every lacuna an identifier and list its alternatives after the edition."""
    edits: list[Edit] = []
    taken = xml_ids(document.text)
    editions: dict[Element, tuple[Edition, list[str]]] = {}
    for lacuna, hypotheses in proposals:
        prefix = prefix_of(lacuna.elements[0])
        first = _identify(lacuna.elements[0], f"{resp}-lacuna-{lacuna.number}", taken, edits)
        place = f' from="#{first}"'
        if len(lacuna.elements) > 1:
            last = _identify(lacuna.elements[-1], f"{resp}-lacuna-{lacuna.number}-end", taken, edits)
            place += f' to="#{last}"'
        if lacuna.line:
            place += f' loc="{escape(lacuna.line)}"'
        reason = supplied_reason(lacuna.elements)
        readings = "".join(
            reading(
                prefix, rank, reason, hypothesis.polytonic or hypothesis.text, hypothesis.probability, resp
            )
            for rank, hypothesis in enumerate(hypotheses, start=1)
        )
        app = f'<{prefix}app type="alternative"{place}>{readings}</{prefix}app>'
        editions.setdefault(lacuna.edition.element, (lacuna.edition, []))[1].append(app)
    for edition, apps in editions.values():
        edits.append(_apparatus(document, edition.element, apps, marks))
    return edits


def _identify(element: Element, wanted: str, taken: set[str], edits: list[Edit]) -> str:
    """The element's own `xml:id`, or a new one."""
    existing = element.get("xml:id")
    if existing:
        return existing
    while wanted in taken:
        wanted += "-"
    taken.add(wanted)
    place = element.start + 1 + len(element.qualified_name)
    edits.append(Edit(place, place, f' xml:id="{wanted}"'))
    return wanted


def without_identifiers(lacuna: Lacuna, marks: Marks) -> list[Edit]:
    """Take the identifiers that `annotate` gave from a lacuna."""
    edits = []
    for element in lacuna.elements:
        identifier = element.get("xml:id")
        span = element.attribute_span("xml:id")
        if span is not None and any(identifier.startswith(f"{resp}-lacuna-") for resp in marks.ids):
            edits.append(Edit(span[0] - 1, span[1], ""))
    return edits


def _apparatus(document: Document, edition: Element, apps: Sequence[str], marks: Marks) -> Edit:
    for known in marks.standoff:
        apparatus = machine_apparatus(known)
        if apparatus is not None and _follows(apparatus, edition):
            indent = space_before(document.text, known.start)
            last = [other for other in marks.standoff if machine_apparatus(other) is apparatus][-1]
            return Edit(last.end, last.end, "".join(indent + app for app in apps))
    prefix = prefix_of(edition)
    inside = edition.name == "body" or edition.parent is None or not edition.parent.name
    neighbour = list(edition.elements)[-1] if inside else edition
    indent = space_before(document.text, neighbour.start)
    step = indent + "  " if indent else ""
    listed = "".join(f"{step and step + '  '}{app}" for app in apps)
    text = (
        f'{indent}<{prefix}div type="apparatus" subtype="{MACHINE}">{step}<{prefix}listApp>{listed}'
        f"{step}</{prefix}listApp>{indent}</{prefix}div>"
    )
    return Edit(neighbour.end, neighbour.end, text)


def _follows(apparatus: Element, edition: Element) -> bool:
    if apparatus.parent is edition:
        return True
    siblings = list(edition.parent.elements) if edition.parent is not None else []
    return apparatus in siblings and siblings.index(apparatus) == siblings.index(edition) + 1
