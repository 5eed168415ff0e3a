"""Hover: hypotheses for a gap, a second opinion for a supplied, nothing elsewhere."""

from __future__ import annotations

from editor_client import GAP, StartEditor, edition


async def test_a_gap_shows_a_table_of_hypotheses(start: StartEditor) -> None:
    editor = await start(edition(f'<lb n="1"/>ἔδοξεν τῶι {GAP}·'))
    text = await editor.hover(editor.at("<gap", 3))
    assert text is not None
    assert "**line 1, 5 letters**" in text
    assert "τῶι \\[**δήμωι**\\]·" in text
    assert "| 1 | **δήμωι** | 70 % |" in text
    assert "Pythia (test)" in text
