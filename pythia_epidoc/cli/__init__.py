"""The `pythia-epidoc` command: one module per subcommand, imported only when it runs.

A command module `pythia_epidoc/cli/NAME.py` exports a click command called `command`; to add one,
write the module and list it in `COMMANDS` with its one-line help, so that `--help` need not import it.
"""

from __future__ import annotations

import io
import sys
from importlib import import_module
from typing import NoReturn

import click

from pythia_epidoc import __version__
from pythia_epidoc.cli.configured import configure
from pythia_epidoc.errors import PythiaError

DOCTOR = "doctor"
COMMANDS: dict[str, str] = {
    "inspect": "Show the editions of a file and its lacunae.",
    "text": "Print the reading as the model sees it.",
    "lint": "Check transcription markup, and mend what is safe to mend.",
    "corpus": "Build training records from collections of texts.",
    "train": "Train a model on a built corpus.",
    "evaluate": "Measure a model: CER, Top-1, Top-5, Top-20, calibration.",
    "model": "Tell what a checkpoint is and where it came from.",
    "restore": "Restore the lacunae of files and write alternatives back.",
    "strip": "Remove exactly what this tool added.",
    "accept": "Accept one suggestion.",
    "reject": "Reject the suggestions for a lacuna.",
    "batch": "Restore a whole collection, with a report.",
    "convert": "Turn PHI or Leiden text into EpiDoc.",
    "leiden": "Print an edition as Leiden text.",
    "parallels": "Index a collection and search it for parallels.",
    "review": "Give a second opinion on an editor's conjectures.",
    "attention": "Show which letters a restoration rests on.",
    "lsp": "Run the language server for an editor.",
    DOCTOR: "Check the installation and print a report.",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"pythia_epidoc.cli.{cmd_name}").command
        if cmd_name != DOCTOR:  # which must be able to say that a settings file is broken
            configure(ctx, cmd_name, command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, COMMANDS, 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"There is no command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pythia-epidoc")
def group() -> None:
    """Restore damaged ancient Greek texts inside EpiDoc XML."""


def _write_greek() -> None:
    """Into files and pipes goes UTF-8, also where the system's code page (Windows) has no Greek.

    What cannot be shown, such as a file name that is not text, becomes a question mark.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")


def main() -> None:
    """Run the command line; an error that a user can mend becomes one sentence and exit code 2."""
    _write_greek()
    try:
        group.main(standalone_mode=True)
    except PythiaError as error:
        _fail(str(error))
    except ImportError as error:
        _fail(f"A library cannot be loaded: {error}. `pythia-epidoc doctor` says what to do.")
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _fail(f"{place}The system says: {error.strerror or error}. Mend that and run the command again.")


def _fail(sentence: str) -> NoReturn:
    click.echo(f"pythia-epidoc: {sentence}", err=True)
    sys.exit(2)
