"""How a probability is put into words and into an attribute: no false precision, no certainty either way."""

from __future__ import annotations


def percent(probability: float) -> str:
    """As a scholar reads it.

    >>> percent(0.834), percent(0.0312), percent(0.00001), percent(0.9999)
    ('83 %', '3.1 %', '< 0.1 %', '> 99 %')
    """
    value = probability * 100
    if value >= 99.5:
        return "> 99 %"
    if value >= 9.95:
        return f"{value:.0f} %"
    return f"{value:.1f} %" if value >= 0.1 else "< 0.1 %"


def degree(probability: float) -> str:
    """As TEI's `certainty/@degree`.

    >>> degree(0.834), degree(0.0312), degree(0.00312), degree(0.00001), degree(0.9999)
    ('0.83', '0.03', '0.0031', '0.0001', '0.99')
    """
    if probability < 0.005:
        return f"{max(probability, 0.0001):.4f}"
    return f"{min(probability, 0.99):.2f}"
