"""The doctor tells what is wrong and what to do, survives what it examines, and gives nothing away."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner

from pythia_epidoc import doctor
from pythia_epidoc.cli import group
from pythia_epidoc.doctor import FINE, NOTE, WRONG, Check, Trial, run

GOOD_TRIALS = {
    "float32": Trial({"device": "cpu", "threads": 2, "capability": "AVX2"}),
    "bfloat16": Trial({}),
    "model": Trial(
        {"name": "m", "version": "1", "digest": "ab", "is_expected": True, "phrase": "[Καίσ]αρος"}
    ),
}


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Trial]:
    """How the trials end; a test may change it. The working folder is an empty one."""
    ends = dict(GOOD_TRIALS)
    monkeypatch.setattr(doctor, "run_trial", lambda name, *rest, **more: ends[name])
    monkeypatch.setattr(doctor, "run", lambda command: Trial({}))
    monkeypatch.chdir(tmp_path)
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    return ends


def found(name: str) -> Check:
    [check] = [check for check in doctor.examine() if check.name == name]
    return check


def test_a_sound_installation_passes_in_reality(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pythia_epidoc", "doctor", "--json"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    report = json.loads(done.stdout)
    wrong = [check for check in report["checks"] if check["status"] == WRONG]
    assert (done.returncode, report["fine"], wrong) == (0, True, [])
    assert {"Python", "torch", "arithmetic", "processor", "model", "restoration", "language server"} <= {
        check["name"] for check in report["checks"]
    }
    assert str(Path.home()) not in done.stdout
    assert str(tmp_path) not in done.stdout


def test_an_illegal_instruction_is_reported_not_suffered() -> None:
    trial = run([sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGILL)"])
    assert trial.problem == "killed by SIGILL."


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("raise SystemExit('no such thing')", "no such thing."),
        ("import os; os._exit(3)", "exit code 3."),
        ("import pathlib; raise SystemExit(f'lost in {pathlib.Path.home()}')", "lost in ~."),
    ],
)
def test_another_bad_end_is_told_in_words(code: str, problem: str) -> None:
    assert run([sys.executable, "-c", code]).problem == problem


def test_a_plain_computation_that_crashes_is_wrong(trials: dict[str, Trial]) -> None:
    trials["float32"] = Trial({}, "killed by SIGILL.")
    check = found("arithmetic")
    assert check.status == WRONG
    assert "another build of torch" in check.advice
    assert not [check for check in doctor.examine() if check.name == "processor"]


def test_advertised_instructions_that_crash_are_a_note_since_they_are_not_used(
    trials: dict[str, Trial],
) -> None:
    trials["bfloat16"] = Trial({}, "killed by SIGILL.")
    check = found("processor")
    assert check.status == NOTE
    assert "ONEDNN_MAX_CPU_ISA" in check.advice


def test_a_damaged_model_is_wrong(trials: dict[str, Trial]) -> None:
    trials["model"] = Trial({}, "The checkpoint is damaged.")
    assert found("model").status == WRONG
    result = CliRunner().invoke(group, ["doctor"])
    assert result.exit_code == 1
    assert "1 thing is wrong" in result.stdout
    assert "→ Install again" in result.stdout


def test_the_model_of_the_settings_is_the_one_examined(tmp_path: Path) -> None:
    trial = doctor.run_trial("model", arguments=("cpu", str(tmp_path / "none.safetensors")))
    assert trial.problem.startswith("There is no such checkpoint")


def test_a_missing_or_old_library_is_wrong(trials: dict[str, Trial], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        metadata, "requires", lambda name: ["click>=999", "no-such-library>=1", "ray; extra == 'ray'"]
    )
    assert found("click").status == found("no-such-library").status == WRONG
    assert found("click").advice == 'Run: pip install "click>=999"'
    assert not [check for check in doctor.examine() if check.name == "ray"]


def test_settings_are_listed_without_their_values(trials: dict[str, Trial], tmp_path: Path) -> None:
    (tmp_path / "pythia-epidoc.toml").write_text('device = "cpu"\n[restore]\nresp_id = "secret"\n')
    check = found("settings")
    assert check.finding == "pythia-epidoc.toml of this folder: device, restore.resp-id"


def test_options_of_restore_do_not_keep_the_model_from_being_examined(
    monkeypatch: pytest.MonkeyPatch, trials: dict[str, Trial], tmp_path: Path
) -> None:
    asked: list[tuple[str, ...]] = []

    def listen(name: str, *_: object, arguments: tuple[str, ...] = ()) -> Trial:
        asked.append(arguments)
        return trials[name]

    monkeypatch.setattr(doctor, "run_trial", listen)
    (tmp_path / "pythia-epidoc.toml").write_text('device = "cpu"\n[restore]\nmodel = "mine"\ntop = 10\n')
    assert found("model").status == FINE
    assert ("cpu", "mine") in asked


def test_a_broken_settings_file_is_a_finding_once(trials: dict[str, Trial], tmp_path: Path) -> None:
    (tmp_path / "pythia-epidoc.toml").write_text("device = cpu")
    assert found("settings").status == WRONG
    result = CliRunner().invoke(group, ["doctor"])
    assert result.exit_code == 1
    assert "1 thing is wrong" in result.stdout


def test_an_index_that_is_named_and_not_there_is_wrong(trials: dict[str, Trial], tmp_path: Path) -> None:
    (tmp_path / "pythia-epidoc.toml").write_text('parallels = "none.db"')
    check = found("parallels")
    assert (check.status, check.finding) == (
        WRONG,
        "There is no such index; make one with `pythia-epidoc parallels index`.",
    )


@pytest.fixture
def only_commands(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What is on the PATH."""
    commands: dict[str, str] = {}
    monkeypatch.setattr(shutil, "which", commands.get)
    return commands


def test_editors_and_the_command_they_start_are_looked_for(
    trials: dict[str, Trial], only_commands: dict[str, str], tmp_path: Path
) -> None:
    assert found("command").status == NOTE
    only_commands["pythia-epidoc"] = str(tmp_path / "pythia-epidoc")
    assert "belongs to another Python" in found("command").finding
    only_commands["pythia-epidoc"] = str(Path(sys.executable).with_name("pythia-epidoc"))
    only_commands["nvim"] = "nvim"
    assert found("command").status == FINE
    assert found("editors").finding == "Neovim"
