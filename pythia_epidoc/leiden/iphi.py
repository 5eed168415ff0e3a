"""The I.PHI dataset → raw texts, one after another however long the file is.

I.PHI is a JSON list of objects (`id`, `text`, `metadata`, `region_main`, `region_sub`, `date_str`,
`date_min`, `date_max`, `date_circa`). Its `text` is usually machine text: `-` per lost letter, `#` for an
unknown stretch, `0` for a numeral, no accents; a file with PHI's own notation is read as such.

Not for building such a dataset: that is `pythia_epidoc.corpus`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from pythia_epidoc.errors import ConversionError
from pythia_epidoc.leiden.dates import parse_date
from pythia_epidoc.leiden.information import parse_information
from pythia_epidoc.leiden.model import Date, RawText, Row
from pythia_epidoc.leiden.rows import RowCollector, lines_of

_CHUNK = 1 << 20
_BETWEEN = re.compile(r"[\s,\[\]\ufeff]*")
_NOTATION = re.compile(r"[\[\](){}<>—․⟦〚\u0300-\u036f\u1f00-\u1fffάέήίόύώΐΰ]")


class Readable(Protocol):
    """Anything text can be read from piece by piece."""

    def read(self, size: int, /) -> str: ...


def read_iphi(stream: Readable, path: Path | None = None) -> Iterator[RawText]:
    """The texts of a dataset."""
    for line, found in _objects(stream, path):
        for entry in _entries(found, path, line):
            yield _text(entry, line)


def _entries(found: dict[str, Any], path: Path | None, line: int) -> Iterator[dict[str, Any]]:
    """The object itself, or those in it if it leads from ids to them."""
    if "text" in found or not any(isinstance(value, dict | list) for value in found.values()):
        yield found
    elif all(isinstance(value, dict) for value in found.values()):
        yield from ({"id": key} | value for key, value in found.items())
    else:
        raise _foreign(path, line)


def _objects(stream: Readable, path: Path | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON list, or of JSON lines, decoded one by one."""
    decoder = json.JSONDecoder()
    buffer = ""
    position = 0
    line = 1
    ended = False
    while True:
        match = _BETWEEN.match(buffer, position)
        assert match is not None
        line += buffer.count("\n", position, match.end())
        position = match.end()
        if position == len(buffer):
            if ended:
                return
            buffer, position = stream.read(_CHUNK), 0
            ended = not buffer
            continue
        try:
            entry, end = decoder.raw_decode(buffer, position)
        except (json.JSONDecodeError, RecursionError) as error:
            # An object cut off by the end of the buffer: read as much again, so that time stays linear.
            more = "" if ended or isinstance(error, RecursionError) else stream.read(max(_CHUNK, len(buffer)))
            if not more:
                raise _foreign(path, line) from None
            buffer = buffer[position:] + more
            position = 0
            continue
        if not isinstance(entry, dict):
            raise _foreign(path, line)
        yield line, entry
        line += buffer.count("\n", position, end)
        position = end


def _foreign(path: Path | None, line: int) -> ConversionError:
    return ConversionError("This is not I.PHI JSON: a list of objects is expected.", path=path, line=line)


def _string(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key)
    return "" if value is None or isinstance(value, list | dict) else " ".join(str(value).split())


def _year(entry: dict[str, Any], key: str) -> int | None:
    value = _string(entry, key)
    return int(float(value)) if re.fullmatch(r"-?[0-9]{1,4}(?:\.0*)?", value) and float(value) else None


def _text(entry: dict[str, Any], line: int) -> RawText:
    text = entry.get("text")
    text = text if isinstance(text, str) else ""
    metadata = parse_information(_string(entry, "metadata"))
    low, high = _year(entry, "date_min"), _year(entry, "date_max")
    date = metadata.date
    if low is not None or high is not None:
        printed = _string(entry, "date_str").strip(" —") or (date.text if date else _span(low, high))
        date = Date(printed, low, high, bool(entry.get("date_circa")))
    elif _string(entry, "date_str"):
        date = parse_date(_string(entry, "date_str"))
    metadata = replace(
        metadata,
        phi_id=re.sub(r"[^0-9]", "", _string(entry, "id"))[:9],
        title=_string(entry, "title") or metadata.title,
        region=_string(entry, "region_main") or metadata.region,
        place=metadata.place or _string(entry, "region_sub"),
        date=date,
    )
    collector = RowCollector()
    machine = not _NOTATION.search(text)
    for _, row in lines_of(text):
        if machine and row.strip():
            # Its zeros are numerals, not numbers of lines.
            collector.add_row(Row(row.strip(), "", line))
        elif row.strip():
            collector.add(line, row)
    return RawText(collector.finish(), metadata, "machine" if machine else "phi", line)


def _span(low: int | None, high: int | None) -> str:
    return f"{'' if low is None else low} – {'' if high is None else high}".strip()
