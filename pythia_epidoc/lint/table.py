"""Every rule with its code, and the function that runs them all over a document.

To add a rule: write its function in one of the modules beside this one, list it here under a new code,
and describe it in docs/lint.md. Codes are never used twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.lint import breaks, lengths, letters, restorations
from pythia_epidoc.lint.findings import Finding, Level, Rule
from pythia_epidoc.lint.scope import Scope

RULES: tuple[Rule, ...] = (
    Rule(
        "PY101",
        "gap-in-supplied",
        Level.ERROR,
        "a gap inside a supplied, where text would be lost and restored at once",
        restorations.gap_in_supplied,
    ),
    Rule(
        "PY102",
        "quantity-without-unit",
        Level.ERROR,
        "a quantity that does not say of what",
        lengths.quantity_without_unit,
    ),
    Rule(
        "PY103",
        "quantity-with-extent",
        Level.ERROR,
        "a length given both as quantity and as extent",
        lengths.quantity_with_extent,
    ),
    Rule("PY104", "unit-misspelt", Level.ERROR, "a unit that is not known", lengths.unit_misspelt),
    Rule(
        "PY105",
        "extent-misspelt",
        Level.ERROR,
        "an extent that is neither a number nor “unknown”: a misspelling, a range, other words",
        lengths.extent_misspelt,
    ),
    Rule(
        "PY106",
        "extent-as-number",
        Level.NOTE,
        "a number in extent, as in older guidelines, where quantity is meant",
        lengths.extent_as_number,
    ),
    Rule(
        "PY107",
        "quantity-not-a-number",
        Level.ERROR,
        "a quantity, atLeast or atMost that is not a number",
        lengths.quantity_not_a_number,
    ),
    Rule(
        "PY108",
        "precision-misspelt",
        Level.ERROR,
        "a precision other than high, medium or low",
        lengths.precision_misspelt,
    ),
    Rule(
        "PY109",
        "bounds-reversed",
        Level.ERROR,
        "an atLeast larger than the atMost",
        lengths.bounds_reversed,
    ),
    Rule(
        "PY110",
        "gap-without-length",
        Level.WARNING,
        "a gap that does not say how much is lost, not even that it is unknown",
        lengths.gap_without_length,
    ),
    Rule(
        "PY111",
        "empty-supplied",
        Level.ERROR,
        "a supplied with nothing in it, or with dashes only",
        restorations.empty_supplied,
    ),
    Rule(
        "PY112",
        "unknown-reason",
        Level.ERROR,
        "a gap or supplied without a reason, or with one that is not known",
        restorations.unknown_reason,
    ),
    Rule(
        "PY201",
        "lookalike-letter",
        Level.WARNING,
        "a Latin or Cyrillic letter inside a Greek word",
        letters.lookalike_letters,
    ),
    Rule(
        "PY202",
        "not-normalised",
        Level.NOTE,
        "characters not in Unicode's normal form C",
        letters.not_normalised,
    ),
    Rule(
        "PY301",
        "break-value",
        Level.ERROR,
        "a break other than no, yes or maybe",
        breaks.break_value,
    ),
    Rule(
        "PY302",
        "break-between-words",
        Level.WARNING,
        'a break="no" between two complete words',
        breaks.break_between_words,
    ),
    Rule(
        "PY303",
        "break-inside-word",
        Level.WARNING,
        'a line break inside a w without break="no"',
        breaks.break_inside_word,
    ),
    Rule(
        "PY401",
        "dangling-resp",
        Level.WARNING,
        "a resp that points at nothing in the file",
        restorations.dangling_resp,
    ),
)


def lint(document: Document) -> list[Finding]:
    """All findings about the editions of a document, in the order of the source."""
    findings = [
        Finding(rule, report.start, report.end, report.message, report.fix)
        for edition in _editions(document)
        for scope in (Scope(document, edition),)
        for rule in RULES
        for report in rule.check(scope)
    ]
    return sorted(findings, key=lambda finding: (finding.start, finding.rule.code))


def _editions(document: Document) -> Iterator[Element]:
    """Every edition there is, also those that are the same text in other clothes and not read."""
    root = document.root
    if root is None:
        return
    found = False
    for element in root.iter("div", "div0", "div1"):
        if element.get("type") == "edition" and not any(
            outer.get("type") == "edition" for outer in element.ancestors()
        ):
            found = True
            yield element
    if not found:
        yield from (edition.element for edition in document.editions)
