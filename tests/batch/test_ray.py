"""The Ray engine on a real local cluster: the results of the local engine, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from stub_model import StubRestorer

from pythia_epidoc.batch import ray_engine
from pythia_epidoc.batch.local import Setting
from pythia_epidoc.batch.run import BatchOptions, run_batch
from pythia_epidoc.batch.work import FileResult
from pythia_epidoc.restoring import RestoreOptions
from pythia_epidoc.writeback import WriteOptions

ray = pytest.importorskip("ray", reason="needs the extra pythia-epidoc[ray]")

WRITE = WriteOptions(top=2, date="2025-01-01")
FILES = 100
MINE = f"PYTHIA_TEST_{os.getpid()}"
"""Marks the processes of this test's cluster: no other may be killed."""
EDITION = (
    '<div type="edition" xml:lang="grc"><ab>ἔδοξεν {} <gap reason="lost" quantity="{}" unit="character"/> '
    "</ab></div>"
)


@pytest.fixture(scope="module")
def cluster() -> Any:
    tests = str(Path(__file__).resolve().parent.parent)
    paths = os.pathsep.join([tests, *filter(None, [os.environ.get("PYTHONPATH")])])
    runtime = {"env_vars": {"PYTHONPATH": paths, "STUB_SECONDS": "0.3", MINE: "1"}}
    yield ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, runtime_env=runtime)
    ray.shutdown()


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collection")
    for number in range(FILES):
        (folder / f"{number}.xml").write_text(EDITION.format("α" * number, 1 + number % 30), "utf-8")
    (folder / "broken.xml").write_text("<div", "utf-8")
    return folder


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_engine, "FILES", 8)
    monkeypatch.setattr(ray_engine, "LOADER", "run_with_stub:load_slow_stub")


def outputs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith("ledger")}


def test_results_are_those_of_the_local_engine(
    cluster: Any, collection: Path, tmp_path: Path, small_batches: None
) -> None:
    restore = RestoreOptions(write=WRITE)
    run_batch(collection, tmp_path / "local", StubRestorer(), BatchOptions(restore, workers=1))
    run_batch(collection, tmp_path / "ray", StubRestorer(), BatchOptions(restore, workers=3, engine="ray"))
    assert outputs(tmp_path / "ray") == outputs(tmp_path / "local")


def test_a_killed_worker_costs_nothing(
    cluster: Any, collection: Path, tmp_path: Path, small_batches: None
) -> None:
    killed: list[int] = []

    def kill_one() -> None:
        """Kill the process of an actor once actors are at work."""
        while not killed and not finished.is_set():
            time.sleep(0.2)
            for process in Path("/proc").glob("[0-9]*"):
                try:
                    is_mine = MINE.encode() in (process / "environ").read_bytes()
                    is_actor = b"RestoringActor" in (process / "cmdline").read_bytes()
                except OSError:
                    continue
                if is_mine and is_actor:
                    killed.append(int(process.name))
                    os.kill(killed[0], signal.SIGKILL)
                    return

    setting = Setting(collection, tmp_path, RestoreOptions(write=WRITE), StubRestorer().identity)
    finished = threading.Event()
    results: list[FileResult] = []
    found = ray_engine.run_ray(
        [path.name for path in sorted(collection.iterdir())],
        setting,
        model_path=None,
        device="cpu",
        workers=2,
    )
    for result in found:
        if not results:
            threading.Thread(target=kill_one, daemon=True).start()
        results.append(result)
    finished.set()
    assert killed, "no worker was found to kill"
    assert sorted(result.path for result in results) == sorted(path.name for path in collection.iterdir())
    assert sum(result.state == "failed" for result in results) == 1


def test_without_ray_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray.data", None)
    with pytest.raises(Exception, match="pip install"):
        ray_engine._ray()
