"""The line around a lacuna in Leiden notation, with a hypothesis in place, as Markdown."""

from __future__ import annotations

from pythia_epidoc_lsp.lacunae import around
from pythia_epidoc_lsp.restorations import Answer

_WIDTH = 30


def preview(answer: Answer, rank: int) -> str:
    before, after = around(answer.lacuna, _WIDTH)
    text = answer.rows[rank - 1].text if rank <= len(answer.rows) else "– –"
    return f"{before}[**{text.strip()}**]{after}"
