"""Findings for people (text), for programs (JSON) and for code-scanning services (SARIF 2.1.0)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pythia_epidoc import __version__
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import PythiaError
from pythia_epidoc.lint.findings import Finding
from pythia_epidoc.lint.table import RULES
from pythia_epidoc.lint.validity import INVALID

_ALL = (*RULES, INVALID)
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True)
class Place:
    """A finding with its file and its lines and columns, which count from 1."""

    path: Path
    line: int
    column: int
    end_line: int
    end_column: int
    finding: Finding

    @classmethod
    def of(cls, finding: Finding, document: Document, path: Path) -> Place:
        return cls(path, *document.position(finding.start), *document.position(finding.end), finding)

    @property
    def mendable(self) -> bool:
        return self.finding.fix is not None and self.finding.fix.safe


@dataclass(frozen=True)
class Outcome:
    """What a run of lint gave: findings that remain, findings mended, files that cannot be read."""

    files: int
    places: Sequence[Place]
    mended: int
    errors: Sequence[PythiaError]


def as_text(outcome: Outcome) -> str:
    lines = [
        f"{place.path}:{place.line}:{place.column}: {place.finding.code} {place.finding.message}"
        + (" [--fix]" if place.mendable else "")
        for place in outcome.places
    ]
    return "\n".join([*lines, summary(outcome)])


def summary(outcome: Outcome) -> str:
    """One line for the end of a run."""
    parts = [f"{_number(len(outcome.places), 'finding')} in {_number(outcome.files, 'file')}"]
    mendable = sum(place.mendable for place in outcome.places)
    if outcome.mended:
        parts.append(f"{outcome.mended} mended")
    if mendable:
        parts.append(f"{mendable} can be mended with --fix")
    if outcome.errors:
        parts.append(f"{_number(len(outcome.errors), 'file')} cannot be read")
    return "; ".join(parts) + "."


def as_json(outcome: Outcome) -> str:
    content = {
        "files": outcome.files,
        "mended": outcome.mended,
        "findings": [
            {
                "path": str(place.path),
                "line": place.line,
                "column": place.column,
                "endLine": place.end_line,
                "endColumn": place.end_column,
                "start": place.finding.start,
                "end": place.finding.end,
                "code": place.finding.code,
                "name": place.finding.rule.name,
                "level": place.finding.level.value,
                "message": place.finding.message,
                "fix": _fix(place.finding),
            }
            for place in outcome.places
        ],
        "errors": [
            {"path": error.path, "line": error.line, "message": error.message} for error in outcome.errors
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=2)


def as_sarif(outcome: Outcome) -> str:
    driver = {
        "name": "pythia-epidoc",
        "version": __version__,
        "rules": [
            {
                "id": rule.code,
                "name": rule.name,
                "shortDescription": {"text": rule.summary},
                "defaultConfiguration": {"level": rule.level.value},
            }
            for rule in _ALL
        ],
    }
    failures = [
        {
            "level": "error",
            "message": {"text": error.message},
            "locations": [_location(error.path, error.line or 1)],
        }
        for error in outcome.errors
    ]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not failures, "toolExecutionNotifications": failures}],
        "results": [_result(place) for place in outcome.places],
    }
    return json.dumps(
        {"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2
    )


def _result(place: Place) -> dict[str, Any]:
    location = _location(str(place.path), place.line)
    location["physicalLocation"]["region"] |= {
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {
        "ruleId": place.finding.code,
        "ruleIndex": _ALL.index(place.finding.rule),
        "level": place.finding.level.value,
        "message": {"text": place.finding.message},
        "locations": [location],
    }


def _location(path: str | None, line: int) -> dict[str, Any]:
    file = Path(path or "")
    uri = file.as_uri() if file.is_absolute() else quote(file.as_posix())
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}


def _fix(finding: Finding) -> dict[str, Any] | None:
    if finding.fix is None:
        return None
    edits = [{"start": edit.start, "end": edit.end, "text": edit.text} for edit in finding.fix.edits]
    return {"label": finding.fix.label, "safe": finding.fix.safe, "edits": edits}


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


FORMATS = {"text": as_text, "json": as_json, "sarif": as_sarif}
