"""Rivals of a word fill the same lacuna, and frequent ones are drawn more often."""

from __future__ import annotations

import numpy as np

from pythia_epidoc.training.rivals import Rivals

WORDS = ["δημοσ", "δημου", "δηλοσ", "βουλη", "και", "τησ", "η"]


def rivals_of(word: str, weights: dict[str, float] | None = None, count: int = 4000) -> list[str]:
    weighed = np.array([(weights or {}).get(each, 1.0) for each in WORDS])
    number = np.full(count, WORDS.index(word))
    drawn = Rivals(WORDS, weighed).drawn(number, 3, np.random.default_rng(1))
    assert drawn.shape == (count, 3)
    return [WORDS[each] for each in drawn.reshape(-1).tolist()]


def test_rivals_are_as_long_and_share_what_is_left() -> None:
    assert set(rivals_of("δημοσ")) == {"δημοσ", "δημου", "δηλοσ", "βουλη"}
    assert set(rivals_of("και")) == {"και", "τησ"}


def test_what_only_the_word_itself_fills_is_no_lacuna() -> None:
    """δηλοσ and δημοσ differ in one letter: a lacuna that leaves it has no rivals, and is not drawn."""
    rivals = Rivals(["δημοσ", "δηλοσ"], np.ones(2))
    damaged_with_the_third_letter = 3 * 3
    assert rivals.lacunae.tolist() == [damaged_with_the_third_letter] * 2
    assert Rivals(WORDS, np.ones(len(WORDS))).lacunae[WORDS.index("η")] == 0


def test_frequent_words_are_drawn_more_often() -> None:
    drawn = rivals_of("και", {"τησ": 9.0})
    assert 0.88 < drawn.count("τησ") / len(drawn) < 0.92
