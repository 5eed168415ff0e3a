"""Figures: how well a restorer answers items.

CER three ways (mean of the items' ratios, pooled, and one edit distance over the concatenation as the
paper's code does), Top-1, Top-5, Top-20 and expected calibration error. All are fractions.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from rapidfuzz.distance import Levenshtein

from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.restoration import Hypothesis, Restorer

_BINS = 10
_POOL = 96
"""Items answered together: keeps memory flat and progress moving."""


@dataclass(frozen=True)
class Answer:
    """An item and the restorer's hypotheses, best first."""

    item: Item
    hypotheses: tuple[Hypothesis, ...]

    @property
    def best(self) -> str:
        return self.hypotheses[0].text if self.hypotheses else ""

    @property
    def distance(self) -> int:
        return Levenshtein.distance(self.best, self.item.gold)

    def within(self, top: int) -> bool:
        return any(hypothesis.text == self.item.gold for hypothesis in self.hypotheses[:top])


@dataclass(frozen=True)
class Figures:
    """What is reported of a set of answers."""

    n: int
    cer_mean: float
    cer_pooled: float
    cer_concatenated: float
    top1: float
    top5: float
    top20: float
    ece: float

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


def answer(
    restorer: Restorer,
    items: Sequence[Item],
    *,
    by_character: bool = True,
    lengths: Sequence[int] = (),
    beam: int = 100,
    cancel: threading.Event | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Answer]:
    """Let a restorer answer items; `lengths`: those it is to choose from, if it is not told the true one."""
    answers: list[Answer] = []
    for start in range(0, len(items), _POOL):
        part = items[start : start + _POOL]
        queries = [item.query(by_character, lengths) for item in part]
        found = restorer.hypotheses(queries, top=20, beam=beam, cancel=cancel)
        answers.extend(Answer(item, hypotheses) for item, hypotheses in zip(part, found, strict=True))
        progress(len(answers))
    return answers


def figures(answers: Sequence[Answer]) -> Figures | None:
    """The figures of a set of answers, or None of an empty one."""
    if not answers:
        return None
    count = len(answers)
    distances = [answer.distance for answer in answers]
    lengths = [max(1, len(answer.item.gold)) for answer in answers]
    gold = "".join(answer.item.gold for answer in answers)
    given = "".join(answer.best for answer in answers)
    top1, top5, top20 = (sum(answer.within(top) for answer in answers) / count for top in (1, 5, 20))
    return Figures(
        n=count,
        cer_mean=sum(distance / length for distance, length in zip(distances, lengths, strict=True)) / count,
        cer_pooled=sum(distances) / sum(lengths),
        cer_concatenated=Levenshtein.distance(given, gold) / max(1, len(gold)),
        top1=top1,
        top5=top5,
        top20=top20,
        ece=calibration_error(answers),
    )


def calibration_error(answers: Sequence[Answer]) -> float:
    """Mean distance between stated probability and truth of the best hypothesis, over ten bins."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for given in answers:
        if given.hypotheses:
            probability = given.hypotheses[0].probability
            bins[min(_BINS - 1, int(probability * _BINS))].append((probability, given.within(1)))
    total = sum(map(len, bins))
    gap = 0.0
    for members in bins:
        stated = sum(probability for probability, _ in members)
        right = sum(correct for _, correct in members)
        gap += abs(stated - right)
    return gap / max(1, total)
