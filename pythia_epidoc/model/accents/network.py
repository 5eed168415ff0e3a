"""Which signs letters carry: a network that reads a passage letter by letter, from both ends.

    letters, and the signs of those that are known → LSTM from either end → signs of the letters asked for

It knows what a lexicon cannot: how a word that nobody has seen is accented, and which of its forms a word
takes among others. The text around a lacuna has its accents, so it reads these, too.

Shapes are in comments: B passages, L characters, N letters asked for, H hidden units.

Not for what becomes of a word in the end: see `chooser`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import gelu
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from pythia_epidoc.model.accents.marks import SIGN_SETS
from pythia_epidoc.model.accents.passages import Expected, Passage, Side
from pythia_epidoc.model.alphabet import INPUTS, encode

ACCENTS = "accents"
"""The name of this system, beside those of the paper."""
_TOGETHER = 64
"""Passages that are read together."""
_FORWARD, _BACKWARD = 0, 1


@dataclass(frozen=True)
class AccentConfig:
    """Everything needed to build the network again; travels in the checkpoint."""

    system: str = ACCENTS
    letter_size: int = 40
    sign_size: int = 24
    hidden: int = 224
    dropout: float = 0.1


class AccentNetwork(nn.Module):
    """One bidirectional LSTM layer over letters and signs."""

    def __init__(self, config: AccentConfig) -> None:
        super().__init__()
        self.config = config
        self.letters = nn.Embedding(len(INPUTS), config.letter_size)
        self.signs = nn.Embedding(len(SIGN_SETS) + 1, config.sign_size)
        self.layer = nn.LSTM(
            config.letter_size + config.sign_size, config.hidden, batch_first=True, bidirectional=True
        )
        self.mix = nn.Linear(2 * config.hidden, config.hidden)
        self.output = nn.Linear(config.hidden, len(SIGN_SETS))
        self.dropout = nn.Dropout(config.dropout)

    @property
    def device(self) -> torch.device:
        return self.output.weight.device

    def forward(self, letters: Tensor, signs: Tensor, asked: Tensor) -> Tensor:
        """letters B L, signs B L (0 where they are not known), asked B L → N S."""
        states, _ = self.layer(self.dropout(self.embed(letters, signs)))
        return self.expect(states[asked])

    def embed(self, letters: Tensor, signs: Tensor) -> Tensor:
        return torch.cat((self.letters(letters), self.signs(signs)), dim=-1)

    def expect(self, states: Tensor) -> Tensor:
        """What letters are expected to carry, from what was read on both sides: N 2H → N S."""
        logits: Tensor = self.output(self.dropout(gelu(self.mix(self.dropout(states)))))
        return logits

    @torch.inference_mode()
    def expected(self, passages: Sequence[Passage]) -> list[Expected]:
        """log p of each set of signs for each letter asked for. What stands beside several texts is read
        once."""
        found: list[Expected] = []
        for start in range(0, len(passages), _TOGETHER):
            found += self._expected(passages[start : start + _TOGETHER])
        return found

    def _expected(self, passages: Sequence[Passage]) -> list[Expected]:
        before = self._read_up_to([passage.before for passage in passages], _FORWARD)
        after = self._read_up_to([passage.after for passage in passages], _BACKWARD)
        hidden, cell = (torch.stack(states) for states in zip(before, after, strict=True))
        read, _ = self.layer(self._packed([passage.asked for passage in passages]), (hidden, cell))
        states, lengths = pad_packed_sequence(read, batch_first=True)
        asked = torch.arange(states.shape[1], device=lengths.device) < lengths[:, None]
        logs = self.expect(states[asked.to(states.device)]).log_softmax(dim=-1).cpu().numpy()
        return np.split(logs, np.cumsum(lengths.numpy())[:-1])

    def _read_up_to(self, sides: Sequence[Side], direction: int) -> tuple[Tensor, Tensor]:
        """The state after reading what stands on one side of each passage: B H, B H."""
        distinct = {side: number for number, side in enumerate(dict.fromkeys(sides))}
        _, (hidden, cell) = self.layer(self._packed(list(distinct)))
        rows = torch.tensor([distinct[side] for side in sides], device=self.device)
        return hidden[direction, rows], cell[direction, rows]

    def _packed(self, sides: Sequence[Side]) -> PackedSequence:
        lengths = [len(side.letters) for side in sides]
        letters, signs = np.zeros((2, len(sides), max(lengths)), dtype=np.int64)
        for row, side in enumerate(sides):
            letters[row, : lengths[row]] = encode(side.letters)
            signs[row, : lengths[row]] = side.signs
        embedded = self.embed(*(torch.from_numpy(array).to(self.device) for array in (letters, signs)))
        on_cpu = torch.tensor(lengths, device="cpu")
        return pack_padded_sequence(embedded, on_cpu, batch_first=True, enforce_sorted=False)
