"""Lines of input → rows: line numbers, headings of faces, columns and fragments, separators of texts.

Not for notation inside a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pythia_epidoc.leiden.model import Finding, Heading, Row

LINE_ENDS = re.compile(r"\r\n|[\n\r\v\f\u0085\u2028\u2029]")
SEPARATOR = re.compile(r"\s*([=*~_])\1{2,}\s*$")
# No-break spaces carry the dots of papyrologists, so one before an underdot is no margin.
_MARGIN = r"(?:[ \t\u2000-\u200a\u202f\u3000]+|\u00a0(?!\u00a0?\u0323)[ \t\u00a0]*(?!\u0323))"
_NUMBER = re.compile(
    rf"[ \t\u00a0]*\(?([0-9]{{1,4}}(?:[/-][0-9]{{1,4}})?[a-z]?)(?:[.)](?:{_MARGIN}|$)|{_MARGIN}|$)"
    r"|[ \t]*([0-9]{1,4}(?:,[0-9a-z]{1,4}){1,4})\.[ \t]"
)
_PREFIXED = re.compile(
    r"[ \t]*((?:[A-Z][a-z]?|[a-h]|[IVX]{1,5}|(?:col|fr)\.\s?[A-Za-z0-9]{1,4})[.,])"
    r"([0-9]{1,4}[a-z]?)(?:[ \t]+|$)"
)
_LAST_DIGITS = re.compile(r"[0-9]{1,4}$")
_SUBTYPES = (
    (re.compile(r"col", re.IGNORECASE), "column"),
    (re.compile(r"fr", re.IGNORECASE), "fragment"),
)
_HEADING = re.compile(
    r"(?:(?P<kind>(?i:coll?(?:umna?|\.)?|fr(?:agment(?:um)?|ag\.|g\.|[rs]?\.)?|face|facies|fac\.|side|lat(?:us|\.)|"
    r"pars|part|stele|lapis|stone|block|tab(?:ula|\.)?|recto|verso))(?:\s+|(?<=\.)))"
    r"(?P<n>[A-Za-z0-9]{1,6}(?:\s?[+,/-]\s?[A-Za-z0-9]{1,6}){0,4}|sin(?:istrum|\.)|dext(?:rum|\.))[.:]?"
    r"|(?P<single>[A-Z]|[a-hA-H](?=\.|:|$)|[IVX]{1,6}|recto|verso)[.:]?"
)
_PART_AND_COLUMN = re.compile(r"\s*(.{1,30}?),?\s+((?i:col)\S*\s*\S.{0,30})")
_LOOSE_HEADING = re.compile(
    r"(?!(?i:traces|vestigia|[uv]ac|.*\blines?\b))(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9,. +-]{0,20}"
)
_IN_LATIN = r"(?![A-Za-z])[\x20-\x5a\x5c\x5e-\x7a]*"
TRACES_ROW = re.compile(rf"(?:vestigi\w+|vest\.|traces?){_IN_LATIN}", re.ASCII)
"""A row of the stone of which only this much can be said."""
REMARK_ROW = re.compile(
    r"(?:desunt|deest|reliqua|cetera|corona|in|infra|supra|rasura|litura|anaglyphum|protome|lacuna|versus|vs\.|vv\.|"
    r"linea\w*|lin\.|omnia|nihil|fragment\w+|pars|latus|hedera|folium|monogramma|sequ\w+|signum|wreath|relief|"
    rf"uninscribed|illegible|(?:non-)?stoich\.?|boustr\.?|retrogr\.?){_IN_LATIN}",
    re.ASCII,
)
"""A row of the page that is the editor's, not the stone's."""
_UNCOUNTED = re.compile(
    r"(?:--\s*){5,}|\(?(?:spat\.\s?)?[uv]ac(?:at|ant|\.)?[\s0-9.,?]*\)?(?:\(\?\))?|\{²[^⁰¹²³⁴⁵⁶⁷⁸⁹].*\}²"
)


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines of an input, counted from 1."""
    return enumerate(LINE_ENDS.split(text), start=1)


def heading_of(line: str, number: int, loose: bool = False) -> Heading | None:
    """The heading a line is, or None; `loose`: any short line in Latin letters may be one."""
    text = line.strip()
    match = _HEADING.fullmatch(text)
    if match is not None:
        name = match.group("n") or match.group("single")
        return Heading(_subtype(match.group("kind") or ""), name, number)
    if loose and _LOOSE_HEADING.fullmatch(text) and not _is_numbered(text):
        return Heading(_subtype(text), text, number)
    return None


def _is_numbered(text: str) -> bool:
    """A number and a text after it: a row of the papyrus, even if it is all Latin."""
    row, _ = row_of(text, 1)
    return bool(row.number and row.text)


