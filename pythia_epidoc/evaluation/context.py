"""Top-20 against the length of the text around the lacuna: the paper's context figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.evaluation.measure import Figures, answer, figures
from pythia_epidoc.evaluation.report import Progress
from pythia_epidoc.restoration import Restorer

CONTEXTS = (10, 25, 50, 100, 200, 350, 500, 750, 1000)


def shortened(item: Item, characters: int) -> Item:
    """The same item with at most so many characters of text around it."""
    half = characters // 2
    before = item.before[-half:] if half else ""
    return replace(item, before=before, after=item.after[: characters - len(before)])


def by_context(
    restorer: Restorer,
    items: Sequence[Item],
    *,
    contexts: Sequence[int] = CONTEXTS,
    beam: int = 100,
    progress: Progress = lambda what, done, total: None,
) -> dict[int, Figures]:
    """Figures of the same items with more and more text around them."""
    found: dict[int, Figures] = {}
    for characters in contexts:
        cut = [shortened(item, characters) for item in items]
        what = f"context of {characters}"
        answers = answer(restorer, cut, beam=beam, progress=lambda done: progress(what, done, len(cut)))  # noqa: B023
        measured = figures(answers)
        assert measured is not None
        found[characters] = measured
    return found
