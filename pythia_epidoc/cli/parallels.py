"""`pythia-epidoc parallels`: index a collection and search it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pythia_epidoc.cli.each_file import UNREADABLE
from pythia_epidoc.cli.meter import Meter

if TYPE_CHECKING:
    from pythia_epidoc.parallels.search import Parallel

_PATH = click.Path(path_type=Path)
_SHOWN = 10
_EXAMPLES = """\b
Examples:
  pythia-epidoc parallels index inscriptions/ papyri/     in the usual place, used by every command
  pythia-epidoc parallels index inscriptions/ -o mine.db
  pythia-epidoc parallels search "ἔδοξεν τῆι [5] καὶ"
  pythia-epidoc parallels search "δημ?ς" --index mine.db --json

Exit code 0: done; 2: the index cannot be used, or a file could not be read (the others are indexed)."""


@click.group("parallels", epilog=_EXAMPLES)
def command() -> None:
    """Index a collection and search it for parallels."""


@command.command("index", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, metavar="DIR...")
@click.option("-o", "--output", type=_PATH, help="The index.  [default: the one every command looks for]")
@click.option("--data", type=_PATH, help="Index a split of a corpus made by `corpus build` instead.")
@click.option(
    "--split", type=click.Choice(["train", "validation", "test"]), default="train", show_default=True
)
@click.option(
    "--processes", type=click.IntRange(1, 256), help="Processes that read files.  [default: all cores]"
)
def index_command(
    paths: tuple[str, ...], output: Path | None, data: Path | None, split: str, processes: int | None
) -> None:
    """Make or bring up to date an index of the texts in files and folders.

    Only files that are new or changed are read. A run that was stopped goes on where it was.
    """
    if bool(paths) == (data is not None):
        raise click.UsageError("Give folders, or --data.")
    from pythia_epidoc.parallels.index import ParallelsIndex
    from pythia_epidoc.parallels.location import usual_place
    from pythia_epidoc.parallels.update import named_files, update, update_from_records

    path = output or usual_place()
    if not path.exists():
        named_files(paths)  # complains before an index is made, which every command would then ask
    with ParallelsIndex(path, create=True) as index:
        if data is not None:
            from pythia_epidoc.corpus.build import load

            count = update_from_records(index, load(data, split))
            click.echo(f"{count:,} texts of the {split} split in {path}", err=True)
            return
        done = update(index, paths, processes=processes, progress=Meter("files"))
    click.echo(
        f"{done.added:,} files added, {done.changed:,} changed, {done.removed:,} removed, "
        f"{done.unchanged:,} as they were. Index: {path}",
        err=True,
    )
    for sentence in done.unreadable[:_SHOWN]:
        click.echo(f"left out {sentence}", err=True)
    if len(done.unreadable) > _SHOWN:
        click.echo(f"left out {len(done.unreadable) - _SHOWN:,} more files", err=True)
    if done.unreadable:
        raise SystemExit(UNREADABLE)


@command.command("search", epilog=_EXAMPLES)
@click.argument("query")
@click.option("--index", "index_path", type=_PATH, help="The index.  [default: as in the settings]")
@click.option("--limit", type=click.IntRange(0), default=20, show_default=True, help="Passages; 0 for all.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of objects.")
def search_command(query: str, index_path: Path | None, limit: int, as_json: bool) -> None:
    """Print the passages that have these letters.

    Accents, capitals, sigmas, spaces and line breaks make no difference. "?" is one letter, "[5]" five,
    "[3-6]" three to six, preserved or lost. Letters in square brackets are some editor's conjecture.
    """
    from pythia_epidoc.parallels.index import ParallelsIndex
    from pythia_epidoc.parallels.location import configured, usual_place
    from pythia_epidoc.parallels.search import search

    with ParallelsIndex(index_path or configured() or usual_place()) as index:
        found = search(index, query, limit or None)
    if as_json:
        click.echo(json.dumps([parallel.to_dict() for parallel in found], ensure_ascii=False, indent=1))
        return
    for parallel in found:
        click.echo(_line(parallel))
    if not found:
        click.echo("Nothing found.", err=True)
    elif len(found) == limit:
        click.echo(f"The first {limit}; --limit 0 prints all.", err=True)


def _line(parallel: Parallel) -> str:
    place = f"{parallel.place.document}{f', l. {parallel.line}' if parallel.line else ''}"
    snippet = parallel.snippet
    conjecture = ""
    if parallel.supplied:
        whole = parallel.supplied == len(parallel.states)
        conjecture = "  (conjecture)" if whole else f"  ({parallel.supplied} letters conjectured)"
    return f"{place}: {snippet.before}{click.style(snippet.match, bold=True)}{snippet.after}{conjecture}"
