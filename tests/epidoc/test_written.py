"""Words as the edition writes them, and what of them adjoins a lacuna."""

from __future__ import annotations

import pytest

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.written import context_after, context_before, words_of
from pythia_epidoc.greek import letters

GAP = '<gap reason="lost" quantity="3" unit="character"/>'


def document(markup: str) -> Document:
    return Document.from_text(
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc">'
        f"<ab>{markup}</ab></div></body></text></TEI>"
    )


@pytest.mark.parametrize(
    ("markup", "left", "right"),
    [
        (f"ὁ δῆ{GAP}ος καὶ ἡ", "ὁ δῆ", "ος καὶ ἡ"),
        (f"ἡ βουλὴ {GAP} καὶ ἡ", "ἡ βουλὴ ", " καὶ ἡ"),
        (f"ὁ ἡ τό οἱ αἱ τά δῆ{GAP}ος ὁ ἡ τό οἱ αἱ τά", "ἡ τό οἱ αἱ τά δῆ", "ος ὁ ἡ τό οἱ αἱ"),
        (f"{GAP}ος", "", "ος"),
        (f"δῆ{GAP}", "δῆ", ""),
        (f"τ<unclear>ῷ</unclear> δή̣{GAP}", "τῷ δή", ""),
        (f"δ&#x1FC6;{GAP}", "δῆ", ""),
        (f'<gap reason="lost" extent="unknown" unit="character"/>ν δῆ{GAP}', "#ν δῆ", ""),
    ],
)
def test_the_part_of_a_word_beside_a_lacuna_comes_with_some_words_more(
    markup: str, left: str, right: str
) -> None:
    opened = document(markup)
    lacuna = next(lacuna for lacuna in opened.lacunae if lacuna.extent.exact == 3)
    reading = lacuna.edition.reading
    assert context_before(reading, opened, lacuna.first) == left
    assert context_after(reading, opened, lacuna.stop) == right


def test_words_are_complete_and_fold_to_the_reading() -> None:
    opened = document(f"Ὁ δῆμος τῷ Δι̣ὶ χα{GAP} <num>ε</num> πόλι<lb n='2' break='no'/>ϲ")
    assert words_of(opened) == ("Ὁ", "δῆμος", "τῷ", "Διὶ", "πόλιϲ")
    assert [letters(word) for word in words_of(opened)] == ["ο", "δημοσ", "τω", "διι", "πολισ"]
