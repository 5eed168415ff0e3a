"""Training the network of words: stretches of texts → losses.

Every word of a stretch is to be told from others by what stands around it. To compare it with all words of
the vocabulary would take too long; it is compared with some, and each of these stands for so many more as
it was unlikely to be taken.

Not for how a run goes on: see `loop`.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from pythia_epidoc.corpus.attributions import by_kind
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.corpus.spelling import spellings
from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.checkpoint import Checkpoint
from pythia_epidoc.model.words import (
    EDGE_WORD,
    FIRST_WORD,
    GONE,
    UNKNOWN_WORD,
    Lexicon,
    WordNetwork,
    is_whole,
    widened,
    with_more_words,
)
from pythia_epidoc.training.config import WordTrainingConfig
from pythia_epidoc.training.counted import WEIGHTS, Report
from pythia_epidoc.training.loop import Loop
from pythia_epidoc.training.streams import Streams

VALIDATION_STRETCHES = 512
_FLATTENED = 0.75
"""The chance that a word is taken for comparison grows with its frequency, to this power."""
_LEAST = 1e-7
_NEVER = -30.0

IntArray = npt.NDArray[np.int64]
Batch = dict[str, Tensor]


class WordRun(Loop):
    """A training run of the network of words."""

    network: WordNetwork

    def __init__(
        self,
        folder: Path,
        config: WordTrainingConfig,
        train: Sequence[Record],
        validation: Sequence[Record],
        device: str = "auto",
        *,
        start: Checkpoint | None = None,
        report: Report = lambda message: None,
    ) -> None:
        """`start`: a checkpoint whose weights a new run begins with; it may have fewer hidden units, and know
        fewer words."""
        super().__init__(folder, config, train, validation, device)
        self.config = config
        judge = None if start is None else start.words
        report("Reading words …")
        known_words = judge.lexicon.words if judge else ()
        self.lexicon = Lexicon(self.words(lambda: _vocabulary(known_words, train, config.vocabulary)))
        self.texts = Stretches(train, self.lexicon, config)
        self.validation = Stretches(validation, self.lexicon, config)
        self.network = WordNetwork(config.network, len(self.lexicon)).to(self.device)
        frequency = torch.from_numpy(np.log(np.maximum(self.texts.frequency, _LEAST))).unsqueeze(1)
        with torch.no_grad():
            self.network.frequency.weight.copy_(frequency)
        if start is not None and not self.resumes:
            self.take_over(self._grown(judge.network) if judge else None, start.card.get("words", {}))
            learned_late = slice(len(known_words) + FIRST_WORD, None)
            with torch.no_grad():
                self.network.frequency.weight[learned_late] = frequency[learned_late]
        self.begin(WordLosses(self.network, config.balance_weight))

    def _grown(self, known: WordNetwork) -> WordNetwork:
        """What a run begins with, as large as it is to be."""
        if known.config.hidden < self.config.network.hidden:
            known = widened(known, self.config.network.hidden)
        if known.words.num_embeddings < len(self.lexicon):
            known = with_more_words(known, len(self.lexicon))
        return known

    def _next_losses(self, seed: str) -> tuple[Tensor, Tensor, int]:
        batch, characters = self.texts.batch(self.config.batch, seed, self.texts)
        loss, main, _ = self.trainable({name: array.to(self.device) for name, array in batch.items()})
        return loss, main, characters

    @torch.no_grad()
    def validate(self) -> None:
        """Loss of the averaged weights on fixed stretches, and how often the true word fits best."""
        network = WordNetwork(self.config.network, len(self.lexicon)).to(self.device)
        network.load_state_dict(self.average)
        losses = WordLosses(network, 0.0).eval()
        found = []
        for start in range(0, VALIDATION_STRETCHES, self.config.batch):
            batch, _ = self.validation.batch(self.config.batch, f"validation/{start}", self.texts)
            _, loss, best = losses({name: array.to(self.device) for name, array in batch.items()})
            found.append((float(loss), float(best)))
        self.progress.validation_loss, self.progress.validation_accuracy = np.mean(found, axis=0).tolist()


def _vocabulary(known: Sequence[str], records: Iterable[Record], size: int) -> list[str]:
    """Words that are known, and the most frequent others: `size` in all, or more if more are known."""
    wanted = frequent_words(records, size + len(known)) if len(known) < size else []
    return list(islice(dict.fromkeys((*known, *wanted)), max(size, len(known))))


def frequent_words(records: Iterable[Record], size: int) -> list[str]:
    """The most frequent whole words, each kind of text weighed as in the counts."""
    counts: Counter[str] = Counter()
    for kind, of_kind in by_kind(records).items():
        spelt = _by_spelling(of_kind)
        for word, count in Counter(word for text in chain(*spelt) for word in text.split(SPACE)).items():
            counts[word] += WEIGHTS.get(kind, 0.0) * count / len(spelt)  # type: ignore[assignment]
    whole = [(word, count) for word, count in counts.items() if is_whole(word)]
    return [word for word, _ in sorted(whole, key=lambda item: (-item[1], item[0]))[:size]]


@dataclass(frozen=True)
class _Forms:
    """Every different word of some texts."""

    numbers: IntArray
    pieces: IntArray
    lengths: IntArray


class Stretches:
    """Draws stretches of texts: the same ones for the same seed."""

    def __init__(self, records: Sequence[Record], lexicon: Lexicon, config: WordTrainingConfig) -> None:
        self.config = config
        places: dict[str, int] = {EDGE_WORD: 0}
        texts = by_kind(records)
        kinds = [
            (_by_spelling(texts[kind]), share) for kind, share in config.kinds if share > 0 and kind in texts
        ]
        streams = [(_stream(spelt, places), share / len(kind)) for kind, share in kinds for spelt in kind]
        self.streams = Streams(streams, config.stretch, "words")
        words = list(places)
        self.forms = _Forms(*lexicon.encode(words), np.array([len(word) + 1 for word in words]))
        numbers = np.arange(len(lexicon))
        self.frequency = np.zeros(len(lexicon))
        for stream, share in zip(self.streams.streams, self.streams.shares.tolist(), strict=True):
            counted = np.bincount(self.forms.numbers[stream], minlength=len(lexicon)) * _is_word(numbers)
            self.frequency += share * counted / max(1, counted.sum())
        self.chances = _chances(np.where(numbers >= FIRST_WORD, self.frequency, 0), config.others)
        self.known_pieces = lexicon.encode([EDGE_WORD] * FIRST_WORD + list(lexicon.words))[1]
        unknown = [stream[self.forms.numbers[stream] == UNKNOWN_WORD] for stream in self.streams.streams]
        self.unknown = np.concatenate(unknown)

    def batch(self, count: int, seed: str, others: Stretches) -> tuple[Batch, int]:
        """Stretches, whose words are to be told from some of `others`; and how many characters they have."""
        chance = np.random.default_rng(random.Random(seed).getrandbits(64))
        drawn = self.streams.drawn(count, chance)
        numbers = self.forms.numbers[drawn]
        pieces = self.forms.pieces[drawn]
        unknown = (chance.random(drawn.shape) < self.config.unknown_share) & (numbers >= FIRST_WORD)
        lost = (chance.random(drawn.shape) < self.config.lost_share) & _is_word(numbers)
        arrays = {
            "numbers": numbers,
            "pieces": pieces,
            "shown": np.where(lost, GONE, np.where(unknown, UNKNOWN_WORD, numbers)),
            "shown_pieces": np.where(lost[..., None], 0, pieces),
            **others.taken(chance),
        }
        places = np.full(len(self.known_pieces), -1)
        compared = arrays["other_numbers"]
        places[compared[compared >= FIRST_WORD]] = np.flatnonzero(compared >= FIRST_WORD)
        arrays["among_others"] = places[numbers]
        batch = {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}
        return batch, int(self.forms.lengths[drawn].sum())

    def taken(self, chance: np.random.Generator) -> dict[str, npt.NDArray[np.generic]]:
        """Words to compare with, and the logarithm of how many of its like each stands for."""
        known = np.flatnonzero(chance.random(len(self.chances)) < self.chances)
        count = self.config.unknown_others if len(self.unknown) else 0
        unknown = chance.choice(self.unknown, count) if count else self.unknown
        standing = np.concatenate((-np.log(self.chances[known]), np.full(count, -math.log(max(1, count)))))
        return {
            "other_numbers": np.concatenate((known, np.full(count, UNKNOWN_WORD))),
            "other_pieces": np.concatenate((self.known_pieces[known], self.forms.pieces[unknown])),
            "standing": standing.astype(np.float32),
        }


def _by_spelling(records: Iterable[Record]) -> list[tuple[str, ...]]:
    """Texts of one kind in each of its spellings."""
    return list(zip(*map(spellings, records), strict=True))


def _stream(texts: Iterable[str], places: dict[str, int]) -> npt.NDArray[np.int32]:
    """All words one after another, by their place among the different ones; new ones are added to these."""
    found: list[int] = [0]
    for text in texts:
        found.extend([places.setdefault(word, len(places)) for word in text.split(SPACE) if word])
        found.append(0)
    return np.array(found, dtype=np.int32)


def _is_word(numbers: IntArray) -> npt.NDArray[np.bool_]:
    return np.asarray((numbers == UNKNOWN_WORD) | (numbers >= FIRST_WORD))


def _chances(frequency: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.float64]:
    """The chance of each word to be taken, so that about `count` are."""
    flattened = frequency**_FLATTENED
    scale = 1.0
    for _ in range(50):
        scale *= min(count, np.count_nonzero(flattened)) / np.minimum(1, scale * flattened).sum()
    return np.asarray(np.minimum(1, scale * flattened))


class WordLosses(nn.Module):
    """The network with its losses, as one module that can be copied to several GPUs."""

    def __init__(self, network: WordNetwork, balance_weight: float) -> None:
        super().__init__()
        self.network = network
        self.balance_weight = balance_weight

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """The loss, the part of it to report, and the share of words that fit better than all others."""
        network = self.network
        numbers, pieces = batch["numbers"], batch["pieces"]
        asked = (numbers == UNKNOWN_WORD) | (numbers >= FIRST_WORD)
        expected = network(network.embed(batch["shown"], batch["shown_pieces"]))[asked]
        true = network.fit(expected, network.embed(numbers[asked], pieces[asked]), numbers[asked])
        others = network.embed(batch["other_numbers"], batch["other_pieces"])
        often = network.frequency(batch["other_numbers"]).squeeze(-1)
        fits = torch.addmm(often + batch["standing"], expected, others.T)
        # A word is not compared with itself.
        places = batch["among_others"][asked]
        rows = torch.nonzero(places >= 0).squeeze(1)
        never = torch.full((), _NEVER, device=fits.device, dtype=fits.dtype)
        fits = fits.index_put((rows, places[rows]), never)
        total = torch.logaddexp(true, fits.logsumexp(dim=1))
        main = (total - true).mean()
        loss = main + self.balance_weight * total.square().mean()
        best = ((fits - batch["standing"]).max(dim=1).values < true).float().mean()
        return loss, main.detach(), best.detach()
