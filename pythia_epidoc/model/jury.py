"""Whom to believe: what the judges say of the candidates of a lacuna becomes one score for each.

Fixed weights (`candidates.Weights`) give a judge the same say everywhere. But it depends: on how long a
lacuna is, on whether words are cut by it, on how far apart the candidates are, on how frequent their words
are. A small network has seen on validation texts who was right, and adds to the weighted sum what follows
from that.

Shapes are in comments: B lacunae, N candidates, F opinions, S numbers that describe a lacuna.

Not for learning it: see `pythia_epidoc.training.jury`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.candidates import Candidate, Weights
from pythia_epidoc.model.tasks import Task

OPINIONS = tuple(field.name for field in fields(Candidate) if field.name != "text")
SITUATION = 6
"""Numbers that describe a lacuna; two more are added that tell how far apart the candidates are."""
_HIDDEN = 48
_LEANING = 0.4
"""What one point of the weighted sum is worth before anything is learned."""

FloatArray = npt.NDArray[np.float32]


class Jury(nn.Module):
    """Opinions of all candidates of a lacuna → a score for each."""

    middle: Tensor
    spread: Tensor
    temperature: Tensor
    """At which what it says of lacunae that it does not know is as sure as it may be."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        size = 2 * len(OPINIONS) + SITUATION + 2
        self.register_buffer("middle", torch.zeros(len(OPINIONS)))
        self.register_buffer("spread", torch.ones(len(OPINIONS)))
        self.register_buffer("temperature", torch.ones(1))
        self.direct = nn.Linear(size, 1, bias=False)
        self.first = nn.Linear(size, _HIDDEN)
        self.second = nn.Linear(_HIDDEN, _HIDDEN)
        self.last = nn.Linear(_HIDDEN, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
        with torch.no_grad():
            for layer in (self.direct, self.last):
                layer.weight.zero_()

    def forward(self, opinions: Tensor, sums: Tensor, situation: Tensor) -> Tensor:
        """opinions B N F, sums B N (what the weights make of them; -inf where there is no candidate),
        situation B S → B N."""
        leaning = _LEANING * (sums - sums.max(dim=1, keepdim=True).values)
        shares = leaning.softmax(dim=1)
        normal = (opinions - self.middle) / self.spread
        together = (shares.unsqueeze(-1) * normal).sum(dim=1, keepdim=True)
        spread_out = -(shares * shares.clamp(min=1e-9).log()).sum(dim=1, keepdim=True)
        here = torch.cat((situation, spread_out, shares.max(dim=1, keepdim=True).values), dim=1)
        read = torch.cat(
            (normal, normal - together, here.unsqueeze(1).expand(-1, opinions.shape[1], -1)), dim=-1
        )
        hidden = self.dropout(gelu(self.first(read)))
        hidden = self.dropout(gelu(self.second(hidden)))
        added: Tensor = (self.direct(read) + self.last(hidden)).squeeze(-1)
        return leaning + added

    def describe(self) -> str:
        """What a card says of it."""
        parameters = sum(weights.numel() for weights in self.parameters())
        temperature = f"temperature {self.temperature.item():.2f}"
        return f"{parameters:,} parameters, learned from validation texts, {temperature}"

    @torch.inference_mode()
    def scores(self, task: Task, candidates: Sequence[Candidate], weights: Weights) -> FloatArray:
        """log p of each candidate of a task, but for a constant."""
        opinions, sums = heard(candidates, weights)
        situation = torch.from_numpy(situation_of(task, len(candidates)))
        found = self(torch.from_numpy(opinions)[None], torch.from_numpy(sums)[None], situation[None])
        return np.asarray((found[0] / self.temperature).numpy())


def heard(candidates: Sequence[Candidate], weights: Weights) -> tuple[FloatArray, FloatArray]:
    """What is thought of each candidate, and what the weights make of it: N F, N."""
    opinions = [[getattr(each, name) for name in OPINIONS] for each in candidates]
    sums = [each.score(weights) for each in candidates]
    return np.array(opinions, dtype=np.float32), np.array(sums, dtype=np.float32)


def situation_of(task: Task, candidates: int) -> FloatArray:
    """What kind of lacuna it is: S."""
    cut_left, cut_right = (letter not in ("", SPACE) for letter in (task.before[-1:], task.after[:1]))
    return np.array(
        [
            task.length / 5,
            cut_left,
            cut_right,
            cut_left and cut_right,
            task.by_character,
            math.log(candidates) / 4,
        ],
        dtype=np.float32,
    )
