"""The counts are a proper language model, in both directions, of strings seen in two documents or more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pythia_epidoc.model.counting import count, count_texts
from pythia_epidoc.model.counts import ORDER, SIZE, SYMBOLS, Counts, Trust, encode

DOCUMENTS = ["εδοξεν τηι βουληι και τωι δημωι", "εδοξεν τωι δημωι", "ο δημοσ και η βουλη", "θεοισ και δημωι"]
FOLLOWING = ["", " δημωι", "ημωι και", "ξξ", "η-μωι", "ωι δημωι εδοξεν"]


@pytest.fixture(scope="module")
def counts() -> Counts:
    return count([(1.0, text) for text in DOCUMENTS], [2] * ORDER)


def strings(counts: Counts, root: int = 0) -> set[str]:
    """Every string under a root, by walking the trie."""
    found = set()
    waiting = [(root, "")]
    while waiting:
        node, text = waiting.pop()
        for code in range(1, SIZE + 1):
            child = int(counts.child(np.array([node]), np.array([code]))[0])
            if child >= 0:
                found.add(text + SYMBOLS[code - 1])
                waiting.append((child, text + SYMBOLS[code - 1]))
    return found


def before(text: str, order: int = ORDER) -> np.ndarray:
    """What follows, as `shares_before` wants it."""
    following = np.zeros((1, order - 1), dtype=np.int64)
    codes = encode(text[: order - 1])
    following[0, : len(codes)] = codes
    return following


def test_exactly_the_strings_of_two_documents_are_kept(counts: Counts) -> None:
    padded = [f" {text} " for text in DOCUMENTS]
    expected = {
        text[start : start + length]
        for text in padded
        for length in range(1, ORDER + 1)
        for start in range(len(text) - length + 1)
        if sum(text[start : start + length] in other for other in padded) >= 2
    }
    assert strings(counts) == expected


def test_what_one_long_work_repeats_is_not_kept() -> None:
    counts = count([(1.0, "μηνιν αειδε " * 500), (1.0, "ανδρα μοι")], [1] * ORDER)
    assert "ρα" not in strings(counts)
    assert "μηνιν" not in strings(counts)
    assert "μ" in strings(counts)


def test_a_long_work_counts_for_each_of_its_stretches() -> None:
    """But two works must have the string."""
    long, short = "και τα " * 500, "και τα"
    once = count([(1.0, short), (1.0, short)], [1] * 4)
    often = count([(1.0, long), (1.0, short)], [1] * 4)
    node = {name: int(each.after("και")[0, 3]) for name, each in (("once", once), ("often", often))}
    assert often.levels[node["often"]] > once.levels[node["once"]]


@pytest.mark.parametrize("text", ["", "εδοξεν τ", "ξξξ", "και τωι δη", "δη-", *FOLLOWING])
def test_shares_make_a_whole(counts: Counts, text: str) -> None:
    """Nothing is given away and nothing lost, but for the steps in which sums are kept."""
    assert counts.shares_after(counts.after(text)).sum() == pytest.approx(1.0, abs=1e-4)
    assert counts.shares_before(before(text)).sum() == pytest.approx(1.0, abs=0.05)


def test_a_share_is_that_of_what_was_seen() -> None:
    """With full trust: how often the two characters were seen, of all that was seen after the first."""
    plain = count([(1.0, text) for text in DOCUMENTS], [1] * 2, min_documents=1)
    plain = replace(plain, trust=Trust.pulled(ORDER, 1e-6))
    share = plain.shares_after(plain.after("-δ"))[0, SYMBOLS.index("η")]
    pairs = {text[at : at + 2] for text in DOCUMENTS for at in range(len(text)) if text[at] == "δ"}
    having = {pair: sum(pair in text for text in DOCUMENTS) for pair in pairs}
    assert share == pytest.approx(having["δη"] / sum(having.values()), rel=0.15)


@pytest.mark.parametrize("after", FOLLOWING)
def test_before_is_after_read_backwards(counts: Counts, after: str) -> None:
    mirrored = count([(1.0, text[::-1]) for text in DOCUMENTS], [2] * ORDER)
    expected = mirrored.shares_after(mirrored.after(after[::-1]))
    assert np.allclose(counts.shares_before(before(after)), expected, atol=0.02)


def test_a_formula_goes_on_as_it_did(counts: Counts) -> None:
    shares = counts.shares_after(counts.after("τωι δημ"))[0]
    assert SYMBOLS[int(shares.argmax())] == "ω"


def test_lost_letters_interrupt_the_context(counts: Counts) -> None:
    assert np.array_equal(counts.shares_after(counts.after("εδοξε-")), counts.shares_after(counts.after("")))


def test_each_text_has_its_own_strings() -> None:
    counts = count_texts([("δημωι", "και-τωι"), (), ("δη",)], Trust.pulled(4, 1.0))
    assert strings(counts, 0) >= {"δημω", "ημωι", "και", "τωι"}
    assert not {"ικ", "ιτ", "δημωι"} & strings(counts, 0)
    assert strings(counts, 1) == set()
    assert strings(counts, 2) == {"δ", "η", "δη"}


@pytest.mark.parametrize("text", ["", "α", "αβ", "βγ", "αβγ", "δαβ", "αβγδ"])
def test_what_is_kept_ready_is_what_would_be_found(text: str) -> None:
    """Also where the end of a string was too rare to be kept, but the string was not."""
    counts = count([(1.0, each) for each in ("αβγδ", "αβγδ", "αβδ")], [1, 3, 1, 1] + [1] * (ORDER - 4))
    assert {"αβ", "αβγ"} <= strings(counts)
    assert "βγ" not in strings(counts)
    found = np.full((1, SIZE), 1 / SIZE, dtype=np.float32)
    counts.mix_after(found, counts.after(text), 0)
    assert np.allclose(counts.shares_after(counts.after(text)), found)
