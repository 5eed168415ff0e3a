"""What became of the suggestions in a document, in one sentence on the error stream.

Not for `restore`, which lists every lacuna.
"""

from __future__ import annotations

import click

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.writeback import find_marks, pending


def tell_decided(before: Document, after: Document) -> None:
    """How many lacunae were decided, and how many wait."""
    waiting = len(pending(after))
    decided = _count(len(pending(before)) - waiting, "lacuna", "lacunae")
    left = _count(waiting, "waits", "wait") if waiting else "nothing waits"
    click.echo(f"{before.path}: decided on {decided}; {left} for a decision.", err=True)


def tell_stripped(before: Document, after: Document) -> None:
    """What was taken out, and what stays."""
    suggested = len(pending(before))
    marks = find_marks(before)
    if not marks:
        click.echo(f"{before.path}: there is nothing of this tool's in it.", err=True)
        return
    restored, kept = marks.accepted, find_marks(after).accepted
    gone = f"suggestions for {_count(suggested, 'lacuna', 'lacunae')}, "
    gone += _count(len(restored) - len(kept), "restored passage", "restored passages")
    if not (suggested or restored):
        gone = "what it had entered in the header; there was nothing else"
    unrecorded = sum(each.original is None for each in kept)
    stays = ""
    if len(kept) > unrecorded:
        stays += f" Accepted by a person, kept: {len(kept) - unrecorded}."
    if unrecorded:
        stays += f" Accepted with --final, so that no gap can be brought back: {unrecorded}."
    click.echo(f"{before.path}: taken out: {gone}.{stays}", err=True)


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
