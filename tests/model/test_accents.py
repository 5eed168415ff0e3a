"""Accents on hypotheses: which form is chosen, how it fits what is visible, and how tables travel."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.errors import ModelError
from pythia_epidoc.evaluation.accents import measure_accents
from pythia_epidoc.greek import LETTERS, fold, letters
from pythia_epidoc.model.accents import Accents
from pythia_epidoc.model.accents.learn import accent_table
from pythia_epidoc.model.accents.marks import accent_of, citation, decode, encode
from pythia_epidoc.model.accents.table import Table

TEXTS = (
    "ἔδοξεν τῇ βουλῇ καὶ τῷ δήμῳ Ἀλέξανδρος εἶπεν",
    "ἡ βουλὴ καὶ ὁ δῆμος ἐτίμησεν τὸν ἄνδρα ἀρετῆς ἕνεκα",
    "ὁ δῆμός μου ἢ ὁ υἱός μου ἢ ὁ ἀδελφός μου",
    "ὁ δῆμος τὸν ναὸν ἢ τὸν βωμὸν ἀνέθηκεν καλὸν καὶ ἀγαθόν",
    "ἔδοξεν τῆι βουλῆι καὶ τῶι δήμωι ἡ δὲ πόλις τὸν θεόν",
    "Αὐρήλιος Διονύσιος υἱὸς Αὐρηλίου Διονυσίου τὸν ἀδελφὸν",
    "Αὐρήλιος Ἀπολλώνιος Ἀπολλωνίου τοῦ Διονυσίου ἡ μήτηρ",
    "ἡ γυνὴ καὶ ἡ μήτηρ ἢ ὁ πατὴρ ἢ οἱ ἀδελφοὶ τοῦ Ἀπολλωνίου",
)


def record(number: int, written: str, corpus: str = "papyri") -> Record:
    text = letters(written)
    return Record(corpus, str(number), text, "0" * len(text), written)


def learned(texts: Iterable[str]) -> Accents:
    """What a lexicon alone knows; for the network see `tests/training/test_accent_run.py`."""
    return Accents(accent_table(record(number, text) for number, text in enumerate(texts)))


@pytest.fixture(scope="module")
def accents() -> Accents:
    return learned(TEXTS * 10)


@pytest.mark.parametrize(
    ("text", "left", "right", "expected"),
    [
        ("ο δημοσ", "", "", "ὁ δῆμος"),
        (" και τ", "ὁ δῆμος", "ὸν ναὸν", " καὶ τ"),
        ("ρηλι", "Αὐ", "ος", "ρήλι"),
        ("ρηλιο", "Αὐ", "υ ", "ρηλίο"),
        ("ουλη", "τῇ β", " καὶ", "ουλῇ"),
        ("ουλη", "τῆι β", "ι καὶ", "ουλῆ"),
        ("ουλη και ο δημοσ ", "ἡ β", "", "ουλὴ καὶ ὁ δῆμος "),
        ("", "ὁ ", " δῆμος", ""),
        (" ", "ὁ", "δῆμος", " "),
    ],
)
def test_only_the_share_of_the_hypothesis_comes_back(
    accents: Accents, text: str, left: str, right: str, expected: str
) -> None:
    assert accents.polytonic([text], left, right) == [expected]


def test_an_oxytone_has_a_grave_before_a_word_and_an_acute_before_an_enclitic(accents: Accents) -> None:
    assert accents.polytonic(["βουλη"], "ἡ ", " καὶ") == ["βουλὴ"]
    assert accents.polytonic(["υιοσ μου"], "ὁ ", " ἢ") == ["υἱός μου"]


def test_a_word_with_an_early_accent_gets_a_second_one_before_an_enclitic(accents: Accents) -> None:
    assert accents.polytonic(["δημοσ"], "ὁ ", " μου") == ["δῆμός"]


def test_the_neighbours_choose_between_forms(accents: Accents) -> None:
    assert accents.polytonic(["η"], "", " βουλὴ") == ["ἡ"]
    assert accents.polytonic(["η"], "μου ", " ὁ") == ["ἢ"]


def test_iota_adscript_stays_a_letter(accents: Accents) -> None:
    assert accents.polytonic(["τω δημω"], "", "") == ["τῷ δήμῳ"]
    assert accents.polytonic(["τωι δημωι"], "", "") == ["τῶι δήμωι"]


def test_a_form_known_only_with_subscript_is_written_with_adscript() -> None:
    accents = learned(["ἐν τῇ οἰκίᾳ καὶ τῇ χώρᾳ ἔδοξεν"] * 4)
    assert accents.polytonic(["τηι"], "ἐν ", " οἰκίᾳ") == ["τῆι"]


def test_what_is_known_of_the_iota_below_the_line_is_known_of_the_iota_beside_it() -> None:
    accents = learned(["ἔδοξεν τῷ δήμῳ"] * 6 + ["ἔδοξεν τῶι Δήμωι"] * 2)
    assert accents.polytonic(["τωι δημωι"], "ἔδοξεν ", "") == ["τῶι δήμωι"]


def test_a_damaged_word_is_left_without_accents(accents: Accents) -> None:
    assert accents.polytonic(["ησ"], "τ-", "") == ["ης"]
    assert accents.polytonic(["βουλησ"], "", "#") == ["βουλησ"]


def test_an_unknown_word_is_left_without_accents_when_nothing_tells_them(accents: Accents) -> None:
    assert accents.polytonic(["ξψγβφ"], "", "") == ["ξψγβφ"]


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        ("αγαθη τυχη εδοξε τη βουλη και", "ο δημος"),
        ("ΑΓΑΘΗ ΤΥΧΗ ΕΔΟΞΕ ΤΗ ΒΟΥΛΗ ΚΑΙ", "Ο ΔΗΜΟΣ"),
        ("ἀγαθῇ τύχῃ βουλῆϲ τοῖϲ", "ὁ δῆμοϲ"),
        ("ἀγαθῇ τύχῃ ὁ Δῆμος τὸν Δῆμος Δῆμος", "ὁ Δῆμος"),
        ("", "ὁ δῆμος"),
    ],
)
def test_the_document_sets_the_style(accents: Accents, forms: str, expected: str) -> None:
    assert accents.polytonic(["ο δημοσ"], "", "", tuple(forms.split())) == [expected]


def test_a_document_that_omits_iota_keeps_omitting_it(accents: Accents) -> None:
    forms = ("τῶ", "Μάρκω", "Αὐρηλίω", "καὶ", "Τίτω")
    assert accents.polytonic(["δημω"], "τῶ ", "", forms) == ["δήμω"]


def test_accents_are_sure_where_only_the_capital_is_not() -> None:
    accents = learned(["ὁ Δῆμος"] * 4 + ["ὁ δῆμος"] * 3 + ["ὁ δημὸς"] * 2)
    assert accents.polytonic(["δημοσ"], "", "") == ["Δῆμος"]
    unsure = learned(["ὁ δῆμος"] * 4 + ["ὁ δημὸς"] * 3 + ["ὁ δήμος"] * 3)
    assert unsure.polytonic(["δημοσ"], "", "") == ["δημος"]


@given(text=st.text(LETTERS + " ", max_size=40), left=st.sampled_from(["", "ὁ δῆ", "τ#", "ἡ "]))
def test_no_letter_and_no_space_is_ever_lost(accents: Accents, text: str, left: str) -> None:
    [answer] = accents.polytonic([text], left, "ος καὶ")
    assert unicodedata.is_normalized("NFC", answer)
    folded = "".join(fold(symbol) for symbol in answer)
    assert folded == text


def test_tables_survive_a_checkpoint(accents: Accents) -> None:
    again = Accents(Table.from_bytes(accents.table.to_bytes()))
    assert again.table.to_bytes() == accents.table.to_bytes()
    assert again.polytonic(["ο δημοσ"], "", "") == ["ὁ δῆμος"]


def test_the_same_records_give_the_same_bytes() -> None:
    assert learned(TEXTS).table.to_bytes() == learned(TEXTS).table.to_bytes()


@pytest.mark.parametrize("data", [b"", b"something else", b"pythia accents 2\nbroken"])
def test_damaged_or_foreign_tables_are_refused(data: bytes) -> None:
    with pytest.raises(ModelError):
        Table.from_bytes(data)


def test_truncated_tables_are_refused(accents: Accents) -> None:
    with pytest.raises(ModelError):
        Table.from_bytes(accents.table.to_bytes()[:-10])


def test_a_word_seen_in_one_document_only_is_not_kept() -> None:
    accents = learned(["ὁ δῆμος Ξενοκλῆς", "ὁ δῆμος"])
    assert accents.words_known == 2
    assert accents.polytonic(["ξενοκλησ δημοσ"], "", "") == ["ξενοκλης δῆμος"]


@pytest.mark.parametrize(
    ("form", "alone", "accent"),
    [
        ("καλὸν", "καλόν", "oxytone"),
        ("δοῦλός", "δοῦλοσ", "early"),
        ("ἄνθρωπός", "ἄνθρωποσ", "early"),
        ("τῶι", "τῶι", "perispomenon"),
        ("ἀγορᾶι", "ἀγορᾶι", "perispomenon"),
        ("Ἡρώιδης", "Ἡρώιδησ", "paroxytone"),
        ("μου", "μου", "none"),
        ("προϋπάρχων", "προϋπάρχων", "paroxytone"),
    ],
)
def test_a_word_on_its_own(form: str, alone: str, accent: str) -> None:
    decoded = decode(form)
    assert decoded is not None
    word, code = decoded[0], citation(*decoded)
    assert "".join(encode(word, code)) == alone
    assert accent_of(word, code) == accent


def test_measurement_hides_the_word_and_counts_what_was_not_accented(accents: Accents) -> None:
    (scores,) = measure_accents(accents, [record(99, "ὁ δῆμος καὶ ἡ βουλὴ ξψγβφ")])
    assert scores.words == 6
    assert scores.abstained == pytest.approx(1 / 6)
    assert scores.exact_if_sure == 1.0


def test_accents_need_no_torch() -> None:
    code = "import sys, pythia_epidoc.model.accents; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
