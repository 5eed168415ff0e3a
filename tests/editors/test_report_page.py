"""The report of a batch in a real browser: it is searched, filtered and opened, and fetches nothing.

The shipped model answers, so that the picture shows what a user sees.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from vscode_workbench import EXTENSION, program, shrink

SAMPLES = ("decree.xml", "dedication.xml", "epitaph.xml", "papyrus-letter.xml", "verse.xml", "broken.xml")


def test_a_report_is_searched_and_opened(node_modules: Path, samples_dir: Path, tmp_path: Path) -> None:
    collection, output = tmp_path / "samples", tmp_path / "restored"
    collection.mkdir()
    for sample in SAMPLES:
        shutil.copy(samples_dir / sample, collection)
    command = [sys.executable, "-m", "pythia_epidoc", "batch", str(collection), "-o", str(output)]
    subprocess.run(command, check=True, capture_output=True)
    rows = [json.loads(line) for line in (output / "suggestions.jsonl").read_text().splitlines()]
    screenshots = Path(os.environ.get("PYTHIA_SCREENSHOTS", tmp_path))
    options = {
        "page": (output / "report.html").as_uri(),
        "search": "εδοξεν",
        "screenshot": str(screenshots / "batch-report.png"),
        "chromiumPath": program("chromium", "chromium-browser", "google-chrome"),
    }
    script = str(EXTENSION / "test" / "report.mjs")
    done = subprocess.run([program("node"), script, json.dumps(options)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shrink(screenshots)
    seen = json.loads(done.stdout)
    assert seen["faults"] == []
    assert seen["all"] == len(rows)
    assert seen["notRestored"] == sum(row["note"] != "" for row in rows)
    assert any("ἔδοξεν" in row for row in seen["found"]) and len(seen["found"]) < len(rows)
    assert len(seen["suggestions"]) == 5
