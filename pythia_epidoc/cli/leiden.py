"""`pythia-epidoc leiden`: print an edition as Leiden text."""

from __future__ import annotations

from pathlib import Path

import click

from pythia_epidoc.cli.each_file import each_file
from pythia_epidoc.collection import xml_files
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.leiden.render import render
from pythia_epidoc.leiden.styles import STYLES, StyleName

_EPILOG = """\b
Examples:
  pythia-epidoc leiden edition.xml
  pythia-epidoc leiden edition.xml --style phi --no-numbers
  pythia-epidoc leiden inscriptions/ > all.txt

Exit code 0: done; 2: a file could not be read (the others are printed)."""


@click.command(name="leiden", epilog=_EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--style",
    type=click.Choice(list(STYLES)),
    default="panciera",
    show_default=True,
    help="The convention to print in.",
)
@click.option(
    "--numbers/--no-numbers", default=True, show_default=True, help="Print every fifth line number."
)
def command(paths: tuple[str, ...], style: StyleName, numbers: bool) -> None:
    """Print the editions of files, folders or patterns as Leiden text."""
    several = len(paths) > 1 or len(xml_files(paths)) > 1
    before = ""

    def show(file: Path) -> None:
        nonlocal before
        editions = Document.open_tei(file).editions
        if several:
            click.echo(f"{before}=== {file}")
            before = "\n"
        for edition in editions:
            click.echo(render(edition, style, numbers=numbers))

    raise SystemExit(each_file(paths, show))
