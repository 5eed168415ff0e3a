"""`pythia-epidoc strip`: remove exactly what this tool added."""

from __future__ import annotations

from pathlib import Path

import click

from pythia_epidoc.cli.changes import tell_stripped
from pythia_epidoc.cli.destination import Destination, destination_options
from pythia_epidoc.cli.each_file import each_file
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import apply_edits
from pythia_epidoc.writeback import strip

_EXAMPLES = """\b
Examples:
  pythia-epidoc strip decree.xml --in-place
  pythia-epidoc strip decree.xml --keep-chosen -o decided.xml   keep what was accepted by a person
  pythia-epidoc strip restored/ -o originals/

Exit code 0: done; 2: a file could not be read or written (the others are done)."""


@click.command("strip", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@destination_options
@click.option("--keep-chosen", is_flag=True, help="Keep restorations that a person accepted.")
def command(
    paths: tuple[str, ...], output: str | None, in_place: bool, diff: bool, keep_chosen: bool
) -> None:
    """Remove exactly what this tool added: the file is then what it was, byte for byte."""
    destination = Destination.of_all(paths, output, in_place, diff)

    def take_back(file: Path) -> None:
        document = Document.open_tei(file)
        edits = strip(document, keep_chosen=keep_chosen)
        destination.deliver(document, edits)
        after = Document.from_bytes(apply_edits(document.source, edits), file) if edits else document
        tell_stripped(document, after)

    raise SystemExit(each_file(paths, take_back, among=destination.places))
