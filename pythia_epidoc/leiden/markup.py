"""A passage → EpiDoc elements: one function per kind of item, one table for spans.

Not for whole files: header and parts are made in `tei`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pythia_epidoc.leiden.items import (
    Blank,
    Division,
    Hand,
    Island,
    Item,
    Keraia,
    Kind,
    Lacuna,
    Letters,
    LineBreak,
    Passage,
    Remark,
    Sign,
    Text,
    Vacant,
    VerseEnd,
)
from pythia_epidoc.leiden.letters import MARKS, UNDERDOT, normalise
from pythia_epidoc.leiden.nesting import Piece, nest
from pythia_epidoc.leiden.tokens import Count
from pythia_epidoc.leiden.xml import Node, element

_ELEMENTS: dict[Kind, tuple[str, dict[str, str]]] = {
    Kind.VERSE: ("l", {}),
    Kind.DOUBTFUL: ("seg", {"cert": "low"}),
    Kind.FOREIGN: ("foreign", {"xml:lang": "la"}),
    Kind.UNINTERPRETED: ("orig", {}),
    Kind.NUMERAL: ("num", {}),
    Kind.EXPANSION: ("expan", {}),
    Kind.CORRUPT: ("sic", {}),
    Kind.ERASED: ("del", {"rend": "erasure"}),
    Kind.ADDED: ("add", {"place": "above"}),
    Kind.OVERSTRUCK: ("add", {"place": "overstrike"}),
    Kind.SURPLUS: ("surplus", {}),
    Kind.LOST: ("supplied", {"reason": "lost"}),
    Kind.PARALLEL: ("supplied", {"reason": "undefined", "evidence": "parallel"}),
    Kind.OMITTED: ("supplied", {"reason": "omitted"}),
    Kind.CORRECTED: ("corr", {}),
    Kind.ABBREVIATION: ("abbr", {}),
    Kind.EXPANDED: ("ex", {}),
}
_PAIRED: dict[Kind, tuple[str, str, str]] = {
    Kind.ALTERNATIVE: ("app", "lem", "rdg"),
    Kind.REGULARISED: ("choice", "orig", "reg"),
    Kind.SUBSTITUTED: ("choice", "corr", "sic"),
}
_EDGES = (LineBreak, VerseEnd, type(None))
_REMARK_TYPES = {"comment": "comment", "apparatus": "apparatus", "sic": "sic"}


@dataclass(slots=True)
class _Open:
    end: int
    node: Node
    expanded: bool


def build(passage: Passage) -> list[Node | str]:
    """The elements of a passage."""
    items = passage.items
    reasons = _reasons(passage)
    pieces = nest(passage)
    top = Node("")
    opened: list[_Open] = []
    upcoming = 0
    verse = 0
    for index in range(len(items)):
        while opened and opened[-1].end <= index:
            opened.pop()
        while upcoming < len(pieces) and pieces[upcoming].start == index:
            piece = pieces[upcoming]
            upcoming += 1
            outer, inner = _open(piece, items)
            parent = opened[-1].node if opened else top
            if piece.span.kind is Kind.VERSE:
                verse += 1
                outer.attributes["n"] = str(verse)
                parent.children.append("\n")
            parent.children.append(outer)
            expanded = piece.span.kind is Kind.EXPANDED or bool(opened and opened[-1].expanded)
            opened.append(_Open(piece.end, inner, expanded))
        nodes = _item(index, items, reasons.get(index, ""), bool(opened and opened[-1].expanded))
        (opened[-1].node if opened else top).children.extend(nodes)
    return top.children


def _reasons(passage: Passage) -> dict[int, str]:
    """Why letters are missing, where brackets tell."""
    reasons: dict[int, str] = {}
    for kind, reason in ((Kind.LOST, "lost"), (Kind.OMITTED, "omitted")):
        for span in passage.spans:
            if span.kind is kind:
                for index in range(span.start, span.end):
                    if isinstance(passage.items[index], Lacuna):
                        reasons.setdefault(index, reason)
    return reasons


def _open(piece: Piece, items: tuple[Item, ...]) -> tuple[Node, Node]:
    """The element of a piece, and the element inside it that takes its content."""
    span = piece.span
    if span.kind in _PAIRED:
        outer_name, name, other = _PAIRED[span.kind]
        inner = Node(name)
        if not piece.is_last or not span.others:
            return inner if span.kind is not Kind.ALTERNATIVE else Node("seg"), inner
        outer = Node(outer_name, {"type": "alternative"} if outer_name == "app" else {}, [inner])
        outer.add(*(Node(other, {}, build(reading)) for reading in span.others))
        return outer, inner
    name, attributes = _ELEMENTS[span.kind]
    node = Node(name, dict(attributes))
    if span.kind is Kind.NUMERAL:
        if span.value:
            node.attributes["value"] = span.value
        if isinstance(items[span.end - 1], Keraia):
            node.attributes["rend"] = "tick"
    elif span.low:
        node.attributes["cert"] = "low"
    return node, node


def _item(index: int, items: tuple[Item, ...], reason: str, expanded: bool) -> list[Node | str]:
    item = items[index]
    match item:
        case Letters():
            return [_letters(item, expanded)]
        case Text():
            return [item.text]
        case Blank():
            return _blank(index, items)
        case Lacuna():
            return [_gap(item, reason or item.reason)]
        case Vacant():
            return [_certainty(Node("space", _extent(item.count, item.unit)), item.uncertain)]
        case Sign():
            return [element("g", *([item.text] if item.text else []), type=item.type)]
        case LineBreak():
            style = f"direction:{item.direction}" if item.direction else ""
            return ["\n", element("lb", n=item.n, style=style, **{"break": "no" if item.no_break else ""})]
        case Division(text="paragraphos"):
            return ["\n", element("milestone", rend="paragraphos", unit="undefined")]
        case Division():
            broken = {"break": "no" if item.no_break else ""}
            return [element("milestone", unit="block", n=item.text, **broken)]
        case Remark():
            return [element("note", item.text, type=_REMARK_TYPES.get(item.type, ""))]
        case Hand():
            return [element("handShift", new=f"#m{item.n}")]
        case Island():
            return _island(item)
    return []


def _letters(item: Letters, expanded: bool) -> Node | str:
    if expanded:
        # `ex` holds nothing but text, so marks stay on the letters.
        marks = "".join(mark for mark, name in MARKS.items() if name == item.rend)
        marks += UNDERDOT if item.unclear else ""
        return normalise("".join(letter + marks for letter in item.text)) if marks else item.text
    inner: Node | str = element("unclear", item.text) if item.unclear else item.text
    if item.rend == "previous":
        return element("supplied", inner, reason="undefined", evidence="previouseditor")
    return element("hi", inner, rend=item.rend) if item.rend else inner


def _blank(index: int, items: tuple[Item, ...]) -> list[Node | str]:
    """White space at a line's edge says nothing; before another reading it belongs after it."""
    following = items[index + 1] if index + 1 < len(items) else None
    previous = items[index - 1] if index else None
    if isinstance(following, _EDGES) or isinstance(previous, _EDGES):
        return []
    if isinstance(following, Island) and following.is_reading:
        return []
    return [" "]


def _gap(item: Lacuna, reason: str) -> Node:
    gap = Node("gap", {"reason": reason, **_extent(item.count, item.unit)})
    if item.description:
        gap.add(element("desc", item.description))
    _certainty(gap, item.uncertain)
    return element("seg", gap, met=item.metre) if item.metre else gap


def _extent(count: Count | None, unit: str) -> dict[str, str]:
    if count is None:
        return {"extent": "unknown", "unit": unit}
    if count.is_range:
        extent = {"atLeast": str(count.low), "atMost": str(count.high), "unit": unit}
    else:
        quantity = f"{count.low}.{count.decimals}" if count.decimals else str(count.low)
        extent = {"quantity": quantity, "unit": unit}
    if count.circa:
        extent["precision"] = "low"
    return extent


def _certainty(node: Node, uncertain: bool) -> Node:
    return node.add(element("certainty", locus="name", match="..")) if uncertain else node


def _island(item: Island) -> list[Node | str]:
    if item.is_reading:
        return []
    name = "note" if item.alone else "seg"
    return [Node(name, {"type": "phi", "n": item.code}, build(part)) for part in item.parts]
