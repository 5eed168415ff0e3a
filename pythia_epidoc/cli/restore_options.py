"""The options that say how to restore, shared by `restore` and `batch`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pythia_epidoc.cli.collection_options import collection_options
from pythia_epidoc.restoring import KINDS, RestoreOptions
from pythia_epidoc.writeback.options import DEFAULT_RESP_ID, FORMS, INLINE, WriteOptions, today

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--form",
        type=click.Choice(FORMS),
        default=INLINE,
        show_default=True,
        help="Alternatives beside the gap, in an apparatus, or the best in place of the gap.",
    ),
    click.option(
        "--top", type=click.IntRange(1, 100), default=5, show_default=True, help="Alternatives written."
    ),
    click.option(
        "--min-probability",
        type=click.FloatRange(0, 1),
        help="Write nothing less probable.  [default: 0.8 for --form accept, else 0]",
    ),
    click.option(
        "--only",
        type=click.Choice(list(KINDS)),
        default="gap",
        show_default=True,
        help="Gaps, or the editor's own restorations, or both.",
    ),
    click.option("--plain", is_flag=True, help="Letters without accents."),
    click.option(
        "--fit-lines", is_flag=True, help="Only what its line has room for, where that can be told."
    ),
    click.option("--iterative", is_flag=True, help="Surest lacuna first, each informing the next (slower)."),
    click.option(
        "--beam", type=click.IntRange(1, 1000), default=100, show_default=True, help="Width of search."
    ),
    click.option(
        "--resp-id", default=DEFAULT_RESP_ID, show_default=True, help="xml:id under which the model signs."
    ),
    click.option("--date", help="Date to sign with, such as 2025-12-31.  [default: today]"),
    click.option(
        "--model", type=click.Path(path_type=Path), help="A checkpoint.  [default: the one included]"
    ),
    click.option("--device", default="auto", show_default=True, help="cpu, cuda, mps or auto."),
)


def restore_options(command: _Command) -> _Command:
    command = collection_options(command)
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def options_from(values: dict[str, Any], lacunae: tuple[str, ...] = ()) -> RestoreOptions:
    """The options as the pipeline wants them."""
    write = WriteOptions(
        form=values["form"],
        top=values["top"],
        min_probability=values["min_probability"],
        resp_id=values["resp_id"],
        date=values["date"] or today(),
    )
    return RestoreOptions(
        only=values["only"],
        lacunae=lacunae,
        beam=values["beam"],
        plain=values["plain"],
        iterative=values["iterative"],
        fit_lines=values["fit_lines"],
        write=write,
    )
