"""Hover: the best hypotheses as a table, and where an editor's own restoration ranks among them."""

from __future__ import annotations

from lsprotocol import types

from pythia_epidoc_lsp.preview import preview
from pythia_epidoc_lsp.restorations import Answer, Verdict
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.wording import percent, place

_BAR_WIDTH = 16


def hover(analysis: Analysis, answer: Answer) -> types.Hover:
    lacuna = answer.lacuna
    parts = [f"**{place(lacuna)}**", preview(answer, 1)]
    if answer.verdict is not None:
        parts.append(verdict_in_words(answer.verdict))
    parts += [_table(answer), f"*{answer.model}*"]
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
    rows = ["| | | | |", "|--:|:--|--:|:--|"]
    highest = max((row.probability for row in answer.rows), default=1.0) or 1.0
    for row in answer.rows:
        bar = "━" * round(_BAR_WIDTH * row.probability / highest)
        text = f"**{row.text}**" if row.rank == 1 else row.text
        rows.append(f"| {row.rank} | {text} | {percent(row.probability)} | {bar} |")
    return "\n".join(rows)
