"""Findings about transcription markup that is valid XML but doubtful: `lint(document)`."""

from pythia_epidoc.lint.findings import Finding, Fix, Level, Rule, safe_edits
from pythia_epidoc.lint.table import RULES, lint

__all__ = ["RULES", "Finding", "Fix", "Level", "Rule", "lint", "safe_edits"]
