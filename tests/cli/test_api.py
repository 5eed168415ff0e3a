"""The library: the examples of docs/api.md run, importing costs nothing, and edits add up."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from stub_model import StubRestorer

import pythia_epidoc
from pythia_epidoc.epidoc.edits import apply_edits


def test_the_examples_run(
    repository: Path, samples_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "samples").symlink_to(samples_dir)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pythia_epidoc.api.load", lambda *choice: StubRestorer())
    monkeypatch.setattr("pythia_epidoc.model.restorer.load_restorer", StubRestorer)
    blocks = re.findall(
        r"```python\n(.*?)```", (repository / "docs" / "api.md").read_text("utf-8"), re.DOTALL
    )
    assert len(blocks) == 2
    for block in blocks:
        exec(block, {})
    assert (tmp_path / "decided.xml").read_text("utf-8").count("chosen instead of") == 1


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, pythia_epidoc; print(sorted({'torch', 'lxml', 'click'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_opening_and_restoring_needs_no_torch(samples_dir: Path) -> None:
    code = (
        "import sys, pythia_epidoc; document = pythia_epidoc.open(sys.argv[1]); document.lacunae; "
        "document.strip(); print('torch' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(samples_dir / "decree.xml")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_edits_are_on_the_file_as_it_was_opened(samples_dir: Path) -> None:
    document = pythia_epidoc.open(samples_dir / "decree.xml")
    document.restore(restorer=StubRestorer(), date="2025-01-01")
    document.accept(2, 2)
    document.reject(3)
    assert apply_edits(document.original.source, document.edits) == document.data
    document.strip()
    assert document.edits == [] and document.data == document.original.source.data


@pytest.mark.parametrize("encoding", ["iso-8859-1", "iso-8859-7", "utf-16"])
@pytest.mark.parametrize("form", ["inline", "standoff"])
def test_decisions_add_up_in_every_encoding(
    samples_dir: Path, tmp_path: Path, encoding: str, form: str
) -> None:
    text = (samples_dir / "decree.xml").read_text("utf-8").replace("UTF-8", encoding)
    path = tmp_path / "decree.xml"
    path.write_bytes(text.encode(encoding, "xmlcharrefreplace"))
    document = pythia_epidoc.open(path)
    document.restore(only="all", restorer=StubRestorer(), form=form)
    for waiting in reversed(document.pending):
        document.accept(waiting.number)
        assert apply_edits(document.original.source, document.edits) == document.data
    assert document.document.text.count("chosen instead of") == 10
    document.strip()
    assert document.data == path.read_bytes()


def test_saving_to_its_own_file_begins_anew(samples_dir: Path, tmp_path: Path) -> None:
    path = tmp_path / "decree.xml"
    path.write_bytes((samples_dir / "decree.xml").read_bytes())
    document = pythia_epidoc.open(path)
    document.restore(restorer=StubRestorer())
    document.save()
    assert document.edits == [] and path.read_bytes() == document.data
    document.reject(2)
    document.save()
    assert path.read_bytes() == document.data


def test_no_suggestions_is_a_sentence(samples_dir: Path) -> None:
    document = pythia_epidoc.open(samples_dir / "decree.xml")
    with pytest.raises(pythia_epidoc.PythiaError, match="no suggestions for lacuna 2"):
        document.accept(2)
