"""The user's path in a real VS Code: each test plays a scenario and judges the files it leaves on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vscode_workbench import VSCode

Workspace = Callable[..., Path]


def test_a_missing_server_is_one_message_with_ways_out(vscode: VSCode, workspace: Workspace) -> None:
    folder = workspace("decree.xml", serverCommand=["no-such-server", "lsp"])
    vscode.play("serverMissing", folder)
