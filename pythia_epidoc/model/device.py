"""Where tensors live: the one place that chooses a device."""

from __future__ import annotations

import torch

from pythia_epidoc.errors import ConfigError


def choose_device(name: str = "auto") -> torch.device:
    """`auto` takes a GPU when there is one; a device that is not there is a clear error."""
    if name == "auto":
        if torch.cuda.is_available():
            return torch.device("cuda")
        if torch.backends.mps.is_available():
            return torch.device("mps")
        return torch.device("cpu")
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError):
        raise ConfigError(f"The device {name!r} cannot be used on this machine; try --device auto.") from None
    return device


def autocast(device: torch.device, half: bool) -> torch.autocast:
    """Mixed precision on CUDA, and where it is asked for; otherwise CPU and MPS stay in float32."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=half or device.type == "cuda")
