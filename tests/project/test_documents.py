"""The project's documents agree with the project: README commands, dependency list, links."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "samples/README.md", "schemas/README.md"]


def test_every_dependency_is_explained(repository: Path) -> None:
    project = (repository / "pyproject.toml").read_text("utf-8")
    tables = project[project.index("dependencies = [") : project.index("[project.scripts]")]
    asked_for = set(re.findall(r'"([a-z][a-z0-9-]*)(?:\[\w+\])?[><=]', tables))
    explained = re.findall(
        r"^\| ([a-z][a-z0-9-]*) \|", (repository / "docs/dependencies.md").read_text("utf-8"), re.M
    )
    assert sorted(asked_for) == sorted(name for name in explained if name != "library")


@pytest.mark.parametrize("marker", ["first command", "test command"])
def test_the_readme_has_each_command_in_one_line(repository: Path, marker: str) -> None:
    readme = (repository / "README.md").read_text("utf-8")
    [block] = re.findall(rf"<!-- {marker} -->\n```\n(.*?)```", readme, re.DOTALL)
    assert len(block.splitlines()) == 1


def test_ci_is_a_sound_script(repository: Path) -> None:
    script = repository / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(script)], check=True)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_to_files_lead_somewhere(repository: Path, name: str) -> None:
    document = repository / name
    for target in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", document.read_text("utf-8")):
        assert (document.parent / target).exists(), target
