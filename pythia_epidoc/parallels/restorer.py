"""A restorer with a collection behind it: model and attestation together.

Texts that the collection has between the letters around a lacuna are proposed to the model beside its
own; all are ranked by what the model thinks of them and by how well they are attested:

    score = MODEL × log p + ATTESTED × log(NOISE + weight of the passages)

That none of them is the true text has a score, too: what the model leaves over, which nobody attests. The
three numbers are fitted on validation data (docs/parallels.md says how).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pythia_epidoc.parallels.attest import Attestation, Collection
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.restoration import (
    Hypothesis,
    ModelIdentity,
    OpenRestorer,
    Query,
    Restorer,
    check_cancelled,
)

PROPOSED = 80
"""Texts of the collection that the model is asked about, the best attested."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Mixture:
    """How much model and collection have to say."""

    model: float = 1.0
    attested: float = 0.5
    noise: float = math.exp(14)

    def logs(self, of_model: FloatArray, weights: FloatArray) -> FloatArray:
        """log p of each text by both, from log p of the model and the weight of the passages that attest it;
        one more at the end: that it is none of them."""
        with np.errstate(divide="ignore"):
            of_none = np.log(max(0.0, 1.0 - np.exp(of_model).sum()))
        evidence = np.log(self.noise + np.append(weights, 0.0))
        scores = self.model * np.append(of_model, of_none) + self.attested * evidence
        logs: FloatArray = scores - np.logaddexp.reduce(scores)
        return logs


class AttestingRestorer(OpenRestorer):
    """Wraps a restorer; its hypotheses say how often the collection attests them."""

    def __init__(self, restorer: Restorer, collection: Collection, mixture: Mixture | None = None) -> None:
        self.restorer = restorer
        self.collection = collection
        self.mixture = mixture or Mixture()

    @property
    def identity(self) -> ModelIdentity:
        return self.restorer.identity

    @property
    def attention(self) -> Any:
        """The model's, if it has any: the collection is shown by its passages."""
        return getattr(self.restorer, "attention", None)

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
        attested = []
        for query in queries:
            check_cancelled(cancel)
            attested.append(self.collection.attest(query))
        wanted = [
            [*texts, *best_attested(attestations)]
            for texts, attestations in zip(proposed, attested, strict=True)
        ]
        found = self._model(queries, wanted, max(top, beam), beam, cancel, progress)
        return [
            self.ranked(hypotheses, attestations)[:top]
            for hypotheses, attestations in zip(found, attested, strict=True)
        ]

    def polytonic(self, texts: Sequence[str], left: str, right: str, forms: Sequence[str] = ()) -> list[str]:
        return self.restorer.polytonic(texts, left, right, forms)

    def _model(
        self,
        queries: Sequence[Query],
        proposed: Sequence[Sequence[str]],
        top: int,
        beam: int,
        cancel: threading.Event | None,
        progress: Callable[[int], None] | None,
    ) -> list[tuple[Hypothesis, ...]]:
        restorer = self.restorer
        if not isinstance(restorer, OpenRestorer):
            return restorer.hypotheses(queries, top=top, beam=beam, cancel=cancel, progress=progress)
        more = max(map(len, proposed), default=0)
        return restorer.consider(
            queries, proposed, top=top + more, beam=beam, cancel=cancel, progress=progress
        )

    def ranked(
        self, hypotheses: Sequence[Hypothesis], attestations: dict[str, Attestation]
    ) -> tuple[Hypothesis, ...]:
        """Hypotheses in the order of model and collection together."""
        if not hypotheses:
            return ()
        of_model = np.array([hypothesis.log_probability for hypothesis in hypotheses])
        weights = np.array([_weight(attestations.get(hypothesis.text)) for hypothesis in hypotheses])
        *logs, _of_none = self.mixture.logs(of_model, weights).tolist()
        counted = [
            replace(
                hypothesis,
                log_probability=log,
                probability=math.exp(min(0.0, log)),
                attestations=_count(attestations.get(hypothesis.text)),
            )
            for hypothesis, log in zip(hypotheses, logs, strict=True)
        ]
        return tuple(sorted(counted, key=lambda each: (-each.log_probability, each.text)))


def best_attested(attestations: dict[str, Attestation]) -> list[str]:
    """The texts worth the model's time."""
    best = sorted(attestations.values(), key=lambda each: (-each.weight, each.text))
    return [attestation.text for attestation in best[:PROPOSED]]


def _weight(attestation: Attestation | None) -> float:
    return attestation.weight if attestation else 0.0


def _count(attestation: Attestation | None) -> int:
    return attestation.count if attestation else 0


def attesting(restorer: Restorer, path: Path | None) -> Restorer:
    """The restorer with the collection at `path` behind it; without a path, the restorer itself."""
    if path is None:
        return restorer
    return AttestingRestorer(restorer, Collection(ParallelsIndex(path)))
