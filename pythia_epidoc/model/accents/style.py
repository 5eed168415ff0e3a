"""How a document writes: with accents or without, lunate sigma, capitals, graves, and which forms.

Learned from the words of the document itself. Not for words in general: see `chooser`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pythia_epidoc.greek import final_sigma
from pythia_epidoc.model.accents.marks import ACCENTS, accent_of, citation, decode

_ENOUGH = 5
"""Fewer words than this tell nothing about a document's habits."""
SAMPLE = 300
"""So many words of a text tell whether it is accented."""
_RARE = 0.1
_FEW = 3
_ACCENTED = ACCENTS | set("()")


def _is_bare_name(letters: str, code: str) -> bool:
    """Μάρκω, Πτολεμαίω: no nominative ends so."""
    return letters.endswith("ω") and "*" in code and "|" not in code and not code.endswith(("0/", "0\\"))


def is_accented(codes: Iterable[str]) -> bool:
    """True unless a text of these words is written without accents; a few words tell nothing."""
    marked = [not _ACCENTED.isdisjoint(code) for code in codes]
    return len(marked) < _ENOUGH or sum(marked) > _RARE * len(marked)


@dataclass(frozen=True)
class Style:
    """The habits of one document."""

    accents: bool = True
    lunate: bool = False
    capitals: bool = False
    graves: bool = True
    subscripts: bool = True
    """False where datives (or Doric genitives) in -ω stand without iota: τῶ, Μάρκω."""
    forms: dict[str, Counter[str]] = field(default_factory=dict)
    """Folded letters of a word → how often the document writes it with which marks."""

    @classmethod
    def of(cls, words: Sequence[str]) -> Style:
        forms: dict[str, Counter[str]] = {}
        codes: list[str] = []
        upper = sized = acutes = graves = subscripts = bare = 0
        for word in words:
            decoded = decode(word)
            if decoded is None:
                continue
            letters, code = decoded
            sized += len(letters) > 1
            upper += len(letters) > 1 and word.isupper()
            codes.append(code)
            graves += "\\" in code
            subscripts += letters.endswith("ω") and code.endswith("|")
            bare += (letters in ("τω", "αυτω") and code.endswith("=")) or _is_bare_name(letters, code)
            alone = citation(letters, code)
            acutes += "\\" not in code and accent_of(letters, alone) == "oxytone"
            forms.setdefault(letters, Counter())[alone] += 1
        text = "".join(words)
        return cls(
            accents=is_accented(codes),
            lunate=sum(map(text.count, "ϲϹ")) > sum(map(text.count, "σςΣ")),
            capitals=sized >= _ENOUGH and upper > (1 - _RARE) * sized,
            graves=graves > 0 or acutes < _FEW,
            subscripts=subscripts > bare or not bare,
            forms=forms,
        )

    def dress(self, word: list[str], first: int, stop: int, continued: bool) -> str:
        """The characters `first:stop` of a written word, with this document's sigma and capitals."""
        whole = final_sigma("".join(word) + ("α" if continued else ""))
        text = whole[len("".join(word[:first])) : len("".join(word[:stop]))]
        text = text.replace("h", "ͱ").replace("H", "Ͱ")
        if self.lunate:
            text = text.replace("σ", "ϲ").replace("ς", "ϲ").replace("Σ", "Ϲ")
        return text.upper() if self.capitals else text
