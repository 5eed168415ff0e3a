"""Accepted restorations: a `supplied`, signed by the machine and of low certainty, in place of a gap."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.greek import SPACE
from pythia_epidoc.writeback.inline import around
from pythia_epidoc.writeback.marks import Marks
from pythia_epidoc.writeback.markup import escape, prefix_of, record, supplied, supplied_reason
from pythia_epidoc.writeback.places import Piece, cut, divide, replaced_pieces

_BREAKS = ("lb", "cb", "pb", "gb", "milestone")


def replace(
    document: Document, lacuna: Lacuna, text: str, resp: str, marks: Marks, *, chosen: bool, final: bool
) -> list[Edit]:
    """Put a text in place of a lacuna; where line breaks cut the lacuna, they cut the text."""
    pieces = replaced_pieces(lacuna)
    edits = []
    for piece, part in zip(pieces, divide(text, pieces), strict=True):
        name = f"{prefix_of(piece[0])}supplied"
        kept = "" if final else record(_original(document, piece, marks), chosen=chosen)
        content = _with_breaks(document, lacuna, part) if lacuna.kind == "supplied" else escape(part)
        before, after = around(piece[0])
        markup = supplied(name, supplied_reason(piece), content, resp, kept)
        edits.append(Edit(piece[0].start, piece[-1].end, f"{before}{markup}{after}"))
    return edits


def _original(document: Document, piece: Piece, marks: Marks) -> str:
    """The markup of a piece as it was before this tool touched it."""
    before = next((found.original for found in marks.accepted if found.element is piece[0]), None)
    return before or document.text[piece[0].start : piece[-1].end]


def _with_breaks(document: Document, lacuna: Lacuna, text: str) -> str:
    """The text with the line breaks of the editor's `supplied`, after as many letters as there."""
    element, reading = lacuna.elements[0], lacuna.edition.reading
    breaks = list(element.iter(*_BREAKS))
    if not breaks:
        return escape(text)
    indexes = [bisect_left(reading.starts, found.start, lacuna.first, lacuna.stop) for found in breaks]
    bounds = [lacuna.first, *indexes, lacuna.stop]
    shares = [
        sum(letter != SPACE for letter in reading.letters[start:stop]) for start, stop in pairwise(bounds)
    ]
    parts = [escape(part) for part in cut(text, shares)]
    content = parts[0]
    for found, part in zip(breaks, parts[1:], strict=True):
        before = document.text[element.open_end : found.start]
        space = before[len(before.rstrip()) :]
        content = content.rstrip() + space + document.text[found.start : found.end] + part
    return content
