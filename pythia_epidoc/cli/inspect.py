"""`pythia-epidoc inspect`: the editions of a file and its lacunae, as a table or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pythia_epidoc.cli.each_file import each_file

if TYPE_CHECKING:
    from rich.console import Console

    from pythia_epidoc.epidoc.document import Document
    from pythia_epidoc.epidoc.editions import Edition
    from pythia_epidoc.epidoc.lacunae import Lacuna

_EXAMPLES = """\b
Examples:
  pythia-epidoc inspect decree.xml              a table of the lacunae
  pythia-epidoc inspect collection/             every .xml file of a folder
  pythia-epidoc inspect 'IG*/**/*.xml' --json   one JSON object per file and line
  pythia-epidoc inspect decree.xml --width 60   more context around each lacuna

Exit code 0: all files were read; 2: a file could not be read (the others are shown)."""


@click.command("inspect", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per file, each on its own line.")
@click.option(
    "--width", type=click.IntRange(0, 500), default=20, show_default=True, help="Letters of context."
)
def command(paths: tuple[str, ...], as_json: bool, width: int) -> None:
    """Show the editions of files and their lacunae.

    A lacuna is a gap or a supplied. Each has a number, which other commands take, its place in the file,
    its extent, the letters around it, and if it cannot be restored, the reason.
    """
    show = _print_json if as_json else _print_tables
    raise SystemExit(each_file(paths, lambda file: show(file, width)))


def describe(document: Document, width: int = 20) -> dict[str, Any]:
    """What `--json` prints: the editions of a document with their lacunae."""
    lacunae = _by_edition(document)
    return {
        "file": str(document.path) if document.path else None,
        "tei": document.is_tei,
        "editions": [
            {
                "number": number,
                "line": document.position(edition.element.start)[0],
                "language": edition.language,
                "subtype": edition.subtype,
                "greek": edition.is_greek,
                "signs": len(edition.reading),
                "lines": len(edition.reading.lines),
                "lacunae": [_describe_lacuna(lacuna, width) for lacuna in lacunae[edition]],
            }
            for number, edition in enumerate(document.editions, 1)
        ],
    }


def _by_edition(document: Document) -> dict[Edition, list[Lacuna]]:
    lacunae: dict[Edition, list[Lacuna]] = {edition: [] for edition in document.editions}
    for lacuna in document.lacunae:
        lacunae[lacuna.edition].append(lacuna)
    return lacunae


def _describe_lacuna(lacuna: Lacuna, width: int) -> dict[str, Any]:
    line, column = lacuna.position
    extent = lacuna.extent
    before, after = lacuna.context(width)
    return {
        "number": lacuna.number,
        "kind": lacuna.kind,
        "text_line": lacuna.line,
        "line": line,
        "column": column,
        "start": lacuna.start,
        "end": lacuna.end,
        "extent": {
            "least": extent.least,
            "most": extent.most,
            "about": extent.about,
            "unit": extent.unit,
            "words": str(extent),
        },
        "before": before,
        "after": after,
        "conjecture": lacuna.conjecture,
        "restorable": lacuna.restorable,
        "obstacle": lacuna.obstacle,
    }


def _print_json(file: Path, width: int) -> None:
    click.echo(json.dumps(describe(_open(file), width), ensure_ascii=False))


def _print_tables(file: Path, width: int) -> None:
    document = _open(file)
    console = _console()
    count = len(document.lacunae)
    restorable = sum(lacuna.restorable for lacuna in document.lacunae)
    console.print(f"{file}: {_number(len(document.editions), 'edition')}, ", style="bold", end="")
    console.print(f"{_number(count, 'lacuna', 'lacunae')}, {restorable} restorable", style="bold")
    if not document.is_tei:
        console.print("  This is not a TEI document: its whole text is taken for an edition.", style="yellow")
    for number, (edition, lacunae) in enumerate(_by_edition(document).items(), 1):
        _print_edition(console, edition, number, lacunae, width)
    console.print()


def _print_edition(
    console: Console, edition: Edition, number: int, lacunae: list[Lacuna], width: int
) -> None:
    from rich.table import Table
    from rich.text import Text

    reading = edition.reading
    line, _ = edition.document.position(edition.element.start)
    about = [edition.language or "language not said", *([edition.subtype] if edition.subtype else [])]
    console.print(
        f"  edition {number} ({', '.join(about)}), line {line}: "
        f"{_number(len(reading), 'sign')} in {_number(len(reading.lines), 'text line')}"
    )
    if not lacunae:
        return
    table = Table(box=None, padding=(0, 1), header_style="bold")
    for heading, justify in (("no.", "right"), ("at", "right"), ("text line", "right")):
        table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    table.add_column("kind", no_wrap=True)
    table.add_column("extent", no_wrap=True)
    table.add_column("context", no_wrap=True, overflow="ellipsis")
    table.add_column("not restorable because it")
    for lacuna in lacunae:
        line, column = lacuna.position
        before, after = lacuna.context(width)
        context = Text.assemble(
            (before.rjust(width), "dim"),
            (f"[{_signs_of(lacuna)}]", "bold red" if lacuna.restorable else "red"),
            (after, "dim"),
        )
        table.add_row(
            str(lacuna.number),
            f"{line}:{column}",
            lacuna.line,
            lacuna.kind,
            str(lacuna.extent),
            context,
            Text(lacuna.obstacle, style="yellow"),
        )
    console.print(table)


def _signs_of(lacuna: Lacuna) -> str:
    return lacuna.edition.reading.letters[lacuna.first : lacuna.stop]


def _number(count: int, singular: str, plural: str = "") -> str:
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def _open(file: Path) -> Document:
    from pythia_epidoc.epidoc.document import Document

    return Document.open(file)


def _console() -> Console:
    import sys

    from rich.console import Console

    # A table in a file or a pipe is not cut to the width of a screen that is not there.
    width = None if sys.stdout.isatty() else 160
    return Console(highlight=False, markup=False, emoji=False, width=width)
