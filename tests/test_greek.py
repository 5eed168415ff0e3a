"""Letters: folding, look-alikes, final sigma and numerals."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pythia_epidoc import greek
from pythia_epidoc.greek import FOLD_TABLE, FOREIGN, LETTERS, REPEATED, SILENT, SPACE


def test_examples_in_the_documentation_hold() -> None:
    assert doctest.testmod(greek).failed == 0


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_of_the_model_is_itself_in_a_greek_word(letter: str) -> None:
    assert greek.letters(f"α{letter}") == f"α{letter}"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("ᾇ", "α"), ("Ὦ", "ω"), ("ῥ", "ρ"), ("ϊ", "ι"), ("ς", "σ"), ("ϲ", "σ"), ("Ϲ", "σ"),
        ("ϑ", "θ"), ("ϕ", "φ"), ("Ϝ", "ϝ"), ("ϛ", "ϝ"), ("Ϟ", "ϙ"), ("Ϙ", "ϙ"), ("Ϡ", "ϡ"),
        ("ͳ", "ϡ"), ("ℎ", "h"), ("Ͱ", "h"), ("µ", "μ"), ("ȣ", "υ"), ("·", " "), ("’", " "),
        ("\u00a0", " "), ("[", ""), ("\u0323", ""), ("\ue001", ""), ("ⲁ", ""),
    ],
)  # fmt: skip
def test_folding(written: str, read: str) -> None:
    assert greek.fold(written) == read


@given(st.text())
def test_a_shadow_has_the_length_of_its_text_and_agrees_with_folding(text: str) -> None:
    shadow = greek.shadow(text)
    assert len(shadow) == len(text)
    blank = False
    for character, sign in zip(text, shadow, strict=True):
        letter = character.translate(FOLD_TABLE)
        expected = SILENT if letter == "" else REPEATED if letter == SPACE and blank else letter
        assert sign == expected
        blank = letter == SPACE


@given(st.lists(st.text(alphabet="αΒ ,[a\ufffe")))
def test_shadows_of_many_texts_are_those_of_each(texts: list[str]) -> None:
    assert greek.shadows(texts) == [greek.shadow(text) for text in texts]


@given(st.text(alphabet="αβγδε σς ΑΒΓ ά ώ Marcus .·[]\u0323Оо"))
def test_folded_text_is_stable_and_has_single_spaces(text: str) -> None:
    folded = greek.letters(text)
    assert greek.letters(folded) == folded
    assert "  " not in folded
    assert folded == folded.strip()
    assert FOREIGN not in folded


@given(st.text(alphabet="αβγσ "))
def test_final_sigma_folds_back(text: str) -> None:
    folded = greek.letters(text)
    assert greek.letters(greek.final_sigma(folded)) == folded


@pytest.mark.parametrize(
    ("written", "value"),
    [("ιβ", 12), ("ροϛ", 176), ("α", 1), ("ϡϙθ", 999), ("γμρ", 143), ("αα", None), ("", None)],
)
def test_milesian_numerals(written: str, value: int | None) -> None:
    assert greek.numeral_value(written) == value


@pytest.mark.parametrize(
    ("written", "value", "is_numeral"),
    [
        ("ε", "5", True),
        ("Βφκζ", "2527", True),
        ("ΗΗΗ", "1800", True),
        ("γμρ", "143", True),
        ("", "1/2", True),
        ("ιβ", "", True),
        ("πέντε", "5", False),
        ("ἕξ", "6", False),
        ("εξ", "6", False),
        ("εξ", "65", True),
        ("δεκα", "10", False),
        ("δωδεκαδραχμ", "12", False),
    ],
)
def test_figures_and_number_words(written: str, value: str, is_numeral: bool) -> None:
    assert greek.is_numeral(written, value) is is_numeral
