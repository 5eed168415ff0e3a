"""The door of this package: PHI or Leiden text in, EpiDoc files out.

Not for files on disk: reading bytes and writing results is the command's part.
"""

from __future__ import annotations

import gc
import io
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pythia_epidoc.errors import ConversionError
from pythia_epidoc.leiden.iphi import read_iphi
from pythia_epidoc.leiden.items import Letters, Remark
from pythia_epidoc.leiden.model import (
    DEFAULT_OPTIONS,
    ConvertedText,
    Finding,
    Heading,
    Metadata,
    Options,
    RawText,
    Row,
)
from pythia_epidoc.leiden.parser import parse
from pythia_epidoc.leiden.phi import read_phi
from pythia_epidoc.leiden.phi_html import read_phi_html
from pythia_epidoc.leiden.plain import read_plain
from pythia_epidoc.leiden.rows import number_rows
from pythia_epidoc.leiden.signs import Report, legible
from pythia_epidoc.leiden.tei import Part, document

Format = Literal["auto", "phi", "phi-html", "iphi", "leiden"]
_HTML = re.compile(r"<(?:!doctype html|html|head|body|table|div)\b", re.IGNORECASE)
_XML = re.compile(r"<\?xml\s|<!doctype\s|<(?:\w+:)?(?:TEI|TEI\.2|teiCorpus)[\s>]", re.IGNORECASE)
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*\?>\s*")
_NOTATIONS = {"phi": "PHI", "leiden": "Leiden", "machine": "I.PHI"}


def convert_text(
    text: str,
    source: Format = "phi",
    options: Options = DEFAULT_OPTIONS,
    *,
    path: Path | None = None,
    strict: bool = False,
) -> list[ConvertedText]:
    """Convert all texts of an input held in memory."""
    return list(convert_stream(io.StringIO(text), source, options, path=path, strict=strict))


def convert_stream(
    stream: io.TextIOBase,
    source: Format = "phi",
    options: Options = DEFAULT_OPTIONS,
    *,
    path: Path | None = None,
    strict: bool = False,
    taken: set[str] | None = None,
) -> Iterator[ConvertedText]:
    """Convert the texts of an input one by one; I.PHI is never held in memory as a whole.

    `taken` are names that other inputs have used already.
    """
    taken = set() if taken is None else taken
    for order, raw in enumerate(read_texts(stream, source, path), start=1):
        yield convert_raw(raw, options, path=path, strict=strict, order=order, taken=taken)


def read_texts(stream: io.TextIOBase, source: Format, path: Path | None = None) -> Iterator[RawText]:
    """The texts of an input, before their notation is read."""
    start = stream.read(4096)
    _refuse_xml(start, path)
    if source == "auto":
        source = guess_format(start, path)
    if source == "iphi":
        yield from read_iphi(_Joined(start, stream), path)
        return
    text = start + stream.read()
    if source == "phi-html":
        yield from read_phi_html(text, path)
    elif source == "leiden":
        yield from read_plain(text)
    else:
        yield from read_phi(text)


def guess_format(start: str, path: Path | None = None) -> Format:
    """Which format an input is in, from its first characters and its name."""
    if (path is not None and path.suffix.lower() in (".html", ".htm")) or _is_html(start):
        return "phi-html"
    if path is not None and path.suffix.lower() in (".json", ".jsonl"):
        return "iphi"
    stripped = _stripped(start)
    if re.match(r"(?:\[\s*)?\{\s*\"", stripped):
        return "iphi"
    if len(re.findall(r"^\s*[0-9]{1,4}\.\s", stripped, re.MULTILINE)) >= 2:
        return "leiden"
    return "phi"


def _stripped(start: str) -> str:
    return start.lstrip("\ufeff \t\r\n")


def _is_html(start: str) -> bool:
    """Also where an XML declaration comes first, as in XHTML."""
    return _HTML.match(_DECLARATION.sub("", _stripped(start), count=1)) is not None


