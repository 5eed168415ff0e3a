"""What a hypothesis rests on: the signs around the lacuna with attention weights, and parallels."""

from __future__ import annotations

from dataclasses import dataclass

from pythia_epidoc.restoration import query_for
from pythia_epidoc_lsp.door import ModelDoor
from pythia_epidoc_lsp.lacunae import signs_as_written
from pythia_epidoc_lsp.restorations import Answer

_WINDOW = 260
"""Signs shown on either side of the lacuna."""


@dataclass(frozen=True)
class Evidence:
    """The signs around a lacuna (itself at `first:stop`); `weights` is None if the model cannot tell."""

    signs: list[str]
    first: int
    stop: int
    weights: list[float] | None
    parallels: list[dict[str, str]] | None


async def find_evidence(door: ModelDoor, answer: Answer, rank: int) -> Evidence:
    lacuna, row = answer.lacuna, answer.rows[rank - 1]
    begin = max(0, lacuna.first - _WINDOW)
    end = min(lacuna.stop + _WINDOW, len(lacuna.edition.reading))
    proposed = list(row.text)
    signs = [
        *signs_as_written(lacuna, begin, lacuna.first),
        *proposed,
        *signs_as_written(lacuna, lacuna.stop, end),
    ]
    first = lacuna.first - begin
    found = await door.ask("attention", query=query_for(lacuna), hypothesis=row.letters)
    weights = None
    if found is not None:
        before, after = found
        weights = [*before[begin : lacuna.first], *([0.0] * len(proposed)), *after[: end - lacuna.stop]]
    return Evidence(signs, first, first + len(proposed), weights, None)
