"""Two sets of edits, the second made on the result of the first, as one set on the first text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    result: list[_Piece] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        result += _cut(pieces, position, edit.start)
        if edit.text:
            result.append(edit.text)
        position = edit.end
    result += _cut(pieces, position, sum(map(_length, pieces)))
    return result


def _cut(pieces: list[_Piece], start: int, end: int) -> Iterator[_Piece]:
    """The pieces that make up the characters `start:end` of the text they spell."""
    at = 0
    for piece in pieces:
        low, high = max(start - at, 0), min(end - at, _length(piece))
        if low < high:
            yield piece[low:high] if isinstance(piece, str) else (piece[0] + low, piece[0] + high)
        at += _length(piece)
        if at >= end:
            break


def _length(piece: _Piece) -> int:
    return len(piece) if isinstance(piece, str) else piece[1] - piece[0]
