"""Makes the parts of the documentation that come from the code, so that none of it can go stale.

    python docs/generate.py            renew everything that needs no model
    python docs/generate.py --model    renew what the model says and the model card, too

Whole pages: cli.md, settings.md, model-card.md and NOTICE. In every page, the code block after a marker is
the output of its command, run in the root of the repository:

    <!-- output: pythia-epidoc inspect samples/epitaph.xml -->
    <!-- output of the model: pythia-epidoc restore samples/epitaph.xml --diff -->

A number of lines may be given: `<!-- first 12 lines of output: … -->`, or `last`. Tests compare.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

from pythia_epidoc.cli import COMMANDS, DOCTOR
from pythia_epidoc.corpus import formulary
from pythia_epidoc.corpus.attributions import KNOWN

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
_BLOCK = re.compile(
    r"(<!-- (?:(?P<end>first|last) (?P<lines>\d+) lines of )?output(?P<model> of the model)?: "
    r"(?P<command>[^\n]+?) -->\n+```\w*\n)"
    r"(?P<body>.*?)(?=^```)",
    re.DOTALL | re.MULTILINE,
)
_NOT_SETTINGS = {"help", "version", "show-config"}
_NOTICE_START = (
    "Pythia-EpiDoc\nCopyright 2026 The Pythia-EpiDoc authors. Licensed under the Apache License 2.0."
)


def main() -> None:
    """Write what has changed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", action="store_true", help="Also renew what the model says.")
    with_model = parser.parse_args().model
    made = {**generated(), **({DOCS / "model-card.md": model_card()} if with_model else {})}
    for path, text in made.items():
        _write(path, text)
    for page in PAGES:
        _write(page, renewed(page.read_text("utf-8"), with_model=with_model))


def generated() -> dict[Path, str]:
    """The pages that come from the code alone."""
    return {
        DOCS / "cli.md": cli_reference(),
        DOCS / "settings.md": settings_reference(),
        ROOT / "NOTICE": notice(),
    }


def renewed(page: str, *, with_model: bool = False) -> str:
    """A page with the output of its commands as it is now."""

    def renew(found: re.Match[str]) -> str:
        if found["model"] and not with_model:
            return found[0]
        return found[1] + output_of(found["command"], int(found["lines"] or 0), found["end"] == "last")

    return _BLOCK.sub(renew, page)


