"""The training loop: windows → losses → weights, to be stopped and resumed at any moment.

    RUN/config.json      the settings
    RUN/vocabulary.txt   the words
    RUN/fold-N.safetensors  counts for a network that reads them (see `folds`)
    RUN/state.pt         weights, moving average, optimiser, progress: an exact resume
    RUN/start.json       what the weights have been through before, if it began with a checkpoint
    RUN/log.csv          step, minutes, losses, validation figures

Not for measuring a finished model: see `pythia_epidoc.evaluation`.
"""

from __future__ import annotations

import csv
import json
import math
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.errors import CorpusError, ModelError
from pythia_epidoc.model.alphabet import LETTER_COUNT, START, Vocabulary
from pythia_epidoc.model.checkpoint import Checkpoint
from pythia_epidoc.model.device import autocast, choose_device
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import Encoded, Pythia, build_network, cross_entropy
from pythia_epidoc.training.config import TrainingConfig
from pythia_epidoc.training.counted import Report
from pythia_epidoc.training.expected import expected_in
from pythia_epidoc.training.folds import fold_counts, folds_of
from pythia_epidoc.training.windows import Batch, Sampler, Window, collate

VALIDATION_WINDOWS = 256
_COLUMNS = 2
"""Spans of a window that are decoded together while training."""
EXPERIENCE = ("steps", "characters", "hours")
"""What a card says of training, and adds up over runs that begin with one another's weights."""
LOG_FIELDS = ("step", "minutes", "characters", "rate", "loss", "validation_loss", "validation_accuracy")


@dataclass
class Progress:
    """How far a run is; given to the caller after every step."""

    step: int
    minutes: float
    characters: int
    characters_per_second: float
    loss: float
    validation_loss: float = math.nan
    validation_accuracy: float = math.nan


