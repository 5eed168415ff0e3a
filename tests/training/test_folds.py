"""What the counts tell a network in training they learned from other texts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.greek import LETTERS
from pythia_epidoc.model.count_search import proposed
from pythia_epidoc.model.expectations import Expectations
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.restoration import Query
from pythia_epidoc.training import trust
from pythia_epidoc.training.expected import expected_in
from pythia_epidoc.training.folds import FOLDS, fold_counts, folds_of
from pythia_epidoc.training.windows import Sampler, Window, WindowConfig, hide


@pytest.fixture(scope="module", autouse=True)
def _quickly() -> Iterator[None]:
    """How far to trust counts is not what is tested here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trust, "_STEPS", 2)
        yield


def text(number: int, words: int = 30) -> str:
    chance = random.Random(number)
    return " ".join("".join(chance.choices(LETTERS, k=6)) for _ in range(words))


def record(identifier: str, content: str, corpus: str = "papyri") -> Record:
    return Record(corpus, identifier, content, "0" * len(content))


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Each text twice, the second time with another end."""
    twins = [(f"{number}/{copy}", f"{text(number)} τελοσ {copy}") for number in range(20) for copy in "αβ"]
    return [record(identifier, content) for identifier, content in twins]


def test_near_duplicates_are_in_one_fold(records: list[Record]) -> None:
    folds = folds_of(records)
    assert folds[::2] == folds[1::2]
    assert set(folds) == set(range(FOLDS))


def test_counts_do_not_know_the_texts_of_their_fold(records: list[Record], tmp_path: Path) -> None:
    folds = folds_of(records)
    models = fold_counts(tmp_path, records, folds, records[:1])
    for one, fold in zip(records, folds, strict=True):
        for number, model in enumerate(models):
            known = bool((model.corpus.after(one.text[:9])[0, 9:10] >= 0).all())
            assert known == (number != fold)


def test_windows_of_a_batch_are_of_one_fold(records: list[Record]) -> None:
    folds = folds_of(records)
    sampler = Sampler(records, WindowConfig(characters=60, kinds=(("papyri", 1.0),)), folds)
    fold_of = {record.text: fold for record, fold in zip(records, folds, strict=True)}
    for seed in range(10):
        windows = sampler.windows(6, str(seed))
        assert len({window.fold for window in windows}) == 1
        for window in windows:
            before, after = window.around
            found = [
                fold for text, fold in fold_of.items() if text.startswith(before) and text.endswith(after)
            ]
            assert window.fold in found


@pytest.mark.parametrize("by_character", [True, False])
def test_a_window_is_told_what_a_search_is_told(
    records: list[Record], tmp_path: Path, by_character: bool
) -> None:
    model: CountModel = fold_counts(tmp_path, records, folds_of(records), records[:1])[0]
    config = WindowConfig(character_share=float(by_character), lost_share=0.0, one_span=True)
    window: Window = hide(text(3), config, random.Random(5))
    [span] = window.spans
    found = expected_in([window], model, longest=20)
    length = len(span.targets) - (not by_character)
    before, after = window.text[: span.slots[0]], window.text[span.after :]
    [task] = tasks_for(0, Query(before, after, (length,), by_character=by_character))
    expectations = Expectations([task], proposed([task], model.local([task]), 24, breadth=2))
    node = np.array([0])
    for step, target in enumerate(span.targets):
        assert np.array_equal(found[0, 0, step], expectations.at(node)[0])
        node = expectations.advance(node, np.array([target]))
    assert found.any()
    assert not expected_in([window], model, longest=length - 2).any()
