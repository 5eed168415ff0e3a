"""The user's path in a real VS Code: each test plays a scenario and judges the files it leaves on disk.

What should be on disk is computed by the pipeline itself, with the same stub in place of the model.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vscode_workbench import VSCode

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import apply_edits
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.update import update
from pythia_epidoc.restoration import Restoration, restore
from pythia_epidoc.writeback import WriteOptions, accept_hypothesis, write_back

Workspace = Callable[..., Path]
GAP_OF_LINE_6 = 3
"""Its number among the lacunae of the decree."""


@pytest.fixture(scope="module")
def stub() -> Any:
    path = Path(__file__).parent.parent / "lsp" / "stub_restorer.py"
    spec = importlib.util.spec_from_file_location("stub_restorer", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load("", "cpu")[0]


def restored(document: Document, stub: Any, number: int) -> Restoration:
    (found,) = restore(document, stub, [document.lacunae[number - 1]])
    return found


def test_a_missing_server_is_one_message_with_ways_out(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("serverMissing", workspace("decree.xml", serverCommand=["no-such-server", "lsp"]))


def test_a_server_that_was_missing_is_found_when_the_settings_are_mended(
    vscode: VSCode, workspace: Workspace
) -> None:
    folder = workspace("decree.xml")
    settings = folder / ".vscode" / "settings.json"
    settings.rename(folder / "mended.json")
    # Not even a list: settings files are written by hand.
    settings.write_text(json.dumps({"pythia.serverCommand": "no-such-server", "pythia.interpreter": 3}))
    vscode.play("serverFoundLater", folder)


def test_completing_in_a_gap_writes_exactly_the_accepted_restoration(
    vscode: VSCode, workspace: Workspace, samples_dir: Path, stub: Any
) -> None:
    folder = workspace("decree.xml")
    vscode.play("completion", folder)
    document = Document.open(samples_dir / "decree.xml")
    edits = accept_hypothesis(document, restored(document, stub, GAP_OF_LINE_6), rank=1)
    assert (folder / "decree.xml").read_bytes() == apply_edits(document.source, edits)


def test_the_shipped_model_answers_in_the_panel(
    vscode: VSCode, workspace: Workspace, samples_dir: Path
) -> None:
    folder = workspace("decree.xml", serverCommand=[sys.executable, "-m", "pythia_epidoc", "lsp"])
    vscode.play("shippedModel", folder)
    assert (folder / "decree.xml").read_bytes() == (samples_dir / "decree.xml").read_bytes()


def test_hover_shows_the_hypotheses(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("hover", workspace("decree.xml"))


def test_the_panel_shows_bars_and_heat_and_accepts(
    vscode: VSCode, workspace: Workspace, samples_dir: Path, stub: Any
) -> None:
    folder = workspace("decree.xml")
    vscode.play("panel", folder)
    document = Document.open(samples_dir / "decree.xml")
    found = restored(document, stub, GAP_OF_LINE_6)
    rank = 1 + [hypothesis.polytonic for hypothesis in found.hypotheses].index("πόλις")
    edits = accept_hypothesis(document, found, rank)
    assert (folder / "decree.xml").read_bytes() == apply_edits(document.source, edits)


def test_a_parallel_in_the_panel_opens_its_file_at_its_line(
    vscode: VSCode, workspace: Workspace, tmp_path: Path
) -> None:
    folder = workspace("decree.xml", parallelsIndex=str(tmp_path / "index.db"))
    other = (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>\n<div type="edition" xml:lang="grc"><ab>\n\n\n'
        '<lb n="7"/>συμπρόεδροι· ἔδοξεν τῶι δήμωι· Χρεμωνίδης</ab></div></body></text></TEI>'
    )
    (folder / "other.xml").write_text(other, "utf-8")
    with ParallelsIndex(tmp_path / "index.db", create=True) as index:
        update(index, [folder / "other.xml"], processes=1)
    vscode.play("parallels", folder)


def test_a_panel_that_was_hidden_comes_back(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("hiddenPanel", workspace("decree.xml", "verse.xml"))


def test_the_view_lists_lacunae_and_goes_there(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("tree", workspace("decree.xml"))


def test_a_code_action_inserts_alternatives(
    vscode: VSCode, workspace: Workspace, samples_dir: Path, stub: Any
) -> None:
    folder = workspace("decree.xml", alternatives=3)
    vscode.play("actions", folder)
    document = Document.open(samples_dir / "decree.xml")
    edits = write_back(document, [restored(document, stub, GAP_OF_LINE_6)], WriteOptions(top=3))
    assert (folder / "decree.xml").read_bytes() == apply_edits(document.source, edits)


def test_a_long_command_shows_progress_and_can_be_cancelled(
    vscode: VSCode, workspace: Workspace, samples_dir: Path
) -> None:
    folder = workspace("decree.xml", model="stuck")
    vscode.play("cancel", folder)
    assert (folder / "decree.xml").read_bytes() == (samples_dir / "decree.xml").read_bytes()


def test_a_restored_document_is_stripped_to_the_very_same_bytes(
    vscode: VSCode, workspace: Workspace, samples_dir: Path
) -> None:
    folder = workspace("decree.xml")
    vscode.play("restoreAndStrip", folder)
    assert (folder / "decree.xml").read_bytes() == (samples_dir / "decree.xml").read_bytes()


def test_xml_that_is_not_tei_is_left_alone(vscode: VSCode, workspace: Workspace) -> None:
    folder = workspace("decree.xml")
    (folder / "build.xml").write_text("<project>\n  <gap reason='lost'/>\n  reasonable\n</project>\n")
    vscode.play("otherXml", folder)


def test_features_can_be_left_to_another_xml_extension(vscode: VSCode, workspace: Workspace) -> None:
    vscode.play("coexistence", workspace("decree.xml", codeLens=False, diagnostics=False, completion=False))


def test_the_extension_logged_where_its_server_came_from(vscode: VSCode) -> None:
    assert "Server from the setting pythia.serverCommand" in vscode.log()
