"""Fit how far counts of strings are to be trusted, so that validation texts are expected best.

A small function of a string's length, count and branches is fitted by its likelihood and written down as a
table (`Trust`), for either direction: of all corpora, of inscriptions, and of the text itself.

Not for weighing counts against the network: see `pythia_epidoc.model.calibration`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from pythia_epidoc.model.counting import count_texts
from pythia_epidoc.model.counts import ORDER, SIZE, Counts, Trust, encode, rows_of
from pythia_epidoc.model.local_counts import LEAST, CountModel
from pythia_epidoc.model.trie import BRANCHES, DEAD, LEVELS, Codes, FloatArray, IntArray
from pythia_epidoc.restoration import REACH

_WINDOW = 160
_EVERY = 400
"""A window is taken for every so many characters of a text."""
_PER_KIND = 200_000
"""Characters to learn from, of each kind of text."""
_STEPS, _BATCH = 1000, 3000
_RATES = (0.02, 0.005)


@dataclass(frozen=True)
class _Sights:
    """What was seen beside P characters of windows, in one direction: P K each."""

    marks: Tensor
    shares: Tensor
    known: Tensor
    """0 where the string was never seen."""

    def rows(self, chosen: Tensor) -> _Sights:
        return _Sights(self.marks[chosen], self.shares[chosen], self.known[chosen])


Voices = tuple[_Sights, _Sights, _Sights]
"""In all corpora, in inscriptions, in the text itself."""


class _Weigher(nn.Module):
    """Length, level and branch class of a string → how far to trust it."""

    def __init__(self, order: int, first: int) -> None:
        super().__init__()
        self.order, self.first = order, first
        self.lengths = nn.Parameter(torch.zeros(order, 12))
        self.mark = nn.Linear(2, 12)
        self.output = nn.Linear(12, 1)

    def table(self) -> Tensor:
        """K, BRANCHES · LEVELS"""
        marks = torch.cartesian_prod(torch.arange(BRANCHES) / 2, torch.arange(LEVELS) / 10)
        hidden = torch.tanh(self.mark(marks).unsqueeze(0) + self.lengths.unsqueeze(1))
        trust = torch.sigmoid(self.output(hidden)).squeeze(-1)
        return trust * (torch.arange(self.order) >= self.first).unsqueeze(1)

    def mixed(self, shares: Tensor, sights: _Sights) -> Tensor:
        table = self.table()
        for length in range(self.first, self.order):
            weight = table[length][sights.marks[:, length]]
            shares = weight * sights.shares[:, length] + (1 - weight * sights.known[:, length]) * shares
        return shares


def fit_trust(model: CountModel, texts: Mapping[str, Sequence[str]]) -> CountModel:
    """The counts with the trust under which these texts, by kind and as much of each, are likeliest."""
    found = (_sights(model, of_kind, kind == "inscriptions") for kind, of_kind in texts.items())
    sights = [each for each in found if each is not None]
    if not sights:
        return model
    orders = (model.corpus.order, model.inscriptions.order, len(model.own_trust.after))
    after, before = (_fitted([each[direction] for each in sights], orders) for direction in (0, 1))
    corpus, inscriptions, own = (Trust(*tables) for tables in zip(after, before, strict=True))
    return replace(
        model,
        corpus=replace(model.corpus, trust=corpus),
        inscriptions=replace(model.inscriptions, trust=inscriptions),
        own_trust=own,
    )


def _fitted(kinds: Sequence[Voices], orders: tuple[int, int, int]) -> list[FloatArray]:
    torch.manual_seed(0)
    weighers = [_Weigher(order, first) for order, first in zip(orders, (0, LEAST, LEAST), strict=True)]
    parameters = [each for weigher in weighers for each in weigher.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=_RATES[0])
    for step in range(_STEPS):
        if step == _STEPS // 2:
            optimizer.param_groups[0]["lr"] = _RATES[1]
        loss = torch.zeros(())
        for sights in kinds:
            chosen = torch.randint(len(sights[0].marks), (_BATCH // len(kinds),))
            shares = torch.full((len(chosen),), 1 / SIZE)
            for weigher, part in zip(weighers, sights, strict=True):
                shares = weigher.mixed(shares, part.rows(chosen))
            loss = loss - shares.clamp(min=1e-9).log().mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    with torch.no_grad():
        return [weigher.table().numpy() for weigher in weighers]


def _sights(model: CountModel, texts: Sequence[str], inscribed: bool) -> tuple[Voices, Voices] | None:
    """What was seen around the characters of windows of these texts, after and before them. None if the
    texts are too short to learn from."""
    windows, own_texts = _windows(texts)
    codes = rows_of([encode(window).tobytes() for window in windows])
    place = np.arange(codes.shape[1])
    # Not at the edges, where the context is cut.
    chosen = (codes > 0) & (place >= ORDER) & (place < _WINDOW - ORDER)
    if not chosen.any():
        return None
    own = count_texts(own_texts, model.own_trust)
    same = np.zeros(len(windows), dtype=np.int64)
    everywhere = _chosen(model.corpus, codes, same, 0, chosen)
    on_stone = _chosen(model.inscriptions, codes, same if inscribed else same + DEAD, LEAST, chosen)
    here = _chosen(own, codes, np.arange(len(windows)), LEAST, chosen)
    return (everywhere[0], on_stone[0], here[0]), (everywhere[1], on_stone[1], here[1])


def _windows(texts: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    chance = random.Random(1)
    windows: list[str] = []
    own_texts: list[tuple[str, str]] = []
    for text in chance.sample(texts, len(texts)):
        for _ in range(1 + len(text) // _EVERY):
            start = chance.randrange(max(1, len(text) - _WINDOW + 1))
            end = start + _WINDOW
            windows.append(text[start:end])
            own_texts.append((text[max(0, start - REACH) : start], text[end : end + REACH]))
        if len(windows) * _WINDOW >= _PER_KIND:
            break
    return windows, own_texts


def _chosen(
    counts: Counts, codes: Codes, roots: IntArray, least: int, chosen: npt.NDArray[np.bool_]
) -> tuple[_Sights, _Sights]:
    """What was seen after and before the chosen places, by strings of `least` characters and more."""
    seen = counts.sights(codes, roots, least)
    marks, shares, known = (torch.from_numpy(array.transpose(1, 0, 3, 2)[:, chosen]) for array in seen)
    after, before = (
        _Sights(marks[direction].long(), shares[direction], known[direction]) for direction in (0, 1)
    )
    return after, before
