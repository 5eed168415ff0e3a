"""`pythia-epidoc text`: the reading of a file as the model sees it, as text or with its alignment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pythia_epidoc.cli.each_file import each_file

if TYPE_CHECKING:
    from pythia_epidoc.epidoc.document import Document
    from pythia_epidoc.epidoc.reading import Reading

_EXAMPLES = """\b
Examples:
  pythia-epidoc text decree.xml            the whole reading in one line
  pythia-epidoc text decree.xml --lines    one line of output per line of the stone
  pythia-epidoc text decree.xml --json     every sign with its state and its place in the file
  pythia-epidoc text collection/ > all.txt

Exit code 0: all files were read; 2: a file could not be read (the others are shown)."""


@click.command("text", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--lines", "by_line", is_flag=True, help="Break at the lines of the text, with their numbers.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per file, each on its own line.")
def command(paths: tuple[str, ...], by_line: bool, as_json: bool) -> None:
    """Print the reading of files as the model sees it.

    Letters without accents and in lower case, single spaces, "-" for a lost letter, "#" for a loss of
    unknown length, "0" for a numeral. Letters that an editor supplied are printed as letters.
    """

    def show(file: Path) -> None:
        from pythia_epidoc.epidoc.document import Document

        document = Document.open_tei(file)
        if as_json:
            click.echo(json.dumps(describe(document), ensure_ascii=False))
        else:
            _print(document, by_line, with_name=len(paths) > 1 or file != Path(paths[0]))

    raise SystemExit(each_file(paths, show))


def describe(document: Document) -> dict[str, Any]:
    """What `--json` prints: for every sign its letter, state, source offsets and line."""
    return {
        "file": str(document.path) if document.path else None,
        "editions": [
            {
                "number": number,
                "language": edition.language,
                "subtype": edition.subtype,
                "text": edition.reading.letters,
                "signs": _signs(edition.reading),
            }
            for number, edition in enumerate(document.editions, 1)
        ],
    }


def _signs(reading: Reading) -> list[dict[str, Any]]:
    signs = []
    for index, sign in enumerate(reading):
        line = reading.line_of(index)
        signs.append(
            {
                "letter": sign.letter,
                "state": sign.state.name.lower(),
                "start": sign.start,
                "end": sign.end,
                "line": line.n if line else None,
            }
        )
    return signs


def _print(document: Document, by_line: bool, with_name: bool) -> None:
    editions = document.editions
    for number, edition in enumerate(editions, 1):
        if with_name or len(editions) > 1:
            part = (
                f", edition {number} ({edition.language or 'language not said'})" if len(editions) > 1 else ""
            )
            click.secho(f"{document.path}{part}", bold=True)
        if by_line:
            for name, text in _lines(edition.reading):
                click.echo(f"{name:>6}  {text}")
        else:
            click.echo(edition.reading.letters)


def _lines(reading: Reading) -> list[tuple[str, str]]:
    """Number and text of every line; a word that goes on in the next line ends in a hyphen, as in print."""
    bounds = [line.first for line in reading.lines] + [len(reading)]
    before = reading.letters[: bounds[0]].strip()
    lines = [("", before)] if before else []
    for index, line in enumerate(reading.lines):
        text = reading.letters[line.first : bounds[index + 1]].strip()
        goes_on = index + 1 < len(reading.lines) and reading.lines[index + 1].broken_word
        lines.append((line.n, f"{text}‑" if goes_on and text else text))
    return lines
