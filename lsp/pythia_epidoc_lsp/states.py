"""What has become of each lacuna, read from the markup that write-back left."""

from __future__ import annotations

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc_lsp.lacunae import State


def state_of(lacuna: Lacuna) -> State:
    if not lacuna.restorable:
        return State.UNRESTORABLE
    element = lacuna.elements[0]
    if element.name == "supplied":
        return State.RESTORED if _is_machine(element) else State.CONJECTURE
    return State.OPEN if pending(lacuna) is None else State.PENDING


def pending(lacuna: Lacuna) -> Element | None:
    app = lacuna.elements[0].within("app")
    if app is None or app.get("type") != "alternative":
        return None
    return app if any(_is_machine(reading) for reading in app.iter("rdg")) else None


def pending_readings(lacuna: Lacuna) -> list[str]:
    app = pending(lacuna)
    text = lacuna.edition.document.text
    if app is None:
        return []
    return [text[supplied.open_end : supplied.close_start].split("<")[0] for supplied in app.iter("supplied")]


def has_machine_markup(document: Document) -> bool:
    return '"#pythia' in document.text


def _is_machine(element: Element) -> bool:
    return element.get("resp").startswith("#pythia")
