"""Do something with every file a user names; what cannot be read is told, and the rest still done.

Not for deciding which files are meant: see `collection`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path

import click

from pythia_epidoc.cli.meter import Meter
from pythia_epidoc.collection import xml_files
from pythia_epidoc.errors import ConfigError, CorpusError, DocumentError, ModelError, PythiaError

UNREADABLE = 2
"""Exit code when a file could not be read."""


def each_file(
    arguments: Iterable[str],
    action: Callable[[Path], None],
    meter: Meter | None = None,
    *,
    among: Container[Path] | None = None,
) -> int:
    """Call `action` with every file, or every one that is `among` those wanted, and show how far this is if
    there is a meter; gives the exit code.

    What is wrong with the model, the index or the settings is wrong for all files, and ends the run.
    """
    code = 0
    files = [
        file
        for file in named_files(arguments)
        if among is None or not isinstance(file, Path) or file in among
    ]
    for done, file in enumerate(files):
        if meter:
            meter(done, len(files))
        try:
            if isinstance(file, DocumentError):
                raise file
            action(file)
        except PythiaError as error:
            if meter:
                meter.clear()
            if isinstance(error, (ConfigError, CorpusError, ModelError)) and error.path != str(file):
                raise
            click.echo(f"pythia-epidoc: {error}", err=True)
            code = UNREADABLE
    if meter:
        meter.clear()
    return code


def named_files(arguments: Iterable[str]) -> Iterator[Path | DocumentError]:
    """Each file once; in the place of a folder or pattern without any, what is wrong with it."""
    seen: set[Path] = set()
    for argument in arguments:
        try:
            files = xml_files([argument])
        except DocumentError as error:
            yield error
            continue
        for file in files:
            if file not in seen:
                seen.add(file)
                yield file
