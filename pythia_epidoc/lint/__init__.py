"""Findings about transcription markup that is valid XML but doubtful: `lint(document)`."""

from pythia_epidoc.lint.findings import Finding, Fix, Level, Rule, safely_mendable
from pythia_epidoc.lint.table import RULES, lint

__all__ = ["RULES", "Finding", "Fix", "Level", "Rule", "lint", "safely_mendable"]
