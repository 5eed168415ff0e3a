"""Texts are learned with the iota under long vowels and with it as a letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from pythia_epidoc.corpus.build import build, load
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.corpus.spelling import spellings, with_adscript

EDITION = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc"><ab>'
    "Ἔδοξεν τῇ βουλῇ καὶ τῷ δήμῳ στεφανῶσαι αὐ<supplied reason='lost'>τὸ</supplied>ν ἐν τῷ "
    '<gap reason="lost" quantity="4" unit="character"/>ῳ τῶι ᾍδῃ</ab></div></body></text></TEI>'
)


@pytest.fixture
def record(tmp_path: Path) -> Record:
    (tmp_path / "stones").mkdir()
    (tmp_path / "stones" / "1.xml").write_text(EDITION, "utf-8")
    build([tmp_path / "stones"], tmp_path / "corpus")
    [record] = (
        record for split in ("train", "validation", "test") for record in load(tmp_path / "corpus", split)
    )
    return record


def test_every_iota_under_a_letter_becomes_one(record: Record) -> None:
    """An incomplete word is known only as it is read, and a letter that is one stays."""
    assert record.text == "εδοξεν τη βουλη και τω δημω στεφανωσαι αυτον εν τω ----ω τωι αδη"
    assert with_adscript(record) == "εδοξεν τηι βουληι και τωι δημωι στεφανωσαι αυτον εν τωι ----ω τωι αιδηι"


def test_papyri_have_both_spellings_already(record: Record) -> None:
    papyrus = Record("papyri", record.id, record.text, record.states, record.written)
    assert spellings(papyrus) == (record.text,)
    assert spellings(record) == (record.text, with_adscript(record))


def test_a_record_that_does_not_say_how_it_is_written_is_learned_as_it_is() -> None:
    bare = Record("lit-perseus", "1", "τω δημω", "0000000")
    assert spellings(bare) == ("τω δημω", "τω δημω")
