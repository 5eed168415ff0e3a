"""Where tensors live and how many cores work on them: the one place that chooses a device."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

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


def autocast(device: torch.device, enabled: bool) -> torch.autocast:
    """Mixed precision where it is safe: CUDA only; CPU and MPS stay in float32."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=enabled and device.type == "cuda")


@cache
def cores() -> int:
    """How many cores there are to work with; the environment may set fewer (OMP_NUM_THREADS)."""
    return torch.get_num_threads()


@contextmanager
def working_with(count: int) -> Iterator[None]:
    """Let this thread keep to so many cores, where other threads work beside it: all are done sooner than if
    they push one another aside."""
    before = torch.get_num_threads()
    torch.set_num_threads(max(1, min(count, cores())))
    try:
        yield
    finally:
        torch.set_num_threads(before)
