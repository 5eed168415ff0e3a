"""Fit how far counts of strings are to be trusted, so that validation texts are expected best.

A small function of a string's length and count is fitted by its likelihood and written down as a table
(`Trust`), for either direction, for the corpora's strings and for those of the text itself.

Not for weighing counts against the network: see `pythia_epidoc.model.calibration`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from pythia_epidoc.model.counting import count_texts
from pythia_epidoc.model.counts import LEVELS, ORDER, SIZE, Counts, IntArray, Trust, encode
from pythia_epidoc.model.local_counts import OWN_LEAST, CountModel
from pythia_epidoc.model.tasks import REACH

_WINDOW = 80
_EVERY = 400
"""A window is taken for every so many characters of a text."""
_PER_KIND = 40_000
"""Characters to learn from, of each kind of text."""
_STEPS, _BATCH = 1000, 3000
_RATES = (0.02, 0.005)


@dataclass(frozen=True)
class _Sights:
    """What was seen beside P characters of windows, in one direction: P K each."""

    levels: Tensor
    shares: Tensor
    known: Tensor
    """0 where the string was never seen."""

    def rows(self, chosen: Tensor) -> _Sights:
        return _Sights(self.levels[chosen], self.shares[chosen], self.known[chosen])


Both = tuple[_Sights, _Sights]
"""In the corpora, in the text itself."""


class _Weigher(nn.Module):
    """Length and level of a string → how far to trust it."""

    def __init__(self, order: int, first: int) -> None:
        super().__init__()
        self.order, self.first = order, first
        self.lengths = nn.Parameter(torch.zeros(order, 12))
        self.level = nn.Linear(1, 12)
        self.output = nn.Linear(12, 1)

    def table(self) -> Tensor:
        """K LEVELS"""
        level = torch.arange(LEVELS).view(1, -1, 1) / 10
        hidden = torch.tanh(self.level(level) + self.lengths.unsqueeze(1))
        trust = torch.sigmoid(self.output(hidden)).squeeze(-1)
        return trust * (torch.arange(self.order) >= self.first).unsqueeze(1)

    def mixed(self, shares: Tensor, sights: _Sights) -> Tensor:
        table = self.table()
        for length in range(self.first, self.order):
            weight = table[length][sights.levels[:, length]]
            shares = weight * sights.shares[:, length] + (1 - weight * sights.known[:, length]) * shares
        return shares


def fit_trust(corpus: Counts, texts_by_kind: Sequence[Sequence[str]]) -> CountModel:
    """The counts with the trust under which these texts, as much of each kind, are likeliest."""
    model = CountModel(corpus)
    sights = [sights for texts in texts_by_kind if (sights := _sights(model, texts)) is not None]
    if not sights:
        return model
    tables: list[tuple[Tensor, Tensor]] = []
    for direction in (0, 1):
        of_kinds = [each[direction] for each in sights]
        tables.append(_fitted(of_kinds, corpus.order, len(model.own_trust.after)))
    (after, own_after), (before, own_before) = tables
    corpus = replace(corpus, trust=Trust(after.numpy(), before.numpy()))
    return CountModel(corpus, Trust(own_after.numpy(), own_before.numpy()))


def _fitted(kinds: Sequence[Both], order: int, own_order: int) -> tuple[Tensor, Tensor]:
    torch.manual_seed(0)
    weighers = (_Weigher(order, 0), _Weigher(own_order, OWN_LEAST))
    parameters = [each for weigher in weighers for each in weigher.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=_RATES[0])
    for step in range(_STEPS):
        if step == _STEPS // 2:
            optimizer.param_groups[0]["lr"] = _RATES[1]
        loss = torch.zeros(())
        for sights in kinds:
            chosen = torch.randint(len(sights[0].levels), (_BATCH // len(kinds),))
            shares = torch.full((len(chosen),), 1 / SIZE)
            for weigher, part in zip(weighers, sights, strict=True):
                shares = weigher.mixed(shares, part.rows(chosen))
            loss = loss - shares.clamp(min=1e-9).log().mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    with torch.no_grad():
        return weighers[0].table(), weighers[1].table()


def _sights(model: CountModel, texts: Sequence[str]) -> tuple[Both, Both] | None:
    """What was seen around the characters of windows of these texts, after and before: each by corpora and
    by the rest of the text. None if the texts are too short to learn from."""
    windows, own_texts = _windows(texts)
    size = _WINDOW + 1
    codes: IntArray = encode("".join(window.ljust(size, "\0") for window in windows)).astype(np.int64)
    place = np.arange(len(codes)) % size
    # Not at the edges, where the context is cut.
    chosen = np.flatnonzero((codes > 0) & (place >= ORDER) & (place < _WINDOW - ORDER))
    if not len(chosen):
        return None
    own = count_texts(own_texts, model.own_trust)
    in_corpus = _dense(model.corpus, codes, np.zeros_like(codes), chosen)
    in_text = _dense(own, codes, np.repeat(np.arange(len(windows)), size), chosen)
    return (in_corpus[0], in_text[0]), (in_corpus[1], in_text[1])


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


def _dense(counts: Counts, codes: IntArray, roots: IntArray, chosen: IntArray) -> Both:
    """What was seen after and before the chosen places."""
    shape = (counts.order, len(codes))
    both = []
    for direction in (0, 1):
        levels, shares, known = (
            np.zeros(shape, np.int64),
            np.zeros(shape, np.float32),
            np.zeros(shape, np.float32),
        )
        for depth, *seen in counts.seen(codes, roots):
            here = seen[direction]
            levels[depth, here.places], shares[depth, here.places] = here.levels, here.shares
            known[depth, here.places] = here.known
        both.append(
            _Sights(*(torch.from_numpy(array[:, chosen].T.copy()) for array in (levels, shares, known)))
        )
    return both[0], both[1]