class Run:
    """A training run in a folder."""

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
        if not train or not validation:
            raise CorpusError("There are no texts to train on or to validate with; build a larger corpus.")
        self.folder = folder
        self.config = config
        folder.mkdir(parents=True, exist_ok=True)
        self.device = choose_device(device)
        self.rank = int(os.environ.get("RANK", "0"))
        self.world = int(os.environ.get("WORLD_SIZE", "1"))
        torch.manual_seed(config.seed)
        self.vocabulary = self._vocabulary(train, start)
        self.network = build_network(config.network, len(self.vocabulary)).to(self.device)
        if start is not None and not (folder / "state.pt").exists():
            _take_over(self.network, start)
            self._remember(start)
        self.average = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=config.learning_rate, betas=(0.9, 0.99)
        )
        self.progress = Progress(0, 0.0, 0, 0.0, math.nan)
        self.trainable: Any = self._parallel()
        folds = folds_of(train) if config.network.expecting else None
        self.counts = [] if folds is None else self._counts(train, folds, validation, report)
        self.sampler = Sampler(train, config.windows, folds)
        self.validation = _validation_windows(validation, config)
        if (folder / "state.pt").exists():
            self._resume()
        if self.rank == 0:
            (folder / "config.json").write_text(json.dumps(config.to_dict(), indent=1), "utf-8")

    def _parallel(self) -> Any:
        """The network itself, or its copies on several GPUs when started by torchrun."""
        if self.world == 1:
            return _Losses(self.network, self.config)
        if not torch.distributed.is_initialized():
            torch.distributed.init_process_group("nccl" if self.device.type == "cuda" else "gloo")
        losses = _Losses(self.network, self.config)
        return torch.nn.parallel.DistributedDataParallel(losses, find_unused_parameters=True)

    def _remember(self, start: Checkpoint) -> None:
        """What the weights have been through before this run, for the card."""
        before = {name: start.card.get("training", {}).get(name, 0) for name in EXPERIENCE}
        if not self.rank:
            (self.folder / "start.json").write_text(json.dumps(before), "utf-8")

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

    def _vocabulary(self, train: Sequence[Record], start: Checkpoint | None) -> Vocabulary:
        path = self.folder / "vocabulary.txt"
        if path.exists():
            return Vocabulary(path.read_text("utf-8").split())
        if start is not None:
            vocabulary = start.vocabulary
        else:
            vocabulary = Vocabulary.from_texts((record.text for record in train), self.config.vocabulary)
        path.write_text("\n".join(vocabulary.words), "utf-8")
        return vocabulary

    def train(
        self,
        *,
        minutes: float = math.inf,
        steps: int | None = None,
        save_every: float = 5.0,
        validate_every: int = 500,
        report: Callable[[Progress], None] = lambda progress: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Progress:
        """Train until the schedule or the time ends or the caller says stop, which is asked between steps."""
        last_step = min(self.config.steps, steps if steps is not None else self.config.steps)
        began, before = time.monotonic(), self.progress.minutes
        saved = began
        losses: list[float] = []
        while self.progress.step < last_step and not self._agreed(
            stop() or (time.monotonic() - began) / 60 >= minutes
        ):
            started = time.monotonic()
            batch = self._next_batch()
            losses.append(self._step(batch))
            del losses[:-100]
            now = time.monotonic()
            self._advance(batch, losses, before + (now - began) / 60, now - started)
            if self.progress.step % validate_every == 0:
                self.validate()
                self._log()
            if (now - saved) / 60 >= save_every:
                self.save()
                saved = time.monotonic()
            if self.rank == 0:
                report(self.progress)
        self.save()
        return self.progress

    def _agreed(self, stop: bool) -> bool:
        """Whether any of the processes wants to stop: none may wait for one that has."""
        if self.world == 1:
            return stop
        wish = torch.tensor([int(stop)], device=self.device)
        torch.distributed.all_reduce(wish)
        return bool(wish.item())

    def _next_batch(self) -> Batch:
        """What is drawn depends on the step alone, so a resumed run goes on as if it had never stopped."""
        seed = f"{self.config.seed}/{self.rank}/{self.progress.step}"
        torch.manual_seed(random.Random(seed).getrandbits(63))
        windows = self.sampler.windows(self.config.batch, seed)
        batch = self._collated(windows)
        if batch.expected is not None:
            chance = random.Random(f"deaf/{seed}")
            deaf = [chance.random() < self.config.deaf_share for _ in windows]
            batch.expected[deaf] = 0
        return batch

    def _collated(self, windows: Sequence[Window]) -> Batch:
        """A batch of windows of one fold, with what the counts expect if the network reads it."""
        batch = collate(windows, self.vocabulary)
        if self.counts:
            counts, longest = self.counts[windows[0].fold], self.config.windows.longest_span
            batch = replace(batch, expected=expected_in(windows, counts, longest))
        return batch

    def _advance(self, batch: Batch, losses: list[float], minutes: float, seconds: float) -> None:
        characters = int((batch.characters > 0).sum()) * self.world
        progress = self.progress
        progress.step += 1
        progress.minutes = minutes
        progress.characters += characters
        rate = characters / max(seconds, 1e-9)
        progress.characters_per_second = (
            rate if progress.step == 1 else 0.98 * progress.characters_per_second + 0.02 * rate
        )
        progress.loss = sum(losses) / len(losses)

    def _rate(self, step: int) -> float:
        config = self.config
        if step < config.warmup:
            return config.learning_rate * (step + 1) / config.warmup
        left = (config.steps - step) / max(1.0, config.steps * config.decay_share)
        return config.learning_rate * min(1.0, max(config.final_rate, left))

    def _step(self, batch: Batch) -> float:
        self.trainable.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate(self.progress.step)
        tensors = tensors_of(batch, self.device)
        with autocast(self.device, enabled=True):
            loss, main = self.trainable(tensors, batch.longest)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self.optimizer.step()
        self._update_average()
        return float(main)

    def _update_average(self) -> None:
        decay = min(self.config.average, (self.progress.step + 1) / (self.progress.step + 10))
        with torch.no_grad():
            ours, theirs = list(self.average.values()), list(self.network.state_dict().values())
            torch._foreach_lerp_(ours, theirs, 1 - decay)

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

    def _log(self) -> None:
        if self.rank:
            return
        path = self.folder / "log.csv"
        new = not path.exists()
        progress = self.progress
        with path.open("a", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            if new:
                writer.writerow(LOG_FIELDS)
            writer.writerow(
                [
                    progress.step,
                    f"{progress.minutes:.2f}",
                    progress.characters,
                    f"{progress.characters_per_second:.0f}",
                    f"{progress.loss:.4f}",
                    f"{progress.validation_loss:.4f}",
                    f"{progress.validation_accuracy:.4f}",
                ]
            )

    def save(self) -> None:
        """Write everything an exact resume needs, in one go."""
        if self.rank:
            return
        state = {
            "network": self.network.state_dict(),
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
            "progress": vars(self.progress),
        }
        part = self.folder / "state.pt.part"
        torch.save(state, part)
        part.replace(self.folder / "state.pt")

    def _resume(self) -> None:
        state = torch.load(self.folder / "state.pt", map_location=self.device, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.average = dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])


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


def _take_over(network: Pythia, start: Checkpoint) -> None:
    """The weights of a checkpoint; what it has no weights for stays as it is."""
    if start.network is None:
        raise ModelError("This checkpoint has no network to start from.")
    known, wanted = start.network.state_dict(), network.state_dict()
    if any(known[name].shape != weights.shape for name, weights in wanted.items() if name in known):
        raise ModelError("The network of this checkpoint has another shape than the settings ask for.")
    network.load_state_dict({**wanted, **{name: known[name] for name in wanted if name in known}})


def _validation_windows(records: Sequence[Record], config: TrainingConfig) -> list[Window]:
    """The same windows in every run and at every step, longest together."""
    windows = Sampler(records, config.windows).windows(VALIDATION_WINDOWS, "validation")
    return sorted(windows, key=lambda window: len(window.text))
