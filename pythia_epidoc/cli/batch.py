"""`pythia-epidoc batch`: restore a whole collection, with a report."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from pythia_epidoc.cli.meter import Line, Meter, duration
from pythia_epidoc.cli.restore_options import options_from, restore_options

if TYPE_CHECKING:
    from pythia_epidoc.batch.run import BatchOptions, Progress

INTERRUPTED = 130
_EXAMPLES = """\b
Examples:
  pythia-epidoc batch inscriptions/ -o restored/
  pythia-epidoc batch inscriptions/ -o restored/ --resume       go on after Ctrl-C or a crash
  pythia-epidoc batch inscriptions/ -o restored/ --dry-run      only read and count
  pythia-epidoc batch inscriptions/ -o restored/ --engine ray --address ray-head:6379 --workers 16

Exit code 0: done, broken files are listed; 2: wrong settings or output; 130: stopped, --resume goes on."""


@click.command("batch", epilog=_EXAMPLES)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder for the results."
)
@click.option("--resume", is_flag=True, help="Go on with the run in the output folder.")
@click.option("--dry-run", is_flag=True, help="Read and count; no model, nothing written.")
@click.option(
    "--workers", type=click.IntRange(1, 4096), help="Processes that read files.  [default: half the cores]"
)
@click.option(
    "--pool", type=click.IntRange(1, 100_000), default=256, show_default=True, help="Lacunae per model call."
)
@click.option(
    "--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True, help="Where to run."
)
@click.option("--address", default="", help="Ray cluster to join.  [default: one on this machine]")
@restore_options
def command(
    folder: Path,
    output: Path,
    resume: bool,
    dry_run: bool,
    workers: int | None,
    pool: int,
    engine: str,
    address: str,
    model: Path | None,
    device: str,
    parallels: Path | None,
    **values: Any,
) -> None:
    """Restore a whole collection into a folder that mirrors it, with a report.

    Sources are never changed. A file that cannot be read is listed and passed over. The output holds
    report.html, report.csv, suggestions.jsonl and the ledger that --resume goes by.
    """
    from pythia_epidoc.batch.run import BatchOptions, survey
    from pythia_epidoc.errors import Cancelled

    options = options_from(values)
    if dry_run:
        found = survey(folder, output, options, Meter("files"))
        click.echo(f"{found.files:,} files, {found.lacunae:,} lacunae, {found.restorable:,} restorable")
        for path, message in found.failed:
            click.echo(f"  {path}: {message}")
        return
    chosen = BatchOptions(
        restore=options,
        workers=workers or max(1, (os.cpu_count() or 2) // 2),
        pool=pool,
        engine=engine,
        address=address,
        model_path=model,
        device=device,
        parallels=parallels,
    )
    try:
        _run(folder, output, chosen, resume)
    except Cancelled:
        click.echo("Stopped. What is done is kept; the same command with --resume goes on.", err=True)
        raise SystemExit(INTERRUPTED) from None


def _run(folder: Path, output: Path, options: BatchOptions, resume: bool) -> None:
    from pythia_epidoc.batch.run import run_batch
    from pythia_epidoc.model.restorer import load_restorer
    from pythia_epidoc.parallels.restorer import attesting

    cancel = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()
        click.echo("\nStopping after the work in hand; once more to stop at once.", err=True)

    before = signal.signal(signal.SIGINT, stop)
    display = _Display()
    try:
        restorer = attesting(load_restorer(options.model_path, options.device), options.parallels)
        totals = run_batch(folder, output, restorer, options, resume=resume, cancel=cancel, progress=display)
    finally:
        signal.signal(signal.SIGINT, before)
        display.clear()
    click.echo(
        f"{totals.files:,} files, {totals.restored:,} of {totals.lacunae:,} lacunae restored, "
        f"{totals.failed:,} files not readable. Report: {output / 'report.html'}",
        err=True,
    )


class _Display(Line):
    def __call__(self, progress: Progress) -> None:
        left = "" if progress.seconds_left is None else f", {duration(progress.seconds_left)} left"
        self.show(
            f"{progress.done:,}/{progress.total:,} files, {progress.lacunae:,} lacunae "
            f"({progress.files_per_second:.1f} files/s, {progress.lacunae_per_second:.1f} lacunae/s)"
            f"{left}, {progress.failed:,} not readable"
        )
