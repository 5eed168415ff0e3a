"""What a lint rule says: a finding with its place, and perhaps the edits that would mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from pythia_epidoc.epidoc.edits import Edit

if TYPE_CHECKING:
    from pythia_epidoc.lint.scope import Scope


class Level(Enum):
    """How much a finding matters; the values are those of SARIF."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Fix:
    """Edits that mend a finding. Safe ones keep the meaning and are made by `--fix`."""

    label: str
    edits: tuple[Edit, ...]
    safe: bool


@dataclass(frozen=True)
class Report:
    """What a rule function yields: where, what, and a possible fix."""

    start: int
    end: int
    message: str
    fix: Fix | None = None


@dataclass(frozen=True)
class Rule:
    """A check with its stable code. `summary` says in one line what it finds."""

    code: str
    name: str
    level: Level
    summary: str
    check: Callable[[Scope], Iterable[Report]]


@dataclass(frozen=True)
class Finding:
    """One thing to look at: the characters `start:end` of the source, and a sentence about them."""

    rule: Rule
    start: int
    end: int
    message: str
    fix: Fix | None = None

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def level(self) -> Level:
        return self.rule.level


def safely_mendable(findings: Iterable[Finding]) -> list[tuple[Finding, Fix]]:
    """Findings with the safe fixes to make; where two would touch the same place, only the first."""
    chosen: list[tuple[Finding, Fix]] = []
    taken: list[Edit] = []
    for finding in findings:
        fix = finding.fix
        if fix is None or not fix.safe or any(_collide(edit, other) for edit in fix.edits for other in taken):
            continue
        taken += fix.edits
        chosen.append((finding, fix))
    return chosen


def _collide(edit: Edit, other: Edit) -> bool:
    return edit.start < other.end and other.start < edit.end
