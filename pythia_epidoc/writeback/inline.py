"""Pending alternatives in the text: the gap stays, in an `app`, and the machine's readings beside it."""

from __future__ import annotations

from collections.abc import Sequence

from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.restoration import Hypothesis
from pythia_epidoc.writeback.markup import SPLIT, prefix_of, reading, supplied_reason
from pythia_epidoc.writeback.places import TEXT_ONLY, divide, wrapped_pieces


def wrap(lacuna: Lacuna, hypotheses: Sequence[Hypothesis], resp: str, taken: set[str]) -> list[Edit]:
    """Put a lacuna and its alternatives into an `app`; one cut by markup into several that are linked."""
    pieces = wrapped_pieces(lacuna)
    prefix = prefix_of(lacuna.elements[0])
    links = _links(len(pieces), f"{resp}-{lacuna.number}", taken)
    parts = [divide(hypothesis.polytonic or hypothesis.text, pieces) for hypothesis in hypotheses]
    edits: list[Edit] = []
    for index, piece in enumerate(pieces):
        reason = supplied_reason(piece)
        readings = "".join(
            reading(prefix, rank, reason, parts[rank - 1][index], hypothesis.probability, resp)
            for rank, hypothesis in enumerate(hypotheses, start=1)
        )
        before, after = around(piece[0])
        opening = f'{before}<{prefix}app type="alternative"{links[index]}><{prefix}lem>'
        closing = f"</{prefix}lem>{readings}</{prefix}app>{after}"
        edits += [
            Edit(piece[0].start, piece[0].start, opening),
            Edit(piece[-1].end, piece[-1].end, closing),
        ]
    return edits


def around(element: Element) -> tuple[str, str]:
    """What must stand before and after markup that takes the place of `element`.

    `unclear` may hold only letters; it is closed before and opened again after.
    """
    parent = element.parent
    if parent is None or parent.name not in TEXT_ONLY:
        return "", ""
    name = parent.qualified_name
    attributes = "".join(
        f' {key}="{value}"' for key, value in parent.attributes.items() if key not in ("xml:id", "id")
    )
    return f"</{name}>{SPLIT}", f"{SPLIT}<{name}{attributes}>"


def _links(count: int, stem: str, taken: set[str]) -> list[str]:
    if count == 1:
        return [""]
    while any(f"{stem}-{index}" in taken for index in range(1, count + 1)):
        stem += "-"
    return [
        f' xml:id="{stem}-{index}"' + (f' next="#{stem}-{index + 1}"' if index < count else "")
        for index in range(1, count + 1)
    ]
