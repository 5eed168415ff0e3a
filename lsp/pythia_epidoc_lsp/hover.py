"""Hover: the best hypotheses as a table, and where an editor's own restoration ranks among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from pythia_epidoc.probability import percent
from pythia_epidoc_lsp.preview import preview
from pythia_epidoc_lsp.restorations import Answer, Verdict
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.wording import in_list, place

if TYPE_CHECKING:
    from pythia_epidoc.parallels.search import Parallel

_BAR_WIDTH = 16


def hover(analysis: Analysis, answer: Answer, parallels: Sequence[Parallel] | None = None) -> types.Hover:
    lacuna = answer.lacuna
    parts = [f"**{place(lacuna)}**", preview(answer, 1)]
    if answer.verdict is not None:
        parts.append(verdict_in_words(answer.verdict))
    parts += [_table(answer), in_list(parallels or ()), f"*{answer.model}*"]
    value = "\n\n".join(part for part in parts if part)
    content = types.MarkupContent(kind=types.MarkupKind.Markdown, value=value)
    return types.Hover(contents=content, range=analysis.positions.range(lacuna.start, lacuna.end))


def verdict_in_words(verdict: Verdict) -> str:
    """Where the editor's conjecture stands, and what the model would rather read."""
    if verdict.rank is None or verdict.probability is None:
        rivals = ", ".join(verdict.rivals)
        return f"**{verdict.text}** is not among the hypotheses; the model prefers {rivals}."
    rank = f"**{verdict.text}** is no. {verdict.rank} ({percent(verdict.probability)})"
    return f"{rank}; better: {', '.join(verdict.rivals)}." if verdict.rivals else f"{rank}: the model agrees."


def _table(answer: Answer) -> str:
    attested = any(row.attestations for row in answer.rows)
    rows = ["| | | | | |", "|--:|:--|--:|:--|:--|"] if attested else ["| | | | |", "|--:|:--|--:|:--|"]
    highest = max((row.probability for row in answer.rows), default=1.0) or 1.0
    for row in answer.rows:
        bar = "━" * round(_BAR_WIDTH * row.probability / highest)
        text = f"**{row.text}**" if row.rank == 1 else row.text
        cells = [str(row.rank), text, percent(row.probability), bar]
        if attested:
            cells.append(f"{row.attestations}× attested" if row.attestations else "")
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)
