"""The formulary: templates are well written, expand as they say, and teach without ever being measured."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from pythia_epidoc.corpus import formulary
from pythia_epidoc.corpus.build import build, load
from pythia_epidoc.corpus.split import split_of
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.update import update_from_records

LISTS = {
    "name": [{"nom": "Δίων", "gen": "Δίωνος"}, {"nom": "Κλέων", "gen": "Κλέωνος"}],
    "day": [{"dat": "νουμηνίᾳ"}],
}


def made(template: str, texts: int = 40) -> set[str]:
    return {formulary.expanded(template, LISTS, str(number)) for number in range(texts)}


@pytest.mark.parametrize(
    ("template", "texts"),
    [
        ("ἔδοξεν τῷ δήμῳ", {"ἔδοξεν τῷ δήμῳ"}),
        ("(ἔδοξε|δεδόχθαι) τῷ δήμῳ", {"ἔδοξε τῷ δήμῳ", "δεδόχθαι τῷ δήμῳ"}),
        ("(θεοί. |)ἔδοξεν", {"θεοί. ἔδοξεν", "ἔδοξεν"}),
        ("(α (β|γ)|δ) ε", {"α β ε", "α γ ε", "δ ε"}),
        ("{day.dat}", {"νουμηνίᾳ"}),
        ("{name:1.nom} {name:1.gen}", {"Δίων Δίωνος", "Κλέων Κλέωνος"}),
        ("{name.nom}", {"Δίων", "Κλέων"}),
        ("δραχμὰς {n}", {"δραχμὰς <num>Δ</num>"}),
        ("α & β", {"α &amp; β"}),
    ],
)
def test_a_template_gives_these_texts(template: str, texts: set[str]) -> None:
    assert made(template) == texts


def test_a_word_without_a_number_is_drawn_anew() -> None:
    assert "Δίων Κλέωνος" in made("{name.nom} {name.gen}")


def test_every_template_is_well_written() -> None:
    lists, templates = formulary.read()
    for name, template in templates.items():
        assert template.count("(") == template.count(")"), name
        assert unicodedata.is_normalized("NFC", template), name
        for used, form in re.findall(r"\{(\w+)(?::\d+)?\.(\w+)\}", template):
            assert form in lists[used][0], f"{name}: {used}.{form}"


def test_every_text_can_be_read_and_is_greek_throughout() -> None:
    for raw in formulary.texts():
        (edition,) = Document.from_bytes(raw.data, raw.id).editions
        reading = edition.reading.letters
        assert not re.search(r"[^α-ωϝϙϡh0 ]", reading), f"{raw.id}: {reading}"


def test_the_same_texts_are_made_each_time() -> None:
    assert list(formulary.texts()) == list(formulary.texts())


def test_no_text_of_it_is_ever_measured() -> None:
    assert {split_of(formulary.NAME, raw.id) for raw in formulary.texts()} == {"train"}


def test_a_corpus_has_it_where_it_is_asked_for_and_an_index_never(tmp_path: Path) -> None:
    stones = tmp_path / "stones"
    stones.mkdir()
    edition = '<div type="edition" xml:lang="grc"><ab>ἐνθάδε κεῖται Δίων</ab></div>'
    (stones / "a.xml").write_text(f"<TEI><text><body>{edition}</body></text></TEI>", "utf-8")
    manifest = build([stones], tmp_path / "with", with_formulary=True, min_length=5, processes=1)
    assert manifest["corpora"][formulary.NAME]["licence"] == "Apache-2.0"
    records = list(load(tmp_path / "with", "train"))
    assert sum(record.corpus == formulary.NAME for record in records) > 500
    assert formulary.NAME not in build([stones], tmp_path / "without", min_length=5, processes=1)["corpora"]
    with ParallelsIndex(tmp_path / "index.db", create=True) as index:
        texts = sum(record.corpus != formulary.NAME for record in records)
        assert update_from_records(index, records) == texts
