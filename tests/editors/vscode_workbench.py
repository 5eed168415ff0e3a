"""A running VS Code in which scenarios are played, and what to do when it cannot be had.

When a part is missing the test says which and why: it is skipped on a developer's machine and fails
where `CI=true`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest
from PIL import Image

EXTENSION = Path(__file__).parent.parent.parent / "editor-extensions" / "vscode"
INSTALL_SECONDS = 1200
SCENARIO_SECONDS = 600


def unavailable(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def program(*names: str) -> str:
    for name in names:
        found = shutil.which(name)
        if found is not None:
            return found
    unavailable(f"{names[0]} is not installed")


def run(command: list[str], what: str, cwd: Path | None = None, seconds: int = INSTALL_SECONDS) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=seconds)
    if done.returncode != 0:
        unavailable(f"{what} failed: {(done.stderr or done.stdout)[-2000:]}")


@dataclass
class VSCode:
    """A running code-server with the extension installed."""

    url: str
    user_data: Path
    screenshots: Path

    def play(self, scenario: str, folder: Path) -> None:
        """Play one scenario in a fresh browser on this folder; fails with what the browser saw."""
        options = {
            "scenario": scenario,
            "url": self.url,
            "folder": str(folder),
            "screenshots": str(self.screenshots),
            "chromiumPath": program("chromium", "chromium-browser", "google-chrome"),
        }
        command = [program("node"), str(EXTENSION / "test" / "run.mjs"), json.dumps(options)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SCENARIO_SECONDS)
        assert done.returncode == 0, done.stderr + self.log()

    def log(self) -> str:
        """What the extension wrote to its log, newest run last."""
        logs = sorted(self.user_data.rglob("*Pythia EpiDoc.log"), key=lambda path: path.stat().st_mtime)
        return "\n".join(path.read_text(encoding="utf-8") for path in logs)


def shrink(pictures: Path) -> None:
    """Screenshots with a palette of 256 colours: they look the same and take half the room."""
    for picture in pictures.glob("*.png"):
        with Image.open(picture) as image:
            if image.mode != "P":
                palette = image.convert("RGB").quantize(
                    256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
                )
                palette.save(picture, optimize=True)
