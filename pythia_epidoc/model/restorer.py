"""The real restorer: a checkpoint that answers queries.

    load_restorer()  →  PythiaRestorer.hypotheses(queries)

Here candidates of the beam become ranked hypotheses with calibrated probabilities, also across lengths.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from pythia_epidoc.errors import ModelError
from pythia_epidoc.model.alphabet import START
from pythia_epidoc.model.beam import start_state
from pythia_epidoc.model.candidates import Candidate, Searched, Weights, score, search
from pythia_epidoc.model.checkpoint import Checkpoint, load_checkpoint
from pythia_epidoc.model.device import choose_device
from pythia_epidoc.model.lengths import LIKELY, told
from pythia_epidoc.model.tasks import Task, encode_tasks, task_of, tasks_for
from pythia_epidoc.restoration import Hypothesis, ModelIdentity, OpenRestorer, Query, plain

_TOGETHER = 64
"""Queries answered together: a long list must tell how far it is."""
_SCORING_BEAM = 30
"""When contexts are compared: enough proposals to tell what the counts expect."""


@dataclass(frozen=True)
class Attention:
    """How much each character of a window matters (columns) to each letter written (rows)."""

    offset: int
    """Where the window begins in the model text of the edition."""
    window: str
    weights: tuple[tuple[float, ...], ...]


def load_restorer(path: Path | None = None, device: str = "auto") -> PythiaRestorer:
    """The restorer of a checkpoint; without a path, of the one shipped with the package."""
    return PythiaRestorer(load_checkpoint(path, choose_device(device)))


class PythiaRestorer(OpenRestorer):
    """Answers queries with a checkpoint's network, counts and accents."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint

    @property
    def identity(self) -> ModelIdentity:
        card = self.checkpoint.card
        return ModelIdentity(str(card["name"]), str(card["version"]), self.checkpoint.digest)

    def only(self, part: str) -> PythiaRestorer:
        """This restorer, or only its `network` or its `counts`, or all of it but its words (`no-words`), to
        measure what each contributes."""
        checkpoint = self.checkpoint
        if part == "network":
            checkpoint = replace(checkpoint, counts=None, words=None, jury=None)
        elif part == "no-words":
            checkpoint = replace(checkpoint, words=None, jury=None)
        elif part == "counts":
            weights = Weights(network=0.0, counts=checkpoint.calibration.weights.counts)
            calibration = replace(checkpoint.calibration, weights=weights)
            checkpoint = replace(checkpoint, network=None, words=None, jury=None, calibration=calibration)
        return PythiaRestorer(checkpoint)

    def consider(
        self,
        queries: Sequence[Query],
        proposed: Sequence[Sequence[str]],
        *,
        top: int = 20,
        beam: int = 100,
        cancel: threading.Event | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[tuple[Hypothesis, ...]]:
        """As `OpenRestorer` says; `progress` is told how many queries are answered."""
        answers: list[tuple[Hypothesis, ...]] = []
        for start in range(0, len(queries), _TOGETHER):
            part = slice(start, start + _TOGETHER)

            def report(share: float, before: int = start, count: int = len(queries[part])) -> None:
                if progress is not None:
                    progress(before + int(share * count))

            answers += self._consider(queries[part], proposed[part], top, beam, cancel, report)
        return answers

    def _consider(
        self,
        queries: Sequence[Query],
        proposed: Sequence[Sequence[str]],
        top: int,
        beam: int,
        cancel: threading.Event | None,
        report: Callable[[float], None],
    ) -> list[tuple[Hypothesis, ...]]:
        """Answer some queries; `report` is told how much of the work is done, up to 1."""
        return [self._rank(each, top) for each in self.searched(queries, proposed, beam, cancel, report)]

    def searched(
        self,
        queries: Sequence[Query],
        proposed: Sequence[Sequence[str]],
        beam: int,
        cancel: threading.Event | None = None,
        report: Callable[[float], None] = lambda share: None,
    ) -> list[Searched]:
        """What is found for each query, with what others propose; `report` is told how much of the work is
        done, up to 1."""
        possible = [tasks_for(number, query) for number, query in enumerate(queries)]
        lengths = self._lengths(queries, possible, cancel)
        tasks = [
            task
            for of_query, logs, texts in zip(possible, lengths, proposed, strict=True)
            for task in _likely(of_query, logs, texts)
        ]
        found = self.candidates(tasks, beam, cancel, lambda done: report(done / len(tasks)))
        self._add_proposed(tasks, found, proposed, beam, cancel)
        answers: list[list[tuple[Task, list[Candidate]]]] = [[] for _ in queries]
        for task, candidates in zip(tasks, found, strict=True):
            if candidates:
                answers[task.query].append((task, candidates))
        return [Searched(*each) for each in zip(answers, lengths, strict=True)]

    def _lengths(
        self, queries: Sequence[Query], tasks: Sequence[Sequence[Task]], cancel: threading.Event | None
    ) -> list[dict[int, float]]:
        """For each query the log-probability of each length it can have."""
        checkpoint = self.checkpoint
        logs: list[dict[int, float]] = [{task.length: 0.0 for task in of_query} for of_query in tasks]
        several = [number for number, of_query in enumerate(tasks) if len(of_query) > 1]
        if not several:
            return logs
        all_told = told(
            [queries[each] for each in several], [tasks[each] for each in several], checkpoint.judges, cancel
        )
        for number, each in zip(several, all_told, strict=True):
            weighed = each.logs(checkpoint.calibration.lengths).tolist()
            logs[number] = dict(zip(logs[number], weighed, strict=True))
        return logs

    def candidates(
        self,
        tasks: Sequence[Task],
        beam: int,
        cancel: threading.Event | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[list[Candidate]]:
        checkpoint = self.checkpoint
        return search(tasks, checkpoint.judges, checkpoint.calibration.weights, beam, cancel, progress)

    def scores(self, queries: Sequence[Query], texts: Sequence[str]) -> list[float]:
        """The unnormalised score of a text for each query: comparable where only the context differs."""
        checkpoint = self.checkpoint
        tasks = [
            task_of(number, query, text)
            for number, (query, text) in enumerate(zip(queries, texts, strict=True))
        ]
        found = score(tasks, [[text] for text in texts], checkpoint.judges, _SCORING_BEAM)
        weights = checkpoint.calibration.weights
        return [candidates[0].score(weights) if candidates else -math.inf for candidates in found]

    def _add_proposed(
        self,
        tasks: Sequence[Task],
        found: list[list[Candidate]],
        proposed: Sequence[Sequence[str]],
        beam: int,
        cancel: threading.Event | None,
    ) -> None:
        if not any(proposed):
            return
        checkpoint = self.checkpoint
        texts: list[list[str]] = []
        for task, candidates in zip(tasks, found, strict=True):
            known = {candidate.text for candidate in candidates}
            texts.append([text for text in proposed[task.query] if text not in known])
        more = score(tasks, texts, checkpoint.judges, beam, cancel)
        for candidates, added in zip(found, more, strict=True):
            candidates.extend(added)

    @torch.inference_mode()
    def attention(self, query: Query, text: str) -> Attention:
        """Where the network looks while it writes a hypothesis."""
        network = self.checkpoint.network
        if network is None:
            raise ModelError("This checkpoint has no network, so nothing attends.")
        task = task_of(0, query, text)
        encoded, texts = encode_tasks([task], network, self.checkpoint.vocabulary)
        symbols = task.outputs(text)
        device = network.device
        places = torch.arange(task.first, task.first + len(symbols), device=device)
        places = places.clamp(max=len(task.window) - 1)
        previous = torch.tensor([START, *symbols[:-1]], device=device)
        state = start_state([task], network, encoded, texts)
        _, _, weights = network.decode(encoded, places[None, None], previous[None, None], state)
        rows = weights[0, 0, : task.length, : len(task.window)].cpu().tolist()
        return Attention(len(query.before) - task.first, task.window, tuple(tuple(row) for row in rows))

    def polytonic(self, texts: Sequence[str], left: str, right: str, forms: Sequence[str] = ()) -> list[str]:
        if self.checkpoint.accents is None:
            return [plain(text, right) for text in texts]
        return self.checkpoint.accents.polytonic(texts, left, right, forms)

    def _rank(self, searched: Searched, top: int) -> tuple[Hypothesis, ...]:
        ranked: dict[str, float] = {}
        for text, value in zip(searched.texts, self.checkpoint.logs(searched).tolist(), strict=True):
            ranked[text] = max(value, ranked.get(text, -math.inf))
        best = sorted(ranked.items(), key=lambda item: (-item[1], item[0]))[:top]
        return tuple(Hypothesis(text, value, math.exp(min(0.0, value))) for text, value in best)


def _likely(tasks: Sequence[Task], lengths: dict[int, float], texts: Sequence[str]) -> list[Task]:
    """The tasks of a query worth a search: of the likeliest lengths, and of texts that others propose."""
    likeliest = sorted(lengths, key=lambda length: -lengths[length])[:LIKELY]
    return [task for task in tasks if task.length in likeliest or any(task.admits(text) for text in texts)]
