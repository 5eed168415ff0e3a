"""`pythia-epidoc leiden`: print an edition as Leiden text."""

from __future__ import annotations

import click

from pythia_epidoc.collection import xml_files
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.leiden.render import render
from pythia_epidoc.leiden.styles import STYLES, StyleName

_EPILOG = """\b
Examples:
  pythia-epidoc leiden edition.xml
  pythia-epidoc leiden edition.xml --style phi --no-numbers
  pythia-epidoc leiden inscriptions/ > all.txt"""


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
    files = xml_files(paths)
    for order, path in enumerate(files):
        if len(files) > 1:
            click.echo(f"{'' if order == 0 else chr(10)}=== {path}")
        for edition in Document.open_tei(path).editions:
            click.echo(render(edition, style, numbers=numbers))
