"""Writing pieces of Leiden text: letters with their marks, and content between brackets.

Not for elements: which one prints how is told in `walk`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pythia_epidoc.epidoc.scanner import REFERENCE, Text, resolve_reference
from pythia_epidoc.leiden.layout import Piece
from pythia_epidoc.leiden.styles import Style

LETTER = re.compile(r"[^\W\d_][\u0300-\u036f]*")


class Writer:
    """Collects pieces in one style; `marks` go on every letter, `capitals` turns them into capitals."""

    def __init__(self, text: str, style: Style, entities: dict[str, str]) -> None:
        self.text = text
        self.style = style
        self.entities = entities
        self.pieces: list[Piece] = []
        self.marks = ""
        self.capitals = False
        self.offset = 0

    def say(self, text: str, kind: str = "text") -> None:
        if text:
            self.pieces.append(Piece(kind, text, self.offset))

    def say_inside(self, text: str, kind: str = "text") -> None:
        """Before brackets that have just closed: in `[sta-]` the word, not the bracket, is incomplete."""
        place = len(self.pieces)
        while place and self.pieces[place - 1].kind == "close":
            place -= 1
        self.pieces.insert(place, Piece(kind, text, self.offset))

    def between(self, brackets: tuple[str, str], inside: Callable[[], None]) -> None:
        """Content between brackets, which lines and neighbours may close and open again."""
        self.pieces.append(Piece("open", brackets[0], self.offset, brackets[1]))
        inside()
        self.pieces.append(Piece("close", brackets[1], self.offset, brackets[0]))

    def characters(self, run: Text) -> None:
        self.offset = run.start
        text = self.text[run.start : run.end]
        if not run.cdata and "&" in text:
            text = REFERENCE.sub(lambda reference: resolve_reference(reference, self.entities), text)
        if self.capitals:
            text = text.upper()
        if self.marks:
            text = LETTER.sub(lambda match: match.group() + self.marks, text)
        self.say(text)