def _subtype(word: str) -> str:
    return next((subtype for pattern, subtype in _SUBTYPES if pattern.search(word)), "face" if word else "")


def row_of(line: str, number: int) -> tuple[Row, str]:
    """A line as a row with its own number if it prints one, and the part its number names (`A.5`)."""
    prefixed = _PREFIXED.match(line)
    if prefixed is not None and not line[prefixed.end() :].lstrip().startswith((".", ",")):
        part = prefixed.group(1).rstrip(".,")
        return _row(line, prefixed.end(), len(line), prefixed.group(2), number), part
    match = _NUMBER.match(line)
    if match is not None:
        return _row(line, match.end(), len(line), match.group(1) or match.group(2), number), ""
    text = line.rstrip()
    match = _LAST_DIGITS.search(text, max(0, len(text) - 4))
    if match is not None and text[: match.start()].endswith(("\t", "  ")) and text[: match.start()].strip():
        return _row(line, 0, match.start(), match.group(), number), ""
    return _row(line, 0, len(line), "", number), ""


def _row(line: str, start: int, end: int, n: str, number: int) -> Row:
    # No-break spaces carry the dots of papyrologists: they are no margin.
    text = line[start:end].rstrip()
    return Row(text.lstrip(" \t"), n, number, start + len(text) - len(text.lstrip(" \t")) + 1)


class RowCollector:
    """The rows and headings of one text, collected line by line."""

    def __init__(self) -> None:
        self._rows: list[Row | Heading] = []
        self._number: Row | None = None
        self._part = ""

    @property
    def is_empty(self) -> bool:
        return not self._rows and self._number is None

    def add(self, number: int, line: str, loose: bool = False) -> None:
        """Add a line: a heading, a row, or a number that belongs to the row after it."""
        heading = heading_of(line, number, loose)
        if heading is not None:
            self._rows.append(heading)
            return
        both = _PART_AND_COLUMN.fullmatch(line)
        column = heading_of(both.group(2), number) if both is not None else None
        if both is not None and column is not None and heading_of(both.group(1), number) is not None:
            self._begin(both.group(1), number)
            self._rows.append(column)
            return
        row, part = row_of(line, number)
        self.add_row(row, part)

    def _begin(self, part: str, line: int) -> None:
        """A part that rows or headings name again and again begins once."""
        if part != self._part:
            self._rows.append(heading_of(part, line) or Heading("", part, line))
            self._part = part

    def add_row(self, row: Row, part: str = "") -> None:
        if part:
            self._begin(part, row.line)
        waiting, self._number = self._number, None
        if waiting is not None and (row.number or not row.text):
            self._rows.append(waiting)
        elif waiting is not None:
            row = replace(row, number=waiting.number)
        if row.text:
            self._rows.append(row)
        elif row.number:
            self._number = row

    def finish(self) -> tuple[Row | Heading, ...]:
        if self._number is not None:
            self._rows.append(self._number)
            self._number = None
        return tuple(self._rows)


def number_rows(rows: list[Row], findings: list[Finding]) -> tuple[Row, ...]:
    """Give every row its line number: PHI prints only every fifth.

    Where the printed numbers leave no other choice, rows that hold only a vacat are not counted.
    """
    numbered: list[Row] = []
    next_number = 1
    pending: list[Row] = []
    for row in rows:
        if not row.number:
            pending.append(row)
            continue
        numbers = [int(number) for number in re.findall(r"[0-9]+", row.number)]
        stated = numbers[0]
        numbered.extend(_between(pending, next_number if numbered else None, stated, findings, row))
        pending = []
        numbered.append(row)
        next_number = numbers[-1] + 1
    numbered.extend(_count(pending, next_number))
    return tuple(numbered)


def _between(rows: list[Row], start: int | None, stated: int, findings: list[Finding], row: Row) -> list[Row]:
    """Number the rows before a row that states its number."""
    if not rows:
        return []
    counted = [r for r in rows if not _is_uncounted(r)]
    if start is None:
        start = max(stated - len(rows), 1) if stated > len(rows) else max(stated - len(counted), 1)
    if stated - start == len(rows):
        return [replace(r, number=str(start + order)) for order, r in enumerate(rows)]
    if stated - start != len(counted):
        findings.append(Finding(row.line, 1, "line-number", row.number))
    return _count(rows, start)


def _is_uncounted(row: Row) -> bool:
    return bool(_UNCOUNTED.fullmatch(row.text) or REMARK_ROW.fullmatch(row.text))


def _count(rows: list[Row], start: int) -> list[Row]:
    numbered: list[Row] = []
    for row in rows:
        if _is_uncounted(row):
            numbered.append(row)
        else:
            numbered.append(replace(row, number=str(start)))
            start += 1
    return numbered
