"""The only way from the server to the model, which lives in a process of its own.

So the server starts without torch, typing is never held up by inference, and a model that crashes, is
killed or runs out of memory leaves the server alive: the process is started again on the next request.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO, Any

from pythia_epidoc.errors import Cancelled, ModelError
from pythia_epidoc.restoration import ModelIdentity

_POLL_SECONDS = 0.02
_GRACE_SECONDS = 5.0
"""A model that does not stop within this time after being asked to is killed."""
_RETRY_SECONDS = 20.0
"""A model that could not be loaded is not tried again sooner, unless the settings change."""


@dataclass(frozen=True)
class Status:
    """What the model is doing, for the status item of an editor."""

    state: str = "idle"
    model: str = ""
    device: str = ""
    message: str = ""


OnProgress = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class _Call:
    """One job for the model, and the ways to hear from it and to stop it."""

    job: str
    arguments: dict[str, Any]
    loop: asyncio.AbstractEventLoop | None = None
    on_progress: OnProgress | None = None
    cancel: threading.Event = field(default_factory=threading.Event)

    def progressed(self, done: int) -> None:
        if self.loop is not None and self.on_progress is not None:
            self.loop.call_soon_threadsafe(self.on_progress, done)


class ModelDoor:
    """Asks the model process, one question at a time, from a thread of its own."""

    def __init__(self, factory: str, on_status: Callable[[Status], None]) -> None:
        self._factory = factory
        self._on_status = on_status
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._process: _Process | None = None
        self._arguments: dict[str, str] = {}
        self._failure: tuple[float, str] | None = None
        self._closed = False
        self.status = Status()
        self.identity: ModelIdentity | None = None
        """Which model answered; known once it has been loaded."""

    def configure(self, *, checkpoint: str, device: str, parallels: str = "") -> bool:
        """Use this checkpoint and this index from now on; whether these are others than before."""
        arguments = {"checkpoint": checkpoint, "device": device, "parallels": parallels}
        changed = arguments != self._arguments
        if changed:
            self._arguments = arguments
            self._executor.submit(self._stop)
        return changed

    async def ask(self, job: str, on_progress: OnProgress | None = None, **arguments: Any) -> Any:
        """Have the model do a job; cancelling the awaiting task stops the computation."""
        loop = asyncio.get_running_loop()
        call = _Call(job, arguments, loop, on_progress)
        try:
            return await loop.run_in_executor(self._executor, self._run, call)
        except asyncio.CancelledError:
            call.cancel.set()
            raise

    def close(self) -> None:
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _run(self, call: _Call) -> Any:
        if call.cancel.is_set() or self._closed:
            raise Cancelled
        for attempt in (1, 2):
            process = self._running(call.cancel)
            self._show("busy")
            try:
                return process.ask(call)
            except _ProcessEndedError:
                self._stop()
                if self._closed:
                    raise Cancelled from None
                if attempt == 2:
                    raise self._failed("The model’s process ended twice in a row; see the log.") from None
            finally:
                if self.status.state == "busy":
                    self._show("idle")
        raise AssertionError("unreachable")

    def _running(self, cancel: threading.Event) -> _Process:
        if self._process is not None and self._process.is_alive:
            return self._process
        if self._failure is not None and time.monotonic() < self._failure[0]:
            raise ModelError(self._failure[1])
        self._stop()
        self._show("loading")
        process = self._process = _Process(self._factory)
        try:
            # Loading goes on when the one who asked gives up: the next question will want it.
            self.identity, device = process.ask(_Call("load", dict(self._arguments)))
        except _ProcessEndedError:
            raise self._failed("The model’s process ended while it was loading; see the log.") from None
        except ModelError as error:
            raise self._failed(str(error)) from None
        self._failure = None
        self.status = Status("idle", f"{self.identity.name} {self.identity.version}", device)
        if cancel.is_set():
            self._on_status(self.status)
            raise Cancelled
        return process

    def _failed(self, message: str) -> ModelError:
        self._stop()
        self._failure = (time.monotonic() + _RETRY_SECONDS, message)
        self.status = Status("failed", message=message)
        self._on_status(self.status)
        return ModelError(message)

    def _stop(self) -> None:
        self._failure = None
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _show(self, state: str) -> None:
        self.status = Status(state, self.status.model, self.status.device)
        self._on_status(self.status)


class _ProcessEndedError(Exception):
    pass


class _Process:
    """One run of the worker."""

    def __init__(self, factory: str) -> None:
        command = [sys.executable, "-m", "pythia_epidoc_lsp.worker", factory]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answers: queue.Queue[tuple[str, int, Any] | None] = queue.Queue()
        self._numbers = itertools.count()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._questions: IO[bytes] = self._process.stdin
        threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True).start()

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, call: _Call) -> Any:
        number = next(self._numbers)
        self._send("call", number, call.job, call.arguments)
        deadline: float | None = None
        while True:
            if deadline is None and call.cancel.is_set():
                self._send("cancel", number)
                deadline = time.monotonic() + _GRACE_SECONDS
            if deadline is not None and time.monotonic() > deadline:
                self.kill()
                raise Cancelled
            with contextlib.suppress(queue.Empty):
                answer = self._answers.get(timeout=_POLL_SECONDS)
                if answer is None:
                    raise _ProcessEndedError
                kind, about, value = answer
                if about == number and kind == "progress":
                    call.progressed(value)
                elif about == number:
                    return _unpack(kind, value)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _send(self, *message: Any) -> None:
        try:
            pickle.dump(message, self._questions, protocol=pickle.HIGHEST_PROTOCOL)
            self._questions.flush()
        except OSError:
            raise _ProcessEndedError from None

    def _listen(self, answers: IO[bytes]) -> None:
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self._answers.put(pickle.load(answers))
        self._answers.put(None)


def _unpack(kind: str, value: Any) -> Any:
    if kind == "stopped":
        raise Cancelled
    if kind == "failed":
        raise ModelError(value)
    return value
