"""`pythia-epidoc inspect` and `pythia-epidoc text`: what they print, and with which exit code they end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pythia_epidoc.cli import group

GAP = '<gap reason="lost" quantity="3" unit="character"/>'


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    def write(name: str, text: str) -> None:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    write("a.xml", f'<div type="edition" xml:lang="grc"><ab><lb n="1"/>τῶι δή{GAP} <lb n="2"/>καί</ab></div>')
    write(
        "deep/b.xml",
        '<div type="edition" xml:lang="grc"><ab>δῆ<supplied reason="lost">μος</supplied></ab></div>',
    )
    write("deep/notes.txt", "not XML")
    return tmp_path


@pytest.fixture
def broken(collection: Path) -> Path:
    (collection / "broken.xml").write_text("<div>\n<ab>", encoding="utf-8")
    return collection


def run(*arguments: object) -> Result:
    return CliRunner().invoke(group, [str(argument) for argument in arguments])


def test_text_prints_what_the_model_reads(collection: Path) -> None:
    result = run("text", collection / "a.xml")
    assert (result.exit_code, result.stdout) == (0, "τωι δη--- και\n")


def test_text_by_lines(collection: Path) -> None:
    assert run("text", "--lines", collection / "a.xml").stdout.split() == ["1", "τωι", "δη---", "2", "και"]


def test_text_of_several_files_names_each(collection: Path) -> None:
    result = run("text", collection)
    assert result.stdout.splitlines() == [
        str(collection / "a.xml"),
        "τωι δη--- και",
        str(collection / "deep" / "b.xml"),
        "δημοσ",
    ]


def test_text_as_json_aligns_every_sign(collection: Path) -> None:
    file = collection / "a.xml"
    (edition,) = json.loads(run("text", "--json", file).stdout)["editions"]
    source = file.read_text(encoding="utf-8")
    assert "".join(sign["letter"] for sign in edition["signs"]) == edition["text"] == "τωι δη--- και"
    first, gap = edition["signs"][0], edition["signs"][6]
    assert source[first["start"] : first["end"]] == "τ"
    assert (first["state"], first["line"]) == ("preserved", "1")
    assert source[gap["start"] : gap["end"]] == GAP
    assert gap["state"] == "lost"
    assert edition["signs"][-1]["line"] == "2"


def test_inspect_shows_a_table_of_lacunae(collection: Path) -> None:
    result = run("inspect", collection / "a.xml")
    assert result.exit_code == 0
    assert "1 edition, 1 lacuna, 1 restorable" in result.stdout
    assert "3 letters" in result.stdout
    assert "τωι δη[---] και" in result.stdout


def test_inspect_tells_why_a_lacuna_cannot_be_restored(tmp_path: Path) -> None:
    file = tmp_path / "lines.xml"
    file.write_text('<div type="edition"><ab><gap reason="lost" quantity="2" unit="line"/></ab></div>')
    assert "is measured in lines" in run("inspect", file).stdout


def test_inspect_as_json(collection: Path) -> None:
    described = json.loads(run("inspect", "--json", collection / "a.xml").stdout)
    (edition,) = described["editions"]
    assert (edition["language"], edition["signs"], edition["lines"]) == ("grc", 13, 2)
    (lacuna,) = edition["lacunae"]
    assert lacuna["extent"] == {"least": 3, "most": 3, "about": False, "unit": "letter", "words": "3 letters"}
    assert (lacuna["number"], lacuna["kind"], lacuna["text_line"], lacuna["line"]) == (1, "gap", "1", 1)
    assert (lacuna["before"], lacuna["after"]) == ("τωι δη", " και")
    assert lacuna["restorable"]


@pytest.mark.parametrize("command", ["inspect", "text"])
def test_json_of_many_files_is_one_object_per_line(command: str, collection: Path) -> None:
    files = [json.loads(line)["file"] for line in run(command, "--json", collection).stdout.splitlines()]
    assert files == [str(collection / "a.xml"), str(collection / "deep" / "b.xml")]


@pytest.mark.parametrize("command", ["inspect", "text"])
def test_patterns_are_files_too(command: str, collection: Path) -> None:
    result = run(command, "--json", f"{collection}/**/b.xml")
    assert json.loads(result.stdout)["file"] == str(collection / "deep" / "b.xml")


@pytest.mark.parametrize("command", ["inspect", "text"])
def test_what_cannot_be_read_is_told_and_the_rest_is_shown(command: str, broken: Path) -> None:
    result = run(
        command, "--json", broken, broken / "missing.xml", f"{broken}/*.tei", broken / "deep" / "notes.txt"
    )
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 2
    errors = result.stderr.splitlines()
    assert len(errors) == 4
    assert f"{broken / 'broken.xml'}:2" in errors[0]
    assert "no such file" in errors[1]
    assert "fits this pattern" in errors[2]


@pytest.mark.parametrize("command", ["inspect", "text"])
def test_help_shows_examples(command: str) -> None:
    assert f"pythia-epidoc {command} decree.xml" in run(command, "--help").stdout


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["inspect", "--help"], ["text", "--help"]])
def test_help_does_not_wait_for_heavy_imports(arguments: list[str]) -> None:
    program = (
        "import sys\nfrom pythia_epidoc.cli import group\n"
        f"try:\n    group.main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "heavy = {'torch', 'numpy', 'rich', 'regex', 'lxml', 'pygls', 'textual'} & set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr


def test_greek_goes_into_a_pipe_also_where_the_code_page_has_none(collection: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "pythia_epidoc", "text", collection / "a.xml"],
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=True,
    )
    assert result.stdout.decode().split() == ["τωι", "δη---", "και"]


def test_a_folder_holds_files_in_capitals_too(collection: Path) -> None:
    (collection / "a.xml").rename(collection / "A.XML")
    assert str(collection / "A.XML") in run("text", collection).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a file name is text")
@pytest.mark.parametrize("command", [["text"], ["inspect", "--json"], ["lint", "--format", "sarif"]])
def test_a_file_name_that_is_no_text_is_no_obstacle(collection: Path, command: list[str]) -> None:
    (collection / "a.xml").rename(os.fsdecode(bytes(collection) + b"/\xff.xml"))
    result = subprocess.run(
        [sys.executable, "-m", "pythia_epidoc", *command, collection], capture_output=True, check=False
    )
    assert result.returncode == 0
    assert b"Traceback" not in result.stderr
