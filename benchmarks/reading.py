"""How fast editions are read, against a bare parse by lxml of the same files.

    python benchmarks/reading.py [FOLDER...] [--every 10] [--processes 2] [--limit 5.0]

Without folders the archives in ../shared/corpora are unpacked to a temporary folder. Times are CPU times,
taken file by file in turn, so that a busy machine slows both sides alike. Prints, for each corpus and for
all: the time of `Document.open` with the readings of all editions over that of `lxml.etree.parse`, the same
with the offset of every sign and with all lacunae; then files per second with several processes, the
peak memory as the number of files grows, and the time of `pythia-epidoc --help` over that of the imports
it cannot do without.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lxml import etree

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import DocumentError

ARCHIVES = Path(__file__).resolve().parent.parent.parent / "shared" / "corpora"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--every", type=int, default=10, help="take every n-th file")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--limit", type=float, help="fail if reading takes more than so many parses")
    parser.add_argument("--memory-of", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with _folders(options.folders) as folders:
        corpora = {folder.name: sorted(folder.rglob("*.xml"))[:: options.every] for folder in folders}
        files = [file for corpus in corpora.values() for file in corpus]
        if options.memory_of is not None:
            print(_peak_memory(files[: options.memory_of]))
            return
        for file in files[:: max(1, len(files) // 20)]:
            _read(file)  # imports and tables are not what is measured
        ratio = _compare(corpora)
        _throughput(files, options.processes)
        _memory(files, folders, options.every)
        _start_up()
    if options.limit is not None and ratio > options.limit:
        sys.exit(f"Reading takes {ratio:.2f} parses; at most {options.limit} were wanted.")


@contextmanager
def _folders(given: list[Path]) -> Iterator[list[Path]]:
    if given:
        yield given
        return
    archives = sorted(ARCHIVES.glob("*.tar.xz"))
    if not archives:
        sys.exit("Name folders with XML files: there are no archives beside this checkout.")
    with tempfile.TemporaryDirectory() as temporary:
        folders = []
        for archive in archives:
            folder = Path(temporary, archive.name.removesuffix(".tar.xz"))
            with tarfile.open(archive) as contents:
                contents.extractall(folder, filter="data")
            folders.append(folder)
        yield folders


def _compare(corpora: dict[str, list[Path]]) -> float:
    print(
        f"{'corpus':<28}{'files':>7}{'lxml':>10}{'reading':>10}{'ratio':>8}{'+ offsets':>11}{'+ lacunae':>11}"
    )
    total = [0.0] * 4
    for name, files in corpora.items():
        times = [sum(column) for column in zip(*map(_times, files), strict=True)] if files else [0.0] * 4
        total = [before + now for before, now in zip(total, times, strict=True)]
        _print_row(name, len(files), times)
    _print_row("all", sum(map(len, corpora.values())), total)
    return total[1] / total[0]


def _print_row(name: str, count: int, times: list[float]) -> None:
    lxml, reading, offsets, lacunae = times
    if lxml:
        print(
            f"{name:<28}{count:>7,}{lxml:>8.2f} s{reading:>8.2f} s{reading / lxml:>8.2f}"
            f"{(reading + offsets) / lxml:>11.2f}{(reading + offsets + lacunae) / lxml:>11.2f}"
        )


def _times(file: Path) -> tuple[float, float, float, float]:
    """CPU time of a parse, of reading, of offsets on top and of lacunae on top."""
    clock = time.process_time
    file.read_bytes()  # neither side pays for a cold disk
    began = clock()
    try:
        etree.parse(file)
    except etree.XMLSyntaxError:
        return 0.0, 0.0, 0.0, 0.0
    parsed = clock()
    try:
        document = Document.open(file)
    except DocumentError:
        return 0.0, 0.0, 0.0, 0.0
    readings = [edition.reading for edition in document.editions]
    read = clock()
    for reading in readings:
        _ = reading.starts
    spread = clock()
    _ = document.lacunae
    return parsed - began, read - parsed, spread - read, clock() - spread


def _read(file: Path) -> int:
    try:
        return sum(len(edition.reading) for edition in Document.open(file).editions)
    except DocumentError:
        return 0


def _throughput(files: list[Path], processes: int) -> None:
    for count in sorted({1, processes}):
        began = time.perf_counter()
        with multiprocessing.Pool(count) as pool:
            signs = sum(pool.imap_unordered(_read, files, chunksize=64))
        seconds = time.perf_counter() - began
        print(f"{count} process(es): {len(files) / seconds:,.0f} files/s, {signs / seconds:,.0f} signs/s")


def _memory(files: list[Path], folders: list[Path], every: int) -> None:
    for share in (4, 2, 1):
        count = len(files) // share
        command = [
            sys.executable,
            __file__,
            *map(str, folders),
            "--every",
            str(every),
            "--memory-of",
            str(count),
        ]
        peak = int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        print(f"peak memory after {count:,} files: {peak / 1e6:.0f} MB")


def _peak_memory(files: list[Path]) -> int:
    # The largest files first: what is left to grow is what is not given back.
    for file in sorted(files, key=lambda file: -file.stat().st_size):
        _read(file)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _start_up() -> None:
    bare = _cpu_time([sys.executable, "-c", "import click, lxml.etree"])
    ours = _cpu_time([sys.executable, "-m", "pythia_epidoc", "--help"])
    print(f"--help: {ours * 1000:.0f} ms, {ours / bare:.2f} times `import click, lxml.etree`")


def _cpu_time(command: list[str], repeats: int = 7) -> float:
    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(repeats))


if __name__ == "__main__":
    main()
