"""The engine for many machines: Ray Data with a pool of actors, each with a model of its own.

Sources must be readable on every machine under the same path (a shared disk). Outputs and ledger are
written by the one process that started the run, so a run is resumed like a local one, and a worker
that dies costs nothing but the batch of files in its hands, which Ray gives to another.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from pythia_epidoc.batch.local import Setting
from pythia_epidoc.batch.work import Asked, FileResult, ask_together, close_file, open_file
from pythia_epidoc.errors import ConfigError
from pythia_epidoc.parallels.restorer import attesting
from pythia_epidoc.restoration import Restorer, check_cancelled
from pythia_epidoc.restoring import Case

FILES = 32
"""Files that an actor takes at a time."""
LOADER = "pythia_epidoc.model.restorer:load_restorer"
"""What gives an actor its model."""


def run_ray(
    paths: Sequence[str],
    setting: Setting,
    *,
    model_path: Path | None,
    device: str,
    parallels: Path | None = None,
    workers: int,
    address: str = "",
    pool: int = 256,
    cancel: threading.Event | None = None,
) -> Iterator[FileResult]:
    """Restore files on a Ray cluster and yield each result, its output still to be written."""
    ray = _ray()
    if not paths:
        return
    started = not ray.is_initialized()
    if started:
        ray.init(
            address=address or None, log_to_driver=False, include_dashboard=False if not address else None
        )
    try:
        gpus = 1 if device.startswith("cuda") else 0
        results = ray.data.from_items([{"path": path} for path in paths]).map_batches(
            RestoringActor,
            fn_constructor_args=(setting, model_path, device, pool, LOADER, parallels),
            batch_size=FILES,
            compute=ray.data.ActorPoolStrategy(size=workers),
            num_gpus=gpus,
        )
        for row in results.iter_rows():
            check_cancelled(cancel)
            yield pickle.loads(row["result"])
    finally:
        if started:
            ray.shutdown()


class RestoringActor:
    """Restores batches of files with a model loaded once."""

    def __init__(
        self,
        setting: Setting,
        model_path: Path | None,
        device: str,
        pool: int,
        loader: str,
        parallels: Path | None = None,
    ) -> None:
        self.setting = setting
        self.pool = pool
        self.restorer = attesting(_load(loader, model_path, device), parallels)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        results = [pickle.dumps(result) for result in self._restore([str(path) for path in batch["path"]])]
        return {"result": np.array(results, dtype=object)}

    def _restore(self, paths: Sequence[str]) -> Iterator[FileResult]:
        options = self.setting.options
        cases: dict[str, Case] = {}
        asked: list[Asked] = []
        for path in paths:
            found = open_file(self.setting.folder, path, options)
            if isinstance(found, FileResult):
                yield found
            elif len(found.questions):
                cases[path] = found
                asked.append(Asked.begin(path, found.questions, options))
            else:
                yield close_file(found, path, {}, self.setting.model, options)
        while asked:
            batch = [asked.pop(0)]
            while asked and sum(len(file.queries) for file in (*batch, asked[0])) <= self.pool:
                batch.append(asked.pop(0))
            for file, answers in zip(batch, ask_together(batch, self.restorer, options), strict=True):
                if answers is None:
                    asked.append(file)
                else:
                    yield close_file(cases[file.path], file.path, answers, self.setting.model, options)


def _load(loader: str, model_path: Path | None, device: str) -> Restorer:
    module, _, name = loader.partition(":")
    restorer: Restorer = getattr(import_module(module), name)(model_path, device)
    return restorer


def _ray() -> Any:
    try:
        import_module("ray.data")
    except ImportError:
        raise ConfigError("Ray is not installed; run: pip install 'pythia-epidoc[ray]'.") from None
    return import_module("ray")
