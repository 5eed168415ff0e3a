"""Where a command that changes a document puts it: a file, the document itself, a diff, the screen."""

from __future__ import annotations

import contextlib
import difflib
import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from click.core import ParameterSource

from pythia_epidoc.collection import xml_places
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, apply_edits, save
from pythia_epidoc.epidoc.source import Source
from pythia_epidoc.errors import ConfigError, DocumentError, EditError

_Command = TypeVar("_Command", bound=Callable[..., Any])
_OPTIONS = (
    # As it was typed: the stroke at the end of `restored/` says that a folder is meant.
    click.option("-o", "--output", type=click.Path(), help="Write here (file or folder)."),
    click.option("--in-place", is_flag=True, help="Change the file itself."),
    click.option("--diff", is_flag=True, help="Show what would change, and change nothing."),
)


_NOWHERE = {"output": None, "in_place": False, "diff": False}


@dataclass(frozen=True)
class Destination:
    """What the options -o, --in-place and --diff say."""

    output: str | None
    in_place: bool
    diff: bool
    many: bool = False
    """Several documents are changed, so that an output must be a folder."""
    places: Mapping[Path, Path] = field(default_factory=dict)
    """Where in an output folder a file goes, if not under its own name."""

    def __post_init__(self) -> None:
        if sum((self.output is not None, self.in_place, self.diff)) > 1:
            raise ConfigError("Choose one of -o, --in-place and --diff.")
        if self.many and not (self.output or self.in_place or self.diff):
            raise ConfigError("For several files choose -o FOLDER, --in-place or --diff.")
        if self.folder is not None:
            _refuse_same_place(self.places, self.folder)

    @classmethod
    def of_all(cls, arguments: Sequence[str], output: str | None, in_place: bool, diff: bool) -> Destination:
        """For all files that these arguments mean: an output folder keeps the folders they lie in, and what
        is in it already is left out."""
        places: dict[Path, Path] = {}
        for argument in arguments:
            with contextlib.suppress(DocumentError):  # told when it is its turn
                for file, place in xml_places(argument).items():
                    if output is None or not _is_result(file, place, Path(output)):
                        places.setdefault(file, place)
        many = len(arguments) > 1 or Path(arguments[0]).is_dir() or len(places) > 1
        return cls(output, in_place, diff, many, places)

    @property
    def is_screen(self) -> bool:
        return not (self.output or self.in_place or self.diff)

    @property
    def folder(self) -> Path | None:
        """The output, if it is a folder: for several files, or because it is one or is written as one."""
        if self.output is None:
            return None
        is_folder = self.many or self.output.endswith(("/", os.sep)) or Path(self.output).is_dir()
        return Path(self.output) if is_folder else None

    def deliver(self, document: Document, edits: Sequence[Edit]) -> None:
        """Put the edited document where it belongs; unedited, it is still delivered, unless in place."""
        if self.in_place:
            save(document.source, edits)
        elif self.output is not None:
            save(document.source, edits, self._file(document))
        elif self.diff:
            _print(_difference(document, edits))
        else:
            _print(apply_edits(document.source, edits))

    def _file(self, document: Document) -> Path:
        assert self.output is not None and document.path is not None
        if self.folder is None:
            return Path(self.output)
        file = self.folder / self.places.get(document.path, document.path.name)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EditError(
                f"The folder cannot be made: {error.strerror}. Choose another for -o.", path=file.parent
            ) from None
        return file


def destination_options(command: _Command) -> _Command:
    """The options -o, --in-place and --diff: what is typed goes before what the settings say."""

    @functools.wraps(command)
    def heed(**values: Any) -> Any:
        context = click.get_current_context()
        typed = {
            name for name in _NOWHERE if context.get_parameter_source(name) == ParameterSource.COMMANDLINE
        }
        if typed:
            values |= {name: value for name, value in _NOWHERE.items() if name not in typed}
        return command(**values)

    wrapped = cast(_Command, heed)
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def _refuse_same_place(places: Mapping[Path, Path], output: Path) -> None:
    taken: dict[Path, Path] = {}
    for file, place in places.items():
        if file.resolve() == (output / place).resolve():
            raise ConfigError(
                "The result would overwrite this file, so nothing was done. Choose another folder for -o, or "
                "--in-place if that is what you want.",
                path=file,
            )
        other = taken.setdefault(place, file)
        if other != file:
            raise ConfigError(
                f"{other} and {file} would both be written to this file, so nothing was done. "
                "Name one folder above both, or choose another -o for each.",
                path=output / place,
            )


def _print(result: str | bytes) -> None:
    try:
        click.echo(result, nl=False)
    except BrokenPipeError:
        raise  # whoever reads has seen enough
    except OSError as error:
        raise EditError(f"The result cannot be written where it was sent: {error.strerror}.") from None


def _is_result(file: Path, place: Path, output: Path) -> bool:
    """True of what an earlier run wrote, where the output folder lies in the collection itself."""
    target, source = output.absolute(), file.absolute()
    collection = source.parents[len(place.parts) - 1]
    return collection in target.parents and target in source.parents


def _difference(document: Document, edits: Sequence[Edit]) -> str:
    after = Source.from_bytes(apply_edits(document.source, edits)).text
    name = str(document.path) if document.path else "document"
    lines = difflib.unified_diff(
        document.text.splitlines(keepends=True), after.splitlines(keepends=True), name, f"{name} (restored)"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
