"""The walk over an edition that collects what is to be printed: one method per element of EpiDoc.

Not for lines: joining brackets and setting lines is `layout`'s part.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pythia_epidoc.epidoc.scanner import Element, Text
from pythia_epidoc.leiden.layout import Piece, lay_out
from pythia_epidoc.leiden.styles import UNKNOWN, Extent, Style, extent_of
from pythia_epidoc.leiden.tokens import TO_SUPERSCRIPT
from pythia_epidoc.leiden.writer import LETTER, Writer

SUGGESTION = ("⟪", "⟫")
"""Around machine text in a preview, so that it never passes for a reading."""

_SIGNS = {"leaf": "❦", "hedera": "❦", "interpunct": "∙", "cross": "†", "chi-rho": "☧", "denarius": "𐆖"}
_SILENT = frozenset(
    {"rdg", "certainty", "desc", "am", "teiHeader", "figDesc", "bibl", "fw", "witDetail", "graphic"}
)
_HEADINGS = {"column": "col. ", "fragment": "fr. ", "face": "face "}
_RTL = re.compile(r"rtl|r-to-l")
_LTR = re.compile(r"ltr|l-to-r")


@dataclass(frozen=True)
class _LastGap:
    """The lacuna printed last: its pieces, and what it was."""

    start: int = -1
    end: int = -1
    reason: str = ""
    extent: Extent = UNKNOWN


class Walk(Writer):
    """One pass over an edition, collecting pieces."""

    def __init__(
        self, text: str, style: Style, entities: dict[str, str], replacements: dict[int, str | None]
    ) -> None:
        super().__init__(text, style, entities)
        self.replacements = replacements
        self.last_gap = _LastGap()

    def children(self, element: Element) -> None:
        for child in element.children:
            if isinstance(child, Text):
                self.characters(child)
            else:
                self.element(child)

    def element(self, element: Element) -> None:
        self.offset = element.start
        if element.start in self.replacements:
            suggestion = self.replacements[element.start]
            if suggestion is not None:
                self.between(("[", "]"), lambda: self.say(f"{SUGGESTION[0]}{suggestion}{SUGGESTION[1]}"))
            return
        if element.name in _SILENT:
            return
        method: Callable[[Element], None] | None = getattr(self, f"_{element.name}", None)
        if method is None:
            self.children(element)
        else:
            method(element)

    def marked(self, element: Element, marks: str) -> None:
        before, self.marks = self.marks, self.marks + marks
        self.children(element)
        self.marks = before

    # -- lines and parts -----------------------------------------------------------------------------

    def _lb(self, element: Element) -> None:
        direction = element.get("style") + element.get("rend")
        arrow = ""
        if self.style.notation and direction:
            arrow = "← " if _RTL.search(direction) else "→ " if _LTR.search(direction) else ""
        kind = "break" if element.get("break") == "no" else "line"
        self.pieces.append(Piece(kind, element.get("n"), element.start))
        self.say(arrow)

    def _div(self, element: Element) -> None:
        if element.get("type") == "textpart":
            name = _HEADINGS.get(element.get("subtype"), "") + element.get("n")
            if element.get("n"):
                self.pieces.append(Piece("heading", name, element.start))
        self.children(element)

    def _ab(self, element: Element) -> None:
        self.pieces.append(Piece("block", "", element.start))
        self.children(element)

    _p = _lg = _ab

    def _l(self, element: Element) -> None:
        self.children(element)
        siblings = element.parent.children if element.parent is not None else []
        last = next((child for child in reversed(siblings) if isinstance(child, Element)), element)
        self.say(" / " if self.style.notation and last is not element else " ")

    def _cb(self, element: Element) -> None:
        if element.get("n"):
            self.pieces.append(Piece("heading", f"col. {element.get('n')}", element.start))

    def _milestone(self, element: Element) -> None:
        if element.get("rend") == "paragraphos":
            self.pieces.append(Piece("heading", self.style.stroke, element.start))
        elif element.get("unit") == "block":
            self.say(element.get("n") or "|")

    # -- states of letters ---------------------------------------------------------------------------

    def _unclear(self, element: Element) -> None:
        self.marked(element, "\u0323")

    def _supplied(self, element: Element) -> None:
        reason, evidence = element.get("reason"), element.get("evidence")
        if reason == "subaudible":
            self.say("(scil. ")
            self.children(element)
            self.say(")")
        elif evidence == "parallel" and not self.style.evidence:
            self.between(("⸤", "⸥") if self.style.notation else ("", ""), lambda: self.children(element))
        elif evidence == "previouseditor" and not self.style.evidence:
            self.marked(element, "\u0332" if self.style.notation else "")
        else:
            brackets = ("<", ">") if reason == "omitted" else ("[", "]")
            self.between(brackets, lambda: self.doubted(element))

    def doubted(self, element: Element) -> None:
        self.children(element)
        if element.get("cert") == "low":
            self.pieces.append(Piece("doubt", self.style.doubt, self.offset))

    def _surplus(self, element: Element) -> None:
        self.between(("{", "}"), lambda: self.children(element))

    def _del(self, element: Element) -> None:
        if element.get("rend") == "corrected" and _is_in(element, "subst"):
            return
        self.between(self.style.erased, lambda: self.children(element))

    def _add(self, element: Element) -> None:
        place = element.get("place")
        brackets = {"above": self.style.above, "overstrike": self.style.overstrike}.get(place, ("", ""))
        self.between(brackets, lambda: self.children(element))

    def _hi(self, element: Element) -> None:
        rend = element.get("rend")
        if rend == "reversed":
            self.between(("((", "))"), lambda: self.children(element))
        elif rend == "ligature":
            start = len(self.pieces)
            self.marked(element, "\u0361")
            # The tie joins a letter to the next: the last letter has none.
            for index in range(len(self.pieces) - 1, start - 1, -1):
                piece = self.pieces[index]
                if piece.kind == "text" and "\u0361" in piece.text:
                    before, _, after = piece.text.rpartition("\u0361")
                    self.pieces[index] = piece._replace(text=before + after)
                    break
        elif rend == "supraline" and self.style.notation:
            self.marked(element, "\u0305")
        else:
            self.children(element)

    def _orig(self, element: Element) -> None:
        before = self.capitals
        self.capitals = before or (self.style.capitals and not _is_in(element, "choice"))
        self.children(element)
        self.capitals = before

    def _sic(self, element: Element) -> None:
        self.between(self.style.corrupt, lambda: self.children(element))

    def _corr(self, element: Element) -> None:
        self.between(self.style.corrected, lambda: self.children(element))

    # -- abbreviations and numerals ------------------------------------------------------------------

    def _expan(self, element: Element) -> None:
        self.children(element)
        if element.get("cert") == "low":
            self.say("(?)")

    def _abbr(self, element: Element) -> None:
        self.children(element)
        if element.within("expan") is None:
            self.say(self.style.unexpanded)

    def _ex(self, element: Element) -> None:
        self.say("(")
        self.children(element)
        if element.get("cert") == "low":
            word = element.within("w", "seg")
            partial = self.style.partial and word is not None and word.get("part") == "I"
            self.say(self.style.doubt + ("-" if partial else ""))
        self.say(")")

    def _w(self, element: Element) -> None:
        self.children(element)
        if element.get("part") == "I" and self.style.partial:
            self.say_inside("-", "hyphen")

    def _seg(self, element: Element) -> None:
        if self.style.notation and element.get("met"):
            self.between(("[", "]"), lambda: self.say(" ".join(element.get("met"))))
        elif self.style.notation and element.get("type") == "phi":
            self.coded(element, element.get("n"))
        else:
            self._w(element)
            if element.get("cert") == "low":
                self.say("(?)")

    def coded(self, element: Element, code: str) -> None:
        """PHI's `{ⁿ…}ⁿ`: its brackets are its own and meet no others."""
        raised = code.translate(TO_SUPERSCRIPT)
        self.pieces.append(Piece("island", f"{{{raised}{self.apart(element)}}}{raised}", element.start))

    def apart(self, element: Element) -> str:
        """The content of an element as a text of its own."""
        walk = Walk(self.text, self.style, self.entities, {})
        walk.children(element)
        return " ".join(line.text for line in lay_out(walk.pieces, self.style))

    def _num(self, element: Element) -> None:
        start = len(self.pieces)
        self.children(element)
        lettered = any(piece.kind == "text" and LETTER.search(piece.text) for piece in self.pieces[start:])
        greek = any("Ͱ" <= c <= "Ͽ" or "ἀ" <= c <= "῿" for piece in self.pieces[start:] for c in piece.text)
        if element.get("rend") == "tick" or (self.style.ticks_always and lettered and greek):
            self.say_inside(self.style.tick)

    # -- signs ---------------------------------------------------------------------------------------

    def _g(self, element: Element) -> None:
        name = element.get("type") or element.get("ref").rpartition("#")[2]
        if self.style.signs:
            if element.children:
                self.children(element)
            else:
                self.say(_SIGNS.get(name, f"(({name}))"))
        else:
            self.say(f"{self.style.symbol[0]}{name}{self.style.symbol[1]}")

    def _note(self, element: Element) -> None:
        kind = element.get("type")
        if not element.children:
            return
        if self.style.notation and kind == "comment":
            self.coded(element, "2")
        elif self.style.notation and kind == "phi":
            self.coded(element, element.get("n"))
        elif self.style.notation:
            self.pieces.append(Piece("island", f"({self.apart(element)})", element.start))
        else:
            self.say(self.style.note[0])
            self.children(element)
            self.say(self.style.note[1])

    def _handShift(self, element: Element) -> None:  # noqa: N802 (named after the element)
        number = re.sub(r"\D", "", element.get("new"))
        self.say(self.style.hands.format(number or element.get("new")))

    def _space(self, element: Element) -> None:
        vacat = self.style.vacat(extent_of(element))
        self.say(
            vacat + ("(?)" if any(child.name == "certainty" for child in element.elements) else ""), "vacat"
        )

    def _gap(self, element: Element) -> None:
        extent = extent_of(element)
        reason = element.get("reason") or "lost"
        uncertain = any(child.name == "certainty" for child in element.elements)
        description = next((child for child in element.elements if child.name == "desc"), None)
        if extent.unit == "line":
            self.lines(extent, reason, description, uncertain)
        elif reason == "ellipsis":
            self.described(description, "…")
        elif extent.unit != "character":
            # So many centimetres are no number of letters.
            self.lacuna(UNKNOWN, reason, uncertain)
        else:
            self.lacuna(self.joined(extent, reason, uncertain), reason, uncertain)

    def joined(self, extent: Extent, reason: str, uncertain: bool) -> Extent:
        """In PHI's notation lacunae that meet must be one: dots and numbers side by side mislead."""
        last = self.last_gap
        self.last_gap = _LastGap()
        if not self.style.notation or uncertain or last.end != len(self.pieces) or last.reason != reason:
            return extent
        if bool(extent.text) != bool(last.extent.text) or not extent.is_plain:
            return extent
        del self.pieces[last.start :]
        if not extent.text:
            return extent
        return Extent(
            str(int(last.extent.low) + int(extent.low)),
            str(int(last.extent.high) + int(extent.high)),
            last.extent.circa or extent.circa,
        )

    def lacuna(self, extent: Extent, reason: str, uncertain: bool) -> None:
        start = len(self.pieces)
        notation = self.style.notation
        if reason == "illegible":
            text = self.style.illegible(extent)
            self.say(f"{text}(?)" if uncertain and notation else f"?{text}" if uncertain else text)
        else:
            text = self.style.lost(extent)
            if uncertain:
                text = "— ? —" if notation and not extent.text else f"{text}(?)"
            self.between(("<", ">") if reason == "omitted" else ("[", "]"), lambda: self.say(text))
        if not uncertain and extent.is_plain:
            self.last_gap = _LastGap(start, len(self.pieces), reason, extent)

    def lines(self, extent: Extent, reason: str, description: Element | None, uncertain: bool) -> None:
        style = self.style
        count = f"{extent.text} {'line' if extent.text == '1' else 'lines'}"
        about = "ca." if extent.circa else ""
        if reason == "ellipsis":
            self.described(description, "…")
            self.say(f" {about}{count}")
        elif reason == "illegible" and style.notation and description is not None:
            self.described(description, "vestigia")
        elif reason == "illegible" and extent.text and "{}" in style.lines_lost:
            self.say(f"Traces {about}{count}")
        elif reason == "illegible":
            self.say(style.illegible(UNKNOWN))
        elif not extent.text:
            self.say(style.lines_unknown + ("(?)" if uncertain else ""))
        else:
            self.say(style.lines_lost.format(f"{about}{count}"))

    def described(self, description: Element | None, otherwise: str) -> None:
        if description is None:
            self.say(otherwise)
        else:
            self.children(description)

    # -- readings ------------------------------------------------------------------------------------

    def _choice(self, element: Element) -> None:
        children: dict[str, Element] = {}
        for child in element.elements:
            children.setdefault(child.name, child)
        notation = self.style.notation
        if "corr" in children and "sic" in children:
            if notation:
                self.say("<")
                self.children(children["corr"])
                self.say("=")
                self.children(children["sic"])
                self.say(">")
            else:
                self.element(children["corr"])
        elif "orig" in children and "reg" in children:
            self.element(children["orig"])
            if notation:
                self.coded(children["reg"], "26")
        else:
            for name in ("orig", "sic", "abbr", "unclear", *children):
                if name in children:
                    self.element(children[name])
                    break

    def _subst(self, element: Element) -> None:
        added = [child for child in element.elements if child.name == "add"]
        for child in added:
            if child.get("place") in ("inline", ""):
                self.children(child)
            else:
                self.element(child)
        if not added:
            self.children(element)

    def _app(self, element: Element) -> None:
        lemma = next((child for child in element.elements if child.name == "lem"), None)
        readings = [
            child
            for child in element.elements
            if child.name == "rdg" and child.start not in self.replacements
        ]
        if lemma is None:
            if readings:
                self.children(readings[-1])
            return
        self.children(lemma)
        if self.style.notation and readings and element.get("type") == "alternative":
            texts = "; ".join(self.apart(child) for child in readings)
            code = "27".translate(TO_SUPERSCRIPT)
            self.pieces.append(Piece("island", f"{{{code}{texts}}}{code}", element.start))


def _is_in(element: Element, name: str) -> bool:
    return element.parent is not None and element.parent.name == name
