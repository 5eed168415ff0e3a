"""Deciding about suggestions in the terminal, one lacuna after another, with its context shown."""

from __future__ import annotations

from pathlib import Path

import click

from pythia_epidoc.api import OpenDocument
from pythia_epidoc.cli.destination import Destination
from pythia_epidoc.errors import ConfigError, EditError
from pythia_epidoc.leiden.render import render_line
from pythia_epidoc.probability import percent
from pythia_epidoc.writeback import PendingAlternatives

HELP = "number: accept · r: reject · s: skip · u: undo · q: finish"


def show(document: OpenDocument, waiting: PendingAlternatives) -> None:
    """Print a lacuna's line in Leiden notation and its alternatives."""
    lacuna = waiting.lacuna
    click.echo(f"\nLacuna {waiting.number}, line {lacuna.line or '?'}, {lacuna.extent}")
    click.secho("  " + render_line(document.document, lacuna.start), bold=True)
    for alternative in waiting.alternatives:
        probability = "" if alternative.probability is None else percent(alternative.probability)
        click.echo(f"  {alternative.rank:>2}  {alternative.text.strip():<30} {probability:>7}")


def decide_each(document: OpenDocument, *, final: bool = False) -> int:
    """Ask about every pending lacuna; the number of decisions made."""
    history: list[tuple[int, OpenDocument]] = []
    skipped = 0
    # Not by number: a restoration that a line break cuts is two, and those after it move up.
    while skipped < len(waiting_now := document.pending):
        waiting = waiting_now[skipped]
        show(document, waiting)
        try:
            reply = click.prompt(f"  {HELP}", default="s", show_default=False).strip().lower()
        except click.Abort:  # Ctrl-C, or no more input: what was decided is decided
            click.echo()
            break
        if reply == "q":
            break
        if reply == "u":
            if history:
                skipped, before = history.pop()
                _become(document, before)
            continue
        snapshot = _copy(document)
        choices = [str(alternative.rank) for alternative in waiting.alternatives]
        try:
            if reply == "r":
                document.reject(waiting.number)
            elif reply in choices:
                document.accept(waiting.number, int(reply), final=final)
            elif reply != "s":
                click.echo("  That is not one of the choices.")
                continue
        except EditError as error:
            click.echo(f"  {error.message}")
            continue
        history.append((skipped, snapshot))
        skipped += reply == "s"
    return sum(before.document is not document.document for _, before in history)


def require_destination(destination: Destination, path: Path) -> None:
    if destination.is_screen or destination.diff:
        raise ConfigError("Say where the decisions go: --in-place or -o FILE.", path=path)


def _copy(document: OpenDocument) -> OpenDocument:
    copy = OpenDocument(document.original)
    _become(copy, document)
    return copy


def _become(document: OpenDocument, other: OpenDocument) -> None:
    document.document, document.edits = other.document, list(other.edits)
