"""The training loop of any network: losses → weights, to be stopped and resumed at any moment.

    RUN/config.json      the settings
    RUN/vocabulary.txt   the words
    RUN/state.pt         weights, moving average, optimiser, progress: an exact resume
    RUN/start.json       what the weights have been through before, if it began with a checkpoint
    RUN/log.csv          step, minutes, losses, validation figures

Not for what is learned: see `run` (the Pythia network), `word_run` and `accent_run` (of words, of accents).
"""

from __future__ import annotations

import csv
import json
import math
import os
import pickle
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.errors import ConfigError, CorpusError, ModelError
from pythia_epidoc.model.device import autocast, choose_device
from pythia_epidoc.training.config import Schedule

EXPERIENCE = ("steps", "characters", "hours")
"""What a card says of training, and adds up over runs that begin with one another's weights."""
LOG_FIELDS = ("step", "minutes", "characters", "rate", "loss", "validation_loss", "validation_accuracy")

_DAMAGED = "The state of this run is damaged; train it again, in another folder."
_STATE = {"network", "average", "optimizer", "progress"}


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

    @property
    def validation(self) -> str:
        """How validation texts are known, in words."""
        if math.isnan(self.validation_loss):
            return "not validated yet"
        return f"validation {self.validation_loss:.3f} ({self.validation_accuracy:.1%} right)"


