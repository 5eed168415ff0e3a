"""How well texts go with the words around a lacuna.

A text is put into its lacuna. Each word that it makes is judged by what is expected in its place, and so are
the words next to it on either side, of which something else is expected beside another text. How frequent
words are is left to the counts, which know it better.

Not for finding the texts: see `candidates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.words import EDGE_WORD, FIRST_WORD, UNKNOWN_WORD, Lexicon, WordNetwork

_REACH = 40
"""Words that are read on either side of a lacuna."""

Fits = npt.NDArray[np.float32]
"""How well texts fit: a column for the words they make and one for the words beside them, then how many words
they make, and how many of these are unknown."""


@dataclass(frozen=True)
class _Place:
    """A lacuna between words, of which two may be cut by it."""

    before: Sequence[str]
    """Whole words, the nearest last."""
    left: str
    right: str
    after: Sequence[str]
    """Whole words, the nearest first."""

    @classmethod
    def of(cls, task: Task) -> _Place:
        *before, left = task.before.split(SPACE)
        right, *after = task.after.split(SPACE)
        before, after = [EDGE_WORD, *_not_empty(before)], [*_not_empty(after), EDGE_WORD]
        return cls(before[-_REACH:], left, right, after[:_REACH])

    def words(self, text: str) -> list[str]:
        """The words that a text makes here."""
        return _not_empty(f"{self.left}{text}{self.right}".split(SPACE))


def _not_empty(words: Sequence[str]) -> list[str]:
    return [word for word in words if word]


@dataclass(frozen=True)
class _Side:
    """What was read up to B places from one end of their texts."""

    state: tuple[Tensor, Tensor]
    """1 B H each: after the nearest word."""
    farther: Tensor
    """B H: before the nearest word."""
    vectors: Tensor
    """B S: of the nearest word."""
    numbers: Tensor
    """B: of the nearest word."""


@dataclass(frozen=True, eq=False)
class WordJudge:
    """A network of words and the words it knows."""

    network: WordNetwork
    lexicon: Lexicon

    @torch.inference_mode()
    def judge(self, tasks: Sequence[Task], texts: Sequence[Sequence[str]]) -> list[Fits]:
        """For each task how well each of its texts fits."""
        # The lengths of one query stand in one place, which is read once.
        distinct = {(task.before, task.after): _Place.of(task) for task in tasks}
        numbers = {around: number for number, around in enumerate(distinct)}
        before = self._read(self.network.before, [place.before for place in distinct.values()])
        after = self._read(self.network.after, [place.after[::-1] for place in distinct.values()])
        fits = [np.zeros((len(given), 4), dtype=np.float32) for given in texts]
        made: dict[int, list[tuple[int, int, list[str]]]] = {}
        for number, (task, given) in enumerate(zip(tasks, texts, strict=True)):
            place = distinct[task.before, task.after]
            for row, text in enumerate(given):
                words = place.words(text)
                made.setdefault(len(words), []).append((number, row, words))
        for group in made.values():
            owners = [numbers[tasks[number].before, tasks[number].after] for number, _, _ in group]
            index = torch.tensor(owners, device=self.network.device)
            found = self._fits(index, [words for _, _, words in group], before, after).cpu().numpy()
            for (number, row, _), fit in zip(group, found, strict=True):
                fits[number][row] = fit
        return fits

    def _vectors(self, words: Sequence[str]) -> tuple[Tensor, Tensor]:
        """The numbers and the vectors of words: W, W S."""
        distinct = list(dict.fromkeys(words))
        places = {word: place for place, word in enumerate(distinct)}
        device = self.network.device
        numbers, pieces = (torch.from_numpy(array).to(device) for array in self.lexicon.encode(distinct))
        chosen = torch.tensor([places[word] for word in words], dtype=torch.long, device=device)
        return numbers[chosen], self.network.embed(numbers, pieces)[chosen]

    def _read(self, layer: nn.LSTM, texts: Sequence[Sequence[str]]) -> _Side:
        """Read texts up to their places; the nearest word is the last."""
        numbers, vectors = self._vectors([word for words in texts for word in words])
        lengths = [len(words) for words in texts]
        padded = pad_sequence(list(torch.split(vectors, lengths)), batch_first=True)
        packed = pack_padded_sequence(
            padded, torch.tensor(lengths, device="cpu"), batch_first=True, enforce_sorted=False
        )
        read, state = layer(packed)
        states = pad_packed_sequence(read, batch_first=True)[0]
        ends = torch.tensor(lengths, device=states.device)
        rows = torch.arange(len(texts), device=states.device)
        farther = states[rows, (ends - 2).clamp(min=0)] * (ends > 1).unsqueeze(1)
        last = ends.cumsum(0) - 1
        return _Side(state, farther, vectors[last], numbers[last])

    def _fits(self, owners: Tensor, words: Sequence[Sequence[str]], before: _Side, after: _Side) -> Tensor:
        """owners N: the place of each text, which all make K words → N 4."""
        network = self.network
        flat_numbers, flat_vectors = self._vectors([word for made in words for word in made])
        made_numbers = flat_numbers.view(len(words), -1)  # N K
        made_vectors = flat_vectors.view(*made_numbers.shape, -1)  # N K S
        # A word more on either side: N K+2.
        nearest = [side[owners].unsqueeze(1) for side in (before.numbers, after.numbers)]
        numbers = torch.cat((nearest[0], made_numbers, nearest[1]), dim=1)
        nearest = [side[owners].unsqueeze(1) for side in (before.vectors, after.vectors)]
        vectors = torch.cat((nearest[0], made_vectors, nearest[1]), dim=1)
        onwards = _through(network.before, made_vectors, before, owners)
        backwards = _through(network.after, made_vectors.flip(1), after, owners).flip(1)
        expected = network.between(
            torch.cat((before.farther[owners].unsqueeze(1), onwards), dim=1),
            torch.cat((backwards, after.farther[owners].unsqueeze(1)), dim=1),
        )
        unknown = numbers == UNKNOWN_WORD
        fits = network.affinity(expected, vectors) * (unknown | (numbers >= FIRST_WORD))
        made = torch.full_like(fits[:, 0], made_numbers.shape[1])
        return torch.stack(
            (fits[:, 1:-1].sum(dim=1), fits[:, 0] + fits[:, -1], made, unknown[:, 1:-1].sum(dim=1)), dim=1
        )


def _through(layer: nn.LSTM, vectors: Tensor, side: _Side, owners: Tensor) -> Tensor:
    """What was read before each of K words, and after the last: N K+1 H."""
    hidden, cell = (part[:, owners] for part in side.state)
    start = hidden[0].unsqueeze(1)
    if not vectors.shape[1]:
        return start
    return torch.cat((start, layer(vectors, (hidden, cell))[0]), dim=1)
