"""What a RelaxNG schema says of a document, as findings beside those of the rules.

Only when a schema is asked for: most files are valid or not for reasons that are known to their editors.
Not for validating: see `pythia_epidoc.epidoc.validation`.
"""

from __future__ import annotations

from pathlib import Path

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.validation import find_schema
from pythia_epidoc.lint.findings import Finding, Level, Rule

AUTO = "auto"
"""The schema that a document names, one in the user's cache, or ours."""
INVALID = Rule("PY901", "not-valid", Level.ERROR, "markup that the schema does not allow", lambda scope: ())


def validity(document: Document, schema: str) -> list[Finding]:
    """The faults of a document; each is placed on the line of the element to blame."""
    chosen = find_schema(document, None if schema == AUTO else Path(schema))
    return [
        Finding(INVALID, *_line(document, error.line or 1), f"{error.message} ({chosen.path.name})")
        for error in chosen.errors(document)
    ]


def _line(document: Document, number: int) -> tuple[int, int]:
    """Where the text of a line begins and ends."""
    start, end = document.source.offset(number), document.source.offset(number + 1)
    line = document.text[start:end]
    return start + len(line) - len(line.lstrip()), start + len(line.rstrip())
