"""Whom to believe: what the judges say of the candidates of a lacuna becomes one probability for each.

Fixed weights (`candidates.Weights`) give a judge the same say everywhere. But it depends: on how long a
lacuna is, on whether words are cut by it, on how far apart the candidates are, on how frequent their words
are. A small network has seen on validation texts who was right, and adds to the weighted sum what follows
from that. Where nobody knows how long a lacuna is, it hears the candidates of all lengths together. And it
says how likely it is that none of them is right, which no candidate can say of itself.

Shapes are in comments: B lacunae, N candidates, F opinions, S numbers that describe a lacuna.

Not for learning it: see `pythia_epidoc.training.jury`.
"""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.candidates import Candidate, Searched, Weights

OPINIONS = (*(field.name for field in fields(Candidate) if field.name != "text"), "letters", "length")
"""What is said of a candidate by those who judged it, how many letters it has, and log p of that length."""
SITUATION = 6
"""Numbers that describe a lacuna; two more are added that tell how far apart the candidates are."""
_HIDDEN = 48
_HIDDEN_OF_NONE = 16
_LEANING = 0.4
"""What one point of the weighted sum is worth before anything is learned."""

FloatArray = npt.NDArray[np.float32]


class Jury(nn.Module):
    """Opinions of all candidates of a lacuna → a score for each, and one for none of them."""

    middle: Tensor
    spread: Tensor
    temperature: Tensor
    """At which what it says of lacunae that it does not know is as sure as it may be."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        opinions, situation = len(OPINIONS), SITUATION + 2
        self.register_buffer("middle", torch.zeros(opinions))
        self.register_buffer("spread", torch.ones(opinions))
        self.register_buffer("temperature", torch.ones(1))
        self.direct = nn.Linear(2 * opinions + situation, 1, bias=False)
        self.first = nn.Linear(2 * opinions + situation, _HIDDEN)
        self.second = nn.Linear(_HIDDEN, _HIDDEN)
        self.last = nn.Linear(_HIDDEN, 1, bias=False)
        self.first_of_none = nn.Linear(opinions + situation, _HIDDEN_OF_NONE)
        self.last_of_none = nn.Linear(_HIDDEN_OF_NONE, 1)
        self.dropout = nn.Dropout(dropout)
        with torch.no_grad():
            for layer in (self.direct, self.last, self.last_of_none):
                layer.weight.zero_()

    def forward(self, opinions: Tensor, leanings: Tensor, situation: Tensor) -> Tensor:
        """opinions B N F, leanings B N (what the weights make of them; -inf where there is no candidate),
        situation B S → B N+1: of each candidate, and last of none."""
        leanings = leanings - leanings.max(dim=1, keepdim=True).values
        shares = leanings.softmax(dim=1)
        normal = (opinions - self.middle) / self.spread
        together = (shares.unsqueeze(-1) * normal).sum(dim=1, keepdim=True)
        spread_out = -(shares * shares.clamp(min=1e-9).log()).sum(dim=1, keepdim=True)
        here = torch.cat((situation, spread_out, shares.max(dim=1, keepdim=True).values), dim=1)
        read = torch.cat(
            (normal, normal - together, here.unsqueeze(1).expand(-1, opinions.shape[1], -1)), dim=-1
        )
        hidden = self.dropout(gelu(self.first(read)))
        hidden = self.dropout(gelu(self.second(hidden)))
        added = (self.direct(read) + self.last(hidden)).squeeze(-1)
        of_none = self.last_of_none(gelu(self.first_of_none(torch.cat((together.squeeze(1), here), dim=-1))))
        return torch.cat((leanings + added, of_none), dim=1)

    def describe(self) -> str:
        """What a card says of it."""
        parameters = sum(weights.numel() for weights in self.parameters())
        temperature = f"temperature {self.temperature.item():.2f}"
        return f"{parameters:,} parameters, learned from validation texts, {temperature}"

    @torch.inference_mode()
    def logs(self, searched: Searched, weights: Weights) -> FloatArray:
        """log p of each candidate of a query, one after another; what is left is that of none."""
        if not searched.answers:
            return np.zeros(0, dtype=np.float32)
        given = (*heard(searched, weights), situation_of(searched))
        scores = self(*(torch.from_numpy(array)[None] for array in given))
        return np.asarray((scores[0] / self.temperature).log_softmax(dim=0)[:-1].numpy())


def heard(searched: Searched, weights: Weights) -> tuple[FloatArray, FloatArray]:
    """What is thought of each candidate of a query, and what the weights make of it: N F, N."""
    opinions, leanings = [], []
    names = OPINIONS[:-2]
    for task, candidates in searched.answers:
        length = searched.lengths[task.length]
        for each in candidates:
            opinions.append([*(getattr(each, name) for name in names), task.length, length])
            leanings.append(_LEANING * each.score(weights) + length)
    return np.array(opinions, dtype=np.float32), np.array(leanings, dtype=np.float32)


def situation_of(searched: Searched) -> FloatArray:
    """What kind of lacuna it is: S."""
    task, _ = searched.answers[0]
    cut_left, cut_right = (letter not in ("", SPACE) for letter in (task.before[-1:], task.after[:1]))
    return np.array(
        [
            math.log(len(searched.lengths)),
            cut_left,
            cut_right,
            cut_left and cut_right,
            task.by_character,
            math.log(len(searched.texts)) / 4,
        ],
        dtype=np.float32,
    )
