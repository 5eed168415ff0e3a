"""The `parallels` command, and which index a command uses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from stones import write

from pythia_epidoc.cli import group
from pythia_epidoc.parallels import location
from pythia_epidoc.parallels.location import configured


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(group, ["parallels", *map(str, arguments)])


@pytest.fixture
def usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The usual place of an index, in a folder of its own; and no settings but those of the test."""
    place = tmp_path / "data" / "parallels.db"
    monkeypatch.setattr(location, "usual_place", lambda: place)
    monkeypatch.chdir(tmp_path)
    return place


def test_index_and_search_print_json(tmp_path: Path, usual: Path) -> None:
    stones = write(tmp_path / "stones", decree='<lb n="3"/>ἔδοξεν τῆι βουλῆι καὶ τῶι δήμωι')
    assert run("index", stones, "-o", tmp_path / "mine.db").exit_code == 0
    found = json.loads(run("search", "ἔδοξεν τῆι [6] καὶ", "--index", tmp_path / "mine.db", "--json").stdout)
    assert [(each["document"], each["line"], each["letters"]) for each in found] == [
        ("decree", "3", "εδοξεν τηι βουληι και")
    ]
    assert set(found[0]["states"]) == {"preserved"}


def test_an_index_in_its_usual_place_needs_no_name(tmp_path: Path, usual: Path) -> None:
    assert configured() is None
    run("index", write(tmp_path / "stones", a="χαῖρε"))
    assert configured() == usual
    assert "χαῖρε" in run("search", "χαιρε").output


def test_settings_name_an_index_relative_to_their_file_or_none(tmp_path: Path, usual: Path) -> None:
    run("index", write(tmp_path / "stones", a="χαῖρε"))
    settings = tmp_path / "pythia-epidoc.toml"
    settings.write_text('parallels = "ours.db"\n[restore]\nparallels = ""\n', "utf-8")
    assert configured() == tmp_path / "ours.db"
    assert configured("restore") is None


def test_a_search_without_any_index_says_how_to_make_one(usual: Path) -> None:
    result = run("search", "χαιρε")
    assert "parallels index" in str(result.exception)


def test_a_conjecture_is_told_in_words(tmp_path: Path, usual: Path) -> None:
    run("index", write(tmp_path / "stones", a="<supplied reason='lost'>χαῖρε</supplied> σύ"))
    assert "(conjecture)" in run("search", "χαῖρε").output
    assert "(5 letters conjectured)" in run("search", "χαῖρε σύ").output


def test_a_wrong_folder_leaves_no_empty_index_behind(tmp_path: Path, usual: Path) -> None:
    assert "no such file or folder" in str(run("index", tmp_path / "stnoes").exception)
    assert configured() is None


def test_a_file_that_cannot_be_read_is_told_and_shows_in_the_exit_code(tmp_path: Path, usual: Path) -> None:
    stones = write(tmp_path / "stones", a="χαῖρε")
    (stones / "broken.xml").write_text("<TEI>", "utf-8")
    result = run("index", stones)
    assert result.exit_code == 2
    assert "broken.xml" in result.output
    assert run("index", write(tmp_path / "papyri", b="χαῖρε")).exit_code == 0
    assert run("search", "χαῖρε").output.count("χαῖρε") == 2
