"""What a training run is made of; kept as TOML beside the run and as JSON in the checkpoint."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pythia_epidoc.errors import ConfigError
from pythia_epidoc.model.network import SYSTEMS, NetworkConfig
from pythia_epidoc.settings import read_toml
from pythia_epidoc.training.windows import WindowConfig


@dataclass(frozen=True)
class TrainingConfig:
    """Settings of a run. `steps` is the length of the learning-rate schedule."""

    network: NetworkConfig = field(default_factory=NetworkConfig)
    windows: WindowConfig = field(default_factory=WindowConfig)
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
    slot_weight: float = 0.3
    neighbour_weight: float = 0.3
    length_weight: float = 0.05
    scheduled_sampling: float = 0.0
    deaf_share: float = 0.1
    """Share of windows in which a network that reads counts is not told what they expect, so that it can do
    without."""
    seed: int = 1

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def load_config(path: Path | None = None, system: str = "pythia-bi-word") -> TrainingConfig:
    """The settings of a TOML file over the defaults of a named system."""
    return config_from_dict(read_toml(path) if path is not None else {}, system, path)


def config_from_dict(
    data: dict[str, Any], system: str = "pythia-bi-word", path: Path | None = None
) -> TrainingConfig:
    data = dict(data)
    network_data = dict(data.pop("network", {}))
    name = network_data.get("system", system)
    if name not in SYSTEMS:
        raise ConfigError(f"There is no system {name!r}; choose one of {', '.join(SYSTEMS)}.", path=path)
    windows_data = dict(data.pop("windows", {}))
    if "kinds" in windows_data:
        kinds = windows_data["kinds"]
        pairs = kinds.items() if isinstance(kinds, dict) else kinds
        windows_data["kinds"] = tuple((str(kind), float(share)) for kind, share in pairs)
    if "hidden_share" in windows_data:
        windows_data["hidden_share"] = tuple(windows_data["hidden_share"])
    if "corpora" in data:
        data["corpora"] = tuple(data["corpora"])
    try:
        network = dataclasses.replace(SYSTEMS[name], **network_data)
        windows = WindowConfig(**windows_data)
        return TrainingConfig(network=network, windows=windows, **data)
    except TypeError as error:
        unknown = str(error).rpartition("argument ")[2]
        raise ConfigError(f"There is no training setting {unknown}.", path=path) from None
