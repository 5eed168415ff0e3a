"""The user's path in a real VS Code: each test plays a scenario and judges the files it leaves on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vscode_workbench import VSCode

Workspace = Callable[..., Path]
GAP = '<gap reason="lost" quantity="5" unit="character"/>'


def test_a_missing_server_is_one_message_with_ways_out(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("serverMissing", workspace("decree.xml", serverCommand=["no-such-server", "lsp"]))


def test_completing_in_a_gap_writes_the_marked_restoration(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("completion", workspace("decree.xml"))


def test_hover_shows_the_hypotheses(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("hover", workspace("decree.xml"))


def test_the_panel_shows_bars_and_heat_and_accepts(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("panel", workspace("decree.xml"))


def test_the_view_lists_lacunae_and_goes_there(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("tree", workspace("decree.xml"))
