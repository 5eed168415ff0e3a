"""Which words go together: a network that reads a text word by word.

    words before a place → LSTM ─┐
                                 ├─ what word to expect there
    words after it       → LSTM ─┘

It knows what counted strings cannot: words that are far apart, and words nobody has seen side by side. A word
is known by its number if it is a frequent one, and always by its beginning and its ending (its pieces), so
unknown words and damaged ones are not empty. What it says of a word is close to log p, without a sum over all
words: it was trained to be.

Shapes are in comments: B texts, L words, S the size of a word's vector, H hidden units.

Not for what becomes of a text in which words are put: see `word_judge`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, linear

from pythia_epidoc.greek import LETTERS, LOST, PREDICT, UNKNOWN
from pythia_epidoc.model.alphabet import PREDICT_CHARACTER
from pythia_epidoc.model.trie import IntArray, compiled

WORDS = "words"
"""The name of this system, beside those of the paper."""
EDGE, UNKNOWN_WORD, DAMAGED, GONE, FIRST_WORD = range(5)
"""Numbers of what is no word of the vocabulary: the edge of a text, a whole word that is not known, a word of
which some letters are lost, one of which all are; then come the words."""
EDGE_WORD = ""
PIECES = 1 << 14
PIECES_OF_WORD = 8
"""Endings and beginnings of one letter, of two, of three and of four."""
_MISSING = frozenset((LOST, UNKNOWN, PREDICT, PREDICT_CHARACTER))
_MISSING_CODES = np.array(sorted(map(ord, _MISSING)))
_MINUS, _PLUS = ord("-"), ord("+")
_ALL_ONES, _POLYNOMIAL = 0xFFFFFFFF, 0xEDB88320


@dataclass(frozen=True)
class WordConfig:
    """Everything needed to build the network again; travels in the checkpoint."""

    system: str = WORDS
    size: int = 128
    hidden: int = 320
    dropout: float = 0.15


class Lexicon:
    """Words as the network reads them: a number, and the numbers of their pieces."""

    def __init__(self, words: Sequence[str], seen: Mapping[str, float] | None = None) -> None:
        """`seen`: words that stand in several texts, but have no number, each with the logarithm of its share
        of all words that have none."""
        self.words = tuple(words)
        self.seen = dict(seen or {})
        self._numbers = {word: number for number, word in enumerate(self.words, FIRST_WORD)}
        self._rarest = min(self.seen.values(), default=0.0)

    def __len__(self) -> int:
        return len(self.words) + FIRST_WORD

    def number(self, word: str) -> int:
        known = self._numbers.get(word)
        if known is not None:
            return known
        if word == EDGE_WORD:
            return EDGE
        if word in self.seen or is_whole(word):
            return UNKNOWN_WORD
        return GONE if _MISSING.issuperset(word) else DAMAGED

    def shares(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        """Of each unknown word the logarithm of its share of all unknown ones, as if those that nobody has
        seen were the rarest; 0 of others."""
        given = map(self.seen.get, words)
        shares = [
            self._rarest * self.is_unseen(word) if share is None else share
            for word, share in zip(words, given, strict=True)
        ]
        return np.array(shares, dtype=np.float32)

    def spelled(self) -> tuple[list[str], IntArray, npt.NDArray[np.float32]]:
        """The words that can be written in letters, with the number and the share of each."""
        written = [word for word in self.words if not word.strip(LETTERS)]
        numbers = [self._numbers[word] for word in written] + [UNKNOWN_WORD] * len(self.seen)
        shares = [0.0] * len(written) + list(self.seen.values())
        return [*written, *self.seen], np.array(numbers, np.int64), np.array(shares, np.float32)

    def is_unseen(self, word: str) -> bool:
        """Whether a word is a whole one, but neither known nor seen anywhere."""
        return word not in self.seen and self.number(word) == UNKNOWN_WORD

    def encode(self, words: Sequence[str]) -> tuple[IntArray, IntArray]:
        """The number of each word, and its pieces: W, W P."""
        return np.array([self.number(word) for word in words], dtype=np.int64), pieces(words)


def is_whole(word: str) -> bool:
    """Whether a word has letters and none of them is lost."""
    return bool(word) and _MISSING.isdisjoint(word)


def pieces(words: Sequence[str]) -> IntArray:
    """The endings and beginnings of words that can be read, of one letter, of two, …, by a hash; 0 where
    there is none: W P. The hash is CRC-32 of `-` and an ending, or `+` and a beginning, in UTF-8."""
    codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32).astype(np.int64)
    ends = np.cumsum([0, *map(len, words)])
    return np.asarray(_hashed(codes, ends, np.isin(codes, _MISSING_CODES)))


@compiled
def _hashed(codes: IntArray, ends: IntArray, missing: npt.NDArray[np.bool_]) -> IntArray:
    """codes: of all words, one after another; ends W+1: where each begins and the last one ends."""
    hashes = np.zeros((len(ends) - 1, PIECES_OF_WORD), dtype=np.int64)
    for word in range(len(hashes)):
        begin, end = ends[word], ends[word + 1]
        for length in range(1, min(PIECES_OF_WORD // 2, end - begin) + 1):
            for side in range(2):
                first = begin if side else end - length
                hashed = _crc(_ALL_ONES, _PLUS if side else _MINUS)
                readable = True
                for place in range(first, first + length):
                    code = codes[place]
                    readable &= not missing[place]
                    if code < 0x80:
                        hashed = _crc(hashed, code)
                    elif code < 0x800:
                        hashed = _crc(_crc(hashed, 0xC0 | code >> 6), 0x80 | code & 0x3F)
                    else:
                        hashed = _crc(_crc(hashed, 0xE0 | code >> 12), 0x80 | code >> 6 & 0x3F)
                        hashed = _crc(hashed, 0x80 | code & 0x3F)
                if readable:
                    hashes[word, 2 * (length - 1) + side] = 1 + (hashed ^ _ALL_ONES) % (PIECES - 1)
    return hashes


@compiled
def _crc(hashed: int, byte: int) -> int:
    """CRC-32 after one more byte."""
    hashed ^= byte
    for _ in range(8):
        hashed = hashed >> 1 ^ _POLYNOMIAL * (hashed & 1)
    return hashed


class WordNetwork(nn.Module):
    """Two LSTM layers, one from either end of a text."""

    def __init__(self, config: WordConfig, word_count: int) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(word_count, config.size)
        self.pieces = nn.EmbeddingBag(PIECES, config.size, mode="sum", padding_idx=0)
        self.before = nn.LSTM(config.size, config.hidden, batch_first=True)
        self.after = nn.LSTM(config.size, config.hidden, batch_first=True)
        self.mix = nn.Linear(2 * config.hidden, 2 * config.hidden)
        self.expected = nn.Linear(2 * config.hidden, config.size)
        self.frequency = nn.Embedding(word_count, 1)
        self.dropout = nn.Dropout(config.dropout)
        for embedding in (self.words, self.pieces):
            nn.init.normal_(embedding.weight, std=0.05)
        with torch.no_grad():
            self.pieces.weight[0] = 0

    @property
    def device(self) -> torch.device:
        return self.mix.weight.device

    def embed(self, numbers: Tensor, pieces: Tensor) -> Tensor:
        """numbers …, pieces … P → … S."""
        of_pieces: Tensor = self.pieces(pieces.reshape(-1, PIECES_OF_WORD))
        vectors: Tensor = self.words(numbers) + of_pieces.view(*numbers.shape, -1)
        return vectors

    def forward(self, vectors: Tensor) -> Tensor:
        """What is expected at each place of texts, from the words on either side of it: B L S → B L S."""
        vectors = self.dropout(vectors)
        before, after = self.before(vectors)[0], self.after(vectors.flip(1))[0].flip(1)
        nothing = torch.zeros_like(before[:, :1])
        return self.between(
            torch.cat((nothing, before[:, :-1]), dim=1), torch.cat((after[:, 1:], nothing), dim=1)
        )

    def between(self, before: Tensor, after: Tensor) -> Tensor:
        """What is expected between what was read from the left and from the right: … H, … H → … S."""
        return self.expect(self.mix(self.dropout(torch.cat((before, after), dim=-1))))

    def expect(self, mixed: Tensor) -> Tensor:
        """What is expected, from what was read on both sides, mixed: … 2H → … S."""
        expected: Tensor = self.expected(self.dropout(gelu(mixed)))
        return expected

    def shares(self, before: Tensor, after: Tensor) -> tuple[Tensor, Tensor]:
        """What either side gives to the mix, to be added up: M H, N H → M 2H, N 2H."""
        of_before, of_after = self.mix.weight.chunk(2, dim=1)
        return linear(before, of_before), linear(after, of_after, self.mix.bias)

    def fit(self, expected: Tensor, vectors: Tensor, numbers: Tensor) -> Tensor:
        """How likely words are: close to log p. expected … S, vectors … S, numbers … → …"""
        often: Tensor = self.frequency(numbers).squeeze(-1)
        return self.affinity(expected, vectors) + often

    def affinity(self, expected: Tensor, vectors: Tensor) -> Tensor:
        """The same, less the logarithm of how frequent a word is anywhere."""
        return (expected * vectors).sum(dim=-1)


@torch.no_grad()
def widened(network: WordNetwork, hidden: int) -> WordNetwork:
    """A network of more hidden units that says the same: the new ones have no say until they learn."""
    narrow = network.config.hidden
    wide = WordNetwork(replace(network.config, hidden=hidden), network.words.num_embeddings)
    wide.load_state_dict({**wide.state_dict(), **_embeddings(network)})
    for layer in ("before", "after"):
        theirs, ours = getattr(network, layer), getattr(wide, layer)
        # Four gates stand one behind another.
        for name in ("weight_ih_l0", "bias_ih_l0", "bias_hh_l0"):
            of_gates = getattr(theirs, name).unflatten(0, (4, narrow))
            getattr(ours, name).unflatten(0, (4, hidden))[:, :narrow] = of_gates
        hears = ours.weight_hh_l0.unflatten(0, (4, hidden))[:, :narrow]
        hears[..., :narrow], hears[..., narrow:] = theirs.weight_hh_l0.unflatten(0, (4, narrow)), 0
    # What was read from one end stands behind what was read from the other.
    kept = wide.mix.weight.view(2, hidden, 2, hidden)[:, :narrow]
    kept[..., :narrow], kept[..., narrow:] = network.mix.weight.view(2, narrow, 2, narrow), 0
    wide.mix.bias.view(2, hidden)[:, :narrow] = network.mix.bias.view(2, narrow)
    kept = wide.expected.weight.view(-1, 2, hidden)
    kept[..., :narrow], kept[..., narrow:] = network.expected.weight.view(-1, 2, narrow), 0
    wide.expected.bias.copy_(network.expected.bias)
    return wide


@torch.no_grad()
def with_more_words(network: WordNetwork, word_count: int) -> WordNetwork:
    """A network that says the same, but can learn of more words: they are taken for unknown ones still."""
    larger = WordNetwork(network.config, word_count)
    weights = network.state_dict()
    for name in ("words.weight", "frequency.weight"):
        unknown = weights[name][UNKNOWN_WORD].expand(word_count - len(weights[name]), -1)
        weights[name] = torch.cat((weights[name], unknown))
    larger.load_state_dict(weights)
    return larger


def _embeddings(network: WordNetwork) -> dict[str, Tensor]:
    """The weights that do not depend on the number of hidden units."""
    named = ("words", "pieces", "frequency")
    return {name: weights for name, weights in network.state_dict().items() if name.startswith(named)}
