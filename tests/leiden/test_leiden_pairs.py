"""Against others' work: the EpiDoc stylesheets' Leiden, and papyri in both forms."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from edition import convert_one
from lxml import etree

from pythia_epidoc.epidoc.scanner import scan
from pythia_epidoc.leiden import StyleName, render

STYLES: dict[str, StyleName] = {
    "Default (Panciera)": "panciera",
    "London": "london",
    "Duke Databank": "duke",
    "Petrae": "petrae",
    "IOSPE": "iospe",
    "SEG": "seg",
    "Dohnicht": "dohnicht",
    "EDH": "edh",
}

DIFFERENT = {
    ("trans-claudian", 2): "Duke prints a blank after a named symbol that has a character of its own",
    ("trans-linebreakdirection", 2): "the stylesheet repeats each arrow at the end of the line before",
    (
        "trans-symbolchirho",
        1,
    ): "we name a symbol that has only @ref, where the stylesheet leaves its brackets empty",
    ("trans-paragraphos", 0): "we print the stroke on a line of its own, as long as papyri.info does",
}
"""Examples we print otherwise, with the reason."""

OTHER_LETTERS = {
    "bgu/bgu.14/bgu.14.2373": "the plain text has Εὐημηρίας, the XML Εὐημερίας",
    "bgu/bgu.2/bgu.2.432": "an accent was added in the XML",
    "p.mich/p.mich.2/p.mich.2.123": "two words were read anew in the XML",
}
"""Papyri whose plain text and XML differ in themselves."""


def _load(shared_dir: Path, name: str) -> list[dict[str, Any]]:
    path = shared_dir / "fixtures" / "pairs" / name
    if not path.is_file():
        pytest.skip(f"needs {name}")
    data: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return data


def _plain(text: str, lines: bool) -> str:
    text = unicodedata.normalize("NFC", re.sub("[\u2066\u2069]", "", text)).replace("\u00a0", " ")
    return re.sub(r"\s+", "" if lines else " ", text).strip()


def test_guideline_examples_print_as_with_the_stylesheets(shared_dir: Path) -> None:
    examples = _load(shared_dir, "epidoc_guidelines_rendered.json")
    different = set()
    for example in examples:
        xml = example["xml"]
        for style, expected in example["rendered"].items():
            printed = render(scan(xml).root, STYLES[style], text=xml)
            # Where lines end, the stylesheets' text has no white space of its own.
            if _plain(printed, "<lb" in xml) != _plain(expected, "<lb" in xml):
                different.add((example["page"], example["index"]))
    assert different == set(DIFFERENT)
    assert len(different) <= len(examples) // 10


def _letters_and_gaps(root: etree._Element) -> tuple[list[str], list[tuple[str, ...]]]:
    """What stands on the papyrus; of gaps that meet and are alike, exports print only the first."""
    letters: list[str] = []
    gaps: list[tuple[str, ...]] = []
    met = False

    def see(text: str) -> None:
        nonlocal met
        found = [c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c)[0] in "LN"]
        letters.extend(found)
        met = met and not found

    def walk(element: etree._Element) -> None:
        nonlocal met
        name = etree.QName(element).localname
        if name in ("reg", "rdg", "note"):
            return
        if name == "gap":
            extent = element.get("quantity") or element.get("atLeast", "?") + element.get("atMost", "")
            gap = (element.get("reason", ""), element.get("unit", ""), extent)
            alike = met and gaps[-1][:2] == gap[:2] and ("?" in gap[2]) == ("?" in gaps[-1][2])
            if not alike:
                gaps.append(gap)
            met = True
        elif name != "space":
            see(element.text or "")
            for child in element:
                if isinstance(child.tag, str):
                    walk(child)
                see(child.tail or "")

    walk(root)
    return letters, gaps


def test_papyri_in_plain_leiden_give_the_letters_and_gaps_of_their_xml(shared_dir: Path) -> None:
    for pair in _load(shared_dir, "papyri_plain_leiden.json"):
        converted = convert_one(pair["plain"], source="leiden")
        edition = next(etree.fromstring(converted.xml.encode()).iter("{*}div"))
        letters, gaps = _letters_and_gaps(edition)
        expected_letters, expected_gaps = _letters_and_gaps(etree.fromstring(pair["xml"]))
        if pair["id"] in OTHER_LETTERS:
            assert abs(len(letters) - len(expected_letters)) <= 20
            assert sum(a != b for a, b in zip(gaps, expected_gaps, strict=True)) <= 1
        else:
            assert letters == expected_letters, pair["id"]
            assert gaps == expected_gaps, pair["id"]
