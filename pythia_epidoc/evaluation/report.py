"""Evaluation of a restorer on a built corpus or on outside items, as a table and as JSON.

Not for the paper's further experiments: see `ablation`, `context` and `full_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pythia_epidoc.corpus.attributions import attribution
from pythia_epidoc.corpus.build import load
from pythia_epidoc.errors import CorpusError
from pythia_epidoc.evaluation.items import Item, sample_items
from pythia_epidoc.evaluation.measure import Answer, Figures, answer, figures
from pythia_epidoc.evaluation.unseen import unseen
from pythia_epidoc.greek import letters_only
from pythia_epidoc.restoration import Restorer

Progress = Callable[[str, int, int], None]
"""Told what is being done, how many items are done, and of how many."""


def evaluate_items(
    restorer: Restorer,
    items: Sequence[Item],
    *,
    by_character: bool = True,
    lengths: Sequence[int] = (),
    beam: int = 100,
    progress: Progress = lambda what, done, total: None,
) -> dict[str, Any]:
    """Figures over all items and by length."""
    answers = answer(
        restorer,
        items,
        by_character=by_character,
        lengths=lengths,
        beam=beam,
        progress=lambda done: progress("items", done, len(items)),
    )
    return summary(answers)


def summary(answers: Sequence[Answer]) -> dict[str, Any]:
    """`{"overall": …, "by_length": {"1": …}}` of some answers."""
    lengths = sorted({given.item.length for given in answers})
    return {
        "overall": _dictionary(figures(answers)),
        "by_length": {
            str(length): _dictionary(figures([given for given in answers if given.item.length == length]))
            for length in lengths
        },
    }


def _dictionary(found: Figures | None) -> dict[str, float]:
    return found.to_dict() if found is not None else {"n": 0}


def evaluate_corpus(
    restorer: Restorer,
    directory: Path,
    *,
    split: str = "test",
    corpora: Sequence[str],
    samples: int = 1000,
    by_character: bool = True,
    lengths: Sequence[int] = (),
    beam: int = 100,
    seed: int = 0,
    progress: Progress = lambda what, done, total: None,
) -> dict[str, Any]:
    """Figures per collection and per kind, over all items, unseen contexts, and preserved letters."""
    items = corpus_items(directory, split, corpora, samples, by_character, seed)
    progress("contexts", 0, 1)
    new = unseen(items, (letters_only(record.text) for record in load(directory, "train")))
    answers = answer(
        restorer,
        items,
        by_character=by_character,
        lengths=lengths,
        beam=beam,
        progress=lambda done: progress("items", done, len(items)),
    )
    groups: dict[str, list[int]] = {}
    for index, item in enumerate(items):
        for name in dict.fromkeys((attribution(item.corpus).kind, item.corpus)):
            groups.setdefault(name, []).append(index)
    result = summary(answers)
    result["groups"] = {
        name: {
            "all": summary([answers[index] for index in members]),
            "unseen": summary([answers[index] for index in members if new[index]]),
            "preserved": summary([answers[index] for index in members if items[index].preserved]),
        }
        for name, members in groups.items()
    }
    return result


def corpus_items(
    directory: Path, split: str, corpora: Sequence[str], samples: int, by_character: bool, seed: int
) -> list[Item]:
    """`samples` items of each collection, the same in every run."""
    items: list[Item] = []
    for corpus in corpora:
        records = list(load(directory, split, [corpus]))
        drawn = sample_items(records, samples, seed=seed, by_character=by_character) if records else []
        if not drawn:
            raise CorpusError(
                f"The {split} split of {corpus!r} has no text long enough to take items from; name other "
                "collections with --corpus, or build a larger corpus.",
                path=directory,
            )
        items.extend(drawn)
    return items


HEADER = f"{'':34}{'n':>6}{'CER':>8}{'CER':>8}{'CER':>8}{'Top-1':>8}{'Top-5':>8}{'Top-20':>8}{'ECE':>7}"
UNDER_HEADER = f"{'':34}{'':>6}{'mean':>8}{'pooled':>8}{'concat':>8}"


def row(name: str, found: dict[str, float]) -> str:
    """One line of the table, in per cent."""
    if not found["n"]:
        return f"{name:34}{0:>6}"
    shares = [found[key] for key in ("cer_mean", "cer_pooled", "cer_concatenated", "top1", "top5", "top20")]
    cells = "".join(f"{100 * share:>8.1f}" for share in shares)
    return f"{name:34}{found['n']:>6.0f}{cells}{100 * found['ece']:>7.1f}"


def table(result: dict[str, Any]) -> str:
    """The whole result as text."""
    lines = [HEADER, UNDER_HEADER, row("overall", result["overall"])]
    lines += [row(f"  length {length}", found) for length, found in result["by_length"].items()]
    for name, group in result.get("groups", {}).items():
        for part, label in (("all", ""), ("unseen", ", unseen contexts"), ("preserved", ", preserved")):
            lines.append(row(f"{name}{label}", group[part]["overall"]))
    return "\n".join(lines)
