"""Which bracket belongs to which: pairs per kind, across rows, with unbalanced ones mended or let go.

Kinds are matched independently of each other, so spans may cross. A bracket stays open over a row's end
only if the next bracket of its kind closes it; otherwise it is closed where its row ends.

Not for meaning: a pair here is only a kind and two places among the tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pythia_epidoc.leiden.items import Kind
from pythia_epidoc.leiden.tokens import Token

_OPENERS: dict[str, Kind] = {
    "[": Kind.LOST,
    "{": Kind.SURPLUS,
    "(": Kind.EXPANDED,
    **dict.fromkeys("<‹⟨〈\u2329", Kind.OMITTED),
    **dict.fromkeys("〚⟦", Kind.ERASED),
    "⸢": Kind.CORRECTED,
    "«": Kind.OVERSTRUCK,
    "⸤": Kind.PARALLEL,
    **dict.fromkeys("‵`\\", Kind.ADDED),
}
_CLOSERS: dict[str, Kind] = {
    "]": Kind.LOST,
    "}": Kind.SURPLUS,
    ")": Kind.EXPANDED,
    **dict.fromkeys(">›⟩〉\u232a", Kind.OMITTED),
    **dict.fromkeys("〛⟧", Kind.ERASED),
    "⸣": Kind.CORRECTED,
    "»": Kind.OVERSTRUCK,
    "⸥": Kind.PARALLEL,
    **dict.fromkeys("′´/", Kind.ADDED),
}
_ADDITION = {"‵": "′", "`": "´", "\\": "/"}
_ROWS_CARRIED = {Kind.EXPANDED: 1, Kind.ADDED: 0, Kind.OMITTED: 3, Kind.CORRECTED: 3, Kind.PARALLEL: 3}
_MENDED = frozenset({Kind.LOST, Kind.ERASED, Kind.SURPLUS})


@dataclass(frozen=True, slots=True)
class Pair:
    """Tokens `start:end` stand between brackets of this kind."""

    kind: Kind
    start: int
    end: int
    mended: bool = False


@dataclass
class Brackets:
    """What the pairing found: pairs, the tokens they consumed, and what was amiss at which token."""

    pairs: list[Pair] = field(default_factory=list)
    consumed: set[int] = field(default_factory=set)
    amiss: list[tuple[int, str]] = field(default_factory=list)


def pair_brackets(tokens: list[Token]) -> Brackets:
    """Pair the brackets of a sequence of tokens."""
    found = Brackets()
    _pair_double_squares(tokens, found)
    row_start, row_end = _row_edges(tokens)
    per_kind: dict[Kind, list[int]] = {}
    crux: int | None = None
    for index, token in enumerate(tokens):
        if index in found.consumed:
            continue
        text = token.text
        if text == "†":
            if crux is not None and token.row - tokens[crux].row <= 3 and index > crux + 1:
                found.pairs.append(Pair(Kind.CORRUPT, crux + 1, index))
                found.consumed.update((crux, index))
                crux = None
            else:
                crux = index
        elif token.kind == "bracket" and text in _OPENERS:
            per_kind.setdefault(_OPENERS[text], []).append(index)
        elif len(text) == 1 and text in _CLOSERS and token.kind in ("bracket", "keraia", "verse"):
            per_kind.setdefault(_CLOSERS[text], []).append(index)
    for kind, indexes in per_kind.items():
        _pair_kind(kind, indexes, tokens, row_start, row_end, found)
    return found


def _pair_double_squares(tokens: list[Token], found: Brackets) -> None:
    """`[[abc]]`: two brackets that open together and close together are one erasure."""
    partner: dict[int, int] = {}
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.text == "[":
            opened.append(index)
        elif token.text == "]" and opened:
            partner[opened.pop()] = index
    for index in sorted(partner):
        inner = index + 1
        if index in found.consumed or inner not in partner or tokens[inner].row != tokens[index].row:
            continue
        close = partner[inner]
        if partner[index] == close + 1 and tokens[close].row == tokens[close + 1].row and close > inner + 1:
            found.pairs.append(Pair(Kind.ERASED, inner + 1, close))
            found.consumed.update((index, inner, close, close + 1))


def _row_edges(tokens: list[Token]) -> tuple[dict[int, int], dict[int, int]]:
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for index, token in enumerate(tokens):
        if token.kind != "row":
            first.setdefault(token.row, index)
            last[token.row] = index + 1
    return first, last


def _pair_kind(
    kind: Kind,
    indexes: list[int],
    tokens: list[Token],
    row_start: dict[int, int],
    row_end: dict[int, int],
    found: Brackets,
) -> None:
    pairs: list[tuple[int, int]] = []
    opened: list[int] = []
    unclosed: list[int] = []
    unopened: list[int] = []
    carried = _ROWS_CARRIED.get(kind, len(tokens))
    for index in indexes:
        token = tokens[index]
        if token.text in _OPENERS:
            if opened and tokens[opened[-1]].row < token.row:
                unclosed.extend(opened)
                opened.clear()
            opened.append(index)
        elif opened and token.row - tokens[opened[-1]].row <= carried and _fits(tokens[opened[-1]], token):
            pairs.append((opened.pop(), index))
        elif kind is not Kind.ADDED:
            unopened.append(index)
    unclosed.extend(opened)

    outermost_end = -1
    for start, end in sorted(pairs):
        if end < outermost_end:
            found.amiss.append((start, "nested"))
            continue
        outermost_end = end
        found.pairs.append(Pair(kind, start + 1, end))
        found.consumed.update((start, end))
    place = {index: order for order, index in enumerate(indexes)}
    for index in unclosed:
        row = tokens[index].row
        following = place[index] + 1
        alone = following == len(indexes) or tokens[indexes[following]].row != row
        # `κα[` at a row's end: the text breaks off here.
        if alone and (kind is Kind.LOST or (kind in _MENDED and index + 1 < row_end[row])):
            found.pairs.append(Pair(kind, index + 1, row_end[row], mended=True))
            found.consumed.add(index)
            found.amiss.append((index, "unclosed"))
        else:
            found.amiss.append((index, "unbalanced"))
    for index in unopened:
        row = tokens[index].row
        before = place[index] - 1
        alone = before < 0 or tokens[indexes[before]].row != row
        if alone and (kind is Kind.LOST or (kind in _MENDED and row_start[row] < index)):
            found.pairs.append(Pair(kind, row_start[row], index, mended=True))
            found.consumed.add(index)
            found.amiss.append((index, "unopened"))
        else:
            found.amiss.append((index, "unbalanced"))


def _fits(opener: Token, closer: Token) -> bool:
    return opener.text not in _ADDITION or _ADDITION[opener.text] == closer.text