class Loop(ABC):
    """A training run in a folder."""

    network: nn.Module
    leaves_out = False
    """Whether some weights may have no part in a batch."""

    def __init__(
        self,
        folder: Path,
        config: Schedule,
        train: Sequence[Record],
        validation: Sequence[Record],
        device: str = "auto",
    ) -> None:
        if not train or not validation:
            raise CorpusError("There are no texts to train on or to validate with; build a larger corpus.")
        self.folder = folder
        self.schedule = config
        self.device = choose_device(device)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"The folder of the run cannot be made: {error.strerror}.", path=folder
            ) from None
        if self.resumes:
            self._refuse_other_network()
        self.rank = int(os.environ.get("RANK", "0"))
        self.world = int(os.environ.get("WORLD_SIZE", "1"))
        self.progress = Progress(0, 0.0, 0, 0.0, math.nan)
        torch.manual_seed(config.seed)

    @property
    def resumes(self) -> bool:
        """Whether the folder holds a run that goes on."""
        return (self.folder / "state.pt").exists()

    def _refuse_other_network(self) -> None:
        """A run goes on with the network it has: its weights have no place in another."""
        try:
            begun = json.loads((self.folder / "config.json").read_text("utf-8"))["network"]
        except (OSError, ValueError, LookupError, TypeError):
            raise ModelError(_DAMAGED, path=self.folder / "config.json") from None
        asked = self.schedule.to_dict()["network"]
        others = [
            f"{name} is {begun.get(name)!r}, not {asked.get(name)!r}"
            for name in dict.fromkeys([*begun, *asked])
            if name != "dropout" and begun.get(name) != asked.get(name)
        ]
        if others:
            raise ConfigError(
                f"The run in this folder has another network ({'; '.join(others)}): go on with the "
                "--system and --config it was begun with, or name another folder.",
                path=self.folder,
            )

    def words(self, otherwise: Callable[[], Sequence[str]]) -> Sequence[str]:
        """The words of this run, chosen when it began."""
        path = self.folder / "vocabulary.txt"
        if not path.exists():
            path.write_text("\n".join(otherwise()), "utf-8")
        return path.read_text("utf-8").split()

    def begin(self, losses: nn.Module) -> None:
        """Make ready to train `network`, or go on; `losses` is a module that computes them with it."""
        self.average = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
        self.optimizer = torch.optim.Adam(
            self.network.parameters(),
            lr=self.schedule.learning_rate,
            betas=(0.9, 0.99),
            fused=self.device.type in ("cpu", "cuda"),
        )
        self.trainable: Any = self._parallel(losses)
        if self.resumes:
            self._resume()
        if self.rank == 0:
            (self.folder / "config.json").write_text(json.dumps(self.schedule.to_dict(), indent=1), "utf-8")

    def _parallel(self, losses: nn.Module) -> nn.Module:
        """The losses themselves, or their copies on several GPUs when started by torchrun."""
        if self.world == 1:
            return losses
        if not torch.distributed.is_initialized():
            torch.distributed.init_process_group("nccl" if self.device.type == "cuda" else "gloo")
        return torch.nn.parallel.DistributedDataParallel(losses, find_unused_parameters=self.leaves_out)

    def take_over(self, start: nn.Module | None, training: dict[str, Any]) -> None:
        """Begin with the weights of a checkpoint, whose card says this of its training; what it has no
        weights for stays as it is."""
        if start is None:
            raise ModelError("This checkpoint has no such network to start from.")
        known, wanted = start.state_dict(), self.network.state_dict()
        if any(known[name].shape != weights.shape for name, weights in wanted.items() if name in known):
            raise ModelError("The network of this checkpoint has another shape than the settings ask for.")
        self.network.load_state_dict({**wanted, **{name: known[name] for name in wanted if name in known}})
        if not self.rank:
            before = {name: training.get(name, 0) for name in EXPERIENCE}
            (self.folder / "start.json").write_text(json.dumps(before), "utf-8")

    @abstractmethod
    def _next_losses(self, seed: str) -> tuple[Any, Tensor, int]:
        """What to minimise on the next batch, the part of it to report, and the characters read."""

    @abstractmethod
    def validate(self) -> None:
        """Loss and accuracy of the averaged weights, into `progress`."""

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
        last_step = min(self.schedule.steps, steps if steps is not None else self.schedule.steps)
        began, before = time.monotonic(), self.progress.minutes
        saved = began
        losses: list[float] = []
        while self.progress.step < last_step and not self._agreed(
            stop() or (time.monotonic() - began) / 60 >= minutes
        ):
            started = time.monotonic()
            loss, characters = self._step()
            losses.append(loss)
            del losses[:-100]
            now = time.monotonic()
            self._advance(characters, losses, before + (now - began) / 60, now - started)
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

    def _step(self) -> tuple[float, int]:
        """What is drawn depends on the step alone, so a resumed run goes on as if it had never stopped."""
        seed = f"{self.schedule.seed}/{self.rank}/{self.progress.step}"
        torch.manual_seed(random.Random(seed).getrandbits(63))
        self.trainable.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate(self.progress.step)
        with autocast(self.device, self.schedule.half):
            loss, main, characters = self._next_losses(seed)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.schedule.clip)
        self.optimizer.step()
        self._update_average()
        return float(main), characters

    def _rate(self, step: int) -> float:
        config = self.schedule
        if step < config.warmup:
            return config.learning_rate * (step + 1) / config.warmup
        left = (config.steps - step) / max(1.0, config.steps * config.decay_share)
        return config.learning_rate * min(1.0, max(config.final_rate, left))

    def _update_average(self) -> None:
        decay = min(self.schedule.average, (self.progress.step + 1) / (self.progress.step + 10))
        with torch.no_grad():
            ours, theirs = list(self.average.values()), list(self.network.state_dict().values())
            torch._foreach_lerp_(ours, theirs, 1 - decay)

    def _advance(self, characters: int, losses: list[float], minutes: float, seconds: float) -> None:
        progress = self.progress
        progress.step += 1
        progress.minutes = minutes
        progress.characters += characters * self.world
        rate = characters * self.world / max(seconds, 1e-9)
        progress.characters_per_second = (
            rate if progress.step == 1 else 0.98 * progress.characters_per_second + 0.02 * rate
        )
        progress.loss = sum(losses) / len(losses)

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
        try:
            torch.save(state, part)
            part.replace(self.folder / "state.pt")
        except (OSError, RuntimeError) as error:
            part.unlink(missing_ok=True)
            raise ModelError(
                f"The run cannot be saved ({str(error).splitlines()[0]}): make room, and the same command "
                "goes on from where it was saved last.",
                path=self.folder,
            ) from None

    def _resume(self) -> None:
        state = read_state(self.folder, self.device)
        self.network.load_state_dict(state["network"])
        self.average = dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])


def read_state(run: Path, device: torch.device | str) -> dict[str, Any]:
    """What a run saved of itself."""
    path = run / "state.pt"
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        if state.keys() >= _STATE:
            return dict(state)
    except (OSError, EOFError, RuntimeError, pickle.UnpicklingError, LookupError, ValueError, TypeError,
            AttributeError):  # fmt: skip
        pass
    raise ModelError(_DAMAGED, path=path)
