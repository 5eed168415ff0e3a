"""The reports of a batch, from its ledger: `report.html`, `report.csv` and `suggestions.jsonl`.

Nothing is held in memory but the rows that go into the page, and they are limited: a million lacunae
make a long JSONL file, not a page that no browser opens.
"""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

from pythia_epidoc.batch.charts import Bar, bar_chart
from pythia_epidoc.batch.ledger import Ledger
from pythia_epidoc.batch.work import FAILED
from pythia_epidoc.errors import EditError
from pythia_epidoc.restoring import LacunaReport

ROWS = 5000
"""Lacunae shown on the page, the surest first."""
FAILURES = 500
_EXTENTS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, 20), (21, 40))
_PER_FILE = ((0, 0), (1, 1), (2, 3), (4, 6), (7, 10), (11, 20), (21, 50))
_OTHER = "other"
_COLUMNS = "file lacuna kind text_line line column extent before after best probability note"


def write_reports(ledger: Ledger, output: Path) -> None:
    """Write all three, each whole or not at all."""
    _write(output / "suggestions.jsonl", lambda stream: _jsonl(ledger, stream))
    _write(output / "report.csv", lambda stream: _csv(ledger, stream))
    _write(output / "report.html", lambda stream: _html(ledger, stream))


def _write(path: Path, fill: Callable[[IO[str]], None]) -> None:
    temporary = path.with_name(f".{path.name}.part")
    try:
        # A name that is not UTF-8 is written as Python shows it, which JSON reads too.
        with temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            fill(stream)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise EditError(f"The report cannot be written: {error.strerror}.", path=path) from None


def _jsonl(ledger: Ledger, stream: IO[str]) -> None:
    for path, report in ledger.lacunae():
        stream.write(json.dumps({"file": path, **asdict(report)}, ensure_ascii=False) + "\n")


def _csv(ledger: Ledger, stream: IO[str]) -> None:
    writer = csv.writer(stream)
    writer.writerow(_COLUMNS.split())
    for path, report in ledger.lacunae():
        best = report.hypotheses[0] if report.hypotheses else None
        writer.writerow(
            (path, report.number, report.kind, report.text_line, report.line, report.column, report.extent)
            + (report.before, report.after)
            + (("", "") if best is None else (best.polytonic or best.text, f"{best.probability:.4f}"))
            + (report.note,)
        )


def _html(ledger: Ledger, stream: IO[str]) -> None:
    stream.write(_page(ledger))


def _page(ledger: Ledger) -> str:
    run, totals = ledger.run, ledger.totals()
    model = run["model"]
    figures = {
        "files": f"{totals.files:,}",
        "failed": f"{totals.failed:,}",
        "lacunae": f"{totals.lacunae:,}",
        "restored": f"{totals.restored:,}",
    }
    rows = [_row(path, report) for path, report in ledger.lacunae(surest_first=True, limit=ROWS)]
    page = files("pythia_epidoc.batch").joinpath("report_page.html").read_text("utf-8")
    parts = {
        "collection": escape(Path(run["collection"]).name),
        "model": escape(f"{model['name']} {model['version']}, checkpoint {model['digest'][:12]}"),
        "software": escape(f"Pythia-EpiDoc {run['version']}"),
        "settings": escape(_settings(run["settings"])),
        "charts": "".join(_charts(ledger)),
        "failures": _failures(ledger),
        "shown": f"{len(rows):,}",
        "rows": json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        **figures,
    }
    for name, text in parts.items():
        page = page.replace(f"{{{{{name}}}}}", text)
    return page


def _row(path: str, report: LacunaReport) -> list[Any]:
    suggestions = [
        [hypothesis.polytonic or hypothesis.text, round(hypothesis.probability, 4)]
        for hypothesis in report.hypotheses
    ]
    return [
        path,
        report.number,
        report.text_line,
        report.extent,
        report.before,
        report.after,
        suggestions,
        report.note,
    ]


def _settings(settings: dict[str, Any]) -> str:
    write = settings["write"]
    return (
        f"form {write['form']}, top {write['top']}, beam {settings['beam']}, only {settings['only']}"
        f"{', plain' if settings['plain'] else ''}{', iterative' if settings['iterative'] else ''}"
        f", signed {write['date']}"
    )


def _charts(ledger: Ledger) -> Iterator[str]:
    extents: Counter[str] = Counter()
    confidence: Counter[int] = Counter()
    per_file: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    for path, report in ledger.lacunae():
        per_file[path] += 1
        extents[_range(report.most if report.most == report.least else None, _EXTENTS)] += 1
        if report.hypotheses:
            confidence[min(9, int(report.hypotheses[0].probability * 10))] += 1
        if report.note:
            notes[report.note] += 1
    counts = Counter(
        _range(per_file[file.path], _PER_FILE) for file in ledger.files() if file.state != FAILED
    )
    lengths = [Bar(_name(span), extents[_name(span)]) for span in _EXTENTS]
    lengths.append(Bar("a range, unknown, lines", extents[_OTHER]))
    yield bar_chart("Length of lacunae, in letters", lengths)
    tenths = [Bar(f"{tenth * 10}–{tenth * 10 + 10} %", confidence[tenth]) for tenth in range(10)]
    yield bar_chart("Probability of the best suggestion", tenths)
    sizes = [Bar(_name(span), counts[_name(span)]) for span in _PER_FILE]
    yield bar_chart("Lacunae in a file", [*sizes, Bar("more", counts[_OTHER])])
    if notes:
        yield bar_chart("Why lacunae were not restored", [Bar(*item) for item in notes.most_common(8)])


def _name(span: tuple[int, int]) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]}–{span[1]}"


def _range(value: int | None, spans: tuple[tuple[int, int], ...]) -> str:
    if value is not None:
        for span in spans:
            if span[0] <= value <= span[1]:
                return _name(span)
    return _OTHER


def _failures(ledger: Ledger) -> str:
    broken = [file for file in ledger.files() if file.state == FAILED]
    if not broken:
        return "<p>Every file could be read.</p>"
    items = "".join(
        f"<li><code>{escape(file.path)}</code> {escape(file.message)}</li>" for file in broken[:FAILURES]
    )
    more = f"<p>… and {len(broken) - FAILURES:,} more.</p>" if len(broken) > FAILURES else ""
    return f"<ul>{items}</ul>{more}"
