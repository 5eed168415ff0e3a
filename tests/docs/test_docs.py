"""The documentation says what is so: pages made from the code, output of commands, links; the site builds."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
RENEW = "run `python docs/generate.py`"
PAGES = sorted(
    path.relative_to(ROOT)
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").glob("*.md"),
        ROOT / "samples" / "README.md",
        ROOT / "schemas" / "README.md",
        ROOT / "editor-extensions" / "vscode" / "README.md",
    )
)


def _generator() -> ModuleType:
    specification = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


generate = _generator()


@pytest.mark.parametrize("name", ["docs/cli.md", "docs/settings.md", "NOTICE"])
def test_pages_made_from_the_code_are_up_to_date(name: str) -> None:
    path = ROOT / name
    assert path.read_text("utf-8") == generate.generated()[path], RENEW


def test_the_model_card_is_that_of_the_included_model() -> None:
    digest = (ROOT / "pythia_epidoc/model/data/default.sha256").read_text("ascii").split()[0]
    assert digest in (ROOT / "docs/model-card.md").read_text("utf-8"), f"{RENEW} --model"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "<!-- " in (ROOT / page).read_text("utf-8")], ids=str
)
def test_the_output_shown_is_the_output_there_is(page: Path) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert generate.renewed(text) == text, RENEW


def test_the_output_of_the_model_is_renewed_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<!-- output of the model: pythia-epidoc restore a.xml -->\n```\nold\n```\n"
    monkeypatch.setattr(generate, "output_of", lambda command, *lines: f"{command}\n")
    assert generate.renewed(page) == page
    assert generate.renewed(page, with_model=True) == page.replace("old", "pythia-epidoc restore a.xml")


def test_every_command_is_in_the_reference() -> None:
    from pythia_epidoc.cli import COMMANDS

    described = {name.split()[0] for name in generate.commands()}
    assert described == set(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL)
    wrong = []
    for target, anchor in re.findall(
        r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)", re.sub(r"`[^`\n]*`", "", text)
    ):
        path = (ROOT / page).parent / target if target else ROOT / page
        if not path.exists() or (anchor and anchor not in _anchors(path)):
            wrong.append(f"{target}#{anchor}" if anchor else target)
    assert not wrong


def _anchors(path: Path) -> set[str]:
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {_anchor(heading) for heading in headings}


def _anchor(heading: str) -> str:
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def test_the_site_builds_without_a_warning_and_fetches_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    fetched = re.compile(
        r"<(?:script|img|iframe)[^>]+src=\"(?:https?:)?//|<link[^>]+rel=\"stylesheet\"[^>]+href=\"(?:https?:)?//"
    )
    assert not [page for page in tmp_path.rglob("*.html") if fetched.search(page.read_text("utf-8"))]
