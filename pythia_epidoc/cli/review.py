"""`pythia-epidoc review`: a second opinion on what an editor supplied."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pythia_epidoc.cli.collection_options import collection_options
from pythia_epidoc.cli.each_file import each_file
from pythia_epidoc.cli.meter import Meter

if TYPE_CHECKING:
    from pythia_epidoc.restoration import Restorer
    from pythia_epidoc.review.report import Reviewed

_PATH = click.Path(path_type=Path)
_EXAMPLES = """\b
Examples:
  pythia-epidoc review decree.xml
  pythia-epidoc review inscriptions/ --format html -o opinions.html
  pythia-epidoc review decree.xml --parallels mine.db --top 10 --format json

Exit code 0: done; 2: a file could not be read (the others are reviewed). No file is ever changed."""


@click.command("review", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="FILE|DIR...")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "html"]), default="text", show_default=True
)
@click.option("-o", "--output", type=_PATH, help="Write the report here.  [default: the screen]")
@click.option("--top", type=click.IntRange(0), default=0, help="Only so many, the most surprising.")
@click.option("--misfits", is_flag=True, help="Only those too long or too short for their place.")
@click.option("--beam", type=click.IntRange(1, 1000), default=50, show_default=True, help="Width of search.")
@click.option("--model", type=_PATH, help="A checkpoint.  [default: the one included]")
@click.option("--device", default="auto", show_default=True, help="cpu, cuda, mps or auto.")
@collection_options
def command(
    paths: tuple[str, ...],
    form: str,
    output: Path | None,
    top: int,
    misfits: bool,
    beam: int,
    model: Path | None,
    device: str,
    parallels: Path | None,
) -> None:
    """Give a second opinion on an editor's conjectures.

    Everything that is supplied as lost is hidden and predicted anew: rank and probability of the editor's
    text, better rivals, whether it fits its line, and parallels, the most surprising first.
    """
    from pythia_epidoc.review.report import FORMATS, sort

    found: list[Reviewed] = []
    left_out: Counter[str] = Counter()
    restorer: Restorer | None = None

    def review(file: Path) -> None:
        nonlocal restorer
        from pythia_epidoc.epidoc.document import Document
        from pythia_epidoc.review.opinion import conjectures, passed_over, review_document
        from pythia_epidoc.review.report import Reviewed

        document = Document.open_tei(file)
        if restorer is None:
            from pythia_epidoc.model.restorer import load_restorer
            from pythia_epidoc.parallels.restorer import attesting

            restorer = attesting(load_restorer(model, device), parallels)
        total, meter = len(conjectures(document)), Meter("conjectures", file.name)
        opinions = review_document(document, restorer, beam=beam, progress=lambda done: meter(done, total))
        left_out.update(passed_over(document))
        found.extend(Reviewed(file, opinion) for opinion in opinions)

    code = each_file(paths, review, Meter("files"))
    for reason, times in left_out.most_common():
        click.echo(f"not judged ({times:,}×): {reason}", err=True)
    chosen = sort(each for each in found if each.opinion.excess or not misfits)
    report = FORMATS[form](chosen[: top or None]) if chosen or form != "text" else _nothing(bool(found))
    if output is None:
        click.echo(report)
    else:
        _write(output, report)
    raise SystemExit(code)


def _nothing(is_judged: bool) -> str:
    if is_judged:
        return "Every restoration fits its place, as far as its line tells."
    return "Nothing is supplied that a model can judge."


def _write(path: Path, report: str) -> None:
    from pythia_epidoc.epidoc.edits import write_atomically

    write_atomically(path, report.encode())
