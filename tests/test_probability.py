"""Probabilities in words and attributes: never a flat zero, never a certainty."""

from __future__ import annotations

import doctest

from hypothesis import example, given
from hypothesis import strategies as st

from pythia_epidoc import probability


def test_the_examples_of_the_documentation_hold() -> None:
    assert doctest.testmod(probability).attempted == 2
    assert doctest.testmod(probability).failed == 0


@given(st.floats(0, 1))
@example(0.995)
@example(0.00095)
def test_a_degree_is_valid_and_leaves_a_doubt(value: float) -> None:
    written = probability.degree(value)
    assert 0 < float(written) < 1
    assert abs(float(written) - value) <= 0.0101
    assert probability.percent(value) not in ("0 %", "100 %")
