"""Bar charts as SVG text, for a page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _ROW = 460, 22
_LETTER = 6.2
"""How wide a letter of a label is, about."""
_LEAST = 140
"""So that the bars of charts with short labels begin at the same place."""
_LONGEST = 44
"""Letters of a label; the whole of it is shown when the pointer rests on the bar."""


@dataclass(frozen=True)
class Bar:
    label: str
    count: int


def bar_chart(title: str, bars: Sequence[Bar]) -> str:
    """Horizontal bars with their counts."""
    most = max((bar.count for bar in bars), default=0) or 1
    labels = [bar.label if len(bar.label) <= _LONGEST else bar.label[: _LONGEST - 1] + "…" for bar in bars]
    left = 16 + max(_LEAST, round(max((len(label) for label in labels), default=0) * _LETTER))
    room = _WIDTH - left - 70
    rows = []
    for index, (bar, label) in enumerate(zip(bars, labels, strict=True)):
        middle = index * _ROW + _ROW / 2
        length = round(room * bar.count / most, 1)
        rows.append(
            f"<g><title>{escape(bar.label)}: {bar.count:,}</title>"
            f'<text x="{left - 8}" y="{middle + 4}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="{left}" y="{index * _ROW + 4}" width="{length}" height="{_ROW - 8}" rx="2"/>'
            f'<text x="{left + length + 6}" y="{middle + 4}" class="count">{bar.count:,}</text></g>'
        )
    height = len(bars) * _ROW + 4
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">{"".join(rows)}</svg>'
        "</figure>"
    )
