"""Training the Pythia network: windows → losses.

    RUN/fold-N.safetensors  counts for a network that reads them (see `folds`)

Not for how a run goes on (see `loop`), nor for measuring a finished model: see `pythia_epidoc.evaluation`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.model.alphabet import LETTER_COUNT, START, Vocabulary
from pythia_epidoc.model.checkpoint import Checkpoint
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import Encoded, Pythia, build_network, cross_entropy
from pythia_epidoc.training.config import TrainingConfig
from pythia_epidoc.training.counted import Report
from pythia_epidoc.training.expected import expected_in
from pythia_epidoc.training.folds import fold_counts, folds_of
from pythia_epidoc.training.loop import Loop
from pythia_epidoc.training.windows import Batch, Sampler, Window, collate

VALIDATION_WINDOWS = 256
_COLUMNS = 2
"""Spans of a window that are decoded together while training."""


class Run(Loop):
    """A training run of the Pythia network."""

    network: Pythia
    leaves_out = True

    def __init__(
        self,
        folder: Path,
        config: TrainingConfig,
        train: Sequence[Record],
        validation: Sequence[Record],
        device: str = "auto",
        *,
        start: Checkpoint | None = None,
        report: Report = lambda message: None,
    ) -> None:
        """`start`: a checkpoint whose weights a new run begins with."""
        super().__init__(folder, config, train, validation, device)
        self.config = config
        known = None if start is None else start.vocabulary
        self.vocabulary = Vocabulary(self.words(lambda: (known or _vocabulary(train, config)).words))
        self.network = build_network(config.network, len(self.vocabulary)).to(self.device)
        if start is not None and not self.resumes:
            self.take_over(start.network, start.card.get("training", {}))
        self.begin(_Losses(self.network, config))
        folds = folds_of(train) if config.network.expecting else None
        self.counts = [] if folds is None else self._counts(train, folds, validation, report)
        self.sampler = Sampler(train, config.windows, folds)
        self.validation = _validation_windows(validation, config)

    def _counts(
        self, train: Sequence[Record], folds: Sequence[int], validation: Sequence[Record], report: Report
    ) -> list[CountModel]:
        """The counts of each fold; of several processes the first counts, the others wait for it."""
        if self.rank:
            torch.distributed.barrier()
        counts = fold_counts(self.folder, train, folds, validation, report)
        if self.world > 1 and not self.rank:
            torch.distributed.barrier()
        return counts

    def _next_losses(self, seed: str) -> tuple[Tensor, Tensor, int]:
        windows = self.sampler.windows(self.config.batch, seed)
        batch = self._collated(windows)
        if batch.expected is not None:
            chance = random.Random(f"deaf/{seed}")
            deaf = [chance.random() < self.config.deaf_share for _ in windows]
            batch.expected[deaf] = 0
        loss, main = self.trainable(tensors_of(batch, self.device), batch.longest)
        return loss, main, int((batch.characters > 0).sum())

    def _collated(self, windows: Sequence[Window]) -> Batch:
        """A batch of windows of one fold, with what the counts expect if the network reads it."""
        batch = collate(windows, self.vocabulary)
        if self.counts:
            counts, longest = self.counts[windows[0].fold], self.config.windows.longest_span
            batch = replace(batch, expected=expected_in(windows, counts, longest))
        return batch

    @torch.no_grad()
    def validate(self) -> None:
        """Loss and letter accuracy of the averaged weights on fixed windows."""
        network = build_network(self.config.network, len(self.vocabulary)).to(self.device).eval()
        network.load_state_dict(self.average)
        losses, right, total = [], 0, 0
        for start in range(0, len(self.validation), 32):
            batch = self._collated(self.validation[start : start + 32])
            tensors = tensors_of(batch, self.device)
            encoded = encode_batch(network, tensors)
            logits = decode_teacher_forced(network, encoded, tensors, batch.longest, 0.0)
            targets = tensors["targets"]
            known = targets >= 0
            losses.append((float(cross_entropy(logits, targets)), int(known.sum())))
            right += int((logits.argmax(-1) == targets)[known].sum())
            total += int(known.sum())
        self.progress.validation_loss = sum(loss * count for loss, count in losses) / total
        self.progress.validation_accuracy = right / total


class _Losses(torch.nn.Module):
    """The network with its training losses, as one module that can be copied to several GPUs."""

    def __init__(self, network: Pythia, config: TrainingConfig) -> None:
        super().__init__()
        self.network = network
        self.config = config

    def forward(self, tensors: dict[str, Tensor], longest: Sequence[int]) -> tuple[Tensor, Tensor]:
        config, network = self.config, self.network
        encoded = encode_batch(network, tensors)
        logits = decode_teacher_forced(network, encoded, tensors, longest, config.scheduled_sampling)
        targets = tensors["targets"]
        main = loss = cross_entropy(logits, targets)
        if config.slot_weight:
            loss = loss + config.slot_weight * _slot_loss(network, encoded, tensors)
        if config.neighbour_weight and network.config.words_at_layer == 2:
            loss = loss + config.neighbour_weight * _neighbour_loss(network, encoded, tensors["characters"])
        if config.length_weight:
            lengths = network.length_output(encoded.states)
            loss = loss + config.length_weight * cross_entropy(lengths, tensors["lengths"])
        return loss, main.detach()


def tensors_of(batch: Batch, device: torch.device) -> dict[str, Tensor]:
    arrays = {name: array for name, array in vars(batch).items() if array is not None}
    return {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}


def encode_batch(network: Pythia, tensors: dict[str, Tensor]) -> Encoded:
    return network.encode(tensors["characters"], tensors["words"])


def decode_teacher_forced(
    network: Pythia, encoded: Encoded, tensors: dict[str, Tensor], longest: Sequence[int], sampling: float
) -> Tensor:
    """Logits B N T O with the true symbols before each slot, or with probability `sampling` its own."""
    if not sampling:
        return _decode_in_groups(network, encoded, tensors, longest)
    slots, previous, expected = tensors["slots"], tensors["previous"], tensors.get("expected")
    state = network.start(encoded, tensors["before"], tensors["after"])
    steps: list[Tensor] = []
    given = previous[..., :1]
    for step in range(slots.shape[-1]):
        here = slice(step, step + 1)
        told = None if expected is None else expected[:, :, here]
        logits, state, _ = network.decode(encoded, slots[..., here], given, state, told)
        steps.append(logits)
        if step + 1 < slots.shape[-1]:
            truth = previous[..., step + 1 : step + 2]
            own = torch.rand(truth.shape, device=truth.device) < sampling
            given = torch.where(own & (truth != START), logits.argmax(-1), truth)
    return torch.cat(steps, dim=2)


def _decode_in_groups(
    network: Pythia, encoded: Encoded, tensors: dict[str, Tensor], longest: Sequence[int]
) -> Tensor:
    """Spans come longest first, so a few columns at a time need few steps beyond the true ones."""
    slots, previous, expected = tensors["slots"], tensors["previous"], tensors.get("expected")
    logits: list[Tensor] = []
    for start in range(0, slots.shape[1], _COLUMNS):
        columns = slice(start, start + _COLUMNS)
        state = network.start(encoded, tensors["before"][:, columns], tensors["after"][:, columns])
        steps = longest[start]
        told = None if expected is None else expected[:, columns, :steps]
        at, given = slots[:, columns, :steps], previous[:, columns, :steps]
        found, _, _ = network.decode(encoded, at, given, state, told)
        logits.append(torch.nn.functional.pad(found, (0, 0, 0, slots.shape[2] - steps)))
    return torch.cat(logits, dim=1)


def _slot_loss(network: Pythia, encoded: Encoded, tensors: dict[str, Tensor]) -> Tensor:
    """Each slot's symbol straight from the encoder: helps it to learn early."""
    slots = tensors["slots"]
    number = torch.arange(len(slots), device=slots.device).view(-1, 1, 1)
    return cross_entropy(network.slot_output(encoded.states[number, slots]), tensors["targets"])


def _neighbour_loss(network: Pythia, encoded: Encoded, characters: Tensor) -> Tensor:
    """The first layer as a language model in both directions."""
    following, preceding = network.neighbours(encoded)
    visible = torch.where((characters > 0) & (characters <= LETTER_COUNT + 1), characters, -1)
    loss = cross_entropy(following[:, :-1], visible[:, 1:])
    if preceding is not None:
        loss = 0.5 * (loss + cross_entropy(preceding[:, 1:], visible[:, :-1]))
    return loss


def _vocabulary(train: Sequence[Record], config: TrainingConfig) -> Vocabulary:
    return Vocabulary.from_texts((record.text for record in train), config.vocabulary)


def _validation_windows(records: Sequence[Record], config: TrainingConfig) -> list[Window]:
    """The same windows in every run and at every step, longest together."""
    windows = Sampler(records, config.windows).windows(VALIDATION_WINDOWS, "validation")
    return sorted(windows, key=lambda window: len(window.text))
