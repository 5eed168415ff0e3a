"""A real VS Code for the tests: code-server from npm (cached), this extension, Debian's Chromium."""

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
from pathlib import Path

import pytest
from platformdirs import user_cache_path
from vscode_workbench import EXTENSION, VSCode, program, run, shrink, unavailable

HERE = Path(__file__).parent
CODE_SERVER_VERSION = "4.100.3"


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
    command = [program("node"), "package.mjs", "--without-server", str(target)]
    run(command, "packaging the extension", EXTENSION)
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
        shrink(screenshots)
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
