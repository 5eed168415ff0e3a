"""What a hypothesis rests on: the signs around the lacuna with attention weights, and parallels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pythia_epidoc.errors import ModelError
from pythia_epidoc.restoration import query_for
from pythia_epidoc_lsp.door import ModelDoor
from pythia_epidoc_lsp.lacunae import signs_as_written
from pythia_epidoc_lsp.restorations import Answer

if TYPE_CHECKING:
    from pythia_epidoc.parallels.search import Parallel

_WINDOW = 260
"""Signs shown on either side of the lacuna."""


@dataclass(frozen=True)
class Evidence:
    """The signs around a lacuna (itself at `first:stop`); `weights` is None if the model cannot tell."""

    signs: list[str]
    first: int
    stop: int
    weights: list[float] | None
    parallels: list[Parallel] | None


async def find_evidence(
    door: ModelDoor, answer: Answer, rank: int, parallels: list[Parallel] | None
) -> Evidence:
    lacuna, row = answer.lacuna, answer.rows[rank - 1]
    begin = max(0, lacuna.first - _WINDOW)
    end = min(lacuna.stop + _WINDOW, len(lacuna.edition.reading))
    before = signs_as_written(lacuna, begin, lacuna.first)
    proposed = list(row.text)
    after = signs_as_written(lacuna, lacuna.stop, end)
    weights = await _weights(door, answer, row.letters)
    if weights is not None:
        left, right = weights
        weights_shown = [*left[begin:], *([0.0] * len(proposed)), *right[: len(after)]]
        weights_shown += [0.0] * (len(before) + len(proposed) + len(after) - len(weights_shown))
    return Evidence(
        [*before, *proposed, *after],
        len(before),
        len(before) + len(proposed),
        None if weights is None else weights_shown,
        parallels,
    )


async def _weights(door: ModelDoor, answer: Answer, letters: str) -> tuple[list[float], list[float]] | None:
    """A weight for each sign before the lacuna, and for those after it that the model saw."""
    try:
        found: tuple[list[float], list[float]] | None = await door.ask(
            "attention", query=query_for(answer.lacuna), hypothesis=letters
        )
        return found
    except ModelError:
        return None
