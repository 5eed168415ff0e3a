"""Plain Leiden text with line numbers, as papyrological databases export it → raw texts.

Every line of a papyrus has its number (`1.`, `5 `); a short unnumbered line in Latin letters names a part
(`FrA,2`, `v`); a stroke across the column divides sections. Texts are divided by a line of `===`.

Not for text pasted from PHI: see `phi`.
"""

from __future__ import annotations

from pythia_epidoc.leiden.model import RawText
from pythia_epidoc.leiden.rows import SEPARATOR, RowCollector, lines_of, row_of


def read_plain(text: str) -> list[RawText]:
    """The texts of an input."""
    groups: list[list[tuple[int, str]]] = [[]]
    for number, line in lines_of(text.removeprefix("\ufeff")):
        if SEPARATOR.match(line):
            groups.append([])
        elif line.strip():
            groups[-1].append((number, line))
    return [_read(group) for group in groups if group]


def _read(lines: list[tuple[int, str]]) -> RawText:
    collector = RowCollector()
    numbered = sum(bool(row_of(line, number)[0].number) for number, line in lines)
    for number, line in lines:
        collector.add(number, line, loose=numbered * 2 >= len(lines))
    return RawText(collector.finish(), dialect="leiden", line=lines[0][0])
