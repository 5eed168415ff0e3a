"""The extension as a package: complete, checked, and without anything that reaches outside."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path

from pythia_epidoc_lsp.commands import COMMANDS
from pythia_epidoc_lsp.settings import _RULES
from vscode_workbench import EXTENSION, program


def manifest() -> dict[str, object]:
    found: dict[str, object] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return found


def test_the_package_holds_what_the_extension_needs_and_no_sources(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as package:
        names = {name.removeprefix("extension/") for name in package.namelist()}
    needed = {"package.json", "readme.md", "out/extension.js", "out/panel.js", "out/sample.xml"}
    needed |= {
        "media/icon.png",
        "media/icon.svg",
        "media/activity.svg",
        "media/panel.css",
        "walkthrough/server.md",
    }
    assert needed <= names
    assert not [
        name for name in names if name.endswith(".ts") or "node_modules" in name or name.startswith("test/")
    ]


def test_the_pictures_of_the_readme_are_in_the_package(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as package:
        pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", package.read("extension/readme.md").decode())
        assert pictures and {f"extension/{picture}" for picture in pictures} <= set(package.namelist())


def test_the_panel_reaches_for_nothing_outside(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as package:
        for name in ("extension/out/panel.js", "extension/media/panel.css"):
            content = package.read(name).decode()
            assert not re.search(r"https?:|url\(|@import|innerHTML|eval\(", content), name


def test_types_and_lint_are_clean(node_modules: Path) -> None:
    done = subprocess.run([program("npm"), "run", "check"], cwd=EXTENSION, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (EXTENSION / "package-lock.json").read_text(encoding="utf-8")


def test_every_setting_of_the_server_is_offered_by_the_extension() -> None:
    properties = manifest()["contributes"]["configuration"]["properties"]  # type: ignore[index]
    offered = {name.removeprefix("pythia.") for name in properties}
    assert set(_RULES) <= offered
    readme = (EXTENSION / "README.md").read_text(encoding="utf-8")
    assert not [name for name in offered if f"`pythia.{name}`" not in readme]


def test_no_setting_is_offered_per_folder_for_the_server_has_one_set_for_all() -> None:
    properties = manifest()["contributes"]["configuration"]["properties"]  # type: ignore[index]
    scopes = {name: setting["scope"] for name, setting in properties.items()}
    assert not [name for name in scopes if scopes[name] not in ("window", "machine-overridable")]


def test_settings_that_name_programs_or_files_are_restricted() -> None:
    restricted = manifest()["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]  # type: ignore[index]
    assert set(restricted) == {
        "pythia.serverCommand",
        "pythia.interpreter",
        "pythia.model",
        "pythia.parallelsIndex",
    }


def test_the_extension_calls_only_commands_that_the_server_has() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (EXTENSION / "src").glob("*.ts"))
    called = set(re.findall(r'\.run\("(\w+)"', sources))
    assert called and called <= set(COMMANDS)
