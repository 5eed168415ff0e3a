"""Fit how what strings of each length say is pooled, so that validation texts are expected best.

Trust (see `trust`) mixes shares; where a long string was counted, it says more when the logarithms of the
shares by shorter strings are added with weights of their own, some of them negative. A table of weights for
either direction, by the longest string that was counted.

Not for weighing counts against the network: see `pythia_epidoc.model.calibration`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import nn

from pythia_epidoc.model.counts import encode
from pythia_epidoc.model.local_counts import CountModel, Pooling, Seen
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.model.trie import FloatArray
from pythia_epidoc.restoration import REACH, Query

_SPAN = 12
_SPANS = 1000
"""Places to learn from, of each kind of text."""
_STEPS, _BATCH = 1200, 512
_RATES = (0.02, 0.003)
_MODESTY = 1e-4
"""Weights that nothing speaks for stay small."""


def fit_pooling(model: CountModel, texts: Mapping[str, Sequence[str]]) -> CountModel:
    """The counts with the pooling under which these texts, by kind and as much of each, are likeliest."""
    chance = random.Random(1)
    found = [
        _seen(model, text, chance)
        for of_kind in texts.values()
        for text in chance.choices(of_kind, [len(text) for text in of_kind], k=_SPANS)
        if len(text) > _SPAN
    ]
    if not found:
        return model
    after, before = (_fitted(seen, model.corpus.order) for seen in zip(*found, strict=True))
    return replace(model, pooling=Pooling(after, before))


def _seen(model: CountModel, text: str, chance: random.Random) -> tuple[Seen, Seen]:
    start = chance.randrange(len(text) - _SPAN)
    end = start + _SPAN
    query = Query(text[max(0, start - REACH) : start], text[end : end + REACH], (_SPAN,), by_character=True)
    [task] = tasks_for(0, query)
    return model.local([task]).seen(task, [encode(text[start:end]).tobytes()])


def _fitted(seen: Sequence[Seen], order: int) -> FloatArray:
    torch.manual_seed(0)
    logs = torch.from_numpy(np.concatenate([each.by_length(order) for each in seen]))
    longest = torch.from_numpy(np.concatenate([each.longest[each.contexts] for each in seen]))
    codes = torch.from_numpy(np.concatenate([each.codes for each in seen]))
    last = torch.from_numpy(Pooling.of_the_last(order).after)
    change = nn.Parameter(torch.zeros_like(last))
    optimizer = torch.optim.Adam([change], lr=_RATES[0])
    for step in range(_STEPS):
        if step == 2 * _STEPS // 3:
            optimizer.param_groups[0]["lr"] = _RATES[1]
        chosen = torch.randint(len(codes), (_BATCH,))
        weights = (last + change)[longest[chosen]]
        pooled = torch.bmm(weights.unsqueeze(1), logs[chosen]).squeeze(1)
        loss = nn.functional.cross_entropy(pooled, codes[chosen] - 1) + _MODESTY * change.square().sum()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return np.asarray((last + change).detach().numpy())
