"""`pythia-epidoc restore`: restore the lacunae of files and write alternatives back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pythia_epidoc.cli.destination import Destination, destination_options
from pythia_epidoc.cli.each_file import each_file
from pythia_epidoc.cli.meter import Meter
from pythia_epidoc.cli.restore_options import options_from, restore_options
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.probability import percent
from pythia_epidoc.restoration import Hypothesis
from pythia_epidoc.restoring import LacunaReport, Outcome, RestoreOptions, restore_document

_EXAMPLES = """\b
Examples:
  pythia-epidoc restore decree.xml --in-place           alternatives beside every gap
  pythia-epidoc restore decree.xml --diff               only show what would change
  pythia-epidoc restore decree.xml -o out.xml --form standoff
  pythia-epidoc restore decree.xml --lacuna 3 --lacuna l.12 --in-place
  pythia-epidoc restore decree.xml --form accept --min-probability 0.9 -o out.xml

Exit code 0: done; 2: a file could not be read or written (the others are done)."""


@click.command("restore", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@destination_options
@click.option(
    "--lacuna", "lacunae", multiple=True, metavar="N|l.LINE", help="Only this one; may be repeated."
)
@restore_options
@click.option("--quiet", is_flag=True, help="No list of lacunae.")
def command(
    paths: tuple[str, ...],
    output: str | None,
    in_place: bool,
    diff: bool,
    lacunae: tuple[str, ...],
    model: Path | None,
    device: str,
    parallels: Path | None,
    quiet: bool,
    **values: Any,
) -> None:
    """Restore the lacunae of files and write alternatives back.

    The result goes to the screen unless -o, --in-place or --diff says otherwise. What the machine wrote is
    always marked as its own; `strip` takes all of it back. A second `restore` replaces the first.
    """
    options = options_from(values, lacunae)
    destination = Destination.of_all(paths, output, in_place, diff)
    restorer = None

    def restore(file: Path) -> None:
        nonlocal restorer
        document = Document.open_tei(file)
        if restorer is None:
            from pythia_epidoc.model.restorer import load_restorer
            from pythia_epidoc.parallels.restorer import attesting

            restorer = attesting(load_restorer(model, device), parallels)
        meter = Meter("lacunae", file.name)
        outcome = restore_document(document, restorer, options, progress=meter)
        destination.deliver(document, outcome.edits)
        if not quiet:
            _tell(document, outcome, options)

    raise SystemExit(each_file(paths, restore, among=destination.places))


def _tell(document: Document, outcome: Outcome, options: RestoreOptions) -> None:
    """List what became of every lacuna, on the error stream: the document may be on the other."""
    count = len(outcome.lacunae)
    click.echo(f"{document.path}: {outcome.written} of {count} lacunae restored", err=True)
    for report in outcome.lacunae:
        click.echo(f"  {describe(report)}", err=True)


def describe(report: LacunaReport) -> str:
    """One line about a lacuna: place, extent, and the best hypotheses or why there are none."""
    place = f"{report.number:>3}  line {report.text_line or '?'}, {report.extent}"
    if report.note:
        return f"{place}: not restored: it {report.note}."
    shown = "  |  ".join(_in_words(hypothesis, report) for hypothesis in report.hypotheses[:3])
    return f"{place}: {report.before}{shown}{report.after}"


def _in_words(hypothesis: Hypothesis, report: LacunaReport) -> str:
    """The text, how sure the model is, how often the collection has it here, whether its line has room."""
    attested = f", {hypothesis.attestations}×" if hypothesis.attestations else ""
    least, most = report.room or (0, len(hypothesis.letters))
    misfit = ", overfills its line" if len(hypothesis.letters) > most else ""
    misfit = ", underfills its line" if len(hypothesis.letters) < least else misfit
    return f"{hypothesis.polytonic.strip()} {percent(hypothesis.probability)}{attested}{misfit}"
