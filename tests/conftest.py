"""Where tests find what they need: the repository itself, and the optional test data beside it.

`shared_dir` is a folder `shared` next to the checkout with corpora, awkward fixtures and the official
EpiDoc schema. It is not part of the project, so a test that asks for it is skipped where it is absent.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pythia_epidoc.epidoc.validation import Schema, own_schema_path

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def samples_dir(repository: Path) -> Path:
    """The ten sample editions."""
    return repository / "samples"


@pytest.fixture(scope="session")
def shared_dir(repository: Path) -> Path:
    """The folder `../shared`; skips the test when it is not there."""
    folder = repository.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs the test data in ../shared")
    return folder


@pytest.fixture(scope="session")
def official_schema(shared_dir: Path) -> Schema:
    """The official EpiDoc schema, compiled once; skips the test when it is not there."""
    path = shared_dir / "schema" / "tei-epidoc-9.8.rng"
    if not path.is_file():
        pytest.skip("needs the official EpiDoc schema in ../shared/schema")
    return Schema(path)


@pytest.fixture(scope="session")
def own_schema() -> Schema:
    """The project's schema of the markup that it reads and writes."""
    return Schema(own_schema_path())
