"""Diagnostics: what lint finds, and where XML being typed is broken."""

from __future__ import annotations

from lsprotocol import types

from pythia_epidoc.errors import DocumentError
from pythia_epidoc.lint import Finding, Level
from pythia_epidoc_lsp.session import Analysis

_SEVERITIES = {
    Level.ERROR: types.DiagnosticSeverity.Error,
    Level.WARNING: types.DiagnosticSeverity.Warning,
    Level.NOTE: types.DiagnosticSeverity.Information,
}
SOURCE = "pythia"


def diagnostics(analysis: Analysis) -> list[types.Diagnostic]:
    found = [diagnostic(analysis, finding) for finding in analysis.findings]
    error = analysis.document.error
    return found if error is None else [_broken(analysis, error), *found]


def diagnostic(analysis: Analysis, finding: Finding) -> types.Diagnostic:
    return types.Diagnostic(
        range=analysis.positions.range(finding.start, finding.end),
        message=finding.message,
        severity=_SEVERITIES[finding.level],
        code=finding.code,
        source=SOURCE,
    )


def _broken(analysis: Analysis, error: DocumentError) -> types.Diagnostic:
    offset = analysis.document.source.offset(error.line or 1, error.column or 1)
    start, end = analysis.positions.line_bounds(offset)
    return types.Diagnostic(
        range=analysis.positions.range(min(offset, end), end)
        if offset < end
        else analysis.positions.range(start, end),
        message=error.message,
        severity=types.DiagnosticSeverity.Error,
        code="xml",
        source=SOURCE,
    )
