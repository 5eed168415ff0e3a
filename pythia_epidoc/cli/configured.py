"""Defaults from `pythia-epidoc.toml` for the options of a command, and `--show-config`."""

from __future__ import annotations

from typing import Any

import click

from pythia_epidoc.settings import Setting, settings_files, settings_for

_SHOW = "show_config"


def configure(context: click.Context, name: str, command: click.Command) -> None:
    """Let the settings files speak before the command's own defaults."""
    if isinstance(command, click.Group):
        return
    command.params = [option for option in command.params if option.name != _SHOW]
    options = {_option(option): option for option in command.params if isinstance(option, click.Option)}
    settings = settings_for(name, options, settings_files())
    values = {str(options[key].name): setting.value for key, setting in settings.items()}
    context.default_map = {**(context.default_map or {}), name: values}
    command.params.append(_show_config(options, settings))


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
