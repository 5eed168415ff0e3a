"""Words that are not known, but were seen in several texts."""

from __future__ import annotations

import math

import pytest

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.training.counted import WEIGHTS
from pythia_epidoc.training.seen import seen_words


def record(corpus: str, number: int, text: str) -> Record:
    return Record(corpus, str(number), text, "0" * len(text))


RECORDS = [
    record("papyri", 1, "και νομοσ νομοσ νομοσ ωμοσ"),
    record("papyri", 2, "και πολισ πολ-- 0"),
    record("papyri", 3, "πολισ δε γη"),
    record("iaph", 4, "γη ναοσ και"),
    record("iaph", 5, "ναοσ πολ--"),
]


def test_words_of_two_documents_that_are_not_known_are_seen_the_most_frequent_first() -> None:
    seen = seen_words(RECORDS, ["και"])
    assert list(seen) == ["ναοσ", "πολισ"], "not those of one document, damaged, numerals, or of two letters"
    one, inscribed = WEIGHTS["papyri"], WEIGHTS["inscriptions"]
    unknown = {"νομοσ": one, "ωμοσ": one, "πολισ": 2 * one, "δε": one, "γη": one + inscribed}
    total = sum(unknown.values()) + 2 * inscribed
    assert seen["πολισ"] == pytest.approx(math.log(2 * one / total))
    assert seen["ναοσ"] == pytest.approx(math.log(2 * inscribed / total))


def test_no_more_than_a_checkpoint_has_room_for() -> None:
    assert list(seen_words(RECORDS, ["και"], 1)) == ["ναοσ"]


def test_where_all_is_known_nothing_is_merely_seen() -> None:
    assert seen_words(RECORDS[:2], ["και", "νομοσ", "ωμοσ", "πολισ"]) == {}
    assert seen_words([], []) == {}
