"""Work is shared out evenly, done in order, and leaves torch's threads as they were."""

from __future__ import annotations

import threading
from concurrent.futures import Executor

import pytest
import torch

from pythia_epidoc.model import cores
from pythia_epidoc.model.cores import beside, leaving_a_core, parts_for_cores, shared_out, working_with


@pytest.fixture(autouse=True)
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "available", lambda: 3)


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(0, []), (1, [1]), (4, [4]), (5, [2, 3]), (12, [4, 4, 4]), (30, [10] * 3), (31, [5, 5, 5, 5, 5, 6])],
)
def test_parts_are_even_and_as_many_for_every_core(count: int, sizes: list[int]) -> None:
    parts = parts_for_cores(count, least=4, most=10)
    things = list(range(count))
    assert [len(things[part]) for part in parts] == sizes
    assert [thing for part in parts for thing in things[part]] == things


def test_every_part_has_one_core_and_results_come_in_order() -> None:
    meeting = threading.Barrier(3, timeout=60)

    def work(part: int, aside: Executor | None) -> tuple[int, int, bool]:
        meeting.wait()  # all three at the same time
        return part, torch.get_num_threads(), aside is None

    before = torch.get_num_threads()
    assert list(shared_out(work, [7, 8, 9])) == [(7, 1, True), (8, 1, True), (9, 1, True)]
    assert torch.get_num_threads() == before


def test_one_part_has_all_cores_and_somebody_beside_it() -> None:
    met = threading.Barrier(2, timeout=60)

    def meet() -> int:
        met.wait()
        return torch.get_num_threads()

    def work(part: str, aside: Executor | None) -> tuple[int, int, int]:
        waiting = beside(aside, meet)
        met.wait()
        with leaving_a_core(True):
            left = torch.get_num_threads()
        return torch.get_num_threads(), left, waiting()

    assert list(shared_out(work, ["alone"])) == [(3, 2, 1)]


def test_without_anybody_aside_work_is_done_when_it_is_asked_for() -> None:
    done: list[int] = []
    waiting = beside(None, lambda: done.append(1))
    assert not done
    waiting()
    assert done == [1]


def test_who_asks_before_the_other_has_come_to_it_does_the_work_himself() -> None:
    busy, begun = threading.Event(), threading.Event()

    def work(part: str, aside: Executor | None) -> bool:
        first = beside(aside, lambda: begun.set() or busy.wait(60))
        second = beside(aside, threading.get_ident)
        begun.wait(60)
        own = second() == threading.get_ident()
        busy.set()
        return own and first()

    assert list(shared_out(work, ["alone"])) == [True]


def test_there_are_no_fewer_cores_than_one() -> None:
    before = torch.get_num_threads()
    with working_with(0):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


def test_a_failure_is_told() -> None:
    def work(part: int, aside: Executor | None) -> int:
        return 1 // part

    with pytest.raises(ZeroDivisionError):
        list(shared_out(work, [1, 0, 1, 1]))
