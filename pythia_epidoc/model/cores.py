"""Which cores work on what: lacunae are shared out among them, and counts work beside a network.

Counts and networks compute outside of Python's lock, so threads are enough.

Not for graphics cards: see `device`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

import torch

Part = TypeVar("Part")
Result = TypeVar("Result")


@cache
def available() -> int:
    """How many cores there are to work with; the environment may set fewer (OMP_NUM_THREADS)."""
    return torch.get_num_threads()


@contextmanager
def working_with(count: int) -> Iterator[None]:
    """Let this thread keep to so many cores, where other threads work beside it: all are done sooner than if
    they push one another aside."""
    before = torch.get_num_threads()
    torch.set_num_threads(max(1, min(count, available())))
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def leaving_a_core(to_others: bool) -> Iterator[None]:
    """Leave a core to the thread that works beside this one."""
    with working_with(torch.get_num_threads() - to_others):
        yield


def parts_for_cores(count: int, least: int, most: int) -> list[slice]:
    """Parts of so many things, as large as one another, as many for every core; fewer things than `least` are
    not parted."""
    if not count:
        return []
    rounds = math.ceil(count / (most * available()))
    parts = min(rounds * available(), math.ceil(count / least))
    return [slice(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


def shared_out(work: Callable[[Part, Executor | None], Result], parts: Sequence[Part]) -> Iterator[Result]:
    """What comes of each part of some work, in order.

    Every core works on parts of its own. One part alone may use all of them, and is given somebody to work
    beside it.
    """

    def with_one_core(part: Part) -> Result:
        with working_with(1):  # each thread has its own number
            return work(part, None)

    with working_with(available()), ThreadPoolExecutor(1 if len(parts) == 1 else available()) as pool:
        if len(parts) == 1:
            yield work(parts[0], pool)
        else:
            yield from pool.map(with_one_core, parts)


def beside(aside: Executor | None, work: Callable[[], Result]) -> Callable[[], Result]:
    """Leave some work to another core, if somebody has one to spare; what is returned gives its result. Who
    asks for it before the other has come to it does it himself."""
    if aside is None:
        return work

    def with_one_core() -> Result:
        with working_with(1):
            return work()

    left = aside.submit(with_one_core)
    return lambda: work() if left.cancel() else left.result()
