"""A real VS Code for the tests: code-server from npm (cached), this extension installed, Debian's Chromium.

When a part cannot be had the test says which and why: it is skipped on a developer's machine and fails
where `CI=true`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest
from platformdirs import user_cache_path

HERE = Path(__file__).parent
EXTENSION = HERE.parent.parent / "editor-extensions" / "vscode"
CODE_SERVER_VERSION = "4.100.3"
INSTALL_SECONDS = 1200
SCENARIO_SECONDS = 240


def unavailable(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def program(*names: str) -> str:
    for name in names:
        found = shutil.which(name)
        if found is not None:
            return found
    unavailable(f"{names[0]} is not installed")


def run(command: list[str], what: str, cwd: Path | None = None, seconds: int = INSTALL_SECONDS) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=seconds)
    if done.returncode != 0:
        unavailable(f"{what} failed: {(done.stderr or done.stdout)[-2000:]}")


@pytest.fixture(scope="session")
def code_server() -> Path:
    """The code-server program, installed once per version into the user's cache."""
    node = program("node")
    for tool in ("npm", "rg", "gcc", "make"):
        program(tool)
    major = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    home = user_cache_path("pythia-epidoc-e2e") / f"code-server-{CODE_SERVER_VERSION}"
    if not (home / "ready").is_file():
        if not major.startswith("v20."):
            unavailable(f"code-server {CODE_SERVER_VERSION} needs Node 20, here is {major.strip()}")
        script = str(HERE / "install_code_server.sh")
        run(["bash", script, str(home), CODE_SERVER_VERSION], "installing code-server")
    return home / "node_modules" / ".bin" / "code-server"


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """The extension's npm packages, as its lock file names them."""
    folder = EXTENSION / "node_modules"
    if not (folder / "playwright-core").is_dir():
        run([program("npm"), "ci", "--ignore-scripts"], "npm ci", EXTENSION)
    return folder


@pytest.fixture(scope="session")
def vsix(node_modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension, built and packaged (without the server's wheel: the tests bring their own server)."""
    target = tmp_path_factory.mktemp("vsix") / "pythia-epidoc.vsix"
    node = program("node")
    run([node, "esbuild.mjs"], "building the extension", EXTENSION)
    vsce = str(node_modules / "@vscode" / "vsce" / "vsce")
    options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--skip-license"]
    run([node, vsce, "package", *options, "-o", str(target)], "packaging the extension", EXTENSION)
    return target


USER_SETTINGS = {
    "workbench.colorTheme": "Default Light Modern",
    "workbench.startupEditor": "none",
    "workbench.layoutControl.enabled": False,
    "window.commandCenter": False,
    "editor.minimap.enabled": False,
    "editor.fontFamily": "'DejaVu Sans Mono'",
    "editor.fontSize": 15,
    "editor.codeLensFontSize": 13,
    "editor.wordWrap": "on",
    "editor.unicodeHighlight.ambiguousCharacters": False,
    "breadcrumbs.enabled": False,
    "files.autoSave": "off",
    "telemetry.telemetryLevel": "off",
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "update.mode": "none",
}


@dataclass
class VSCode:
    """A running code-server with the extension installed."""

    url: str
    user_data: Path
    screenshots: Path

    def play(self, scenario: str, folder: Path) -> None:
        """Play one scenario in a fresh browser on this folder; fails with what the browser saw."""
        options = {
            "scenario": scenario,
            "url": self.url,
            "folder": str(folder),
            "screenshots": str(self.screenshots),
            "chromiumPath": program("chromium", "chromium-browser", "google-chrome"),
        }
        command = [program("node"), str(EXTENSION / "test" / "run.mjs"), json.dumps(options)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SCENARIO_SECONDS)
        assert done.returncode == 0, done.stderr + self.log()

    def log(self) -> str:
        """What the extension wrote to its log, newest run last."""
        logs = sorted(self.user_data.rglob("*Pythia EpiDoc.log"), key=lambda path: path.stat().st_mtime)
        return "\n".join(path.read_text(encoding="utf-8") for path in logs)


@pytest.fixture(scope="session")
def vscode(code_server: Path, vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    program("chromium", "chromium-browser", "google-chrome")
    data = tmp_path_factory.mktemp("vscode")
    screenshots = Path(os.environ.get("PYTHIA_SCREENSHOTS", data / "screenshots"))
    screenshots.mkdir(parents=True, exist_ok=True)
    _write_json(data / "User" / "settings.json", USER_SETTINGS)
    base = [str(code_server), "--user-data-dir", str(data), "--extensions-dir", str(data / "extensions")]
    base += ["--config", str(data / "config.yaml")]
    (data / "config.yaml").write_text("auth: none\n")
    run([*base, "--install-extension", str(vsix)], "installing the extension")
    port = _free_port()
    command = [*base, "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry", "--disable-update-check"]
    command += ["--disable-workspace-trust", "--disable-getting-started-override"]
    with (data / "code-server.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_until_healthy(url, process)
        yield VSCode(url, data, screenshots)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


@pytest.fixture
def workspace(tmp_path: Path, samples_dir: Path) -> Callable[..., Path]:
    """Makes a folder with samples and settings for one scenario."""

    def make(*samples: str, **settings: object) -> Path:
        folder = tmp_path / "inscriptions"
        folder.mkdir()
        for sample in samples:
            shutil.copy(samples_dir / sample, folder / sample)
        server = [sys.executable, str(HERE.parent / "lsp" / "stub_server.py")]
        chosen = {"serverCommand": server, **settings}
        _write_json(folder / ".vscode" / "settings.json", {f"pythia.{name}": chosen[name] for name in chosen})
        return folder

    return make


def _write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2), encoding="utf-8")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], seconds: int = 60) -> None:
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    unavailable("code-server did not start")
