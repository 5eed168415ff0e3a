"""Accents for hypotheses: the model works without them, the edition has them.

    marks     a written word ↔ letters and code of its marks; grave and enclitics
    style     the habits of a document
    table     sorted lines as a dictionary, packed into a checkpoint
    chooser   which form a word takes between its neighbours
    learn     records → tables

`Accents` is the door. Free of torch.
"""

from __future__ import annotations

from collections.abc import Sequence

from pythia_epidoc.greek import LETTERS, SPACE
from pythia_epidoc.model.accents.chooser import DAMAGED, EDGE, Chooser, Neighbour
from pythia_epidoc.model.accents.marks import ACCENTS, citation, decode, encode, marks_of
from pythia_epidoc.model.accents.style import Style
from pythia_epidoc.model.accents.table import Table

__all__ = ["Accents"]

_LETTERS = frozenset(LETTERS)


class Accents:
    """Writes folded letters as an edition would: accents, breathings, capitals, final sigma."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._chooser = Chooser(table)
        self._style: tuple[Sequence[str], Style] = ((), Style())

    def to_bytes(self) -> bytes:
        return self._table.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Accents:
        return cls(Table.from_bytes(data))

    def polytonic(self, text: str, left: str, right: str, forms: Sequence[str] = ()) -> str:
        """`text`, letters and spaces, as the edition would write it.

        `left` and `right` are what adjoins it, as written: the part of a word directly beside it (which
        may hold `-` and `#`) and, if known, one word more. `forms` are the words of the document. A word
        of which the tables are not sure comes back without accents.
        """
        return SPACE.join(written for written, _ in self.words(text, left, right, self._style_of(forms)))

    def words(self, text: str, left: str, right: str, style: Style) -> list[tuple[str, bool]]:
        """The words of `polytonic`, each with whether the tables were sure of it."""
        *further_left, left_part = left.split(SPACE)
        right_part, *further_right = right.split(SPACE)
        parts = [["", share, ""] for share in text.split(SPACE)]
        parts[0][0], parts[-1][2] = left_part, right_part
        before = _neighbour(further_left[-1] if further_left else "")
        written: list[tuple[str, bool]] = []
        for index, (start, share, end) in enumerate(parts):
            if index + 1 < len(parts):
                after = _neighbour("".join(parts[index + 1]), known=not parts[index + 1][1])
            else:
                after = _neighbour(further_right[0] if further_right else "")
            word, before, sure = self._word(start, share, end, before, after, style)
            written.append((word, sure))
        return written

    def _style_of(self, forms: Sequence[str]) -> Style:
        known, style = self._style
        if known is not forms:
            style = Style.of(forms)
            self._style = (forms, style)
        return style

    def _word(
        self, start: str, share: str, end: str, before: Neighbour, after: Neighbour, style: Style
    ) -> tuple[str, Neighbour, bool]:
        """The share of the hypothesis in one word, the word as the next one's neighbour, and certainty."""
        first, last = decode(start) or ("", ""), decode(end) or ("", "")
        letters = first[0] + share + last[0]
        is_whole = bool(first[0]) == bool(start) and bool(last[0]) == bool(end) and _LETTERS.issuperset(share)
        if not share or not is_whole:
            neighbour = _neighbour(start + share + end, known=not share)
            return style.dress(list(share), 0, len(share), continued=bool(end)), neighbour, not share
        visible: list[str | None] = []
        if first[0] or last[0]:
            unknown: list[str | None] = [None] * len(share)
            visible = [*_signs(*first), *unknown, *_signs(*last)]
            _drop_second_accent(visible)
        code = self._chooser.citation(letters, before, after, style, visible) if style.accents else None
        surface = "" if code is None else self._chooser.in_context(letters, code, after, style)
        word = encode(letters, surface)
        stop = len(first[0]) + len(share)
        text = style.dress(word, len(first[0]), stop, continued=False)
        return text, Neighbour(letters, code), code is not None or not style.accents


def _neighbour(form: str, known: bool = True) -> Neighbour:
    """A word of the context; `known` if it is given as the edition writes it."""
    if not form:
        return Neighbour(EDGE)
    if form == "0":
        return Neighbour(form)
    decoded = decode(form)
    if decoded is None:
        return Neighbour(DAMAGED)
    letters, code = decoded
    return Neighbour(letters, citation(letters, code) if known else None)


def _signs(letters: str, code: str) -> list[str]:
    return [signs.replace("\\", "/") for signs in marks_of(len(letters), code)]


def _drop_second_accent(visible: list[str | None]) -> None:
    """Take away the accent that a following enclitic gave a visible part."""
    places = [index for index, signs in enumerate(visible) if signs and not ACCENTS.isdisjoint(signs)]
    if len(places) > 1:
        visible[places[-1]] = (visible[places[-1]] or "").replace("/", "")
