"""The information line of a PHI page: `region — place — date — layout — bibliography`.

Not for the text below it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pythia_epidoc.leiden.dates import looks_like_date, parse_date
from pythia_epidoc.leiden.model import NOTHING_KNOWN, Metadata

_SEPARATOR = re.compile(r" [—–] | —|— ")
_LAYOUT = re.compile(r"\b(?:non-)?stoich|boustr|retrogr|\bversus\b|metr\.", re.IGNORECASE)
_ONLY_LAYOUT = re.compile(
    r"~?\s*(?:(?:non-)?stoich|boustr|retrogr)[A-Za-z]*\.?(?:\s?\(?(?:ca?\.\s?)?[0-9]{1,3}(?:\s?[-–]\s?[0-9]{1,3})?\)?)?\.?\s*",
    re.IGNORECASE,
)
_GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")
_REFERENCE = re.compile(
    r"\b(?:IG|SEG|CIG|CIRB|IGBulg|IGUR|IGR|OGIS|Syll|BCH|BE|SIG|IK|LSAM|LSCG|CID|TAM|MAMA|Agora|Hesp|REG|AM|ZPE|"
    r"Chiron|JHS|ABSA|ISE|GHI|ML|CEG|GVI|SGO|PH|Ath\.Mitt\.|cf\.)(?![A-Za-z]).*[0-9]|"
    r"[A-Z][\w.]+\.?\s[0-9]+[,:(\s][\s0-9(]"
)


def is_information(line: str) -> bool:
    """Whether a line is an information line: fields between dashes, and hardly any Greek."""
    if line.startswith("~"):
        return True
    fields = _fields(line)
    if len(fields) < 2 or "[" in line[:1] or _GREEK.search(line):
        return False
    if not re.match(r"[A-Z]", fields[0]):
        return False
    return all(re.search(r"[A-Za-z0-9]", field) for field in fields)


def is_only_layout(line: str) -> bool:
    """Whether a line says no more than `stoich. 28`."""
    return _ONLY_LAYOUT.fullmatch(line) is not None


def _fields(line: str) -> list[str]:
    fields = (field.strip() for field in _SEPARATOR.split(" ".join(line.split())))
    return [field for field in fields if field]


def parse_information(line: str, metadata: Metadata = NOTHING_KNOWN) -> Metadata:
    """What an information line tells, added to what is known."""
    fields = _fields(line.lstrip("~ "))
    bibliography: list[str] = list(metadata.bibliography)
    layout: list[str] = [metadata.layout] if metadata.layout else []
    for order, field in enumerate(fields):
        if _LAYOUT.search(field) and not _REFERENCE.search(field):
            layout.append(field)
        elif match := re.fullmatch(r"\[(.+)\]", field):
            metadata = replace(metadata, object_type=match.group(1))
        elif order and metadata.date is None and looks_like_date(field) and not _REFERENCE.search(field):
            metadata = replace(metadata, date=parse_date(field))
        elif order == 0 and not metadata.region:
            metadata = replace(metadata, region=field)
        elif order < 3 and not metadata.place and metadata.date is None and not _REFERENCE.search(field):
            metadata = replace(metadata, place=field)
        else:
            bibliography.append(field)
    return replace(metadata, bibliography=tuple(bibliography), layout="; ".join(layout))
