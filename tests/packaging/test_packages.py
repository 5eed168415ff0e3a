"""Wheel and source distribution hold what they must, and the wheel works outside the checkout."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from pythia_epidoc import __version__


@pytest.fixture(scope="session")
def packages(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution, built from the checkout."""
    folder = tmp_path_factory.mktemp("packages")
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--sdist", "--outdir", str(folder)]
    done = subprocess.run([*command, str(repository)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(packages: Path) -> Path:
    [path] = packages.glob("*.whl")
    return path


def test_the_wheel_holds_model_schema_server_and_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "pythia_epidoc/model/data/default.safetensors",
        "pythia_epidoc/model/data/default.sha256",
        "pythia_epidoc/schemas/pythia-transcription.rng",
        "pythia_epidoc/py.typed",
        "pythia_epidoc/batch/report_page.html",
        "pythia_epidoc_lsp/py.typed",
        "pythia_epidoc_lsp/server.py",
    } <= names
    licences = f"pythia_epidoc-{__version__}.dist-info/licenses"
    assert {f"{licences}/LICENSE", f"{licences}/NOTICE"} <= names


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"pythia_epidoc", "pythia_epidoc_lsp", f"pythia_epidoc-{__version__}.dist-info"}
    assert not [name for name in names if name.endswith((".pyc", ".jsonl", ".tar.xz", ".xml"))]


def test_the_source_distribution_can_be_built_and_tested_from(packages: Path) -> None:
    [path] = packages.glob("*.tar.gz")
    top = f"pythia_epidoc-{__version__}"
    with tarfile.open(path) as archive:
        names = set(archive.getnames())
    wanted = [
        "pyproject.toml",
        "README.md",
        "NOTICE",
        "CITATION.cff",
        "mkdocs.yml",
        "docs/generate.py",
        ".ci/run",
    ]
    wanted += ["samples/decree.xml", "tests/conftest.py", "schemas/pythia-transcription.rnc"]
    wanted += ["pythia_epidoc/model/data/default.safetensors", "lsp/pythia_epidoc_lsp/server.py"]
    assert {f"{top}/{name}" for name in wanted} <= names
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]


def test_the_version_is_the_same_everywhere(repository: Path, wheel: Path) -> None:
    extension = json.loads((repository / "editor-extensions/vscode/package.json").read_text("utf-8"))
    citation = (repository / "CITATION.cff").read_text("utf-8")
    assert wheel.name.split("-")[1] == __version__
    assert extension["version"] == __version__
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [__version__]


@pytest.fixture(scope="session")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`pythia-epidoc` of a fresh environment with the wheel; other libraries are those of this one."""
    home = tmp_path_factory.mktemp("environment")
    venv.EnvBuilder(with_pip=False, symlinks=True).create(home)
    scripts = home / ("Scripts" if sys.platform == "win32" else "bin")
    install = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install", "--no-deps"]
    subprocess.run([*install, "--quiet", "--no-index", str(wheel)], check=True)
    variables = {"base": str(home), "platbase": str(home)}
    packages = Path(sysconfig.get_path("purelib", "venv", variables))
    # After the wheel's own folder on the path, and without this environment's .pth files: an editable
    # installation of the checkout must not stand in for the wheel.
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "libraries.pth").write_text("\n".join(sorted(libraries)) + "\n")
    return scripts / "pythia-epidoc"


def test_the_wheel_restores_a_sample_in_an_empty_folder(
    command: Path, samples_dir: Path, tmp_path: Path
) -> None:
    sample = (samples_dir / "epitaph.xml").read_bytes()
    (tmp_path / "epitaph.xml").write_bytes(sample)

    def run(*arguments: str) -> str:
        done = subprocess.run([command, *arguments], cwd=tmp_path, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = (
        "import pythia_epidoc, pythia_epidoc_lsp; print(pythia_epidoc.__file__, pythia_epidoc_lsp.__file__)"
    )
    python = [str(command.with_name("python")), "-c", where]
    imported = subprocess.run(python, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True).stdout
    assert imported.count(str(command.parent.parent)) == 2
    run("restore", "epitaph.xml", "--in-place")
    restored = (tmp_path / "epitaph.xml").read_text("utf-8")
    assert restored.count('<app type="alternative">') == 3
    run("strip", "epitaph.xml", "--in-place")
    assert (tmp_path / "epitaph.xml").read_bytes() == sample
    assert __version__ in run("lsp", "--version")
