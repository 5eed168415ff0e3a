"""What tests ask of a converted file: its edition as XML, its letters, and the text it reads back to."""

from __future__ import annotations

import re
import unicodedata

import regex
from lxml import etree

from pythia_epidoc.epidoc.scanner import scan
from pythia_epidoc.leiden import ConvertedText, Options, StyleName, convert_text, render

_GREEK = regex.compile(r"[\p{Greek}--[͵ʹ]]\p{M}*", regex.VERSION1)


def convert_one(text: str, options: Options | None = None, source: str = "phi") -> ConvertedText:
    """The one text of an input."""
    (converted,) = convert_text(text, source, options or Options())  # type: ignore[arg-type]
    return converted


def fragment(xml: str) -> str:
    """The edition's content; of a plain paragraph only what follows its first line break."""
    found = re.search(r'<div type="edition"[^>]*>\n(.*)\n</div>\n</body>', xml, re.DOTALL)
    assert found is not None
    inner = found.group(1)
    if inner.count("<ab>") == 1:
        inner = re.sub(r'^<ab>\n<lb n="1"/>(.*)\n</ab>$', r"\1", inner, flags=re.DOTALL)
    return inner


def leiden(xml: str, style: StyleName = "phi") -> str:
    """The edition as Leiden text."""
    root = scan(xml).root
    edition = next(div for div in root.iter("div") if div.get("type") == "edition")
    return render(edition, style, text=xml)


def greek_letters(text: str) -> list[str]:
    """Greek letters with their accents and dots, NFC."""
    decomposed = unicodedata.normalize("NFD", text)
    return [unicodedata.normalize("NFC", letter) for letter in _GREEK.findall(decomposed)]


def signs_of(xml: str, breaks: bool = True) -> list[str]:
    """Greek letters of an edition with accents and dots, and its line breaks, in order."""
    root = etree.fromstring(xml.encode())
    (edition,) = (div for div in root.iter("{*}div") if div.get("type") == "edition")
    signs: list[str] = []

    def walk(element: etree._Element) -> None:
        name = etree.QName(element).localname
        if name == "lb" and breaks:
            signs.append("\n")
        text = element.text or ""
        signs.extend(_dotted(text) if name == "unclear" else greek_letters(text))
        for child in element:
            walk(child)
            signs.extend(greek_letters(child.tail or ""))

    walk(edition)
    return signs


def _dotted(text: str) -> list[str]:
    return [unicodedata.normalize("NFC", f"{letter}\u0323") for letter in greek_letters(text)]
