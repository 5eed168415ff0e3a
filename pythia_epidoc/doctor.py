"""Is everything in place? The checks behind `pythia-epidoc doctor`, each with what to do if not.

What may crash (torch, the model) runs in a subprocess, so that an illegal instruction is a finding and not
the end. Findings are meant to be pasted into an issue: they name no user and no folder of the user's.

Not for mending anything.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from pythia_epidoc import __version__
from pythia_epidoc.errors import PythiaError
from pythia_epidoc.settings import SettingsFile, setting_of, settings_files

FINE, NOTE, WRONG = "fine", "note", "wrong"
_PACKAGE = "pythia-epidoc"
_OLDEST_PYTHON = (3, 10)
_OLDEST_SQLITE = (3, 34)
_PATIENCE = 600.0
_REINSTALL = "Install again, in your copy of the repository: pip install --force-reinstall ."
_ISA_LIMIT = "ONEDNN_MAX_CPU_ISA"
_EDITORS = {"VS Code": ("code", "codium", "code-server"), "Neovim": ("nvim",), "Emacs": ("emacs",)}


@dataclass(frozen=True)
class Check:
    """One thing looked at: how it is, and what to do about it."""

    name: str
    status: str
    """`fine`; `note`: good to know, restoring works; `wrong`: something will not work."""
    finding: str
    advice: str = ""


def examine() -> Iterator[Check]:
    """Every check, one after another."""
    yield from (check for part in (_python, _libraries, _sqlite, _torch) for check in part())
    for name, part in (("settings", _settings), ("model", _model), ("parallels", _index)):
        try:
            yield from part()
        except PythiaError as error:
            # The message without its place: a path may tell more than its owner wants to publish.
            yield Check(name, WRONG, error.message, "Mend or remove pythia-epidoc.toml, or what it names.")
            if part is _settings:  # which everything else reads: it would only fail for the same reason
                return
    yield from _editors()


def _python() -> Iterator[Check]:
    system = f"{platform.system()} {platform.machine()}"
    found = f"{platform.python_version()} ({platform.python_implementation()}), {system}"
    if sys.version_info >= _OLDEST_PYTHON:
        yield Check("Python", FINE, found)
    else:
        yield Check("Python", WRONG, found, "Install Python 3.10 or later, and this package with it.")


def _libraries() -> Iterator[Check]:
    try:
        required = [Requirement(line) for line in metadata.requires(_PACKAGE) or ()]
    except metadata.PackageNotFoundError:
        yield Check("libraries", WRONG, "This package is not installed, only found.", "Run: pip install .")
        return
    needed = [one for one in required if one.marker is None or one.marker.evaluate({"extra": ""})]
    for requirement in sorted(needed, key=lambda one: one.name):
        yield _library(requirement)


def _library(requirement: Requirement) -> Check:
    name = requirement.name
    advice = f'Run: pip install "{name}{requirement.specifier}"'
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Check(name, WRONG, "missing", advice)
    if requirement.specifier.contains(version, prereleases=True):
        return Check(name, FINE, version)
    return Check(name, WRONG, f"{version}, but {requirement.specifier} is needed", advice)


def _sqlite() -> Iterator[Check]:
    version = sqlite3.sqlite_version
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        try:
            database.execute("CREATE VIRTUAL TABLE t USING fts5 (x, tokenize='trigram')")
        except sqlite3.Error:
            wanted = ".".join(map(str, _OLDEST_SQLITE))
            advice = f"Only `parallels` needs it: use a Python with SQLite {wanted} or later and FTS5."
            yield Check("SQLite", NOTE, f"{version}, without full-text search by trigrams", advice)
        else:
            yield Check("SQLite", FINE, version)


def _torch() -> Iterator[Check]:
    trial = run_trial("float32")
    if trial.problem:
        advice = "Install another build of torch; restoring cannot work with this one on this machine."
        yield Check("arithmetic", WRONG, f"A plain computation ended badly: {trial.problem}", advice)
        return
    found = trial.result
    instructions = f"{found['capability']}, limited to {_isa_limit()}"
    threads = "1 thread" if found["threads"] == 1 else f"{found['threads']} threads"
    yield Check("arithmetic", FINE, f"device {found['device']}, {threads}, {instructions}")
    yield from _instructions()


def _isa_limit() -> str:
    return os.environ.get(_ISA_LIMIT, "nothing")


def _instructions() -> Iterator[Check]:
    trial = run_trial("bfloat16", {_ISA_LIMIT: "ALL"})
    if trial.problem:
        finding = f"This processor advertises instructions that it does not have: {trial.problem}"
        advice = (
            f"Nothing to do: they are not used here. Other programs may need {_ISA_LIMIT}={_isa_limit()}."
        )
        yield Check("processor", NOTE, finding, advice)
    else:
        yield Check("processor", FINE, "every instruction it advertises works")


def _settings() -> Iterator[Check]:
    files = settings_files()
    if not files:
        yield Check("settings", FINE, "no settings file; every option has its default")
    for file in files:
        options = ", ".join(_named(file)) or "nothing set"
        yield Check("settings", FINE, f"{_whereabouts(file.path)}: {options}")


def _named(file: SettingsFile) -> Iterator[str]:
    """The options a file sets, without their values, which may be private."""
    yield from file.common()
    for command, table in file.values.items():
        if isinstance(table, dict):
            yield from (f"{command}.{option}" for option in file.section(command))


def _whereabouts(path: Path) -> str:
    folder = Path.cwd().resolve()
    if path.parent == folder:
        return f"{path.name} of this folder"
    return f"{path.name} of a folder above" if path.parent in folder.parents else f"{path.name} of the user"


def _model() -> Iterator[Check]:
    files = settings_files()
    model, chosen = (setting_of("restore", option, files) for option in ("model", "device"))
    path = model.value if model else ""
    device = chosen.value if chosen else "auto"
    trial = run_trial("model", arguments=(str(device), str(path)))
    advice = "Check `model` and `device` in the settings." if path or device != "auto" else _REINSTALL
    if trial.problem:
        yield Check("model", WRONG, trial.problem, advice)
        return
    found = trial.result
    origin = "of the settings" if path else "included"
    yield Check("model", FINE, f"{found['name']} {found['version']} ({origin}), SHA-256 {found['digest']}")
    if found["is_expected"]:
        yield Check("restoration", FINE, found["phrase"])
    else:
        advice = "Fine for a model of your own; otherwise " + _REINSTALL[0].lower() + _REINSTALL[1:]
        yield Check("restoration", NOTE, f"{found['phrase']}, where καισ was expected", advice)


def _index() -> Iterator[Check]:
    from pythia_epidoc.parallels.index import ParallelsIndex
    from pythia_epidoc.parallels.location import configured

    path = configured()
    if path is None:
        yield Check("parallels", FINE, "no index; `pythia-epidoc parallels index FOLDER` makes one")
        return
    with ParallelsIndex(path) as index:
        files = index.files()
    yield Check("parallels", FINE, f"index of {len(files):,} files")


def _editors() -> Iterator[Check]:
    on_path = shutil.which(_PACKAGE)
    if on_path is None:
        advice = "Start the editor from the activated environment, or name the Python in its settings."
        yield Check("command", NOTE, f"{_PACKAGE} is not on the PATH, where editors look for it", advice)
    elif Path(on_path).resolve().parent != Path(sys.executable).parent.resolve():
        advice = "Remove the one you do not want, or put the other first on the PATH."
        yield Check("command", NOTE, f"the {_PACKAGE} on the PATH belongs to another Python", advice)
    else:
        yield Check("command", FINE, f"{_PACKAGE} is on the PATH")
    server = run([sys.executable, "-m", "pythia_epidoc", "lsp", "--version"])
    if server.problem:
        yield Check("language server", WRONG, f"It does not start: {server.problem}", _REINSTALL)
    else:
        yield Check("language server", FINE, "starts")
    found = [name for name, commands in _EDITORS.items() if any(map(shutil.which, commands))]
    yield Check("editors", FINE, ", ".join(found) or "none on the PATH; docs/editor.md has the set-up")


@dataclass(frozen=True)
class Trial:
    """How a subprocess ended: with a result, or with a problem in words."""

    result: dict[str, Any]
    problem: str = ""


def run_trial(name: str, environment: dict[str, str] | None = None, arguments: tuple[str, ...] = ()) -> Trial:
    """Run a trial of `pythia_epidoc.model.probe` in a process of its own."""
    trial = run(
        [sys.executable, "-m", "pythia_epidoc.model.probe", name, *arguments], environment, json.loads
    )
    return Trial({}, trial.result["error"]) if "error" in trial.result else trial


def run(
    command: list[str],
    environment: dict[str, str] | None = None,
    read: Callable[[str], dict[str, Any]] = lambda output: {},
) -> Trial:
    """Run a command and say in words how it ended."""
    try:
        done = subprocess.run(
            command,
            env={**os.environ, "PYTHONUTF8": "1", **(environment or {})},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return Trial({}, "it did not end.")
    except OSError as error:
        return Trial({}, f"it could not be started: {error.strerror}.")
    if done.returncode == 0:
        return Trial(read(done.stdout))
    return Trial({}, _ending(done.returncode, done.stderr))


def _ending(code: int, errors: str) -> str:
    if code < 0:
        name = next((one.name for one in signal.Signals if one == -code), f"signal {-code}")
        return f"killed by {name}."
    if code > 255:  # Windows has no signals: a crash is a large code, such as 0xC000001D
        return f"crashed with code {code:#X}."
    last = next((line for line in reversed(errors.splitlines()) if line.strip()), f"exit code {code}")
    return f"{last.strip().rstrip('.')}.".replace(str(Path.home()), "~")


def headline() -> str:
    """The first line of a report."""
    return f"Pythia-EpiDoc {__version__}"
