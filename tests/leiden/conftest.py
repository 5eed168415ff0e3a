"""The official schema, compiled once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree


@pytest.fixture(scope="session")
def schema(shared_dir: Path) -> etree.RelaxNG:
    path = shared_dir / "schema" / "tei-epidoc-9.8.rng"
    if not path.is_file():
        pytest.skip("needs the official EpiDoc schema in ../shared/schema")
    return etree.RelaxNG(etree.parse(str(path)))
