"""Looking spans up by place.

Not for changing them.
"""

from __future__ import annotations

from bisect import bisect_right

from pythia_epidoc.leiden.items import Kind, Span


class Cover:
    """Which span of a kind holds an item, or ends just before it."""

    def __init__(self, spans: list[Span], kind: Kind) -> None:
        found = sorted((s.start, s.end, position) for position, s in enumerate(spans) if s.kind is kind)
        self.starts = [start for start, _, _ in found]
        self.found = found

    def at(self, index: int) -> int | None:
        order = bisect_right(self.starts, index) - 1
        # A bracket that closed just before the sign counts as holding it.
        if order >= 0 and self.found[order][0] == index and order:
            order -= 1
        if order < 0:
            return None
        start, end, position = self.found[order]
        return position if start < index <= end else None
