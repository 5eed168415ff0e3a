"""The engine for one machine: processes that read and write files, and one model that serves them all.

Every process has a queue of its own, so that a file is finished where it was opened and is not read
twice. The model sits in the calling process and gets the queries of many files in one call.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pythia_epidoc.asking import Answers, Questions
from pythia_epidoc.batch.work import (
    FAILED,
    Asked,
    FileResult,
    ask_together,
    close_file,
    open_file,
    write_file,
)
from pythia_epidoc.restoration import ModelIdentity, Restorer, check_cancelled
from pythia_epidoc.restoring import Case, RestoreOptions

_AHEAD = 16
"""Files each process may have open at a time, so that memory stays flat."""
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Setting:
    """What every process must know."""

    folder: Path
    output: Path
    options: RestoreOptions
    model: ModelIdentity


def run_local(
    paths: Iterable[str],
    setting: Setting,
    restorer: Restorer,
    *,
    workers: int,
    pool: int,
    cancel: threading.Event | None = None,
) -> Iterator[FileResult]:
    """Restore files and yield each result after its output is written; in no particular order."""
    engine = _Engine(setting, restorer, workers, pool, cancel)
    try:
        yield from engine.run(deque(paths))
    finally:
        engine.close()


class _Engine:
    def __init__(
        self,
        setting: Setting,
        restorer: Restorer,
        workers: int,
        pool: int,
        cancel: threading.Event | None,
    ) -> None:
        self.setting = setting
        self.restorer = restorer
        self.pool = pool
        self.cancel = cancel
        self.workers = [_Worker(setting) for _ in range(workers)]
        self.asked: deque[tuple[_Worker, Asked]] = deque()
        self.running: dict[Future[FileResult | Questions], tuple[_Worker, str]] = {}

    def run(self, waiting: deque[str]) -> Iterator[FileResult]:
        while waiting or self.running or self.asked:
            check_cancelled(self.cancel)
            self._open_more(waiting)
            queries = sum(len(asked.queries) for _, asked in self.asked)
            # A full pool goes to the model; a smaller one only when no more questions can come.
            if queries >= self.pool or (self.asked and not self.running):
                self._ask()
            elif self.running:
                finished, _ = wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield from self._collect(future)

    def close(self) -> None:
        for worker in self.workers:
            worker.close()

    def _open_more(self, waiting: deque[str]) -> None:
        for worker in self.workers:
            while waiting and worker.files < _AHEAD:
                path = waiting.popleft()
                worker.files += 1
                self._submit(worker, path, None)

    def _submit(self, worker: _Worker, path: str, answers: Answers | None) -> None:
        self.running[worker.submit(path, answers)] = (worker, path)

    def _ask(self) -> None:
        """Put as many questions as fit into one model call, and send complete answers back."""
        batch: list[tuple[_Worker, Asked]] = []
        queries = 0
        while self.asked and (not batch or queries + len(self.asked[0][1].queries) <= self.pool):
            batch.append(self.asked.popleft())
            queries += len(batch[-1][1].queries)
        options = self.setting.options
        answers = ask_together([asked for _, asked in batch], self.restorer, options, cancel=self.cancel)
        for (worker, asked), complete in zip(batch, answers, strict=True):
            if complete is None:
                self.asked.append((worker, asked))
            else:
                self._submit(worker, asked.path, complete)

    def _collect(self, future: Future[FileResult | Questions]) -> Iterator[FileResult]:
        worker, path = self.running.pop(future)
        try:
            found = future.result()
        except BrokenProcessPool:
            yield from self._revive(worker, path)
            return
        if isinstance(found, Questions):
            self.asked.append((worker, Asked.begin(path, found, self.setting.options)))
        else:
            worker.files -= 1
            yield found

    def _revive(self, worker: _Worker, path: str) -> Iterator[FileResult]:
        """A process died. Its files are opened again one by one, to find the one that killed it."""
        lost = [path]
        for future, (owner, other) in list(self.running.items()):
            if owner is worker:
                del self.running[future]
                lost.append(other)
        lost += [asked.path for owner, asked in self.asked if owner is worker]
        self.asked = deque((owner, asked) for owner, asked in self.asked if owner is not worker)
        worker.restart()
        for suspect in dict.fromkeys(lost):
            try:
                found = worker.submit(suspect, None).result()
            except BrokenProcessPool:
                worker.restart()
                worker.files -= 1
                yield FileResult(suspect, FAILED, "Reading this file killed the process; it was left out.")
                continue
            if isinstance(found, Questions):
                self.asked.append((worker, Asked.begin(suspect, found, self.setting.options)))
            else:
                worker.files -= 1
                yield found


class _Worker:
    """A process of its own, one job after another."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.files = 0
        self.executor = self._start()

    def _start(self) -> ProcessPoolExecutor:
        # Not "fork": torch has threads, and a fork would copy their locks.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, context, initializer=_initialise, initargs=(self.setting,))

    def submit(self, path: str, answers: Answers | None) -> Future[FileResult | Questions]:
        try:
            return self.executor.submit(_work, path, answers)
        except BrokenProcessPool as error:
            broken: Future[FileResult | Questions] = Future()
            broken.set_exception(error)
            return broken

    def restart(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self._start()

    def close(self) -> None:
        self.executor.shutdown(wait=True, cancel_futures=True)


_setting: Setting
_cases: dict[str, Case] = {}


def _initialise(setting: Setting) -> None:
    global _setting
    _setting = setting
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(path: str, answers: Answers | None) -> FileResult | Questions:
    """Open a file and give its questions, or close it with the answers and write the output."""
    setting = _setting
    case = _cases.pop(path, None)
    if case is None:
        opened = open_file(setting.folder, path, setting.options)
        if isinstance(opened, FileResult):
            return opened
        case = opened
    if answers is None and len(case.questions):
        _cases[path] = case
        return case.questions
    result = close_file(case, path, answers or {}, setting.model, setting.options)
    write_file(result, setting.output)
    return FileResult(result.path, result.state, result.message, result.digest, result.lacunae)
