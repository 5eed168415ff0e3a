"""Text pasted from PHI, one or many inscriptions → raw texts.

A text may have a title, a PHI number and an information line before it, and PHI's number after it. Texts
are divided by a line of `===`, or where a new title, information line or number begins.

Not for the plain Leiden text of papyri: see `plain`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from pythia_epidoc.leiden.information import is_information, is_only_layout, parse_information
from pythia_epidoc.leiden.model import NOTHING_KNOWN, Metadata, RawText
from pythia_epidoc.leiden.rows import SEPARATOR, RowCollector, heading_of, lines_of

_PHI_ID = re.compile(
    r"\s*(?:PHI?|https?://(?:inscriptions|epigraphy)\.packhum\.org/text/)\s?([0-9]{1,7})\b.{0,40}"
)
_GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")
_TRACES = re.compile(r"\s*(?:Traces|Vac)")
_TITLE = re.compile(r"(?=.*[0-9])[A-Z][A-Za-z.]*[\s.][^\[\]{}<>—|]{0,80}")


@dataclass
class _Draft:
    """A text being collected."""

    line: int = 1
    metadata: Metadata = NOTHING_KNOWN
    lines: RowCollector = field(default_factory=RowCollector)
    closed: bool = False

    @property
    def is_empty(self) -> bool:
        return self.lines.is_empty and self.metadata == NOTHING_KNOWN


def read_phi(text: str) -> list[RawText]:
    """The texts of a pasted input."""
    lines = [(number, line) for number, line in lines_of(text.removeprefix("\ufeff"))]
    texts: list[RawText] = []
    draft = _Draft()

    def finish() -> None:
        nonlocal draft
        if not draft.is_empty:
            texts.append(RawText(draft.lines.finish(), draft.metadata, "phi", draft.line))
        draft = _Draft()

    for order, (number, line) in enumerate(lines):
        if not line.strip():
            continue
        if SEPARATOR.match(line):
            finish()
            continue
        if draft.closed and not _PHI_ID.fullmatch(line):
            finish()
        if draft.is_empty:
            draft.line = number
        match = _PHI_ID.fullmatch(line)
        if match is not None:
            if draft.metadata.phi_id:
                finish()
                draft.line = number
            draft.metadata = replace(draft.metadata, phi_id=match.group(1))
            draft.closed = not draft.lines.is_empty
        elif is_information(line):
            if not draft.lines.is_empty or (draft.metadata.region and not line.startswith("~")):
                finish()
                draft.line = number
            draft.metadata = parse_information(line, draft.metadata)
        elif draft.lines.is_empty and is_only_layout(line):
            draft.metadata = parse_information(line, draft.metadata)
        elif _is_title(line, lines, order, draft):
            if not draft.lines.is_empty:
                finish()
                draft.line = number
            draft.metadata = replace(draft.metadata, title=line.strip())
        else:
            draft.lines.add(number, line)
    finish()
    return texts


def _is_title(line: str, lines: list[tuple[int, str]], order: int, draft: _Draft) -> bool:
    has_title = draft.metadata.title and draft.lines.is_empty
    if has_title or _TRACES.match(line) or _GREEK.search(line) or not _TITLE.fullmatch(line.strip()):
        return False
    if draft.lines.is_empty:
        return heading_of(line, 1) is None
    following = next((text for _, text in lines[order + 1 : order + 6] if text.strip()), "")
    return is_information(following) or bool(_PHI_ID.fullmatch(following))
