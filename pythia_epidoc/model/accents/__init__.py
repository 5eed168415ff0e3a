"""Accents for hypotheses: the model works without them, the edition has them.

    marks     a written word ↔ letters and code of its marks; grave and enclitics
    style     the habits of a document
    table     sorted lines as a dictionary, packed into a checkpoint
    passages  letters whose signs are asked for, with what is written around them
    network   which signs letters carry there
    heard     what the network expects of one word
    chooser   which form a word takes
    learn     records → tables

`Accents` is the door. All but the network is free of torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pythia_epidoc.greek import LETTERS, SPACE
from pythia_epidoc.model.accents.chooser import DAMAGED, EDGE, WORD, Chooser, Neighbour
from pythia_epidoc.model.accents.heard import Heard
from pythia_epidoc.model.accents.marks import ACCENTS, citation, decode, encode, marks_of
from pythia_epidoc.model.accents.passages import Expected, Passage, passage_around
from pythia_epidoc.model.accents.style import Style
from pythia_epidoc.model.accents.table import Table

if TYPE_CHECKING:
    from pythia_epidoc.model.accents.network import AccentNetwork

__all__ = ["Accents"]

_LETTERS = frozenset(LETTERS)


class Accents:
    """Writes folded letters as an edition would: accents, breathings, capitals, final sigma."""

    def __init__(self, table: Table, network: AccentNetwork | None = None) -> None:
        """Without a network words that the lexicon lacks get no accents."""
        self.table = table
        self.network = network
        self._chooser = Chooser(table)
        self._style: tuple[Sequence[str], Style] = ((), Style())

    @property
    def words_known(self) -> int:
        """How many words the lexicon has."""
        return self.table.count(WORD)

    def describe(self) -> str:
        """What a card says of them."""
        parameters = 0 if self.network is None else sum(each.numel() for each in self.network.parameters())
        return f"{parameters:,} parameters, {self.words_known:,} words with their forms"

    def polytonic(self, texts: Sequence[str], left: str, right: str, forms: Sequence[str] = ()) -> list[str]:
        """Texts, letters and spaces, that may all stand in one place, as the edition would write them.

        `left` and `right` are what adjoins them, as written: the part of a word directly beside them (which
        may hold `-` and `#`) and some words more. `forms` are the words of the document. A word of which
        nobody is sure comes back without accents.
        """
        style = self._style_of(forms)
        expected = self.expected([passage_around(text, left, right) for text in texts])
        return [
            SPACE.join(written for written, _ in self.words(text, left, right, style, heard))
            for text, heard in zip(texts, expected, strict=True)
        ]

    def expected(self, passages: Sequence[Passage]) -> Sequence[Expected | None]:
        """What the network expects of passages, if there is one; nothing of those that ask for nothing."""
        asking = [number for number, passage in enumerate(passages) if passage.asked.letters]
        found: list[Expected | None] = [None] * len(passages)
        if self.network is not None and asking:
            expected = self.network.expected([passages[number] for number in asking])
            for number, each in zip(asking, expected, strict=True):
                found[number] = each
        return found

    def words(
        self, text: str, left: str, right: str, style: Style, expected: Expected | None
    ) -> list[tuple[str, bool]]:
        """The words of a text, each with whether it is sure; `expected` of all its characters."""
        *further_left, left_part = left.split(SPACE)
        right_part, *further_right = right.split(SPACE)
        parts = [["", share, ""] for share in text.split(SPACE)]
        parts[0][0], parts[-1][2] = left_part, right_part
        before = _neighbour(further_left[-1] if further_left else "")
        written: list[tuple[str, bool]] = []
        place = 0
        for index, (start, share, end) in enumerate(parts):
            if index + 1 < len(parts):
                after = _neighbour("".join(parts[index + 1]), known=not parts[index + 1][1])
            else:
                after = _neighbour(further_right[0] if further_right else "")
            heard = None if expected is None else expected[place : place + len(share)]
            word, before, sure = self._word(start, share, end, before, after, style, heard)
            written.append((word, sure))
            place += len(share) + len(SPACE)
        return written

    def _style_of(self, forms: Sequence[str]) -> Style:
        known, style = self._style
        if known is not forms:
            style = Style.of(forms)
            self._style = (forms, style)
        return style

    def _word(
        self,
        start: str,
        share: str,
        end: str,
        before: Neighbour,
        after: Neighbour,
        style: Style,
        expected: Expected | None,
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
        heard = None if expected is None else Heard(letters, len(first[0]), expected)
        code, surface = None, ""
        if style.accents:
            code = self._chooser.citation(letters, before, after, style, visible, heard)
        if code is not None:
            surface = self._chooser.in_context(letters, code, after, style, heard)
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
