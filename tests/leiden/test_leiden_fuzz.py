"""Random input never breaks the conversion; the full count is `python benchmarks/leiden.py --fuzz 100000`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def bench(repository: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_leiden", repository / "benchmarks" / "leiden.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_random_sigla_characters_and_bytes(bench: ModuleType) -> None:
    bench.fuzz(1500, seed=1)


@pytest.mark.parametrize(
    "name", ["restorations", "open brackets", "dashes", "spaces", "open codes", "long", "marks"]
)
def test_time_grows_with_length(bench: ModuleType, name: str) -> None:
    unit = bench.SAMPLES[name]
    short = min(bench._seconds(unit * 200) for _ in range(3))
    assert bench._seconds(unit * 2000) < 0.5 + 40 * short
