"""What a user does wrong becomes one sentence, never a traceback, and every command explains itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pythia_epidoc.cli import COMMANDS, group
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import DocumentError, PythiaError

ON_FILES = {
    "inspect": [],
    "text": [],
    "lint": [],
    "leiden": [],
    "restore": ["--diff"],
    "strip": ["--diff"],
    "accept": ["--in-place"],
    "reject": ["--all", "--diff"],
    "review": [],
    "attention": ["--lacuna", "1"],
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, arguments)


def sentence(result: Result) -> str:
    """What the user is told; `main` prints a project error that arrives there in the same way."""
    assert isinstance(result.exception, (PythiaError, SystemExit)), result.exception
    assert result.exit_code != 0
    return str(result.exception) if isinstance(result.exception, PythiaError) else result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_that_says_what_it_does(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) > 5


@pytest.mark.parametrize(("name", "options"), ON_FILES.items(), ids=list(ON_FILES))
def test_a_file_that_cannot_be_read_is_named_with_its_fault(
    name: str, options: list[str], tmp_path: Path, samples_dir: Path
) -> None:
    missing = sentence(run(name, str(tmp_path / "none.xml"), *options))
    assert "none.xml: There is no such file; check the name." in missing
    broken = sentence(run(name, str(samples_dir / "broken.xml"), *options))
    assert "broken.xml:26:" in broken
    assert "not well-formed" in broken.lower()


@pytest.mark.parametrize("name", ["inspect", "text", "lint", "leiden", "restore", "strip"])
def test_a_folder_without_editions_is_an_error(name: str, tmp_path: Path) -> None:
    options = ["--diff"] if name in ("restore", "strip") else []
    assert "There is no .xml file in this folder" in sentence(run(name, str(tmp_path), *options))


@pytest.mark.parametrize(
    "arguments",
    [
        ["strip", "SAMPLE", "-o", "FILE/out.xml"],
        ["strip", "SAMPLE", "SAMPLE2", "-o", "FILE"],
        ["convert", "TEXT", "-o", "FILE/folder"],
        ["convert", "TEXT", "--report", "FILE/report.json"],
        ["batch", "SAMPLES", "-o", "FILE"],
        ["corpus", "build", "SAMPLES", "-o", "FILE"],
    ],
    ids=" ".join,
)
def test_an_output_that_cannot_be_written_is_named(
    arguments: list[str], tmp_path: Path, samples_dir: Path
) -> None:
    (tmp_path / "file").write_text("a file, not a folder")
    (tmp_path / "text.txt").write_text("1 ἔδοξεν τῆι βουλῆι\n", "utf-8")
    places = {
        "SAMPLES": samples_dir,
        "SAMPLE2": samples_dir / "verse.xml",
        "SAMPLE": samples_dir / "epitaph.xml",
        "TEXT": tmp_path / "text.txt",
        "FILE": tmp_path / "file",
    }
    for word, path in places.items():
        arguments = [argument.replace(word, str(path)) for argument in arguments]
    told = sentence(run(*arguments))
    assert str(tmp_path / "file") in told
    assert "cannot be" in told


def command(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as a shell runs it, door and all."""
    return subprocess.run(
        [sys.executable, "-m", "pythia_epidoc", *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
    )


def test_a_misspelt_command_is_told_the_one_that_is_meant() -> None:
    assert "There is no command 'restor'. Did you mean 'restore'?" in sentence(run("restor"))
    assert "There is no command 'xyz'.\n" in sentence(run("xyz"))


@pytest.mark.parametrize("arguments", [["leiden", "epitaph.xml"], ["doctor", "--help"], ["lint", "none"]])
def test_output_that_is_piped_is_utf_8_whatever_the_system_prefers(
    arguments: list[str], samples_dir: Path
) -> None:
    given = [str(samples_dir / part) if part.endswith(".xml") else part for part in arguments]
    plain, latin = command(*given), command(*given, PYTHONIOENCODING="latin-1")
    assert (latin.returncode, latin.stdout, latin.stderr) == (plain.returncode, plain.stdout, plain.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_sentence(samples_dir: Path) -> None:
    line = [sys.executable, "-m", "pythia_epidoc", "text", samples_dir / "epitaph.xml"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, encoding="utf-8")
    assert done.returncode != 0
    assert done.stderr.startswith("pythia-epidoc: The system says: No space left on device. Mend that")
    assert "Traceback" not in done.stderr


def test_a_library_that_is_missing_sends_to_the_doctor(tmp_path: Path, samples_dir: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError(\"No module named 'torch'\")")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = command("restore", samples_dir / "epitaph.xml", "--diff", PYTHONPATH=path)
    assert done.returncode == 2
    assert "No module named 'torch'. `pythia-epidoc doctor` says what to do." in done.stderr
    assert "Traceback" not in done.stderr


NOT_TEI = "<html><body><p>x</p></body></html>"
BROKEN = {
    "<TEI><text></TEI>": "<text> of line 1 is closed by </TEI>",
    "<TEI>\n<text>": "the file ends before <text> of line 2 is closed",
    "just words": "there is no element",
    "<TEI>a & b</TEI>": "write &amp;",
    "<TEI n=1/>": "no quotation marks",
    '<TEI n="1" n="2"/>': "the attribute n stands twice",
}


@pytest.mark.parametrize("command", sorted(set(ON_FILES) - {"inspect"}))
def test_xml_that_is_not_tei_is_refused_in_one_sentence(command: str, tmp_path: Path) -> None:
    file = tmp_path / "page.xml"
    file.write_text(NOT_TEI)
    result = run(command, str(file), *ON_FILES[command])
    said = str(result.exception) if isinstance(result.exception, PythiaError) else result.output
    sentence = f"{file}: This is XML, but not a TEI document: its root is <html>. Give an EpiDoc file."
    assert result.exit_code != 0 and sentence in said


@pytest.mark.parametrize("text", BROKEN)
def test_broken_xml_is_explained_in_plain_words(text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        Document.from_bytes(text.encode())
    assert BROKEN[text] in str(caught.value)
