"""The lacunae of a document as an editor shows them: which one is here, and what stands around it."""

from __future__ import annotations

from collections.abc import Iterator

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.reading import State


def shown(document: Document) -> Iterator[Lacuna]:
    """The lacunae of the text itself, without what stands in variants, notes and the like."""
    return (lacuna for lacuna in document.lacunae if lacuna.first < lacuna.stop)


def lacuna_at(document: Document, offset: int) -> Lacuna | None:
    """The lacuna whose markup holds the offset; its edges count when nothing else claims them."""
    candidates = [lacuna for lacuna in shown(document) if lacuna.start <= offset <= lacuna.end]
    inside = [lacuna for lacuna in candidates if lacuna.start < offset < lacuna.end]
    # A gap inside a supplied is the smaller of the two, and the one that can be restored.
    return min(inside or candidates, key=lambda lacuna: lacuna.end - lacuna.start, default=None)


def extent_in_words(lacuna: Lacuna) -> str:
    extent = str(lacuna.extent)
    return "unknown length" if extent == "unknown" else extent


def around(lacuna: Lacuna, width: int) -> tuple[str, str]:
    """The text of the edition before and after a lacuna, as it is written there, to a word edge."""
    before = _written(lacuna, lacuna.first - width, lacuna.first)
    after = _written(lacuna, lacuna.stop, lacuna.stop + width)
    if lacuna.first > width and " " in before:
        before = "…" + before.split(" ", 1)[1]
    if lacuna.stop + width < len(lacuna.edition.reading) and " " in after:
        after = after.rsplit(" ", 1)[0] + "…"
    return before, after


def bracketed(lacuna: Lacuna) -> str:
    """The lacuna itself in brief Leiden notation."""
    if lacuna.kind == "supplied" and lacuna.conjecture.strip("-#"):
        return f"[{_written(lacuna, lacuna.first, lacuna.stop)}]"
    exact = lacuna.extent.exact
    if lacuna.extent.in_letters and exact is not None and exact <= 8:
        return f"[{'·' * exact}]"
    if lacuna.extent.in_letters and lacuna.extent.least is not None:
        return f"[·{lacuna.extent.least}·]"
    return "[– –]"


def _written(lacuna: Lacuna, first: int, stop: int) -> str:
    return "".join(signs_as_written(lacuna, first, stop))


def signs_as_written(lacuna: Lacuna, first: int, stop: int) -> list[str]:
    """Each sign of the reading as the edition writes it; what is lost is a dot."""
    reading, text = lacuna.edition.reading, lacuna.edition.document.text
    signs = []
    for index in range(max(0, first), min(stop, len(reading))):
        written = text[reading.starts[index] : reading.ends[index]]
        if reading.letters[index] == " ":
            signs.append(" ")
        elif reading.states[index] == State.LOST:
            signs.append("·")
        else:
            # A numeral or a reference stands for its sign, not for its markup.
            signs.append(reading.letters[index] if "<" in written or "&" in written else written)
    return signs
