"""`pythia-epidoc reject`: take suggestions away."""

from __future__ import annotations

from pathlib import Path

import click

from pythia_epidoc.cli.destination import Destination, destination_options
from pythia_epidoc.errors import ConfigError

_EXAMPLES = """\b
Examples:
  pythia-epidoc reject decree.xml --lacuna 3 --in-place
  pythia-epidoc reject decree.xml --all --in-place       what was accepted stays

Exit code 0: done; 2: there is no such suggestion, or a file could not be read or written."""


@click.command("reject", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--lacuna", "lacunae", type=click.IntRange(1), multiple=True, help="Number of a lacuna; may be repeated."
)
@click.option("--all", "everything", is_flag=True, help="Every suggestion that waits for a decision.")
@destination_options
def command(
    file: Path, lacunae: tuple[int, ...], everything: bool, output: str | None, in_place: bool, diff: bool
) -> None:
    """Reject the suggestions for a lacuna: the gap is again as the editor left it."""
    import pythia_epidoc
    from pythia_epidoc.cli.changes import tell_decided

    destination = Destination(output, in_place, diff)
    document = pythia_epidoc.open(file)
    if not lacunae and not everything:
        raise ConfigError("Say which: --lacuna N, or --all.", path=file)
    document.reject(*([waiting.number for waiting in document.pending] if everything else lacunae))
    destination.deliver(document.original, document.edits)
    tell_decided(document.original, document.document)
