"""Saved pages of the PHI web site → raw texts.

A page holds `table.grk` with one row per line of the stone: a `td.id` cell with the line number, and the
text. Above it stand the regions (`div.hdr1`), the reference (`span.fullref`) and the information line
(`span.ti`); PHI's number stands in `div.docref`.

Not for fetching pages: nothing here touches the network.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from lxml import etree, html

from pythia_epidoc.errors import ConversionError
from pythia_epidoc.leiden.information import parse_information
from pythia_epidoc.leiden.model import Heading, Metadata, RawText, Row
from pythia_epidoc.leiden.rows import RowCollector, heading_of, row_of
from pythia_epidoc.leiden.tokens import TO_SUPERSCRIPT

_SITE = re.compile(r"\s*[-–—|]\s*PHI Greek Inscriptions.*$")
_TEXT_NUMBER = re.compile(r"packhum\.org/text/([0-9]{1,7})")
_ROW_END = "\u2028"
_ID = re.compile(r"PHI?\s?([0-9]{1,7})")


def read_phi_html(text: str, path: Path | None = None) -> list[RawText]:
    """The texts of a saved page, or of several pages one after another."""
    parser = html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(_without_declaration(text), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        raise ConversionError("This is not an HTML page that can be read.", path=path, line=1) from None
    number = _TEXT_NUMBER.search(text)
    metadata = Metadata(phi_id=number.group(1) if number else "")
    texts: list[RawText] = []
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        classes = (element.get("class") or "").split()
        if element.tag == "table" and "grk" in classes:
            texts.append(RawText(_rows(element), metadata, "phi", _line(element)))
            metadata = Metadata()
        elif "docref" in classes and texts:
            match = _ID.search(_words(element))
            if match is not None and not texts[-1].metadata.phi_id:
                found = replace(texts[-1].metadata, phi_id=match.group(1))
                texts[-1] = replace(texts[-1], metadata=found)
        else:
            metadata = _metadata(element, classes, metadata)
    if not texts:
        raise ConversionError(
            "The page has no text: a saved PHI page holds a table of class 'grk'.", path=path, line=1
        )
    return texts


def _without_declaration(text: str) -> str:
    # lxml refuses text that declares an encoding of its own, and libxml2 cannot pass a NUL; it does not
    # know either that nothing stands in `wbr`.
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text.removeprefix("\ufeff")).replace("\0", "\ufffd")
    return re.sub(r"</?wbr\s*/?>", "", text, flags=re.IGNORECASE)


def _metadata(element: etree._Element, classes: list[str], metadata: Metadata) -> Metadata:
    if element.tag == "title" and not metadata.title:
        return replace(metadata, title=_SITE.sub("", _words(element)))
    if "fullref" in classes:
        return replace(metadata, title=_words(element))
    if "hdr1" in classes:
        regions = [_words(link) for link in element.iter("a")][1:]
        return replace(metadata, region=regions[0] if regions else "", place=", ".join(regions[1:]))
    if "ti" in classes:
        known = replace(metadata, region="", place="")
        found = parse_information(_words(element), known)
        region = metadata.region or found.region
        place = found.place or metadata.place
        return replace(found, region=region, place=place)
    if "docref" in classes and not metadata.phi_id:
        match = _ID.search(_words(element))
        return replace(metadata, phi_id=match.group(1)) if match else metadata
    return metadata


def _line(element: etree._Element) -> int:
    line = element.sourceline
    return line if isinstance(line, int) else 1


def _words(element: etree._Element) -> str:
    return " ".join("".join(str(part) for part in element.itertext()).split())


def _rows(table: etree._Element) -> tuple[Row | Heading, ...]:
    collector = RowCollector()
    for line in table.iter("tr"):
        # A table in a cell is part of that cell.
        if next(line.iterancestors("table")) is not table:
            continue
        number = ""
        texts: list[list[str]] = []
        for cell in line.iterchildren("td", "th"):
            if "id" in (cell.get("class") or "").split():
                number = _words(cell)
            else:
                texts.append(_cell(cell))
        for parts in zip_longest(*texts, fillvalue=""):
            _add_row(collector, number, " ".join(part for part in parts if part), _line(line))
            number = ""
    return collector.finish()


def _add_row(collector: RowCollector, number: str, text: str, source_line: int) -> None:
    stated, part = row_of(f"{number} ", source_line) if number else (Row("", "", source_line), "")
    heading = heading_of(text, source_line) if not number else None
    if heading is not None:
        collector.add(source_line, text)
    elif text:
        kept = f"{number} {text}" if number and not stated.number else text
        collector.add_row(Row(kept, stated.number, source_line), part)


def _cell(cell: etree._Element) -> list[str]:
    """The rows in a cell; raised digits of PHI's codes become superscript characters."""
    for raised in cell.iter("sup"):
        if raised.text and raised.text.isdigit():
            raised.text = raised.text.translate(TO_SUPERSCRIPT)
    for end in cell.iter("br"):
        end.text = _ROW_END
    return [" ".join(row.split()) for row in "".join(str(part) for part in cell.itertext()).split(_ROW_END)]