def output_of(command: str, lines: int = 0, from_end: bool = False) -> str:
    """What a terminal shows: the command and its output, both streams, or only the first or last of it."""
    program, *arguments = shlex.split(command)
    if program != "pythia-epidoc":
        raise ValueError(f"Only pythia-epidoc is run for the documentation, not {program}.")
    # As in an activated environment, whatever that of the caller is.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    done = subprocess.run(
        [sys.executable, "-m", "pythia_epidoc", *arguments],
        cwd=ROOT,
        env={**os.environ, "PATH": path, "PYTHONUTF8": "1", "SOURCE_DATE_EPOCH": "1767225600"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    shown = [line.rstrip() for line in done.stdout.rstrip().splitlines()]
    if lines and len(shown) > lines:
        shown = ["…", *shown[-lines:]] if from_end else [*shown[:lines], "…"]
    return "\n".join([f"$ {command}", *shown]) + "\n"


def cli_reference() -> str:
    """Every command with its options and examples."""
    return "\n".join(_cli_lines())


def _cli_lines() -> Iterator[str]:
    yield "# Commands\n"
    yield "Made from the program itself; `pythia-epidoc COMMAND --help` says the same in a terminal. Defaults"
    yield "for the options can be put into a [settings file](settings.md).\n"
    yield "| command | |\n|---|---|"
    for name, command in commands().items():
        yield f"| [`{name}`](#{name.replace(' ', '-')}) | {command.get_short_help_str(200)} |"
    yield ""
    for name, command in commands().items():
        yield from _describe(name, command)


def commands() -> dict[str, click.Command]:
    """Every command by its full name; a group by those of its commands."""
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        if find_spec(f"pythia_epidoc.cli.{name}") is None:
            continue
        command = import_module(f"pythia_epidoc.cli.{name}").command
        if isinstance(command, click.Group):
            found.update((f"{name} {inner}", one) for inner, one in command.commands.items())
        else:
            found[name] = command
    return found


def _describe(name: str, command: click.Command) -> Iterator[str]:
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    usage = " ".join(one.metavar or str(one.name).upper() for one in arguments)
    yield f"## {name}\n"
    yield f"```\npythia-epidoc {name} [OPTIONS] {usage}".rstrip() + "\n```\n"
    yield f"{_unwrapped(command.help or '')}\n"
    options = _options(command)
    if options:
        yield "| option | value | default | |\n|---|---|---|---|"
        for option in options:
            names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
            kind = "" if option.is_flag else _kind(option)
            yield f"| {names} | {kind} | {_default(option)} | {_cell(option.help or '')} |"
        yield ""
    if command.epilog:
        yield from _epilog(command.epilog)


def _options(command: click.Command) -> list[click.Option]:
    options = [one for one in command.params if isinstance(one, click.Option)]
    return [one for one in options if _key(one) not in _NOT_SETTINGS]


def _unwrapped(text: str) -> str:
    paragraphs = re.split(r"\n\s*\n", text.replace("\b", "").strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("<", "&lt;")


def _epilog(epilog: str) -> Iterator[str]:
    """Examples as a code block, what follows them as a paragraph."""
    for part in re.split(r"\n\s*\n", epilog.replace("\b", "").strip()):
        heading, _, rest = part.strip().partition("\n")
        if heading.rstrip(":") == "Examples":
            yield "```\n" + "\n".join(line[2:] for line in rest.splitlines()) + "\n```\n"
        elif heading.startswith("Example: "):
            yield f"```\n{heading.removeprefix('Example: ')}\n```\n"
        else:
            yield f"{_unwrapped(part)}\n"


def settings_reference() -> str:
    """What may stand in pythia-epidoc.toml."""
    return "\n".join(_settings_lines())


_SETTINGS_START = """# Settings

`pythia-epidoc.toml` gives your own defaults to the options of every command. The file in the working folder,
or in the nearest folder above it, goes before the one in your user settings folder (on Linux
`~/.config/pythia-epidoc/`); an option on the command line goes before both.

```toml
device = "cpu"               # any command with a --device
parallels = "greek.db"       # the index of your own collection, relative to this file

[restore]                    # only this command
top = 10
min-probability = 0.5
```

`pythia-epidoc restore --show-config` prints what is in force and which file says so; a misspelt option or
section, or a value that an option cannot have, is an error that names it. Settings of the editors are in
[In the editor](editor.md#settings).

This page is made from the program itself.
"""


def _settings_lines() -> Iterator[str]:
    yield _SETTINGS_START
    for name, command in commands().items():
        options = _options(command)
        if " " in name or name == DOCTOR or not options:
            continue
        yield f"## [{name}]\n\n| setting | value | default | |\n|---|---|---|---|"
        for option in options:
            yield f"| `{_key(option)}` | {_kind(option)} | {_default(option)} | {_cell(option.help or '')} |"
        yield ""


def _key(option: click.Option) -> str:
    return max(option.opts, key=len).lstrip("-")


def _kind(option: click.Option) -> str:
    kind = "`true` or `false`" if option.is_flag else _type_in_words(option)
    return f"{kind}; several" if option.multiple else kind


def _type_in_words(option: click.Option) -> str:
    kind = option.type
    if isinstance(kind, click.Choice):
        return ", ".join(f"`{choice}`" for choice in kind.choices)
    if isinstance(kind, (click.IntRange, click.FloatRange)):
        bounds = [f"from {kind.min}"] if kind.min is not None else []
        return " ".join(["number", *bounds, *([f"to {kind.max}"] if kind.max is not None else [])])
    if isinstance(kind, click.Path):
        return "path"
    return "number" if kind.name in ("integer", "float") else "text"


def _default(option: click.Option) -> str:
    value = option.to_info_dict()["default"]
    if option.is_flag and not value:
        return ""
    if value is None or value in ("", (), float("inf")) or type(value).__name__ == "Sentinel":
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def notice() -> str:
    """Whose texts the included model learned from."""
    lines = [
        _NOTICE_START,
        "",
        "The included model was trained on these collections. It holds statistics of their words, not their",
        "texts; the texts themselves are not part of this work and stay under their own licences.",
        "",
    ]
    for name in sorted(KNOWN.keys() - {formulary.NAME}):  # which is ours
        one = KNOWN[name]
        lines.append(f"- {one.title}. {one.credit.rstrip('.')}. {one.licence}.")
    return "\n".join(lines) + "\n"


def model_card() -> str:
    """The card of the included checkpoint."""
    text = output_of("pythia-epidoc model info --markdown").partition("\n")[2]
    if not text.startswith("# Model card"):
        raise RuntimeError(text)
    return (
        f"{text}\n## Figures\n\nHow well it does: [where it stands](model.md#where-it-stands); "
        "how that was measured: [evaluation](training.md#evaluation).\n"
    )


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")
        print(f"renewed {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
