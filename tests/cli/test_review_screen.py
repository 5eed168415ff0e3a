"""Deciding on a full screen: arrow keys, preview, undo, and leaving without changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from stub_model import StubRestorer
from textual.widgets import OptionList, Static

import pythia_epidoc
from pythia_epidoc.review_screen import ReviewScreen


@pytest.fixture
def document(samples_dir: Path) -> pythia_epidoc.OpenDocument:
    opened = pythia_epidoc.open(samples_dir / "decree.xml")
    opened.restore(restorer=StubRestorer(), top=3, date="2025-01-01")
    return opened


async def test_accept_reject_undo_and_finish(document: pythia_epidoc.OpenDocument) -> None:
    screen = ReviewScreen(document)
    async with screen.run_test() as pilot:
        assert [waiting.number for waiting in screen.waiting] == [2, 3, 10]
        await pilot.press("down", "enter")
        assert [waiting.number for waiting in screen.waiting] == [3, 10]
        await pilot.press("right", "r")
        assert [waiting.number for waiting in screen.waiting] == [3]
        await pilot.press("u")
        assert screen.waiting[screen.position].number == 10
        await pilot.press("q")
    assert screen.return_value == 1
    assert document.document.text.count("chosen instead of") == 1
    assert len(document.pending) == 2


async def test_the_line_shows_the_alternative_under_the_bar(document: pythia_epidoc.OpenDocument) -> None:
    screen = ReviewScreen(document)
    async with screen.run_test() as pilot:
        shown = []
        for _ in range(2):
            await pilot.pause()
            shown.append(str(screen.query_one("#line", Static).render()))
            await pilot.press("down")
        first, second = (found.text for found in screen.waiting[0].alternatives[:2])
        assert f"ἄρχ[{first}] ἐπὶ" in shown[0] and f"ἄρχ[{second}] ἐπὶ" in shown[1]
        assert screen.query_one("#alternatives", OptionList).highlighted == 2


async def test_escape_leaves_everything_as_it_was(document: pythia_epidoc.OpenDocument) -> None:
    before = document.data
    screen = ReviewScreen(document)
    async with screen.run_test() as pilot:
        await pilot.press("enter", "enter", "escape")
    assert document.data == before and screen.return_value == 0


async def test_what_cannot_be_accepted_is_told_and_ends_nothing(tmp_path: Path) -> None:
    path = tmp_path / "between.xml"
    gap = '<gap reason="lost" quantity="5" unit="character"/>'
    path.write_text(f'<div type="edition" xml:lang="grc"><ab>α</ab>{gap}<ab>β {gap}</ab></div>', "utf-8")
    opened = pythia_epidoc.open(path)
    opened.restore(restorer=StubRestorer())
    screen = ReviewScreen(opened, final=True)
    async with screen.run_test() as pilot:
        await pilot.press("enter", "right", "enter", "q")
    assert screen.return_value == 1 and len(opened.pending) == 1
    assert "instead of" not in opened.document.text
