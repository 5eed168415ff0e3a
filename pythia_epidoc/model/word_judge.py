"""How well texts go with the words around a lacuna.

A text is put into its lacuna. Each word that it makes is judged by what is expected in its place, and so are
the words next to it on either side, of which something else is expected beside another text. How frequent
words are is left to the counts, which know it better.

Not for finding the texts: see `candidates`, and `word_search` for those that known words suggest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import linear
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.network import lstm_step
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.trie import IntArray
from pythia_epidoc.model.word_shelf import Shelves
from pythia_epidoc.model.words import EDGE_WORD, FIRST_WORD, UNKNOWN_WORD, Lexicon, WordNetwork, pieces

_REACH = 40
"""Words that are read on either side of a lacuna."""
_NO_WORD = -1

FITS = ("words", "beside", "made", "unknown", "least", "left", "often", "shortest", "recurring", "unseen")
"""What is said of a text: how well the words that it makes fit together, and those beside it; how many words
it makes, and how many of these are unknown; how well the word fits that fits least, and the word on the left;
how frequent its words are (log p), how many letters the shortest has, how many of them stand elsewhere
around the lacuna, and how many nobody has seen."""
Fits = npt.NDArray[np.float32]
"""A column for each of them."""


@dataclass(frozen=True)
class Place:
    """A lacuna between words, of which two may be cut by it."""

    before: Sequence[str]
    """Whole words, the nearest last."""
    left: str
    right: str
    after: Sequence[str]
    """Whole words, the nearest first."""

    @classmethod
    def of(cls, text_before: str, text_after: str) -> Place:
        *before, left = text_before.split(SPACE)
        right, *after = text_after.split(SPACE)
        before, after = [EDGE_WORD, *_not_empty(before)], [*_not_empty(after), EDGE_WORD]
        return cls(before[-_REACH:], left, right, after[:_REACH])

    @cached_property
    def around(self) -> frozenset[str]:
        """The words that stand around it."""
        return frozenset((*self.before, *self.after))

    def words(self, text: str) -> list[str]:
        """The words that a text makes here."""
        return _not_empty(f"{self.left}{text}{self.right}".split(SPACE))


def _not_empty(words: Sequence[str]) -> list[str]:
    return [word for word in words if word]


@dataclass(frozen=True)
class _Side:
    """What was read up to B places from one end of their texts."""

    state: tuple[Tensor, Tensor]
    """B H each: after the nearest word."""
    farther: Tensor
    """B H: before the nearest word."""
    vectors: Tensor
    """B S: of the nearest word."""
    numbers: Tensor
    """B: of the nearest word."""


@dataclass(frozen=True)
class Surroundings:
    """What stands around tasks, read from either end: it does not depend on what is put there."""

    places: Sequence[Place]
    of_tasks: Sequence[int]
    """The place of each task: the lengths of one query stand in one place, which is read once."""
    before: _Side
    after: _Side


@dataclass(frozen=True)
class _Grown:
    """What was read from one end after each beginning of some texts; what begins alike is read once."""

    states: Tensor
    """M H; the first B are those of the places."""
    paths: IntArray
    """N K+1: which of them comes before each word of a text, and after its last."""


@dataclass(frozen=True, eq=False)
class WordJudge:
    """A network of words and the words it knows."""

    network: WordNetwork
    lexicon: Lexicon

    def describe(self) -> str:
        """What a card says of it."""
        parameters = sum(weights.numel() for weights in self.network.parameters())
        known, seen = len(self.lexicon.words), len(self.lexicon.seen)
        return f"{parameters:,} parameters, {known:,} words known, {seen:,} others seen in several documents"

    @cached_property
    def shelves(self) -> Shelves:
        """The words that can be written, in order."""
        words, *arrays = self.lexicon.spelled()
        numbers, shares = (torch.from_numpy(array).to(self.network.device) for array in arrays)
        with torch.inference_mode():
            vectors = self.network.embed(numbers, torch.from_numpy(pieces(words)).to(numbers.device))
            return Shelves(words, vectors, self._often(numbers, shares))

    def _often(self, numbers: Tensor, shares: Tensor) -> Tensor:
        """How frequent words are: log p, W."""
        often: Tensor = self.network.frequency(numbers).squeeze(-1) + shares
        return often

    @torch.inference_mode()
    def surroundings(self, tasks: Sequence[Task]) -> Surroundings:
        distinct = dict.fromkeys((task.before, task.after) for task in tasks)
        numbers = {around: number for number, around in enumerate(distinct)}
        places = [Place.of(*around) for around in distinct]
        return Surroundings(
            places,
            [numbers[task.before, task.after] for task in tasks],
            self._read(self.network.before, [place.before for place in places]),
            self._read(self.network.after, [place.after[::-1] for place in places]),
        )

    @torch.inference_mode()
    def judge(self, around: Surroundings, texts: Sequence[Sequence[str]]) -> list[Fits]:
        """For each task how well each of its texts fits."""
        counts = list(map(len, texts))
        owners = np.repeat(np.array(around.of_tasks, dtype=np.int64), counts)
        words = [
            around.places[place].words(text)
            for place, given in zip(around.of_tasks, texts, strict=True)
            for text in given
        ]
        fits = self._fits(around, owners, words) if words else np.zeros((0, len(FITS)), dtype=np.float32)
        return np.split(fits, np.cumsum(counts)[:-1])

    def vectors(self, words: Sequence[str]) -> tuple[Tensor, Tensor]:
        """The numbers and the vectors of words: W, W S."""
        device = self.network.device
        numbers, of_words = (torch.from_numpy(array).to(device) for array in self.lexicon.encode(words))
        return numbers, self.network.embed(numbers, of_words)

    def _read(self, layer: nn.LSTM, texts: Sequence[Sequence[str]]) -> _Side:
        """Read texts up to their places; the nearest word is the last."""
        numbers, vectors = self.vectors([word for words in texts for word in words])
        lengths = [len(words) for words in texts]
        padded = pad_sequence(list(torch.split(vectors, lengths)), batch_first=True)
        packed = pack_padded_sequence(
            padded, torch.tensor(lengths, device="cpu"), batch_first=True, enforce_sorted=False
        )
        read, (hidden, cell) = layer(packed)
        states = pad_packed_sequence(read, batch_first=True)[0]
        ends = torch.tensor(lengths, device=states.device)
        rows = torch.arange(len(texts), device=states.device)
        farther = states[rows, (ends - 2).clamp(min=0)] * (ends > 1).unsqueeze(1)
        last = ends.cumsum(0) - 1
        return _Side((hidden[0], cell[0]), farther, vectors[last], numbers[last])

    def _fits(self, around: Surroundings, owners: IntArray, words: Sequence[Sequence[str]]) -> Fits:
        """owners N: the place of each text; words: those that it makes there → N F."""
        network, device = self.network, self.network.device
        distinct = {word: place for place, word in enumerate(dict.fromkeys(chain.from_iterable(words)))}
        known, vectors = self.vectors(list(distinct))
        lengths = np.array(list(map(len, words)))
        made = np.full((len(words), lengths.max(initial=0)), _NO_WORD, dtype=np.int64)
        for row, of_text in enumerate(words):
            made[row, : len(of_text)] = [distinct[word] for word in of_text]
        backwards = np.full_like(made, _NO_WORD)
        for length in set(lengths.tolist()):
            chosen = lengths == length
            backwards[chosen, :length] = made[chosen, :length][:, ::-1]
        before = _grown(network.before, around.before, owners, made, vectors)
        after = _grown(network.after, around.after, owners, backwards, vectors)
        # What was read before and after each of these: the nearest word on the left, the words made, the
        # nearest word on the right. The last rows of the shares are of what is farther than the nearest.
        of_before, of_after = network.shares(
            torch.cat((before.states, around.before.farther)), torch.cat((after.states, around.after.farther))
        )
        texts, places = np.nonzero(np.arange(made.shape[1] + 2) < lengths[:, None] + 2)
        from_left = np.concatenate((len(before.states) + owners[:, None], before.paths), axis=1)
        from_right = np.concatenate((len(after.states) + owners[:, None], after.paths), axis=1)
        left, right = from_left[texts, places], from_right[texts, lengths[texts] + 1 - places]
        expected = network.expect(_taken(of_before, left) + _taken(of_after, right))
        # The word that stands there: of those made, or the nearest one of a place.
        all_numbers = torch.cat((known, around.before.numbers, around.after.numbers))
        all_vectors = torch.cat((vectors, around.before.vectors, around.after.vectors))
        nearest = len(distinct) + owners
        standing = np.concatenate((nearest[:, None], made, nearest[:, None]), axis=1)
        standing[np.arange(len(words)), lengths + 1] = nearest + len(around.places)
        there = standing[texts, places]
        of_places = all_numbers[torch.from_numpy(there).to(device)]
        numbers = of_places.cpu().numpy()
        affinity = network.affinity(expected, _taken(all_vectors, there)).cpu().numpy()
        unknown = numbers == UNKNOWN_WORD
        read = unknown | (numbers >= FIRST_WORD)
        affinity = affinity * read
        inside = (places > 0) & (places <= lengths[texts])
        shares = torch.from_numpy(self.lexicon.shares(list(distinct))).to(device)
        often = self._often(known, shares).cpu().numpy()[there[inside]] * read[inside]
        unseen = np.array([self.lexicon.is_unseen(word) for word in distinct])[there[inside]]
        size = len(words)
        least = np.full(size, np.inf)
        np.minimum.at(least, texts[inside], affinity[inside])
        columns = (
            np.bincount(texts[inside], affinity[inside], size),
            np.bincount(texts[~inside], affinity[~inside], size),
            lengths,
            np.bincount(texts[inside], unknown[inside], size),
            np.where(lengths > 0, least, 0),
            affinity[places == 0],
            np.bincount(texts[inside], often, size),
            [min(map(len, made_here), default=0) for made_here in words],
            [
                sum(word in around.places[owner].around for word in made_here)
                for owner, made_here in zip(owners.tolist(), words, strict=True)
            ],
            np.bincount(texts[inside], unseen, size),
        )
        return np.stack(columns, axis=1).astype(np.float32)


def _grown(layer: nn.LSTM, side: _Side, owners: IntArray, made: IntArray, vectors: Tensor) -> _Grown:
    """Read on from places: owners N, made N K (which of the vectors, W S; _NO_WORD at the end)."""
    from_input, from_hidden, *biases = layer.all_weights[0]
    gates_of_words = linear(vectors, from_input, biases[0] + biases[1])  # W 4H
    paths = np.zeros((len(made), made.shape[1] + 1), dtype=np.int64)
    paths[:, 0] = owners
    hidden, cell = side.state
    states, start = [hidden], 0
    for step in range(made.shape[1]):
        going_on = np.flatnonzero(made[:, step] != _NO_WORD)
        beginnings = paths[going_on, step] * len(vectors) + made[going_on, step]
        known, which = np.unique(beginnings, return_inverse=True)
        from_ = known // len(vectors) - start
        gates = _taken(gates_of_words, known % len(vectors)) + _taken(linear(hidden, from_hidden), from_)
        start += len(hidden)
        hidden, cell = lstm_step(gates, _taken(cell, from_))
        states.append(hidden)
        paths[going_on, step + 1] = start + which
    return _Grown(torch.cat(states), paths)


def _taken(rows: Tensor, numbers: IntArray) -> Tensor:
    return rows.index_select(0, torch.from_numpy(numbers).to(rows.device))
