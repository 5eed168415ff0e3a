"""What the model's process does for the server: the same pipeline as everywhere, on a text it is sent.

Not for talking to the server: see `worker`.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import CorpusError
from pythia_epidoc.restoration import Hypothesis, Query, Restorer, Settings, present


@dataclass(frozen=True)
class Question:
    """A lacuna by its number in the document, and what to ask about it."""

    number: int
    query: Query


def load_model(checkpoint: str, device: str, parallels: str = "") -> tuple[Restorer, str]:
    """The real model and its device; an empty checkpoint means the one that comes with the package.

    The user's collection stands behind it if there is an index; one that cannot be used is told of where
    parallels are shown, and is no reason to be without a model.
    """
    from pythia_epidoc.model.device import choose_device
    from pythia_epidoc.model.restorer import load_restorer
    from pythia_epidoc.parallels.restorer import attesting

    path = Path(checkpoint).expanduser() if checkpoint else None
    restorer: Restorer = load_restorer(path, device)
    with contextlib.suppress(CorpusError):
        restorer = attesting(restorer, Path(parallels) if parallels else None)
    return restorer, str(choose_device(device))


@lru_cache(maxsize=4)
def _document(text: str) -> Document:
    return Document.from_text(text)


def restore(
    restorer: Restorer,
    *,
    text: str,
    questions: Sequence[Question],
    settings: Settings,
    cancel: threading.Event,
    progress: Callable[[int], None],
) -> list[tuple[Hypothesis, ...]]:
    """Hypotheses for each question, dressed as the edition would write them."""
    document = _document(text)
    queries = [question.query for question in questions]
    found = restorer.hypotheses(
        queries, top=settings.top, beam=settings.beam, cancel=cancel, progress=progress
    )
    return [
        present(document.lacunae[question.number - 1], hypotheses, restorer, settings).hypotheses
        for question, hypotheses in zip(questions, found, strict=True)
    ]


def attention(
    restorer: Restorer,
    *,
    query: Query,
    hypothesis: str,
    cancel: threading.Event,
    progress: Callable[[int], None],
) -> tuple[list[float], list[float]] | None:
    """How much each character before the lacuna weighed, and each after it as far as the model saw."""
    explain = getattr(restorer, "attention", None)
    if explain is None:
        return None
    found = explain(query, hypothesis)
    columns = [float(sum(column)) for column in zip(*found.weights, strict=True)]
    first = len(query.before) - found.offset
    after = first + len(hypothesis.replace(" ", ""))
    return [0.0] * found.offset + columns[:first], columns[after:]


JOBS: dict[str, Callable[..., Any]] = {"restore": restore, "attention": attention}
