"""What passes between the rooms of this package: rows in, findings and converted texts out.

Not for notation: what a siglum means is in `tokens` and `parser`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Dialect = Literal["phi", "leiden", "machine"]


@dataclass(frozen=True)
class Options:
    """Choices for sigla that editors use in more than one sense."""

    angle: Literal["omitted", "corrected"] = "omitted"
    """`<abc>`: letters the cutter left out, or letters the editor put right."""
    capitals: Literal["orig", "text"] = "orig"
    """`ΩΝΕΥ`: letters nobody could interpret, or plain text."""
    bars: Literal["auto", "line", "block"] = "auto"
    """`|`: a line end or a joint between blocks; auto: a line end in a text printed as one row."""
    dialect: Dialect = "phi"


DEFAULT_OPTIONS = Options()


@dataclass(frozen=True)
class Row:
    """One row of the edition as printed, with its place in the input."""

    text: str
    number: str = ""
    line: int = 1
    column: int = 1


@dataclass(frozen=True)
class Heading:
    """A row that names the face, column or fragment that follows."""

    kind: str
    n: str
    line: int = 1


@dataclass(frozen=True)
class Date:
    """A date as printed, with its bounds in years when they could be told (negative: BC)."""

    text: str
    not_before: int | None = None
    not_after: int | None = None
    circa: bool = False
    doubtful: bool = False


@dataclass(frozen=True)
class Metadata:
    """What the input says about a text besides the text."""

    title: str = ""
    phi_id: str = ""
    region: str = ""
    place: str = ""
    object_type: str = ""
    date: Date | None = None
    layout: str = ""
    bibliography: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


NOTHING_KNOWN = Metadata()


@dataclass(frozen=True)
class RawText:
    """One text before its notation is read."""

    rows: tuple[Row | Heading, ...]
    metadata: Metadata = NOTHING_KNOWN
    dialect: Dialect = "phi"
    line: int = 1


CODES: Mapping[str, str] = {
    "unclosed": "A bracket is not closed; it was closed at the end of its row.",
    "unopened": "A bracket is closed that was not opened; it was opened at the beginning of its row.",
    "unbalanced": "A bracket has no partner; it was kept as text.",
    "nested": "A bracket stands inside another of its kind; it was kept as text.",
    "empty-bracket": "Nothing stands between the brackets.",
    "unknown-sign": "This sign is not known; it was kept as text.",
    "unknown-code": "PHI's code is not known; its content was kept.",
    "digits": "Digits in the text; they were kept as text.",
    "look-alike": "Latin letters stand in a Greek word; they were kept.",
    "latin": "Latin words; they were kept as foreign text.",
    "numeral": "A numeral sign follows letters that are no numeral; it was kept as text.",
    "range": "The larger number stands first; the range was turned round.",
    "dangling-hyphen": "A hyphen at the end, but no row follows; it was kept as text.",
    "stray-hyphen": "A hyphen inside a row; it was kept as text.",
    "question-mark": "A question mark that belongs to nothing; it was kept as text.",
    "en-dash": "En dashes without other signs of metre; they were read as an unknown stretch.",
    "no-word": "Nothing stands before this note; it was kept as a note.",
    "line-number": "The line number does not follow from the rows before it.",
    "control": "A control character, which XML forbids; it was replaced by U+FFFD.",
    "stray-mark": "A combining mark stands on no letter; it was kept as text.",
    "no-text": "Only a remark or cross-reference, no text.",
    "date": "The date could not be told in years; it was kept as text.",
}
"""Every finding, with the sentence that explains it."""

LENIENT = frozenset({"date", "no-text", "latin", "look-alike", "line-number"})
"""Findings that `--strict` lets pass: everything was understood, and something is worth a look."""


@dataclass(frozen=True, order=True)
class Finding:
    """Something in the input that was not understood or had to be guessed."""

    line: int
    column: int
    code: str
    detail: str = ""

    @property
    def message(self) -> str:
        return f"{CODES[self.code]} ({self.detail})" if self.detail else CODES[self.code]

    @property
    def is_strict(self) -> bool:
        return self.code not in LENIENT


@dataclass(frozen=True)
class ConvertedText:
    """One text as an EpiDoc file, with what is known of it and of the conversion."""

    name: str
    """A file stem, unique within its input."""
    xml: str
    metadata: Metadata
    findings: tuple[Finding, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    """How often each siglum was converted."""
    has_text: bool = True
