"""Defaults from `pythia-epidoc.toml` for the options of a command, and `--show-config`."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from importlib import import_module
from typing import Any

import click

from pythia_epidoc.errors import ConfigError
from pythia_epidoc.settings import Setting, SettingsFile, settings_files, settings_for

_SHOW = "show_config"


def configure(context: click.Context, name: str, command: click.Command) -> None:
    """Let the settings files speak before the command's own defaults."""
    if isinstance(command, click.Group):
        return
    command.params = [option for option in command.params if option.name != _SHOW]
    options = {_option(option): option for option in command.params if isinstance(option, click.Option)}
    files = settings_files()
    for file in files if name != "lsp" else ():  # no editor loses its server over a setting for others
        _refuse_unknown(file, options)
    settings = settings_for(name, options, files)
    for key, setting in settings.items():
        _check(context, options[key], key, setting)
    values = {str(options[key].name): setting.value for key, setting in settings.items()}
    context.default_map = {**(context.default_map or {}), name: values}
    command.params.append(_show_config(options, settings))


def _refuse_unknown(file: SettingsFile, options: Container[str]) -> None:
    """A misspelt section or setting would be passed over in silence."""
    from pythia_epidoc.cli import COMMANDS

    for name, value in file.values.items():
        if isinstance(value, dict) and name not in COMMANDS:
            raise ConfigError(
                f"[{name}] has no effect: no command has this name; `pythia-epidoc --help` lists them.",
                path=file.path,
            )
    # Only what this command does not know is worth importing the others for.
    strange = [key for key in file.common() if key not in options and key not in COMMANDS]
    known = set(_options_of_all(COMMANDS)) if strange else set()
    for key in strange:
        if key not in known:
            raise ConfigError(
                f"No command has an option {key!r}; correct it, or put it into the section of its command.",
                path=file.path,
            )


def _options_of_all(commands: Iterable[str]) -> Iterator[str]:
    found: list[click.Command] = [import_module(f"pythia_epidoc.cli.{name}").command for name in commands]
    for command in found:
        if isinstance(command, click.Group):
            found += command.commands.values()
        yield from (_option(option) for option in command.params if isinstance(option, click.Option))


def _check(context: click.Context, option: click.Option, key: str, setting: Setting) -> None:
    try:
        option.type_cast_value(context, setting.value)
    except (click.BadParameter, TypeError, ValueError) as error:
        why = error.message if isinstance(error, click.BadParameter) else "that is no value for it."
        why = 'several are possible, so write a list, such as ["2"].' if option.multiple else why
        raise ConfigError(f"{key} = {_toml(setting.value)}: {why}", path=setting.path) from None


def _option(option: click.Option) -> str:
    return max(option.opts, key=len).lstrip("-")


def _show_config(options: dict[str, click.Option], settings: dict[str, Setting]) -> click.Option:
    def show(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
        if not wanted or context.resilient_parsing:
            return
        for key, option in options.items():
            if key in ("help", "version"):
                continue
            setting = settings.get(key)
            value = setting.value if setting else option.get_default(context)
            origin = str(setting.path) if setting else "default"
            click.echo(f"{key} = {_toml(value)}  # {origin}")
        context.exit()

    return click.Option(
        ["--show-config"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Print the settings in force, with the file each comes from, and stop.",
    )


def _toml(value: Any) -> str:
    if value is None or type(value).__name__ == "Sentinel":
        return '""'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
