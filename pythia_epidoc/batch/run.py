"""A batch from beginning to end: find the files, skip what is done, run an engine, keep the ledger, report.

Which files are read and how the model is asked is the engine's part (`local`, `ray_engine`).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pythia_epidoc import __version__
from pythia_epidoc.batch.ledger import FILE_NAME, Ledger, Stamp, Totals
from pythia_epidoc.batch.local import Setting, run_local
from pythia_epidoc.batch.report import write_reports
from pythia_epidoc.batch.work import FAILED, FileResult, open_file, write_file
from pythia_epidoc.collection import xml_files
from pythia_epidoc.errors import Cancelled, ConfigError, EditError
from pythia_epidoc.restoration import Restorer
from pythia_epidoc.restoring import RestoreOptions

_ENTER_EVERY = 64
_ENTER_SECONDS = 1.0


@dataclass(frozen=True)
class BatchOptions:
    """How a collection is restored."""

    restore: RestoreOptions = field(default_factory=RestoreOptions)
    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) // 2))
    pool: int = 256
    """Queries in one model call."""
    engine: str = "local"
    address: str = ""
    """Of a Ray cluster to join; empty starts one on this machine."""
    model_path: Path | None = None
    device: str = "auto"
    """Ray workers load the model themselves."""
    parallels: Path | None = None
    """Index of the collection behind the model."""


@dataclass(frozen=True)
class Progress:
    """How far a batch has come."""

    total: int
    done: int
    failed: int
    lacunae: int
    """Lacunae restored in this session."""
    seconds: float
    session: int
    """Files done in this session."""

    @property
    def files_per_second(self) -> float:
        return self.session / self.seconds if self.seconds else 0.0

    @property
    def lacunae_per_second(self) -> float:
        return self.lacunae / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        return (self.total - self.done) / self.files_per_second if self.session else None


def run_batch(
    folder: Path,
    output: Path,
    restorer: Restorer,
    options: BatchOptions | None = None,
    *,
    resume: bool = False,
    cancel: threading.Event | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Totals:
    """Restore a collection into `output`; raises `Cancelled` when stopped, to be resumed later."""
    options = options or BatchOptions()
    paths = find_files(folder, output)
    _prepare(output)
    with Ledger(output / FILE_NAME) as ledger:
        options = _begin(ledger, folder, restorer, options, resume)
        done = ledger.done()
        if resume:
            _remove_leftovers(output)
        # Before they are read: what is changed in the meantime is done again.
        stamps = {path: stamp for path in paths if done.get(path) != (stamp := Stamp.of(folder / path))}
        waiting = list(stamps)
        setting = Setting(folder, output, options.restore, restorer.identity)
        results = _engine(waiting, setting, restorer, options, cancel)
        try:
            _keep(ledger, stamps, output, results, len(paths), progress)
        except Cancelled:
            write_reports(ledger, output)
            raise
        write_reports(ledger, output)
        return ledger.totals()


@dataclass(frozen=True)
class Survey:
    """What a dry run finds."""

    files: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    lacunae: int = 0
    restorable: int = 0


def survey(
    folder: Path,
    output: Path,
    options: RestoreOptions,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Survey:
    """Read a collection and count, without a model and without writing anything."""
    failed = []
    lacunae = restorable = 0
    paths = find_files(folder, output)
    for done, path in enumerate(paths, 1):
        progress(done, len(paths))
        found = open_file(folder, path, options)
        if isinstance(found, FileResult):
            failed.append((path, found.message))
            continue
        lacunae += len(found.lacunae)
        restorable += len(found.questions)
    return Survey(len(paths), tuple(failed), lacunae, restorable)


def find_files(folder: Path, output: Path) -> list[str]:
    """The files of a collection, relative to its folder, without those of the output."""
    source, target = folder.resolve(), output.resolve()
    if not source.is_dir():
        raise ConfigError("There is no such folder; check the name.", path=folder)
    if source == target or target in source.parents:
        raise ConfigError("The output would overwrite the collection; choose another folder.", path=output)
    inside = target.relative_to(source) if source in target.parents else None
    paths = (file.relative_to(folder) for file in xml_files([folder]))
    return [path.as_posix() for path in paths if inside is None or inside not in path.parents]


def _prepare(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EditError(f"The folder cannot be made: {error.strerror}.", path=output) from None
    if not os.access(output, os.W_OK):
        raise EditError("The folder is read-only; choose another or change its mode.", path=output)


def _begin(
    ledger: Ledger, folder: Path, restorer: Restorer, options: BatchOptions, resume: bool
) -> BatchOptions:
    """Make sure that a resumed run is the same run; its date is that of its beginning."""
    known = ledger.run
    if known and not resume:
        raise ConfigError("This folder holds a run already; go on with --resume.", path=ledger.path.parent)
    if known:
        date = known["settings"]["write"]["date"]
        options = replace(
            options, restore=replace(options.restore, write=replace(options.restore.write, date=date))
        )
    run = _describe(folder, restorer, options)
    for name, value in run.items():
        if known and known.get(name) != value:
            raise ConfigError(
                f"The run in this folder had another {name}; use the same, or choose another folder.",
                path=ledger.path.parent,
            )
    ledger.begin(run)
    return options


def _describe(folder: Path, restorer: Restorer, options: BatchOptions) -> dict[str, Any]:
    settings = asdict(options.restore)
    settings["lacunae"] = list(options.restore.lacunae)
    return {
        "collection": str(folder.resolve()),
        "version": __version__,
        "settings": settings,
        "model": asdict(restorer.identity),
        "parallels": str(options.parallels.resolve()) if options.parallels else None,
    }


def _remove_leftovers(output: Path) -> None:
    """Half-written temporary files of a run that was killed."""
    for leftover in output.rglob(".*.part"):
        leftover.unlink(missing_ok=True)


def _engine(
    waiting: list[str],
    setting: Setting,
    restorer: Restorer,
    options: BatchOptions,
    cancel: threading.Event | None,
) -> Iterator[FileResult]:
    if options.engine == "ray":
        from pythia_epidoc.batch.ray_engine import run_ray

        return run_ray(
            waiting,
            setting,
            model_path=options.model_path,
            device=options.device,
            parallels=options.parallels,
            workers=options.workers,
            address=options.address,
            pool=options.pool,
            cancel=cancel,
        )
    return run_local(waiting, setting, restorer, workers=options.workers, pool=options.pool, cancel=cancel)


def _keep(
    ledger: Ledger,
    stamps: dict[str, Stamp],
    output: Path,
    results: Iterator[FileResult],
    total: int,
    progress: Callable[[Progress], None] | None,
) -> None:
    """Enter results as they come, a handful at a time."""
    began = entered = time.monotonic()
    failed = lacunae = session = 0
    done = total - len(stamps)
    handful: list[tuple[FileResult, Stamp]] = []

    def enter() -> None:
        nonlocal entered
        ledger.enter(handful)
        handful.clear()
        entered = time.monotonic()

    try:
        for result in results:
            write_file(result, output)
            handful.append((replace(result, data=None), stamps[result.path]))
            done, session = done + 1, session + 1
            failed += result.state == FAILED
            lacunae += result.restored
            if len(handful) >= _ENTER_EVERY or time.monotonic() - entered > _ENTER_SECONDS:
                enter()
            if progress is not None:
                progress(Progress(total, done, failed, lacunae, time.monotonic() - began, session))
    finally:
        enter()
