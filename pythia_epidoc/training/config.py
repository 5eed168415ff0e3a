"""What a training run is made of; kept as TOML beside the run and as JSON in the checkpoint."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pythia_epidoc.errors import ConfigError
from pythia_epidoc.model.accents.network import ACCENTS, AccentConfig
from pythia_epidoc.model.network import SYSTEMS, NetworkConfig
from pythia_epidoc.model.words import WORDS, WordConfig
from pythia_epidoc.settings import read_toml
from pythia_epidoc.training.windows import WindowConfig


@dataclass(frozen=True)
class Schedule:
    """What all runs have. `steps` is the length of the learning-rate schedule."""

    corpora: tuple[str, ...] = ()
    """Collections to train on; empty for all."""
    min_length: int = 30
    vocabulary: int = 50_000
    batch: int = 12
    learning_rate: float = 2e-3
    warmup: int = 200
    steps: int = 100_000
    decay_share: float = 0.3
    """The learning rate falls during this last share of the steps."""
    final_rate: float = 0.05
    """Learning rate at the end, as a share of the first."""
    clip: float = 1.0
    average: float = 0.999
    """Decay of the moving average of the weights, which is what is evaluated and shipped."""
    seed: int = 1
    half: bool = False
    """Matrix products in bfloat16 on a CPU, too: faster on one that has instructions for it, not on others.
    (On CUDA they always are.)"""

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise ConfigError("The training setting batch must be 1 or more.")

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class TrainingConfig(Schedule):
    """Settings of a run of the Pythia network."""

    network: NetworkConfig = field(default_factory=NetworkConfig)
    windows: WindowConfig = field(default_factory=WindowConfig)
    slot_weight: float = 0.3
    neighbour_weight: float = 0.3
    length_weight: float = 0.05
    scheduled_sampling: float = 0.0
    deaf_share: float = 0.1
    """Share of windows in which a network that reads counts is not told what they expect, so that it can do
    without."""


@dataclass(frozen=True)
class WordTrainingConfig(Schedule):
    """Settings of a run of the network of words."""

    network: WordConfig = field(default_factory=WordConfig)
    vocabulary: int = 32_000
    batch: int = 40
    learning_rate: float = 3e-3
    steps: int = 10_000
    decay_share: float = 1.0
    final_rate: float = 0.02
    stretch: int = 64
    """Words that are read together."""
    others: int = 2000
    """Words that a true one is compared with, the frequent ones always, others now and then; …"""
    unknown_others: int = 100
    """… and words that are not in the vocabulary."""
    unknown_share: float = 0.05
    """Share of words that are shown as if they were not known, so that their pieces are learned."""
    lost_share: float = 0.1
    """Share of words that are shown as if they were lost, as in damaged texts; so no text is read twice
    alike, and learned by heart the less."""
    balance_weight: float = 0.02
    """How much is made of it that all words together have a probability of one."""
    kinds: tuple[tuple[str, float], ...] = (("papyri", 0.62), ("inscriptions", 0.05), ("literary", 0.33))
    """How often texts of each kind are taken."""


@dataclass(frozen=True)
class AccentTrainingConfig(Schedule):
    """Settings of a run of the network of accents."""

    network: AccentConfig = field(default_factory=AccentConfig)
    batch: int = 48
    learning_rate: float = 3e-3
    steps: int = 10_000
    decay_share: float = 1.0
    final_rate: float = 0.02
    window: int = 128
    """Characters that are read together."""
    asked_share: float = 0.16
    """Share of words whose signs are asked for; …"""
    asked_together: float = 0.35
    """… how often those of the next word are, too; …"""
    part_share: float = 0.3
    """… and of how many words only a part, as where a lacuna cuts them."""
    kinds: tuple[tuple[str, float], ...] = (("papyri", 0.5), ("inscriptions", 0.1), ("literary", 0.4))
    """How often texts of each kind are taken."""


AnyConfig = TrainingConfig | WordTrainingConfig | AccentTrainingConfig


def load_config(path: Path | None = None, system: str = "pythia-bi-word") -> AnyConfig:
    """The settings of a TOML file over the defaults of a named system."""
    return config_from_dict(read_toml(path) if path is not None else {}, system, path)


def config_from_dict(
    data: dict[str, Any], system: str = "pythia-bi-word", path: Path | None = None
) -> AnyConfig:
    network = data.get("network", {})
    name = network.get("system", system) if isinstance(network, dict) else system
    try:
        if name == WORDS:
            return _with(WordTrainingConfig(), data)
        if name == ACCENTS:
            return _with(AccentTrainingConfig(), data)
        if name in SYSTEMS:
            return _with(TrainingConfig(network=SYSTEMS[name]), data)
    except ConfigError as error:
        raise ConfigError(error.message, path=path) from None
    raise ConfigError(
        f"There is no system {name!r}; choose one of {', '.join((*SYSTEMS, WORDS, ACCENTS))}.", path=path
    )


_Settings = TypeVar(
    "_Settings",
    TrainingConfig,
    WordTrainingConfig,
    AccentTrainingConfig,
    NetworkConfig,
    WindowConfig,
    WordConfig,
    AccentConfig,
)


def _with(settings: _Settings, given: dict[str, Any], section: str = "") -> _Settings:
    """The settings with those that are given, which must be of the same kinds."""
    known = {each.name for each in dataclasses.fields(settings)}
    for name in given:
        if name not in known:
            raise ConfigError(f"There is no training setting {section + name!r}; check its spelling.")
    changes = {
        name: _fitting(section + name, value, getattr(settings, name)) for name, value in given.items()
    }
    return dataclasses.replace(settings, **changes)


def _fitting(name: str, value: Any, default: Any) -> Any:
    """A value like the default; TOML and JSON have lists for tuples, and whole numbers for others."""
    if isinstance(value, list):
        value = tuple(tuple(one) if isinstance(one, list) else one for one in value)
    match default:
        case bool():
            fits, wanted = isinstance(value, bool), "true or false"
        case str():
            fits, wanted = isinstance(value, str), "text in quotation marks"
        case int():
            fits, wanted = type(value) is int and value >= 0, "a whole number, not below 0"
        case float():
            fits, wanted = _is_number(value), "a number, not below 0"
        case ():
            fits, wanted = _all(value, lambda one: isinstance(one, str)), "a list of names"
        case ((_, _), *_):
            value = tuple(value.items()) if isinstance(value, dict) else value
            fits = _all(value, lambda one: len(one) == 2 and isinstance(one[0], str) and _is_number(one[1]))
            wanted = "a table such as { papyri = 0.6, inscriptions = 0.4 }"
        case tuple():
            fits = _all(value, _is_number) and len(value) == len(default)
            wanted = f"a list of {len(default)} numbers"
        case _:
            if isinstance(value, dict):
                return _with(default, value, f"{name}.")
            fits, wanted = False, "a table of settings"
    if not fits:
        raise ConfigError(f"The training setting {name} must be {wanted}, not {value!r}.")
    return value


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and value >= 0


def _all(values: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(values, tuple) and all(map(fits, values))
