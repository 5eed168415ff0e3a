"""Where a command that changes a document puts it: a file, the document itself, a diff, the screen."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, apply_edits, save
from pythia_epidoc.epidoc.source import Source
from pythia_epidoc.errors import ConfigError

_Command = TypeVar("_Command", bound=Callable[..., Any])
_OPTIONS = (
    click.option("-o", "--output", type=click.Path(path_type=Path), help="Write here (file or folder)."),
    click.option("--in-place", is_flag=True, help="Change the file itself."),
    click.option("--diff", is_flag=True, help="Show what would change, and change nothing."),
)


@dataclass(frozen=True)
class Destination:
    """What the options -o, --in-place and --diff say."""

    output: Path | None
    in_place: bool
    diff: bool
    many: bool
    """Several documents are changed, so that an output must be a folder."""

    def __post_init__(self) -> None:
        if sum((self.output is not None, self.in_place, self.diff)) > 1:
            raise ConfigError("Choose one of -o, --in-place and --diff.")
        if self.many and not (self.output or self.in_place or self.diff):
            raise ConfigError("For several files choose -o FOLDER, --in-place or --diff.")

    @property
    def is_screen(self) -> bool:
        return not (self.output or self.in_place or self.diff)

    def deliver(self, document: Document, edits: Sequence[Edit]) -> None:
        """Put the edited document where it belongs; unedited, it is still delivered, unless in place."""
        if self.in_place:
            save(document.source, edits)
        elif self.output is not None:
            save(document.source, edits, self._file(document))
        elif self.diff:
            click.echo(_difference(document, edits), nl=False)
        else:
            click.echo(apply_edits(document.source, edits), nl=False)

    def _file(self, document: Document) -> Path:
        assert self.output is not None
        if not (self.many or self.output.is_dir()):
            return self.output
        try:
            self.output.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"The folder cannot be made: {error.strerror}. Choose another for -o.", path=self.output
            ) from None
        return self.output / (document.path.name if document.path else "restored.xml")


def destination_options(command: _Command) -> _Command:
    """The options -o, --in-place and --diff."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _difference(document: Document, edits: Sequence[Edit]) -> str:
    after = Source.from_bytes(apply_edits(document.source, edits)).text
    name = str(document.path) if document.path else "document"
    lines = difflib.unified_diff(
        document.text.splitlines(keepends=True), after.splitlines(keepends=True), name, f"{name} (restored)"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
