"""`pythia-epidoc.toml`: a project's and a user's defaults for the options of every command.

    device = "cpu"            # any command with a --device
    [restore]                 # only this command
    top = 10
    min-probability = 0.5

The file nearest above the working folder goes before the one in the user's settings folder; an option
on the command line goes before both.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from pythia_epidoc.errors import ConfigError

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

FILE_NAME = "pythia-epidoc.toml"


@dataclass(frozen=True)
class Setting:
    """A value and the file that gives it."""

    value: Any
    path: Path


@dataclass(frozen=True)
class SettingsFile:
    """One file of settings."""

    path: Path
    values: Mapping[str, Any]

    def common(self) -> dict[str, Any]:
        """The settings for every command that knows them."""
        return {_option(key): value for key, value in self.values.items() if not isinstance(value, dict)}

    def section(self, command: str) -> dict[str, Any]:
        table = self.values.get(command, {})
        if not isinstance(table, dict):
            raise ConfigError(f"[{command}] must be a table of options.", path=self.path)
        return {_option(key): value for key, value in table.items()}


def settings_files(folder: Path | None = None) -> list[SettingsFile]:
    """The files in force, the one that goes first at the front."""
    folder = (folder or Path.cwd()).resolve()
    candidates = [parent / FILE_NAME for parent in (folder, *folder.parents)]
    project = next((path for path in candidates if path.is_file()), None)
    user = user_config_path("pythia-epidoc", appauthor=False) / FILE_NAME
    paths = [path for path in (project, user) if path is not None and path.is_file()]
    return [SettingsFile(path, read_toml(path)) for path in dict.fromkeys(paths)]


def settings_for(command: str, options: Iterable[str], files: Iterable[SettingsFile]) -> dict[str, Setting]:
    """The settings of a command, by option name (`min-probability`)."""
    known = set(options)
    found: dict[str, Setting] = {}
    for file in reversed(list(files)):
        section = file.section(command)
        unknown = sorted(set(section) - known)
        if unknown:
            raise ConfigError(
                f"[{command}] has {unknown[0]!r}, which is no option of that command; "
                f"`pythia-epidoc {command} --help` lists them.",
                path=file.path,
            )
        for values in (file.common(), section):
            found.update((key, Setting(value, file.path)) for key, value in values.items() if key in known)
    return found


def setting_of(command: str, option: str, files: Iterable[SettingsFile]) -> Setting | None:
    """What the settings say of one option of a command, whatever else they say of it."""
    for file in files:
        for values in (file.section(command), file.common()):
            if option in values:
                return Setting(values[option], file.path)
    return None


def _option(key: str) -> str:
    return key.replace("_", "-")


def read_toml(path: Path) -> dict[str, Any]:
    """The values of a TOML file; a file that is none is a `ConfigError`."""
    try:
        with path.open("rb") as stream:
            values: dict[str, Any] = tomllib.load(stream)
            return values
    except FileNotFoundError:
        raise ConfigError("There is no such settings file; check the name.", path=path) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"This is not TOML: {error}.", path=path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The settings cannot be read: {error}.", path=path) from None
