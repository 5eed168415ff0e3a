"""The samples keep what their README promises: complete, well-formed, valid, and showing every construct."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from lxml import etree

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.validation import Schema

TEI = {"t": "http://www.tei-c.org/ns/1.0"}
SOUND = [
    "bilingual.xml",
    "boustrophedon.xml",
    "decree.xml",
    "dedication.xml",
    "epitaph.xml",
    "lacunae.xml",
    "papyrus-letter.xml",
    "stele.xml",
    "verse.xml",
]

CONSTRUCTS = {
    "exact": "gap[@quantity][@unit='character'][not(@precision)]",
    "about": "gap[@quantity][@precision='low']",
    "range": "gap[@atLeast][@atMost]",
    "at least": "gap[@atLeast][not(@atMost)]",
    "at most": "gap[@atMost][not(@atLeast)]",
    "unknown": "gap[@extent='unknown'][@unit='character']",
    "lines": "gap[@unit='line'][@quantity]",
    "unknown lines": "gap[@unit='line'][@extent='unknown']",
    "centimetres": "gap[@unit='cm']",
    "illegible": "gap[@reason='illegible']",
    "omitted": "gap[@reason='omitted']",
    "ellipsis": "gap[@reason='ellipsis']",
    "possibly lost": "gap[t:certainty[@locus='name']]",
    "described": "gap[t:desc]",
    "adjacent": "gap[following-sibling::node()[1][self::t:gap]]",
    "across a line break": "lb[@break='no'][following-sibling::node()[1][self::t:gap]]",
    "after a dotted letter": "unclear[following-sibling::node()[1][self::t:gap]]",
    "in w": "w/t:gap",
    "in name": "name/t:gap",
    "in num": "num/t:gap",
    "in hi": "hi/t:gap",
    "in del": "del/t:gap",
    "in add": "add/t:gap",
    "in abbr": "abbr/t:gap",
    "in orig": "orig/t:gap",
    "in seg": "seg/t:gap",
    "in lem": "lem/t:gap",
    "in alternatives": "app[@type='alternative']/t:lem/t:gap",
    "in subst": "subst/t:add/t:gap",
    "in another language": "foreign[@xml:lang='la']/t:gap",
    "supplied": "supplied[@reason='lost']",
    "supplied with doubt": "supplied[@cert='low']",
    "supplied from a copy": "supplied[@reason='undefined'][@evidence]",
    "supplied, omitted": "supplied[@reason='omitted']",
    "supplied, understood": "supplied[@reason='subaudible']",
    "supplied, explained": "supplied[@reason='explanation']",
    "supplied across lines": "supplied[t:lb]",
    "supplied nested": "supplied/t:supplied",
    "supplied with a degree": "supplied/t:certainty[@degree]",
    "space": "space[@quantity]",
    "surplus": "surplus",
    "corrected": "choice/t:corr",
    "regularised": "choice/t:reg",
    "ambiguous": "choice[count(t:unclear)=2]",
    "abbreviated": "expan/t:ex",
}


def test_the_readme_lists_every_sample(samples_dir: Path) -> None:
    listed = re.findall(r"^\| `([\w-]+\.xml)`", (samples_dir / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in samples_dir.glob("*.xml"))
    assert sorted(listed) == sorted([*SOUND, "broken.xml"])


@pytest.mark.parametrize("name", SOUND)
def test_a_sample_is_well_formed_nfc_and_has_a_greek_edition(samples_dir: Path, name: str) -> None:
    content = (samples_dir / name).read_bytes()
    assert unicodedata.is_normalized("NFC", content.decode("utf-8"))
    tree = etree.fromstring(content)
    editions = tree.xpath("//t:div[@type='edition']", namespaces=TEI)
    assert len(editions) == 1
    assert tree.xpath("//t:gap", namespaces=TEI)


def test_the_broken_sample_is_broken(samples_dir: Path) -> None:
    with pytest.raises(etree.XMLSyntaxError):
        etree.fromstring((samples_dir / "broken.xml").read_bytes())


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_the_lacunae_sample_shows(samples_dir: Path, construct: str) -> None:
    tree = etree.parse(samples_dir / "lacunae.xml")
    assert tree.xpath(f"//t:{CONSTRUCTS[construct]}", namespaces=TEI)


@pytest.mark.parametrize("name", SOUND)
def test_a_sample_is_valid_against_both_schemas(
    samples_dir: Path, official_schema: Schema, own_schema: Schema, name: str
) -> None:
    document = Document.open(samples_dir / name)
    assert official_schema.accepts(document), official_schema.errors(document)
    assert own_schema.accepts(document), own_schema.errors(document)
