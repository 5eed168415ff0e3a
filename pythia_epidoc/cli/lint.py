"""`pythia-epidoc lint`: check transcription markup, and mend what is safe to mend."""

from __future__ import annotations

from pathlib import Path

import click

from pythia_epidoc.cli.each_file import named_files
from pythia_epidoc.cli.meter import Meter
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import apply_edits, save
from pythia_epidoc.epidoc.validation import load_schema
from pythia_epidoc.errors import DocumentError, PythiaError
from pythia_epidoc.lint import lint, safely_mendable
from pythia_epidoc.lint.reports import FORMATS, Outcome, Place
from pythia_epidoc.lint.validity import AUTO, validity

_EPILOG = """\b
Examples:
  pythia-epidoc lint edition.xml
  pythia-epidoc lint --fix inscriptions/
  pythia-epidoc lint 'corpus/**/*.xml' --format json > findings.json
  pythia-epidoc lint inscriptions/ --schema tei-epidoc.rng

\b
Exit codes: 0 nothing found, 1 findings remain, 2 a file cannot be read.
The rules are explained in docs/lint.md."""


@click.command(name="lint", epilog=_EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--fix", is_flag=True, help="Mend what is safe to mend, in place; all other bytes stay as they are."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
@click.option(
    "--schema",
    metavar="FILE",
    help=f"Also check against this RelaxNG schema; `{AUTO}`: the file's own, one in your cache, or ours.",
)
@click.pass_context
def command(context: click.Context, paths: tuple[str, ...], fix: bool, form: str, schema: str | None) -> None:
    """Check the transcription markup of files, folders or patterns.

    Finds gaps inside supplied text, lengths without unit, misspelt values, empty restorations, letters of
    another script inside Greek words, doubtful line breaks and the like. With --fix, what can be mended
    without a scholar's judgement is mended.
    """
    if schema not in (None, AUTO):
        load_schema(Path(schema))  # said once, not for every file
    outcome = _lint_all(list(named_files(paths)), fix, schema)
    click.echo(FORMATS[form](outcome))
    for error in outcome.errors:
        click.echo(f"pythia-epidoc: {error}", err=True)
    context.exit(2 if outcome.errors else 1 if outcome.places else 0)


def _lint_all(files: list[Path | DocumentError], fix: bool, schema: str | None) -> Outcome:
    places: list[Place] = []
    errors: list[PythiaError] = []
    mended = 0
    meter = Meter("files")
    for done, path in enumerate(files):
        meter(done, len(files))
        try:
            if isinstance(path, DocumentError):
                raise path
            document = Document.open_tei(path)
            findings = lint(document)
            if fix and (mendable := safely_mendable(findings)):
                edits = [edit for _, mend in mendable for edit in mend.edits]
                # Read the result before it is written: an edit must never leave a broken file.
                repaired = Document.from_bytes(apply_edits(document.source, edits), path)
                save(document.source, edits)
                document, findings = repaired, lint(repaired)
                mended += len(mendable)
            if schema is not None:
                findings += validity(document, schema)
        except PythiaError as error:
            errors.append(error)
            continue
        places += (Place.of(finding, document, path) for finding in findings)
    meter.clear()
    return Outcome(len(files), places, mended, errors)
