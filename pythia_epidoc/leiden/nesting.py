"""Spans that may cross → pieces that nest: split where they must be, and reopened.

Spans about a whole word or verse are kept whole; brackets are split around them, at line ends, and around
lacunae (an editor cannot have restored what he marks as lost).

Not for elements: which element a piece becomes is told in `markup`.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count

from pythia_epidoc.leiden.items import (
    ORDER,
    WHOLE,
    Blank,
    Doubt,
    Island,
    Item,
    Keraia,
    Kind,
    Lacuna,
    Letters,
    LineBreak,
    Passage,
    Sign,
    Span,
    Text,
    Unexpanded,
    VerseEnd,
)

_NOT_OVER_LACUNAE = frozenset({Kind.LOST, Kind.OMITTED, Kind.PARALLEL, Kind.EXPANDED})
_TEXT_ONLY = frozenset({Kind.EXPANDED})
"""`ex` holds no other element: it is split wherever one begins or ends."""
_AROUND_TEXT = frozenset({Kind.EXPANDED, Kind.EXPANSION, Kind.ABBREVIATION})


@dataclass(slots=True)
class Piece:
    """A part of a span that nests with all other pieces."""

    span: Span
    start: int
    end: int
    is_last: bool = True


def nest(passage: Passage) -> list[Piece]:
    """The pieces of a passage, each after those around it."""

    def trim(piece: Piece) -> Piece:
        while piece.start < piece.end and isinstance(passage.items[piece.start], Blank):
            piece.start += 1
        while piece.start < piece.end and isinstance(passage.items[piece.end - 1], Blank):
            piece.end -= 1
        return piece

    def place(piece: Piece) -> tuple[int, int, int, int, Piece]:
        return piece.start, -piece.end, ORDER[piece.span.kind], next(order), piece

    order = count()
    outside = [span for span in passage.spans if span.kind not in _AROUND_TEXT]
    edges = {edge for span in outside for edge in (span.start, span.end)}
    waiting = [Piece(span, span.start, span.end) for span in passage.spans if span.kind in WHOLE]
    for span in passage.spans:
        if span.kind not in WHOLE:
            waiting.extend(trim(Piece(span, start, end)) for start, end in _parts(span, passage.items, edges))
    sequence = sorted(place(piece) for piece in waiting if piece.start < piece.end)
    sequence.reverse()
    remainders: list[tuple[int, int, int, int, Piece]] = []

    def push(piece: Piece) -> None:
        if piece.span.kind not in WHOLE:
            trim(piece)
        if piece.start < piece.end:
            heapq.heappush(remainders, place(piece))

    nested: list[Piece] = []
    opened: list[Piece] = []
    while sequence or remainders:
        if remainders and (not sequence or remainders[0] < sequence[-1]):
            piece = heapq.heappop(remainders)[-1]
        else:
            piece = sequence.pop()[-1]
        while opened and opened[-1].end <= piece.start:
            opened.pop()
        if not opened or piece.end <= opened[-1].end:
            opened.append(piece)
            nested.append(piece)
            continue
        crossing = next(depth for depth, outer in enumerate(opened) if outer.end < piece.end)
        if piece.span.kind in WHOLE and not any(outer.span.kind in WHOLE for outer in opened[crossing:]):
            for outer in opened[crossing:]:
                push(Piece(outer.span, piece.start, outer.end, outer.is_last))
                outer.end = piece.start
                outer.is_last = False
                trim(outer)
            del opened[crossing:]
            push(piece)
        else:
            middle = opened[-1].end
            push(Piece(piece.span, piece.start, middle, is_last=False))
            push(Piece(piece.span, middle, piece.end, piece.is_last))
    return nested


def _parts(span: Span, items: tuple[Item, ...], edges: set[int]) -> list[tuple[int, int]]:
    """The stretches of a span that its element can hold, without blanks at their edges."""
    parts: list[tuple[int, int]] = []
    start: int | None = None
    end = 0
    for index in range(span.start, span.end):
        item = items[index]
        if start is not None and index in edges and span.kind in _TEXT_ONLY:
            parts.append((start, end))
            start = None
        if not _holds(span.kind, item):
            if start is not None:
                parts.append((start, end))
            start = None
        elif not isinstance(item, Blank | Doubt | Keraia | Unexpanded):
            start = index if start is None else start
            end = index + 1
    if start is not None:
        parts.append((start, end))
    return parts


def _holds(kind: Kind, item: Item) -> bool:
    if isinstance(item, LineBreak | VerseEnd):
        return kind is Kind.ABBREVIATION
    if kind in _TEXT_ONLY:
        return isinstance(item, Letters | Text | Blank | Sign | Doubt | Keraia | Unexpanded)
    if isinstance(item, Island):
        return not item.is_reading
    return not (isinstance(item, Lacuna) and kind in _NOT_OVER_LACUNAE)
