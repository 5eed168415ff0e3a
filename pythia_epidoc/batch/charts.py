"""Bar charts as SVG text, for a page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _LABEL, _ROW = 460, 190, 22


@dataclass(frozen=True)
class Bar:
    label: str
    count: int


def bar_chart(title: str, bars: Sequence[Bar]) -> str:
    """Horizontal bars with their counts."""
    most = max((bar.count for bar in bars), default=0) or 1
    room = _WIDTH - _LABEL - 70
    rows = []
    for index, bar in enumerate(bars):
        middle = index * _ROW + _ROW / 2
        length = round(room * bar.count / most, 1)
        label = bar.label if len(bar.label) <= 32 else bar.label[:31] + "…"
        rows.append(
            f"<g><title>{escape(bar.label)}: {bar.count:,}</title>"
            f'<text x="{_LABEL - 8}" y="{middle + 4}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="{_LABEL}" y="{index * _ROW + 4}" width="{length}" height="{_ROW - 8}" rx="2"/>'
            f'<text x="{_LABEL + length + 6}" y="{middle + 4}" class="count">{bar.count:,}</text></g>'
        )
    height = len(bars) * _ROW + 4
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">{"".join(rows)}</svg>'
        "</figure>"
    )
