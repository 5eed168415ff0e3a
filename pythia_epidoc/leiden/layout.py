"""Pieces of Leiden text → lines: brackets that meet are joined, white space and hyphens put in place.

Not for EpiDoc: the pieces come from `render`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from pythia_epidoc.leiden.styles import Style


class Piece(NamedTuple):
    """Something to print.

    Kinds: text; vacat; open, close (brackets; `partner` is the other one); doubt (a question mark that
    belongs to the bracket after it); hyphen (of a word that is incomplete); island (PHI's coded notes);
    line, break (`text` is the line's number; a word goes on over a break); heading; block (a paragraph
    begins).
    """

    kind: str
    text: str
    offset: int
    partner: str = ""


@dataclass(frozen=True)
class Line:
    """A printed line, with the source offset at which it begins."""

    text: str
    n: str = ""
    start: int = 0
    is_row: bool = True


_JOINED = frozenset("[<{⟦〚⸤")
_BRACKET = r"[\[\]<>{}()〚〛]"
_HETA = re.compile(rf"(?<![A-Za-z])(?<![A-Za-z]{_BRACKET})h(?![\u0300-\u036f]*{_BRACKET}?[A-Za-z])")
"""An h beside no Latin letter, brackets between or not, is a heta."""


class _Setter:
    def __init__(self, style: Style) -> None:
        self.style = style
        self.lines: list[Line] = []
        self.out: list[Piece] = []
        self.opened: list[Piece] = []
        self.n = ""
        self.start = 0
        self.begun = False

    def put(self, piece: Piece) -> None:
        if piece.kind == "open":
            self.opened.append(piece)
            if not self._join(piece):
                self.out.append(piece)
        elif piece.kind == "close":
            if self.opened:
                self.opened.pop()
            self.out.append(piece)
        elif piece.kind in ("line", "break"):
            self.end_line(hyphen=piece.kind == "break")
            self.n, self.start, self.begun = piece.text, piece.offset, True
            self.out.extend(self.opened)
        elif piece.kind == "heading":
            self.end_line()
            self.lines.append(Line(piece.text, "", piece.offset, is_row=False))
        elif piece.kind == "block":
            self.end_line()
            self.start = piece.offset
            self.out.extend(self.opened)
        else:
            self.out.append(piece)

    def _join(self, opener: Piece) -> bool:
        """`[abc] [def]` is `[abc def]`: drop a closing bracket that this one would open again."""
        if opener.text not in _JOINED:
            return False
        index = len(self.out) - 1
        while index >= 0 and self.out[index].kind == "text" and not self.out[index].text.strip():
            index -= 1
        if index < 0 or self.out[index].kind != "close" or self.out[index].partner != opener.text:
            return False
        if index and self.out[index - 1].kind == "doubt" and self.style.doubt == "?":
            return False
        del self.out[index]
        return True

    def end_line(self, hyphen: bool = False) -> None:
        for piece in reversed(self.opened):
            self.out.append(Piece("close", piece.partner, piece.offset, piece.text))
        text = self._print(hyphen)
        self.out = []
        if text or self.begun:
            self.lines.append(Line(text, self.n, self.start))
        self.n, self.begun = "", False

    def _print(self, hyphen: bool) -> str:
        pieces = _without_empty(self.out)
        while pieces and pieces[-1].kind == "text" and not pieces[-1].text.strip():
            pieces.pop()
        if hyphen:
            self._hyphenate(pieces)
        parts: list[str] = []
        for piece in pieces:
            if piece.kind == "island" and parts and not parts[-1].endswith(" "):
                parts.append(" ")
            parts.append(piece.text)
        text = re.sub(r"[ \t\n\r\f\v]+", " ", "".join(parts)).strip(" ")
        if self.style.notation:
            # Before composing: NFC would make one Latin letter of h and its underdot.
            text = _HETA.sub("ℎ", text)
        return unicodedata.normalize("NFC", text)

    def _hyphenate(self, pieces: list[Piece]) -> None:
        # A word that goes on over an empty row has its hyphen before that row.
        if all(piece.kind in ("vacat", "open", "close") or not piece.text.strip() for piece in pieces):
            return
        last = len(pieces)
        while last and pieces[last - 1].kind in ("close", "doubt") and self.style.hyphen_inside:
            last -= 1
        if last and pieces[last - 1].kind == "hyphen":
            return
        if last and pieces[last - 1].kind == "text":
            pieces[last - 1] = pieces[last - 1]._replace(text=pieces[last - 1].text.rstrip())
        pieces.insert(last, Piece("text", "-", pieces[-1].offset))


def _without_empty(pieces: list[Piece]) -> list[Piece]:
    """Pieces without brackets that hold nothing because a line began or ended inside them."""
    kept: list[Piece] = []
    for piece in pieces:
        if piece.kind == "close":
            index = len(kept) - 1
            while index >= 0 and kept[index].kind == "text" and not kept[index].text.strip():
                index -= 1
            if index >= 0 and kept[index].kind == "open" and kept[index].partner == piece.text and piece.text:
                del kept[index]
                continue
        kept.append(piece)
    return kept


def lay_out(pieces: list[Piece], style: Style) -> tuple[Line, ...]:
    """Print pieces as lines."""
    setter = _Setter(style)
    for piece in pieces:
        setter.put(piece)
    setter.end_line()
    return tuple(setter.lines)
