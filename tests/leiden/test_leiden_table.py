"""Every siglum becomes the right EpiDoc, is valid, and reads back."""

from __future__ import annotations

import pytest
from edition import convert_one, fragment, leiden
from lxml import etree
from sigla import PAGE, TABLE, Sample, page

from pythia_epidoc.leiden import Options

SAMPLES = [sample for samples in TABLE.values() for sample in samples]
NOTATION = """
[ ] — ․ c.7 8-9 38 (?) ( <υ> ‹υ> ⟨υ⟩ {τοῦ} {²⁶ {²⁷ {² 〚 ⟦ [[ ‵ \\ \u0323 vacat vac. vv spat. ΩΝΕΥ ℎ ε͂ βʹ
͵βφʹ ΧΗΔΙΙ 𐅄 𐆖 —ʹ ⏑ ⏓ : ∶ ⋮ ∙ · ⁙ ❦ #⁷ #⁵⁶ %⁸⁰ † + MI χίωνοs vestigia | ‖ / ←
"""
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=[sample.meaning for sample in SAMPLES])


@each_sample
def test_siglum_becomes_epidoc(sample: Sample) -> None:
    converted = convert_one(sample.text)
    assert fragment(converted.xml) == sample.epidoc
    assert tuple(finding.code for finding in converted.findings) == sample.findings


@each_sample
def test_siglum_reads_back(sample: Sample) -> None:
    back = leiden(convert_one(sample.text).xml)
    assert back == sample.reads_back
    assert leiden(convert_one(back).xml) == back


@each_sample
def test_siglum_gives_valid_epidoc(sample: Sample, schema: etree.RelaxNG) -> None:
    assert schema.validate(etree.fromstring(convert_one(sample.text).xml.encode())), schema.error_log


def test_table_has_a_row_for_every_siglum_of_the_notation() -> None:
    assert len(SAMPLES) >= 100
    printed = " ".join(sample.text for sample in SAMPLES)
    for siglum in NOTATION.split():
        assert siglum in printed, siglum


def test_page_for_scholars_shows_this_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "run: python tests/leiden/sigla.py"


@pytest.mark.parametrize(
    ("options", "text", "epidoc"),
    [
        (Options(angle="corrected"), "βο<υ>λή", "βο<corr>υ</corr>λή"),
        (Options(capitals="text"), "καὶ ΩΝΕΥ", "καὶ ΩΝΕΥ"),
        (Options(bars="block"), "Σεβα|στῶι", 'Σεβα<milestone unit="block" n="|" break="no"/>στῶι'),
        (Options(bars="line"), "Σεβα|στῶι\nκαί", 'Σεβα\n<lb n="2" break="no"/>στῶι\n<lb n="2"/>καί'),
    ],
)
def test_option_decides_a_disputed_siglum(options: Options, text: str, epidoc: str) -> None:
    assert fragment(convert_one(text, options).xml) == epidoc