def _refuse_xml(start: str, path: Path | None) -> None:
    """An edition in XML read as PHI text would be a heap of sigla."""
    if _XML.match(_stripped(start)) and not _is_html(start):
        raise ConversionError(
            "This is XML already, not PHI or Leiden text; there is nothing to convert.", path=path
        )


class _Joined:
    """A stream whose beginning was read already."""

    def __init__(self, start: str, stream: io.TextIOBase) -> None:
        self._start = start
        self._stream = stream

    def read(self, size: int) -> str:
        start, self._start = self._start, ""
        return start or self._stream.read(size)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection meanwhile: of a megabyte's million items none is garbage, but all are walked."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_uncollected()
def convert_raw(
    raw: RawText,
    options: Options = DEFAULT_OPTIONS,
    *,
    path: Path | None = None,
    strict: bool = False,
    order: int = 1,
    taken: set[str] | None = None,
) -> ConvertedText:
    """Convert one text."""
    report = Report()
    options = replace(options, dialect=raw.dialect)
    metadata = _clean(raw.metadata)
    parts: list[Part] = []
    for heading, rows in _parts(raw.rows):
        numbered = number_rows(rows, report.findings)
        parts.append(Part(heading, parse(numbered, options, report)))
    letters = any(isinstance(item, Letters) for part in parts for item in part.passage.items)
    remarks = any(isinstance(item, Remark) for part in parts for item in part.passage.items)
    if not letters and (remarks or not parts):
        report.findings.append(Finding(raw.line, 1, "no-text"))
    if metadata.date is not None and metadata.date.not_before is None and metadata.date.not_after is None:
        report.findings.append(Finding(raw.line, 1, "date", metadata.date.text[:60]))
    report.findings.sort()
    offence = next((finding for finding in report.findings if finding.is_strict), None)
    if strict and offence is not None:
        raise ConversionError(
            f"{offence.code}: {offence.message}", path=path, line=offence.line, column=offence.column
        )
    return ConvertedText(
        name=_name(metadata, path, order, taken if taken is not None else set()),
        xml=document(metadata, parts, _NOTATIONS[raw.dialect]),
        metadata=metadata,
        findings=tuple(report.findings),
        counts=dict(sorted(report.counts.items())),
        has_text=letters,
    )


def _parts(rows: tuple[Row | Heading, ...]) -> Iterator[tuple[Heading | None, list[Row]]]:
    heading: Heading | None = None
    collected: list[Row] = []
    for row in rows:
        if isinstance(row, Heading):
            if collected or heading is not None:
                yield heading, collected
            heading, collected = row, []
        else:
            collected.append(row)
    if collected or heading is not None:
        yield heading, collected


def _clean(metadata: Metadata) -> Metadata:
    """Metadata that XML can hold, in NFC."""

    def text(value: str) -> str:
        return legible(unicodedata.normalize("NFC", value))

    date = metadata.date
    return replace(
        metadata,
        title=text(metadata.title),
        region=text(metadata.region),
        place=text(metadata.place),
        object_type=text(metadata.object_type),
        layout=text(metadata.layout),
        date=None if date is None else replace(date, text=text(date.text)),
        bibliography=tuple(text(entry) for entry in metadata.bibliography),
        remarks=tuple(text(remark) for remark in metadata.remarks),
    )


def _name(metadata: Metadata, path: Path | None, order: int, taken: set[str]) -> str:
    """A file stem from PHI's number, the title or the input's name; unique within the input."""
    if metadata.phi_id:
        stem = f"phi{metadata.phi_id}"
    else:
        folded = unicodedata.normalize("NFKD", metadata.title).encode("ascii", "ignore").decode()
        stem = re.sub(r"[^A-Za-z0-9]+", "-", folded).strip("-").lower()[:60]
        if not stem:
            stem = f"{path.stem if path is not None else 'text'}-{order}"
    name = stem
    suffix = 2
    while name in taken:
        name = f"{stem}-{suffix}"
        suffix += 1
    taken.add(name)
    return name
