"""Two sets of edits, the second made on the result of the first, as one set on the first text."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from pythia_epidoc.epidoc.edits import Edit

# A piece of a text: characters `start:end` of the original, or new characters.
_Piece = tuple[int, int] | str


def compose(text: str, first: Iterable[Edit], second: Iterable[Edit]) -> list[Edit]:
    """Edits on `text` with the effect of `first` and then `second`; those that change nothing fall out."""
    pieces = _edited(_edited([(0, len(text))], first), second)
    edits: list[Edit] = []
    position = 0
    new = ""
    for piece in [*pieces, (len(text), len(text))]:
        if isinstance(piece, str):
            new += piece
            continue
        start, end = piece
        if new or start > position:
            edits.append(Edit(position, start, new))
            new = ""
        position = end
    return [edit for edit in edits if text[edit.start : edit.end] != edit.text]


def edited_text(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits."""
    pieces = _edited([(0, len(text))], edits)
    return "".join(piece if isinstance(piece, str) else text[piece[0] : piece[1]] for piece in pieces)


def _edited(pieces: list[_Piece], edits: Iterable[Edit]) -> list[_Piece]:
    rest = deque(pieces)
    result: list[_Piece] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        result += _take(rest, edit.start - position)
        _take(rest, edit.end - edit.start)
        if edit.text:
            result.append(edit.text)
        position = edit.end
    return [*result, *rest]


def _take(rest: deque[_Piece], count: int) -> list[_Piece]:
    """The pieces that make up so many characters, taken away from the front."""
    taken: list[_Piece] = []
    while count > 0 and rest:
        piece = rest.popleft()
        if _length(piece) > count:
            first, second = _divided(piece, count)
            rest.appendleft(second)
            piece = first
        taken.append(piece)
        count -= _length(piece)
    return taken


def _divided(piece: _Piece, at: int) -> tuple[_Piece, _Piece]:
    if isinstance(piece, str):
        return piece[:at], piece[at:]
    start, end = piece
    return (start, start + at), (start + at, end)


def _length(piece: _Piece) -> int:
    return len(piece) if isinstance(piece, str) else piece[1] - piece[0]
