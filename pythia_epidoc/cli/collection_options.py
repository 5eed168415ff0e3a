"""The options that say which collection stands behind the model, shared by every command that restores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--parallels",
        type=click.Path(path_type=Path),
        callback=lambda context, parameter, value: _index(context, value),
        help="Index of your collection, made by `parallels index`.  [default: the one in its usual place]",
    ),
    click.option(
        "--no-parallels",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=lambda context, parameter, value: context.meta.__setitem__(_WITHOUT, value),
        help="The model alone, even if there is an index.",
    ),
)
_WITHOUT = "pythia_epidoc.no_parallels"


def collection_options(command: _Command) -> _Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _index(context: click.Context, value: Path | None) -> Path | None:
    """The index in force, or None."""
    from pythia_epidoc.parallels.location import configured

    if context.meta.get(_WITHOUT):
        return None
    if context.get_parameter_source("parallels") == ParameterSource.COMMANDLINE:
        return value
    return configured(context.info_name or "")
