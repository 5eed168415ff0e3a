"""How fast a batch is: against one file at a time, as collections grow, and in how much memory.

    python benchmarks/batch.py COLLECTION [--files 200] [--sizes 100,1000,10000] [--stub]

The first part uses the real model (or the stub of the tests, with --stub) on a sample of the collection:
a batch against the same files one at a time with a loaded model, then the command `batch` against the
command `restore` for each file; both ways must give the same bytes. The second part always uses the stub:
it measures reading, writing and the ledger, whose time must grow with the number of files and whose memory
must not.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from stub_model import StubRestorer

from pythia_epidoc.batch.run import BatchOptions, run_batch
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import PythiaError
from pythia_epidoc.restoration import Restorer
from pythia_epidoc.restoring import RestoreOptions, restore_document
from pythia_epidoc.writeback import WriteOptions

OPTIONS = RestoreOptions(write=WriteOptions(top=3, date="2025-01-01"), beam=20)


class Clock:
    """Seconds on the wall, and seconds of processor time of this process and those it has ended."""

    def __init__(self) -> None:
        self.began = self._now()

    def read(self) -> tuple[float, float]:
        wall, work = self._now()
        return wall - self.began[0], work - self.began[1]

    @staticmethod
    def _now() -> tuple[float, float]:
        spent = os.times()
        return spent.elapsed, spent.user + spent.system + spent.children_user + spent.children_system


def sample(collection: Path, count: int, folder: Path) -> Path:
    """So many files of a collection, spread over it; taken again and again if it has fewer."""
    paths = sorted(collection.rglob("*.xml"))
    step = max(1, len(paths) // count)
    folder.mkdir(parents=True)
    for number in range(count):
        path = paths[number * step % len(paths)]
        shutil.copyfile(path, folder / f"{number:06}.xml")
    return folder


def compare(folder: Path, restorer: Restorer, work: Path, workers: int, pool: int) -> dict[str, float]:
    """The same files one at a time with a model that is loaded already, and as a batch."""
    began = Clock()
    alone: dict[str, bytes] = {}
    lacunae = 0
    for path in sorted(folder.iterdir()):
        try:
            outcome = restore_document(Document.open(path), restorer, OPTIONS)
        except PythiaError:
            continue
        alone[path.name] = outcome.data
        lacunae += outcome.written
    one_by_one, one_by_one_work = began.read()
    began = Clock()
    run_batch(folder, work, restorer, BatchOptions(OPTIONS, workers=workers, pool=pool))
    together, together_work = began.read()
    same = sum((work / name).read_bytes() == data for name, data in alone.items())
    return {
        "files": len(alone),
        "lacunae": lacunae,
        "lacunae/s one file at a time": round(lacunae / one_by_one, 2),
        "lacunae/s in a batch": round(lacunae / together, 2),
        "times faster": round(one_by_one / together, 2),
        "times less work for the processors": round(one_by_one_work / together_work, 2),
        "files with the same bytes": same,
    }


def commands(folder: Path, work: Path, workers: int) -> dict[str, float]:
    """`restore` for each file, as in a loop of the shell, and `batch` for all: both start from nothing."""
    write = ["--top", "3", "--beam", "20", "--date", "2025-01-01"]
    program = [sys.executable, "-m", "pythia_epidoc"]
    work.mkdir()
    began = Clock()
    for path in sorted(folder.iterdir()):
        command = [*program, "restore", str(path), "-o", str(work / path.name), *write]
        subprocess.run(command, capture_output=True, check=False)
    one_by_one, one_by_one_work = began.read()
    began = Clock()
    batch = [*program, "batch", str(folder), "-o", str(work / "batch"), *write, "--workers", str(workers)]
    subprocess.run(batch, capture_output=True, check=True)
    together, together_work = began.read()
    single = list(work.glob("*.xml"))
    return {
        "files": len(single),
        "seconds, a command for each file": round(one_by_one, 1),
        "seconds, one batch": round(together, 1),
        "times faster": round(one_by_one / together, 2),
        "times less work for the processors": round(one_by_one_work / together_work, 2),
        "files with the same bytes": sum(
            (work / "batch" / path.name).read_bytes() == path.read_bytes() for path in single
        ),
    }


def grow(arguments: tuple[Path, Path, int, int]) -> dict[str, float]:
    """One run with the stub in a process of its own, so that its peak memory can be seen."""
    collection, folder, count, workers = arguments
    source = sample(collection, count, folder / "source")
    began = time.perf_counter()
    totals = run_batch(source, folder / "out", StubRestorer(), BatchOptions(OPTIONS, workers=workers))
    seconds = time.perf_counter() - began
    usage = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {
        "files": totals.files,
        "lacunae": totals.lacunae,
        "seconds": round(seconds, 1),
        "files/s": round(totals.files / seconds, 1),
        "peak MB": round(usage / 1024, 1),
        "peak MB of a worker": round(children / 1024, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection", type=Path)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--pool", type=int, default=256)
    parser.add_argument("--stub", action="store_true")
    arguments = parser.parse_args()
    if not any(arguments.collection.rglob("*.xml")):
        parser.error(f"there are no XML files in {arguments.collection}; name a folder that has some")
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        if arguments.files:
            restorer: Restorer = StubRestorer()
            if not arguments.stub:
                from pythia_epidoc.model.restorer import load_restorer

                restorer = load_restorer()
            folder = sample(arguments.collection, arguments.files, work / "sample")
            print(json.dumps(compare(folder, restorer, work / "batch", arguments.workers, arguments.pool)))
            if not arguments.stub:
                print(json.dumps(commands(folder, work / "commands", arguments.workers)), flush=True)
        for size in map(int, filter(None, arguments.sizes.split(","))):
            task = (arguments.collection, work / str(size), size, arguments.workers)
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
                print(json.dumps(process.submit(grow, task).result()), flush=True)


if __name__ == "__main__":
    main()
