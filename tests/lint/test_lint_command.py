"""`pythia-epidoc lint`: what it prints, its exit codes, and that --fix touches nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pythia_epidoc.cli.lint import command
from pythia_epidoc.lint import RULES
from pythia_epidoc.lint.validity import INVALID

DOUBTFUL = '<div type="edition" xml:lang="grc">\r\n<ab>χίωνοs <gap reason="lost" extent="unkown"/></ab></div>'


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "doubtful.xml").write_bytes(DOUBTFUL.encode())
    (tmp_path / "fine.xml").write_text('<div type="edition"><ab>δῆμος</ab></div>', "utf-8")
    (tmp_path / "notes.txt").write_text("not XML", "utf-8")
    return tmp_path


def test_exit_code_0_when_nothing_is_found(folder: Path) -> None:
    result = run(folder / "fine.xml")
    assert (result.exit_code, result.output) == (0, "0 findings in 1 file.\n")


def test_exit_code_1_and_the_place_of_each_finding(folder: Path) -> None:
    result = run(folder)
    assert result.exit_code == 1
    first, second, last = result.output.splitlines()
    assert first.startswith(f"{folder / 'a' / 'doubtful.xml'}:2:10: PY201 ")
    assert second.startswith(f"{folder / 'a' / 'doubtful.xml'}:2:31: PY105 ")
    assert second.endswith("[--fix]")
    assert last == "2 findings in 2 files; 1 can be mended with --fix."


def test_exit_code_2_and_the_other_files_are_still_checked(folder: Path, samples_dir: Path) -> None:
    result = run(samples_dir / "broken.xml", folder / "a")
    assert result.exit_code == 2
    assert "PY105" in result.output
    assert "Not well-formed XML" in result.output


@pytest.mark.parametrize("pattern", ["a/*.xml", "**/doub*.xml", "a"])
def test_files_folders_and_patterns(folder: Path, pattern: str) -> None:
    assert "in 1 file" in run(folder / pattern).output


def test_a_file_named_twice_is_checked_once(folder: Path) -> None:
    assert "in 2 files" in run(folder, folder / "fine.xml", folder / "*.xml").output


def test_fix_changes_the_doubtful_bytes_only(folder: Path) -> None:
    file = folder / "a" / "doubtful.xml"
    file.chmod(0o640)
    result = run("--fix", file)
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "1 finding in 1 file; 1 mended."
    assert file.read_bytes() == DOUBTFUL.replace("unkown", "unknown").encode()
    assert file.stat().st_mode & 0o777 == 0o640


def test_fix_leaves_a_sound_file_untouched(folder: Path) -> None:
    file = folder / "fine.xml"
    os.utime(file, (0, 0))
    assert run("--fix", file).exit_code == 0
    assert file.stat().st_mtime == 0


def test_fix_keeps_the_encoding(tmp_path: Path) -> None:
    file = tmp_path / "wide.xml"
    text = f'<?xml version="1.0" encoding="UTF-16"?>{DOUBTFUL}'
    file.write_bytes(text.encode("utf-16"))
    run("--fix", file)
    assert file.read_bytes() == text.replace("unkown", "unknown").encode("utf-16")


def test_json_tells_places_and_fixes(folder: Path) -> None:
    content = json.loads(run(folder, "--format", "json").output)
    assert content["files"] == 2
    extent = content["findings"][1]
    assert (extent["code"], extent["name"], extent["level"]) == ("PY105", "extent-misspelt", "error")
    [edit] = extent["fix"]["edits"]
    assert DOUBTFUL[edit["start"] : edit["end"]] == "unkown"
    assert edit["text"] == "unknown"


def test_sarif_has_rules_and_results(folder: Path, samples_dir: Path) -> None:
    result = CliRunner().invoke(command, [str(folder), str(samples_dir / "broken.xml"), "--format", "sarif"])
    content = json.loads(result.stdout)
    [run_] = content["runs"]
    assert [rule["id"] for rule in run_["tool"]["driver"]["rules"]] == [
        rule.code for rule in (*RULES, INVALID)
    ]
    assert [entry["ruleId"] for entry in run_["results"]] == ["PY201", "PY105"]
    assert all(RULES[entry["ruleIndex"]].code == entry["ruleId"] for entry in run_["results"])
    assert run_["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert run_["invocations"][0]["executionSuccessful"] is False


def test_sarif_names_files_by_uri(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a" / "doubtful.xml").rename(folder / "a" / "στήλη 1.xml")
    monkeypatch.chdir(folder)
    for argument, uri in (("a", "a/%CF%83"), (folder / "a", f"{folder.as_uri()}/a/%CF%83")):
        [run_] = json.loads(run("--format", "sarif", argument).stdout)["runs"]
        named = run_["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert named.startswith(uri)
        assert named.endswith("%201.xml")


def test_a_missing_file_is_a_clear_error(tmp_path: Path) -> None:
    result = run(tmp_path / "missing.xml")
    assert result.exit_code == 2
    assert "There is no such file" in result.output


@pytest.mark.parametrize(
    ("name", "message"),
    [("none/*.xml", "No file fits this pattern"), (".", "There is no .xml file in this folder")],
)
def test_nothing_to_read_is_a_clear_error(tmp_path: Path, name: str, message: str) -> None:
    result = run(tmp_path / name)
    assert result.exit_code == 2
    assert message in result.output


def test_the_other_files_are_still_checked_when_one_folder_is_empty(folder: Path) -> None:
    (folder / "empty").mkdir()
    result = run(folder / "a", folder / "empty", "--format", "json")
    assert result.exit_code == 2
    report = json.loads(result.stdout)
    assert [finding["code"] for finding in report["findings"]] == ["PY201", "PY105"]
    assert [error["path"] for error in report["errors"]] == [str(folder / "empty")]


def test_the_samples_are_clean(samples_dir: Path) -> None:
    assert run(*(path for path in samples_dir.glob("*.xml") if path.name != "broken.xml")).exit_code == 0


def test_awkward_editions_raise_nothing(shared_dir: Path) -> None:
    assert run(shared_dir / "fixtures" / "nasty").exit_code in (0, 1)


def test_a_schema_is_asked_only_on_demand(folder: Path) -> None:
    file = folder / "fine.xml"
    file.write_text('<div type="edition"><ab>δῆμος\n  <supplied rend="x">α</supplied></ab></div>', "utf-8")
    assert "PY901" not in run(file).output
    result = run(file, "--schema", "auto", "--format", "json")
    assert result.exit_code == 1
    [fault] = [found for found in json.loads(result.output)["findings"] if found["code"] == "PY901"]
    assert (fault["line"], fault["column"]) == (2, 3)
    assert "<supplied>" in fault["message"]


def test_a_missing_schema_is_one_clear_error(folder: Path) -> None:
    result = run(folder, "--schema", folder / "none.rng")
    assert "There is no such schema" in str(result.exception)
