"""The model's own process: `python -m pythia_epidoc_lsp.worker MODULE:FUNCTION`.

It reads pickled messages from standard input and answers on standard output; only the server that
started it can talk to it. A thread of its own reads the input, so that a request to stop is seen while
the model computes. The process ends when its input does, and never outlives the server.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO

from pythia_epidoc.errors import Cancelled, PythiaError
from pythia_epidoc_lsp.jobs import JOBS


def main(factory: str) -> None:
    # Whatever a library prints must not get into the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    worker = _Worker(sys.stdin.buffer, answers)
    threading.Thread(target=worker.listen, daemon=True).start()
    worker.work(factory)


class _Worker:
    def __init__(self, questions: BinaryIO, answers: BinaryIO) -> None:
        self._questions = questions
        self._answers = answers
        self._calls: queue.Queue[tuple[int, str, dict[str, Any]]] = queue.Queue()
        self._stops: dict[int, threading.Event] = {}

    def listen(self) -> None:
        try:
            while True:
                kind, number, *call = pickle.load(self._questions)
                if kind == "call":
                    self._stops[number] = threading.Event()
                    self._calls.put((number, call[0], call[1]))
                elif number in self._stops:
                    self._stops[number].set()
        except (EOFError, OSError):
            os._exit(0)

    def work(self, factory: str) -> None:
        number, _, arguments = self._calls.get()
        module, _, function = factory.partition(":")
        try:
            restorer, device = getattr(import_module(module), function)(**arguments)
            identity = restorer.identity
        except Exception as error:
            self._answer("failed", number, _sentence(error))
            return
        self._answer("result", number, (identity, device))
        while True:
            number, job, arguments = self._calls.get()
            self._run(number, partial(JOBS[job], restorer, **arguments))

    def _run(self, number: int, job: Callable[..., Any]) -> None:
        stop = self._stops[number]
        try:
            if stop.is_set():
                raise Cancelled
            result = job(cancel=stop, progress=lambda done: self._answer("progress", number, done))
            self._answer("result", number, result)
        except Cancelled:
            self._answer("stopped", number, None)
        except Exception as error:
            self._answer("failed", number, _sentence(error))
        finally:
            del self._stops[number]

    def _answer(self, kind: str, number: int, value: Any) -> None:
        pickle.dump((kind, number, value), self._answers, protocol=pickle.HIGHEST_PROTOCOL)
        self._answers.flush()


def _sentence(error: Exception) -> str:
    if isinstance(error, PythiaError):
        return str(error)
    return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    main(sys.argv[1])
