"""A batch that is killed at any moment loses nothing, and a full disk harms no file.

`PYTHIA_KILLS=50` sets how often it is killed; the ordinary test suite does it a few times.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pythia_epidoc.batch.ledger import FILE_NAME
from pythia_epidoc.epidoc.document import Document

KILLS = int(os.environ.get("PYTHIA_KILLS", "4"))
FILES = 120
EDITION = (
    '<div type="edition" xml:lang="grc"><ab>ἔδοξεν {} <gap reason="lost" quantity="{}" unit="character"/> '
    'καὶ <gap reason="lost" extent="unknown" unit="character"/></ab></div>'
)
SCRIPT = Path(__file__).resolve().parent.parent / "run_with_stub.py"


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collection")
    for number in range(FILES):
        path = folder / f"{number % 7}" / f"{number}.xml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(EDITION.format("α" * number, 1 + number % 30), "utf-8")
    return folder


def command(collection: Path, output: Path, *more: str) -> list[str]:
    options = ["-o", str(output), "--date", "2025-01-01", "--workers", "2", "--pool", "4", *more]
    return [sys.executable, str(SCRIPT), "batch", str(collection), *options]


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(FILE_NAME)
    }


@pytest.fixture(scope="module")
def undisturbed(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    output = tmp_path_factory.mktemp("whole") / "out"
    subprocess.run(command(collection, output), check=True, capture_output=True)
    return tree(output)


def test_killed_again_and_again(collection: Path, undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    sources = tree(collection)
    output = tmp_path / "out"
    chance = random.Random(4)
    environment = {**os.environ, "STUB_SECONDS": "0.01"}
    for _ in range(KILLS):
        process = subprocess.Popen(
            command(collection, output, "--resume"),
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(chance.uniform(0.2, 4.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        for path in output.rglob("*.xml"):
            assert path.read_bytes() == undisturbed[path.relative_to(output).as_posix()]
        if (output / "report.html").exists() and process.returncode == 0:
            shutil.rmtree(output)
    # A process of the killed run may still be dying, and then holds nothing but its last file.
    finished = subprocess.run(command(collection, output, "--resume"), capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert tree(output) == undisturbed
    assert tree(collection) == sources


def test_ctrl_c_stops_cleanly(collection: Path, undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    output = tmp_path / "out"
    environment = {**os.environ, "STUB_SECONDS": "0.3"}
    process = subprocess.Popen(
        command(collection, output),
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not list(output.rglob("*.xml")):
        time.sleep(0.05)
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert process.returncode == 130 and "--resume goes on" in message and "Traceback" not in message
    subprocess.run(command(collection, output, "--resume"), check=True, capture_output=True)
    assert tree(output) == undisturbed


@pytest.mark.skipif(not Path("/dev/shm").is_dir() or os.geteuid() != 0, reason="needs to mount a small disk")
def test_a_full_disk_is_told_and_can_be_resumed_elsewhere(
    collection: Path, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(small)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("may not mount here")
    try:
        run = subprocess.run(command(collection, small / "out"), capture_output=True, text=True)
        assert run.returncode == 2 and "Traceback" not in run.stderr
        assert "No space left" in run.stderr or "disk is full" in run.stderr, run.stderr
        for path in (small / "out").rglob("*.xml"):
            assert path.read_bytes() == undisturbed[path.relative_to(small / "out").as_posix()]
            assert Document.open(path)
        subprocess.run(["mount", "-o", "remount,size=20m", str(small)], check=True)
        subprocess.run(command(collection, small / "out", "--resume"), check=True, capture_output=True)
        assert tree(small / "out") == undisturbed
        subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
        run = subprocess.run(command(collection, small / "out", "--resume"), capture_output=True, text=True)
        assert run.returncode == 2 and "read-only" in run.stderr and "Traceback" not in run.stderr
    finally:
        subprocess.run(["umount", str(small)], check=False)
