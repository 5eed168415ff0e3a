"""`pythia-epidoc corpus`: build training records from collections, and tell what a built corpus holds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.progress import TaskID
    from rich.table import Table

_SHOWN = 20

formulary_option = click.option(
    "--formulary",
    is_flag=True,
    help="Learn also from the phrases of Greek inscriptions that come with the package: worth it unless you "
    "have thousands of inscriptions.",
)


@click.group("corpus")
def command() -> None:
    """Build training records from collections of texts."""


@command.command(
    "build",
    epilog="Example: pythia-epidoc corpus build papyri.tar.xz my-inscriptions/ iphi.json -o corpus/",
)
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder of the corpus.")
@click.option(
    "--min-length",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Leave out texts with fewer letters (the paper: 100).",
)
@click.option("--processes", type=click.IntRange(1), help="Files read at the same time; as many as cores.")
@formulary_option
def build_command(
    inputs: tuple[Path, ...], output: Path, min_length: int, processes: int | None, formulary: bool
) -> None:
    """Turn collections into records with a fixed train/validation/test split.

    IN is a folder of EpiDoc or TEI files, a .tar.xz (.tar.gz, .tar) archive of them, or an I.PHI JSON
    file. A collection already built and unchanged is not read again, so a stopped build goes on with the
    same command.
    """
    from pythia_epidoc.corpus.build import build

    try:
        with _Reporter() as reporter:
            manifest = build(
                inputs,
                output,
                with_formulary=formulary,
                min_length=min_length,
                processes=processes,
                progress=reporter.report,
            )
    except KeyboardInterrupt:
        click.echo("Stopped. The same command goes on with the collections not yet built.", err=True)
        sys.exit(130)
    _report_unreadable(manifest)
    _print(_statistics(manifest))


@command.command("stats", epilog="Example: pythia-epidoc corpus stats corpus/")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
def stats_command(directory: Path) -> None:
    """Print the texts, words and characters of a built corpus, by split."""
    from pythia_epidoc.corpus.build import read_manifest

    _print(_statistics(read_manifest(directory)))


class _Reporter:
    """A line per collection on standard error: files read, rate and time."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TextColumn("{task.completed:,.0f} {task.fields[unit]}"),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> _Reporter:
        self._progress.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self._progress.stop()

    def report(self, name: str, done: int) -> None:
        from pythia_epidoc.corpus.build import SHARING

        if name not in self._tasks:
            unit = "texts" if name == SHARING else "files"
            self._tasks[name] = self._progress.add_task(name, total=None, unit=unit, rate="")
        task = self._progress.tasks[self._tasks[name]]
        seconds = task.elapsed or 0.0
        rate = f"{done / seconds:,.0f} files/s" if seconds > 1 and name != SHARING else ""
        self._progress.update(task.id, completed=done, rate=rate)


def _report_unreadable(manifest: dict[str, Any]) -> None:
    for name, corpus in manifest["corpora"].items():
        sentences = corpus["unreadable"]
        for sentence in sentences[:_SHOWN]:
            click.echo(f"{name}: left out {sentence}", err=True)
        if len(sentences) > _SHOWN:
            more = len(sentences) - _SHOWN
            click.echo(f"{name}: left out {more:,} more files; manifest.json lists them.", err=True)


def _statistics(manifest: dict[str, Any]) -> Table:
    """Texts, words and characters per split, as in the paper."""
    from rich.table import Table

    splits = ("train", "validation", "test")
    table = Table(caption=_caption(manifest), caption_justify="left")
    table.add_column("collection")
    for split in splits:
        for quantity in ("texts", "words", "characters"):
            table.add_column(f"{split}\n{quantity}", justify="right")
    totals = [0] * 9
    for name, rows in manifest["statistics"].items():
        numbers = [number for split in splits for number in rows[split]]
        totals = [total + number for total, number in zip(totals, numbers, strict=True)]
        table.add_row(name, *(f"{number:,}" for number in numbers))
    table.add_section()
    table.add_row("all", *(f"{number:,}" for number in totals))
    return table


def _caption(manifest: dict[str, Any]) -> str:
    unreadable = sum(len(corpus["unreadable"]) for corpus in manifest["corpora"].values())
    return (
        f"Texts of at least {manifest['min_length']} letters. {manifest.get('duplicates', 0):,} duplicates "
        f"left out, {manifest['near_duplicates']:,} near duplicates kept in one split, "
        f"{unreadable:,} unreadable files."
    )


def _print(table: Table) -> None:
    from rich.console import Console

    console = Console()
    # A pipe has no width, and a table cut to eighty columns would lose its numbers.
    Console(width=None if console.is_terminal else 160).print(table)
