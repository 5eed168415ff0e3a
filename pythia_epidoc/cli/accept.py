"""`pythia-epidoc accept`: accept suggestions, by number, one after another, or on a full screen."""

from __future__ import annotations

from pathlib import Path

import click

from pythia_epidoc.cli.destination import Destination, destination_options

_EXAMPLES = """\b
Examples:
  pythia-epidoc accept decree.xml --lacuna 3 --choice 2 --in-place
  pythia-epidoc accept decree.xml --in-place             decide one by one in the terminal
  pythia-epidoc accept decree.xml --review --in-place    the same on a full screen

Exit code 0: done; 2: there is no such suggestion, or a file could not be read or written."""


@click.command("accept", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--lacuna", type=click.IntRange(1), help="Number of the lacuna; without it, you are asked about each."
)
@click.option("--choice", type=click.IntRange(1), default=1, show_default=True, help="Which alternative.")
@click.option(
    "--final", is_flag=True, help="Keep no record of the gap, so that `strip` cannot bring it back."
)
@click.option("--review", is_flag=True, help="Decide on a full screen, with arrow keys and undo.")
@destination_options
def command(
    file: Path,
    lacuna: int | None,
    choice: int,
    final: bool,
    review: bool,
    output: str | None,
    in_place: bool,
    diff: bool,
) -> None:
    """Accept a suggestion: it takes the place of the gap, still marked as the machine's and uncertain."""
    import pythia_epidoc
    from pythia_epidoc.cli.changes import tell_decided
    from pythia_epidoc.cli.deciding import decide_each, require_destination

    destination = Destination(output, in_place, diff)
    document = pythia_epidoc.open(file)
    if lacuna is not None:
        document.accept(lacuna, choice, final=final)
    elif not document.pending:
        click.echo(f"{file}: nothing waits for a decision; `restore` makes suggestions.", err=True)
    elif review:
        require_destination(destination, file)
        from pythia_epidoc.review_screen import review_document

        review_document(document, final=final)
    else:
        require_destination(destination, file)
        decide_each(document, final=final)
    destination.deliver(document.original, document.edits)
    if document.edits:
        tell_decided(document.original, document.document)
