"""Pending alternatives in the text: the gap stays, in an `app`, and the machine's readings beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.restoration import Hypothesis
from pythia_epidoc.writeback.markup import SPLIT, prefix_of, reading, supplied_reason
from pythia_epidoc.writeback.places import TEXT_ONLY

_IDENTIFIER = re.compile(r"""\s(?:xml:)?id\s*=\s*(?:"[^"]*"|'[^']*')""")


def wrap(lacuna: Lacuna, hypotheses: Sequence[Hypothesis], resp: str) -> list[Edit]:
    """Put a lacuna, with any line breaks inside it, and its alternatives into an `app`."""
    prefix = prefix_of(lacuna.elements[0])
    reason = supplied_reason(lacuna.elements)
    readings = "".join(
        reading(prefix, rank, reason, hypothesis.polytonic or hypothesis.text, hypothesis.probability, resp)
        for rank, hypothesis in enumerate(hypotheses, start=1)
    )
    before, after = around(lacuna.elements[0])
    opening = f'{before}<{prefix}app type="alternative"><{prefix}lem>'
    closing = f"</{prefix}lem>{readings}</{prefix}app>{after}"
    return [Edit(lacuna.start, lacuna.start, opening), Edit(lacuna.end, lacuna.end, closing)]


def around(element: Element) -> tuple[str, str]:
    """What must stand before and after markup that takes the place of `element`.

    `unclear` may hold only letters; it is closed before and opened again after.
    """
    parent = element.parent
    if parent is None or parent.name not in TEXT_ONLY:
        return "", ""
    name = parent.qualified_name
    attributes = _IDENTIFIER.sub("", parent.tag.raw_attributes).rstrip()
    return f"</{name}>{SPLIT}", f"{SPLIT}<{name}{attributes}>"
