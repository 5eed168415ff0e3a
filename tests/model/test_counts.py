"""The counts are a proper language model of strings seen in two documents or more."""

from __future__ import annotations

import numpy as np
import pytest

from pythia_epidoc.model.counts import ORDER, SIZE, SYMBOLS, Counts, count, encode

DOCUMENTS = ["εδοξεν τηι βουληι και τωι δημωι", "εδοξεν τωι δημωι", "ο δημοσ και η βουλη", "θεοισ και δημωι"]


@pytest.fixture(scope="module")
def counts() -> Counts:
    return count([(1.0, text) for text in DOCUMENTS], [2] * ORDER)


def strings(counts: Counts) -> set[str]:
    """Every string in the trie, by walking it."""
    found = set()
    waiting = [(0, "")]
    while waiting:
        node, text = waiting.pop()
        for code in range(1, SIZE + 1):
            child = int(counts.child(np.array([node]), np.array([code]))[0])
            if child >= 0:
                found.add(text + SYMBOLS[code - 1])
                waiting.append((child, text + SYMBOLS[code - 1]))
    return found


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


def test_shares_are_never_more_than_the_whole(counts: Counts) -> None:
    for before in ("", "εδοξεν τ", "ξξξ", "και τωι δη", "δη-"):
        logs = counts.logs_after(counts.after(before))
        assert logs.shape == (1, SIZE)
        assert (logs < 0).all()


def test_a_share_is_that_of_the_documents() -> None:
    """Without any pull: how many documents have both characters, of those that have the first."""
    plain = count([(1.0, text) for text in DOCUMENTS], [1] * 2, min_documents=1)
    plain = Counts(plain.symbols, plain.children, plain.quantised, pull=1e-6)
    share = np.exp(plain.logs_after(plain.after("-δ"))[0, SYMBOLS.index("η")])
    having = [text for text in DOCUMENTS if "δ" in text]
    assert share == pytest.approx(sum("δη" in text for text in having) / len(having), rel=0.15)


@pytest.mark.parametrize("after", ["", " δημωι", "ημωι και", "ξξ", "η-μωι", "ωι δημωι εδοξεν"])
def test_before_is_after_read_backwards(counts: Counts, after: str) -> None:
    mirrored = count([(1.0, text[::-1]) for text in DOCUMENTS], [2] * ORDER)
    following = np.zeros((1, ORDER - 1), dtype=np.int64)
    codes = encode(after[: ORDER - 1])
    following[0, : len(codes)] = codes
    expected = mirrored.logs_after(mirrored.after(after[::-1]))
    assert np.allclose(counts.logs_before(following), expected, atol=1e-4)


def test_a_formula_goes_on_as_it_did(counts: Counts) -> None:
    logs = counts.logs_after(counts.after("τωι δημ"))[0]
    assert SYMBOLS[int(logs.argmax())] == "ω"


def test_lost_letters_interrupt_the_context(counts: Counts) -> None:
    assert np.array_equal(counts.logs_after(counts.after("εδοξε-")), counts.logs_after(counts.after("")))


@pytest.mark.parametrize(("before", "after"), [("τωι ", " εδοξεν"), ("", ""), ("ξ-", "#και"), ("δη", "ωι")])
def test_texts_score_as_their_characters_one_by_one(counts: Counts, before: str, after: str) -> None:
    """Onwards to the end of what follows, and backwards to the beginning of what precedes."""
    mirrored = count([(1.0, text[::-1]) for text in DOCUMENTS], [2] * ORDER)
    texts = ["δημωι", "και η βο", "μ"]
    expected = [
        (walked(counts, before, text + after) + walked(mirrored, after[::-1], (before + text)[::-1])) / 2
        for text in texts
    ]
    assert counts.score(before, texts, after) == pytest.approx(expected, rel=1e-4)


def walked(counts: Counts, before: str, text: str) -> float:
    total, state = 0.0, counts.after(before)
    for code in encode(text).astype(np.int64):
        if code:
            total += float(counts.logs_after(state)[0, code - 1])
        state = counts.advance(state, np.array([code]))
    return total
