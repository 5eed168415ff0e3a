"""Where a restoration goes: the pieces a lacuna falls into, and which letters belong to which piece.

Not for what is written there: see `markup`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pythia_epidoc.epidoc.extent import Extent, extent_of
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.scanner import Element

Piece = tuple[Element, ...]

# Elements in which a gap may stand between others, but no text.
_NO_TEXT = frozenset(
    {"app", "back", "body", "choice", "cit", "div", "div0", "div1", "div2", "div3", "div4", "figure", "front"}
    | {"group", "lg", "list", "listApp", "m", "row", "sp", "subst", "table", "text"}
)
TEXT_ONLY = frozenset({"am", "ex", "unclear"})
"""Elements that hold letters and nothing else: a restoration parts them in two."""


def replaced_pieces(lacuna: Lacuna) -> list[Piece]:
    """Runs of gaps with nothing at all between them: each can give way to one `supplied`."""
    pieces: list[Piece] = []
    for element in lacuna.elements:
        if pieces and pieces[-1][-1].end == element.start:
            pieces[-1] = (*pieces[-1], element)
        else:
            pieces.append((element,))
    return pieces


def why_no_text(lacuna: Lacuna) -> str:
    """Why a `supplied` may not take the place of this lacuna; empty if it may."""
    for element in lacuna.elements:
        if lacuna.kind == "gap" and element.parent is not None and element.parent.name in _NO_TEXT:
            return f"stands in <{element.parent.name}>, where text may not stand; keep it as an alternative"
    return ""


def innermost(lacunae: Sequence[Lacuna]) -> list[Lacuna]:
    """Without those that hold another of them: a `supplied` around nothing but a `gap`."""
    inner: list[Lacuna] = []
    for lacuna in sorted(lacunae, key=lambda lacuna: (lacuna.start, -lacuna.end)):
        while inner and inner[-1].end >= lacuna.end:
            inner.pop()
        inner.append(lacuna)
    return inner


def count_letters(text: str) -> int:
    return sum(_is_letter(character) for character in text)


def divide(text: str, pieces: Sequence[Piece]) -> list[str]:
    """The text cut into as many parts as there are pieces, each as long as its gaps say."""
    if len(pieces) == 1:
        return [text]
    return cut(text, _shares(count_letters(text), [_extent(piece) for piece in pieces]))


def cut(text: str, shares: Sequence[int]) -> list[str]:
    """The text in parts of so many letters each, the last with all that is left."""
    parts: list[str] = []
    position = 0
    for share in shares[:-1]:
        end, letters = position, 0
        # Marks and spaces go with the letter before them.
        while end < len(text) and (letters < share or not _is_letter(text[end])):
            letters += _is_letter(text[end])
            end += 1
        parts.append(text[position:end])
        position = end
    return [*parts, text[position:]]


def _shares(total: int, extents: Sequence[Extent]) -> list[int]:
    """How many of the letters fall to each extent: at least one, exact ones their own if that can be."""
    shares = [max(1, extent.least or 1) for extent in extents]
    while sum(shares) > total and max(shares) > 1:
        loose = [index for index, extent in enumerate(extents) if extent.exact is None and shares[index] > 1]
        pool = loose or range(len(shares))
        shares[max(pool, key=shares.__getitem__)] -= 1
    loose = [index for index, extent in enumerate(extents) if extent.exact is None] or [len(shares) - 1]
    for turn in range(max(0, total - sum(shares))):
        shares[loose[turn % len(loose)]] += 1
    return shares


def _extent(piece: Piece) -> Extent:
    first, *rest = (extent_of(element) for element in piece)
    return sum(rest, first)


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"
