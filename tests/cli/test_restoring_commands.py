"""`restore`, `strip`, `accept`, `reject` and the settings file, as a user types them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from run_with_stub import stub_module

from pythia_epidoc.cli import group
from pythia_epidoc.errors import ModelError, PythiaError


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "pythia_epidoc.model.restorer", stub_module())
    monkeypatch.setattr("pythia_epidoc.settings.user_config_path", lambda *_, **__: tmp_path / "user")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1735689600")
    yield


@pytest.fixture
def decree(samples_dir: Path, tmp_path: Path) -> Path:
    path = tmp_path / "decree.xml"
    path.write_bytes((samples_dir / "decree.xml").read_bytes())
    return path


def run(*arguments: object, input: str | None = None) -> Result:
    return CliRunner().invoke(group, [str(argument) for argument in arguments], input=input)


@pytest.mark.parametrize("form", ["inline", "standoff", "accept"])
def test_restore_in_place_twice_is_once_and_strip_takes_it_back(decree: Path, form: str) -> None:
    original = decree.read_bytes()
    options = ("--in-place", "--form", form, "--min-probability", "0")
    assert run("restore", decree, *options).exit_code == 0
    once = decree.read_bytes()
    assert once != original and b'when="2025-01-01"' in once
    assert run("restore", decree, *options, "--date", "2026-02-02").exit_code == 0
    assert decree.read_bytes() == once
    assert run("strip", decree, "--in-place").exit_code == 0
    assert decree.read_bytes() == original


def test_restore_prints_the_document_and_lists_what_it_did(decree: Path) -> None:
    result = run("restore", decree)
    assert result.stdout_bytes.startswith(b"<?xml") and b"</TEI>" in result.stdout_bytes
    assert "3 of 4 lacunae restored" in result.stderr
    assert "not restored: it is an editor's ellipsis" in result.stderr


def test_a_suggestion_stands_in_brackets_also_where_leiden_shows_another_form(samples_dir: Path) -> None:
    result = run("restore", samples_dir / "lacunae.xml", "--lacuna", 56, "--diff")
    assert re.search(r"56 +line 2, 5 letters: .*εγ\[[^\]]+\]εν", result.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("how", [[], ["--diff"]])
def test_a_full_disk_behind_the_screen_is_one_sentence(decree: Path, how: list[str]) -> None:
    stub = Path(__file__).parents[1] / "run_with_stub.py"
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, str(stub), "restore", str(decree), "--quiet", *how]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("pythia-epidoc: The result cannot be written where it was")
    assert "Traceback" not in done.stderr


def test_diff_changes_nothing(decree: Path) -> None:
    original = decree.read_bytes()
    result = run("restore", decree, "--diff", "--quiet")
    assert result.stdout.count("\n+") == 6 and decree.read_bytes() == original


def collection_of(decree: Path, *places: str) -> list[Path]:
    files = [decree.with_name("stones") / place for place in places]
    for number, file in enumerate(files):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(decree.read_bytes() + b"<!-- %d -->" % number)
    return files


@pytest.mark.parametrize("named", ["stones", "stones/**/*.xml"])
def test_an_output_folder_keeps_the_folders_of_a_collection(decree: Path, named: str) -> None:
    places = ("attica/1.xml", "attica/2.xml", "delos/1.xml")
    files = collection_of(decree, *places)
    assert run("restore", named, "-o", "restored").exit_code == 0
    assert run("strip", "restored", "-o", "again").exit_code == 0
    for place, file in zip(places, files, strict=True):
        assert (decree.with_name("restored") / place).read_bytes() != file.read_bytes()
        assert (decree.with_name("again") / place).read_bytes() == file.read_bytes()


def test_two_files_are_not_written_to_one(decree: Path) -> None:
    files = collection_of(decree, "attica/1.xml", "delos/1.xml")
    error = run("restore", *files, "-o", "restored").exception
    assert isinstance(error, PythiaError)
    assert "would both be written to this file, so nothing was done" in str(error)
    assert not decree.with_name("restored").exists()


def test_a_stroke_at_the_end_means_a_folder(decree: Path) -> None:
    assert run("restore", decree, "-o", "restored/").exit_code == 0
    assert (decree.with_name("restored") / "decree.xml").is_file()


@pytest.mark.parametrize("named", ["stones", "stones/*.xml", "stones/1.xml"])
def test_an_output_folder_never_overwrites_the_files_themselves(decree: Path, named: str) -> None:
    [file] = collection_of(decree, "1.xml")
    before = file.read_bytes()
    error = run("restore", named, "-o", "stones").exception
    assert isinstance(error, PythiaError) and "overwrite this file, so nothing was done" in str(error)
    assert file.read_bytes() == before


@pytest.mark.parametrize("named", ["stones", "stones/**/*.xml"])
def test_an_output_folder_in_the_collection_is_no_part_of_it(decree: Path, named: str) -> None:
    collection_of(decree, "attica/1.xml", "2.xml")
    for _ in range(2):
        assert run("restore", named, "-o", "stones/restored").exit_code == 0
    found = {path.relative_to(decree.parent).as_posix() for path in decree.parent.rglob("*.xml")}
    assert len(found) == 5 and {"stones/restored/attica/1.xml", "stones/restored/2.xml"} <= found


def test_a_model_that_is_not_there_is_told_once(decree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_model(path: Path | None, device: str) -> None:
        raise ModelError("There is no such checkpoint.", path=path)

    monkeypatch.setattr(sys.modules["pythia_epidoc.model.restorer"], "load_restorer", no_model)
    collection_of(decree, "1.xml", "2.xml")
    assert isinstance(run("restore", "stones", "-o", "restored").exception, ModelError)


@pytest.mark.parametrize(("name", "count"), [("2", 1), ("l.6", 1), ("line 19", 1)])
def test_one_lacuna_by_number_or_line(decree: Path, name: str, count: int) -> None:
    result = run("restore", decree, "--lacuna", name, "-o", decree.with_name("out.xml"))
    assert f"{count} of {count} lacunae restored" in result.stderr
    assert decree.with_name("out.xml").read_text("utf-8").count("<lem>") == count


def test_one_lacuna_after_another_keeps_both(decree: Path) -> None:
    for number in (2, 3, 2):
        run("restore", decree, "--lacuna", number, "--in-place")
    text = decree.read_text("utf-8")
    assert text.count("<lem>") == 2 and "alternatives for 2 lacunae" in text


def test_one_lacuna_accepted_twice_is_accepted_once(decree: Path) -> None:
    options = ("--lacuna", 2, "--form", "accept", "--min-probability", 0, "--in-place")
    assert run("restore", decree, *options).exit_code == 0
    once = decree.read_bytes()
    again = run("restore", decree, *options)
    assert again.exit_code == 0 and "2  line 2" in again.stderr
    assert "not restored: it was restored by this tool before; `strip` takes that back." in again.stderr
    assert decree.read_bytes() == once


def test_a_lacuna_that_is_not_there(decree: Path) -> None:
    result = run("restore", decree, "--lacuna", "99", "--in-place")
    assert result.exit_code == 2 and "There is no gap number 99" in result.stderr


def test_several_files_need_a_place_to_go(decree: Path) -> None:
    other = decree.with_name("other.xml")
    other.write_bytes(decree.read_bytes())
    with pytest.raises(PythiaError, match="For several files"):
        CliRunner().invoke(group, ["restore", str(decree), str(other)], catch_exceptions=False)
    assert run("restore", decree, other, "-o", decree.parent / "out").exit_code == 0
    assert sorted(path.name for path in (decree.parent / "out").iterdir()) == ["decree.xml", "other.xml"]


def test_accept_and_reject_by_number(decree: Path) -> None:
    run("restore", decree, "--in-place")
    accepted = run("accept", decree, "--lacuna", 3, "--choice", 2, "--in-place")
    assert accepted.exit_code == 0 and "decided on 1 lacuna; 2 wait" in accepted.stderr
    rejected = run("reject", decree, "--lacuna", 2, "--in-place")
    assert rejected.exit_code == 0 and "decided on 1 lacuna; 1 waits" in rejected.stderr
    text = decree.read_text("utf-8")
    assert text.count("chosen instead of") == 1 and text.count("<lem>") == 1
    assert "alternatives for 1 lacuna, 1 lacuna restored" in text
    assert run("reject", decree, "--all", "--in-place").exit_code == 0
    assert "<lem>" not in decree.read_text("utf-8")
    assert "1 lacuna restored" in decree.read_text("utf-8")


def test_strip_says_what_it_took_out_and_what_stays(decree: Path) -> None:
    assert "nothing of this tool's" in run("strip", decree, "--in-place").stderr
    run("restore", decree, "--in-place")
    run("accept", decree, "--lacuna", 3, "--in-place")
    run("accept", decree, "--lacuna", 2, "--final", "--in-place")
    said = run("strip", decree, "--keep-chosen", "--in-place").stderr
    assert "suggestions for 1 lacuna, 0 restored passages. Accepted by a person, kept: 1." in said
    said = run("strip", decree, "--in-place").stderr
    assert "suggestions for 0 lacunae, 1 restored passage. Accepted with --final" in said


def test_strip_says_that_only_the_header_told_of_it(decree: Path) -> None:
    original = decree.read_bytes()
    run("restore", decree, "--lacuna", 2, "--in-place")
    text = re.sub(
        r'<app type="alternative"><lem>(<gap[^>]*/>)</lem>.*?</app>', r"\1", decree.read_text("utf-8")
    )
    decree.write_text(text, "utf-8")
    assert "taken out: what it had entered in the header" in run("strip", decree, "--in-place").stderr
    assert decree.read_bytes() == original


def test_deciding_one_by_one_with_undo(decree: Path) -> None:
    run("restore", decree, "--in-place")
    result = run("accept", decree, "--in-place", input="1\nr\nu\n2\ns\n")
    assert result.exit_code == 0 and "ἔδοξεν τῶι [" in result.stdout
    text = decree.read_text("utf-8")
    assert text.count("chosen instead of") == 2 and text.count("<lem>") == 1


CUT = """<div type="edition" xml:lang="grc"><ab>ἔδοξεν <gap reason="lost" quantity="4" unit="character"/>
<lb n="2" break="no"/><gap reason="lost" quantity="3" unit="character"/> καὶ <gap reason="lost" quantity="5"
unit="character"/></ab><gap reason="lost" quantity="5" unit="character"/><ab>ἐπὶ <gap reason="lost"
quantity="2" unit="character"/></ab></div>"""


def test_who_stops_deciding_keeps_what_was_decided(decree: Path) -> None:
    run("restore", decree, "--in-place")
    result = run("accept", decree, "--in-place", input="1\n")
    assert result.exit_code == 0
    assert "decided on 1 lacuna;" in result.stderr


def test_deciding_goes_on_after_a_lacuna_that_a_line_break_cuts(tmp_path: Path) -> None:
    path = tmp_path / "cut.xml"
    path.write_text(CUT, "utf-8")
    run("restore", path, "--in-place")
    result = run("accept", path, "--in-place", input="1\n1\n1\ns\n1\n")
    assert result.exit_code == 0 and "where text may not stand" in result.stdout
    assert "decided on 3 lacunae; 1 waits" in result.stderr
    text = path.read_text("utf-8")
    assert text.count("chosen instead of") == 4 and text.count("<lem>") == 1


def test_final_is_heeded_where_one_is_asked_about_each(decree: Path) -> None:
    run("restore", decree, "--in-place")
    assert run("accept", decree, "--final", "--in-place", input="1\ns\ns\n").exit_code == 0
    text = decree.read_text("utf-8")
    assert "1 lacuna restored" in text and "instead of" not in text


def test_nothing_to_decide(decree: Path) -> None:
    original = decree.read_bytes()
    assert "nothing waits" in run("accept", decree, "--in-place").stderr
    assert decree.read_bytes() == original


def test_the_project_goes_before_the_user_and_the_command_line_before_both(
    decree: Path, tmp_path: Path
) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "pythia-epidoc.toml").write_text("top = 1\nbeam = 7\n[restore]\nplain = true\n")
    (tmp_path / "pythia-epidoc.toml").write_text('[restore]\ntop = 2\nresp_id = "machine"\n')
    shown = run("restore", "--show-config").stdout
    assert f"top = 2  # {tmp_path / 'pythia-epidoc.toml'}" in shown
    assert f"plain = true  # {tmp_path / 'user' / 'pythia-epidoc.toml'}" in shown
    assert "beam = 7" in shown and 'form = "inline"  # default' in shown
    run("restore", decree, "--lacuna", 2, "--in-place")
    text = decree.read_text("utf-8")
    assert text.count("<rdg") == 2 and 'resp="#machine"' in text
    run("restore", decree, "--lacuna", 2, "--in-place", "--top", 1)
    assert decree.read_text("utf-8").count("<rdg") == 1


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ("[restore]\ntopp = 2\n", "'topp', which is no option"),
        ("[restor]\ntop = 2\n", r"\[restor\] has no effect"),
        ("devise = 'cpu'\n", "No command has an option 'devise'"),
        ("[restore]\ntop = 'ten'\n", "top = \"ten\": 'ten' is not a valid integer"),
        ("[restore]\ntop = 0\n", "top = 0: 0 is not in the range"),
        ("[restore]\ntop = [1, 2]\n", r"top = \[1, 2\]: that is no value"),
        ("[restore]\nlacuna = '2'\n", 'lacuna = "2": several are possible'),
        ("[restore]\ntop = \n", "This is not TOML"),
        ("restore = 3\n", "must be a table"),
    ],
)
def test_settings_that_make_no_sense_are_one_sentence(
    decree: Path, tmp_path: Path, settings: str, complaint: str
) -> None:
    path = tmp_path / "pythia-epidoc.toml"
    path.write_text(settings)
    with pytest.raises(PythiaError, match=complaint) as caught:
        CliRunner().invoke(group, ["restore", str(decree)], catch_exceptions=False)
    assert str(caught.value).startswith(str(path))


def test_a_setting_for_other_commands_is_passed_over(decree: Path, tmp_path: Path) -> None:
    (tmp_path / "pythia-epidoc.toml").write_text('workers = 3\nparallels = ""\n[batch]\npool = 8\n')
    assert run("strip", decree, "--in-place").exit_code == 0


def test_a_place_that_is_typed_goes_before_one_in_the_settings(decree: Path, tmp_path: Path) -> None:
    (tmp_path / "pythia-epidoc.toml").write_text("[restore]\nin-place = true\n")
    before = decree.read_bytes()
    assert run("restore", decree, "--diff").stdout.startswith("---") and decree.read_bytes() == before
    assert run("restore", decree, "-o", "out.xml").exit_code == 0 and decree.read_bytes() == before
    assert run("restore", decree).exit_code == 0 and decree.read_bytes() != before
