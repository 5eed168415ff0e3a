"""`pythia-epidoc corpus` as a user sees it: table, reports, exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from pythia_epidoc.cli import group
from pythia_epidoc.corpus.build import load
from pythia_epidoc.errors import CorpusError

TEI = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc">'
    "<ab>{}</ab></div></body></text></TEI>"
)


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "stones"
    folder.mkdir()
    (folder / "a.xml").write_text(TEI.format("ἔδοξεν τῇ βουλῇ καὶ τῷ δήμῳ"), "utf-8")
    (folder / "b.xml").write_text(TEI.format("ὁ δῆμος ἐτίμησεν Ἀπολλώνιον"), "utf-8")
    return folder


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(group, ["corpus", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_build_prints_a_table_of_texts_words_and_characters(collection: Path, tmp_path: Path) -> None:
    code, table, _ = run("build", str(collection), "-o", str(tmp_path / "out"), "--processes", "1")
    assert code == 0
    for heading in ("train", "validation", "test", "texts", "words", "characters", "stones", "all"):
        assert heading in table


def test_stats_prints_the_same_table_again(collection: Path, tmp_path: Path) -> None:
    _, built, _ = run("build", str(collection), "-o", str(tmp_path / "out"), "--processes", "1")
    code, again, _ = run("stats", str(tmp_path / "out"))
    assert code == 0
    assert again == built


def test_unreadable_files_are_named_with_their_reason(collection: Path, tmp_path: Path) -> None:
    (collection / "broken.xml").write_text("<TEI>", "utf-8")
    code, _, errors = run("build", str(collection), "-o", str(tmp_path / "out"), "--processes", "1")
    assert code == 0
    assert "left out stones/broken:" in errors and "Not well-formed" in errors


@pytest.mark.parametrize("damage", ["{", "[]", None])
def test_a_damaged_corpus_says_so_and_is_mended_by_building_it_again(
    collection: Path, tmp_path: Path, damage: str | None
) -> None:
    build = ["corpus", "build", str(collection), "-o", str(tmp_path / "out"), "--processes", "1"]
    assert CliRunner().invoke(group, build).exit_code == 0
    if damage is None:
        (tmp_path / "out/stones.jsonl").unlink()
    else:
        (tmp_path / "out/manifest.json").write_text(damage)
    train = ["train", "--data", str(tmp_path / "out"), "-o", str(tmp_path / "run")]
    result = CliRunner().invoke(group, train)
    assert isinstance(result.exception, CorpusError)
    assert "build" in result.exception.message
    assert CliRunner().invoke(group, build).exit_code == 0
    assert len(list(load(tmp_path / "out", "train"))) == 2


def test_a_collection_without_greek_texts_is_an_error_not_an_empty_corpus(tmp_path: Path) -> None:
    (tmp_path / "latin").mkdir()
    (tmp_path / "latin/a.xml").write_text(TEI.format("dis manibus"), "utf-8")
    (tmp_path / "latin/b.xml").write_text("<TEI>", "utf-8")
    command = ["corpus", "build", str(tmp_path / "latin"), "-o", str(tmp_path / "out"), "--processes", "1"]
    error = CliRunner().invoke(group, command).exception
    assert isinstance(error, CorpusError)
    assert "None of the 2 files" in error.message and "latin/b:1:6: Not well-formed" in error.message


def test_the_folder_one_is_in_has_its_own_name(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(collection)
    assert run("build", ".", "-o", str(tmp_path / "out"), "--processes", "1")[0] == 0
    assert (tmp_path / "out/stones.jsonl").exists()


def test_stats_of_a_folder_without_a_corpus_says_how_to_make_one(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pythia_epidoc", "corpus", "stats", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "corpus build" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(1500):
        (folder / f"{number}.xml").write_text(TEI.format("ὁ δῆμος ἐτίμησεν " + "Ἀπολλώνιον " * 200), "utf-8")
    command = [sys.executable, "-m", "pythia_epidoc", "corpus", "build", str(folder)]
    command += ["-o", str(tmp_path / "out"), "--processes", "2"]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background shell ignores it
    )
    part = tmp_path / "out" / "many.jsonl.part"
    deadline = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "same command goes on" in errors
    assert "Traceback" not in errors
    assert not part.exists()
