"""`pythia-epidoc attention`: show which letters a restoration rests on."""

from __future__ import annotations

import json
from pathlib import Path

import click

_PATH = click.Path(path_type=Path)
_EXAMPLES = """\b
Examples:
  pythia-epidoc attention decree.xml --lacuna 3
  pythia-epidoc attention decree.xml --lacuna l.12 --rank 2 --format svg -o map.svg
  pythia-epidoc attention decree.xml --lacuna 3 --text "δῆμος" --format json

Exit code 0: done; 2: the file, the lacuna or the text cannot be used."""


@click.command("attention", epilog=_EXAMPLES)
@click.argument("file", type=_PATH)
@click.option(
    "--lacuna", "name", required=True, metavar="N|l.LINE", help="Which lacuna; `inspect` lists them."
)
@click.option("--rank", type=click.IntRange(1, 100), default=1, show_default=True, help="Which hypothesis.")
@click.option("--text", "given", help="Any text of the right length, instead of a hypothesis.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "svg", "html"]), default="text", show_default=True
)
@click.option("-o", "--output", type=_PATH, help="Write it here.  [default: the screen]")
@click.option("--no-occlusion", is_flag=True, help="Do not check attention by hiding words (faster).")
@click.option("--model", type=_PATH, help="A checkpoint.  [default: the one included]")
@click.option("--device", default="auto", show_default=True, help="cpu, cuda, mps or auto.")
def command(
    file: Path,
    name: str,
    rank: int,
    given: str | None,
    form: str,
    output: Path | None,
    no_occlusion: bool,
    model: Path | None,
    device: str,
) -> None:
    """Show which letters a restoration rests on.

    The darker a letter, the more the model looked at it. To see whether it goes by what it looks at, each
    word is hidden in turn: those that matter are underlined.
    """
    from pythia_epidoc.epidoc.document import Document
    from pythia_epidoc.errors import ConfigError
    from pythia_epidoc.evidence.pictures import html, svg, text
    from pythia_epidoc.evidence.saliency import saliency
    from pythia_epidoc.greek import SPACE, letters
    from pythia_epidoc.model.restorer import load_restorer
    from pythia_epidoc.restoration import query_for
    from pythia_epidoc.restoring import select

    document = Document.open_tei(file)
    lacuna, *others = select(document, "all", [name])
    if others:
        numbers = ", ".join(str(each.number) for each in (lacuna, *others))
        raise ConfigError(f"This line has several lacunae: choose one of {numbers}.", path=file)
    if not lacuna.restorable:
        raise ConfigError(f"Lacuna {lacuna.number} {lacuna.obstacle}.", path=file)
    query = query_for(lacuna)
    if given is not None:
        chosen = letters(given)
        if not chosen:
            raise ConfigError("There is no Greek letter in the text given.")
        count = len(chosen.replace(SPACE, ""))
        if count not in query.lengths:
            least, most = min(query.lengths), max(query.lengths)
            room = f"{least}" if least == most else f"{least} to {most}"
            raise ConfigError(f"Letters given: {count}; {room} would fit.", path=file)
    restorer = load_restorer(model, device)
    if given is None:
        [hypotheses] = restorer.hypotheses([query], top=rank)
        if rank > len(hypotheses):
            raise ConfigError(f"There are only {len(hypotheses)} hypotheses.", path=file)
        chosen = hypotheses[rank - 1].text
    found = saliency(lacuna, chosen, restorer, occlude=not no_occlusion)
    if form == "json":
        result = json.dumps(found.to_dict(), ensure_ascii=False, indent=1)
    else:
        result = {"text": text, "svg": svg, "html": html}[form](found)
    if output is None:
        click.echo(result)
    else:
        from pythia_epidoc.epidoc.edits import write_atomically

        write_atomically(output, result.encode())
