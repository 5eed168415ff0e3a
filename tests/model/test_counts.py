"""The counts are a proper language model, in both directions, of strings seen in two documents or more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from pythia_epidoc.model import linking, trie
from pythia_epidoc.model.counting import count, count_texts
from pythia_epidoc.model.counts import ORDER, SIZE, SYMBOLS, Around, Counts, Trust, encode, even, rows_of
from pythia_epidoc.model.trie import DEAD, LEVELS

DOCUMENTS = ["εδοξεν τηι βουληι και τωι δημωι", "εδοξεν τωι δημωι", "ο δημοσ και η βουλη", "θεοισ και δημωι"]
FOLLOWING = ["", " δημωι", "ημωι και", "ξξ", "η-μωι", "ωι δημωι εδοξεν"]


@pytest.fixture(scope="module")
def counts() -> Counts:
    return count([(1.0, (text,)) for text in DOCUMENTS], [2] * ORDER)


def strings(counts: Counts, root: int = 0) -> set[str]:
    """Every string under a root, by walking the trie."""
    found = set()
    waiting = [(root, "")]
    while waiting:
        node, text = waiting.pop()
        for code in range(1, SIZE + 1):
            child = int(trie.child(counts.nodes, node, code))
            if child >= 0:
                found.add(text + SYMBOLS[code - 1])
                waiting.append((child, text + SYMBOLS[code - 1]))
    return found


def shares_after(counts: Counts, text: str) -> np.ndarray:
    shares = even(1, SIZE)
    counts.mix_after(shares, counts.after(text))
    return shares[0]


def shares_before(counts: Counts, text: str) -> np.ndarray:
    following = np.zeros((1, ORDER - 1), dtype=np.int64)
    codes = encode(text[: ORDER - 1])
    following[0, : len(codes)] = codes
    shares = even(1, SIZE)
    counts.mix_before(shares, following, np.array([0]))
    return shares[0]


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
    counts = count([(1.0, ("μηνιν αειδε " * 500,)), (1.0, ("ανδρα μοι",))], [1] * ORDER)
    assert "ρα" not in strings(counts)
    assert "μηνιν" not in strings(counts)
    assert "μ" in strings(counts)


def test_a_long_work_counts_for_each_of_its_stretches() -> None:
    """But two works must have the string."""
    long, short = "και τα " * 500, "και τα"
    once = count([(1.0, (short,)), (1.0, (short,))], [1] * 4)
    often = count([(1.0, (long,)), (1.0, (short,))], [1] * 4)
    node = {name: int(each.after("και")[0, 3]) for name, each in (("once", once), ("often", often))}
    assert often.nodes["mark"][node["often"]] % LEVELS > once.nodes["mark"][node["once"]] % LEVELS


def test_spellings_of_one_document_are_one_document_and_share_its_weight() -> None:
    both = count([(2.0, ("τω δημω", "τωι δημωι")), (2.0, ("τω θεω", "τωι θεωι"))], [2] * 4)
    assert {"τω", "τωι "} <= strings(both)
    assert "δημ" not in strings(both)
    assert "τωι" not in strings(count([(1.0, ("τω δημω", "τωι δημωι")), (1.0, ("τωι",))], [2] * 4))


@pytest.mark.parametrize("text", ["", "εδοξεν τ", "ξξξ", "και τωι δη", "δη-", *FOLLOWING])
def test_shares_make_a_whole(counts: Counts, text: str) -> None:
    """Nothing is given away and nothing lost, but for the steps in which sums are kept."""
    assert shares_after(counts, text).sum() == pytest.approx(1.0, abs=1e-4)
    assert shares_before(counts, text).sum() == pytest.approx(1.0, abs=0.05)


def test_a_share_is_that_of_what_was_seen() -> None:
    """With full trust: how often the two characters were seen, of all that was seen after the first."""
    plain = count([(1.0, (text,)) for text in DOCUMENTS], [1] * 2, min_documents=1)
    plain = replace(plain, trust=Trust.pulled(ORDER, 1e-6))
    share = shares_after(plain, "-δ")[SYMBOLS.index("η")]
    pairs = {text[at : at + 2] for text in DOCUMENTS for at in range(len(text)) if text[at] == "δ"}
    having = {pair: sum(pair in text for text in DOCUMENTS) for pair in pairs}
    assert share == pytest.approx(having["δη"] / sum(having.values()), rel=0.15)


@pytest.mark.parametrize("after", FOLLOWING)
def test_before_is_after_read_backwards(counts: Counts, after: str) -> None:
    mirrored = count([(1.0, (text[::-1],)) for text in DOCUMENTS], [2] * ORDER)
    expected = shares_after(mirrored, after[::-1])
    assert np.allclose(shares_before(counts, after), expected, atol=0.02)


def test_a_formula_goes_on_as_it_did(counts: Counts) -> None:
    shares = shares_after(counts, "τωι δημ")
    assert SYMBOLS[int(shares.argmax())] == "ω"


def test_lost_letters_interrupt_the_context(counts: Counts) -> None:
    assert np.array_equal(shares_after(counts, "εδοξε-"), shares_after(counts, ""))


def test_each_text_has_its_own_strings() -> None:
    counts = count_texts([("δημωι", "και-τωι"), (), ("δη",)], Trust.pulled(4, 1.0))
    assert strings(counts, 0) >= {"δημω", "ημωι", "και", "τωι"}
    assert not {"ικ", "ιτ", "δημωι"} & strings(counts, 0)
    assert strings(counts, 1) == set()
    assert strings(counts, 2) == {"δ", "η", "δη"}


@pytest.mark.parametrize("least", [0, 3])
@pytest.mark.parametrize(
    ("before", "after"), [("τωι ", " και η"), ("", ""), ("ξ-δη", "η-μω"), ("και τωι δ", "")]
)
def test_around_a_place_is_seen_what_is_seen_along_the_text(
    counts: Counts, before: str, after: str, least: int
) -> None:
    texts = ["δημωι", "ημ", "ξξξ", "μ"]
    around = Around(
        encode(before),
        encode(after),
        rows_of([encode(text).tobytes() for text in texts]),
        np.array(list(map(len, texts))),
    )
    longest = max(map(len, texts))
    forward, backward = even(len(texts), longest + len(after)), even(len(texts), len(before) + longest)
    counts.mix_around(forward, backward, around, 0, least)
    for row, text in enumerate(texts):
        codes = encode(before + text + after)
        sights = counts.sights(codes[None], np.array([0]), least)
        expected = [
            mixed(sights, direction, table, least)
            for direction, table in ((0, counts.trust.after), (1, counts.trust.before))
        ]
        read = codes > 0
        found = forward[row, : len(text) + len(after)], backward[row, : len(before) + len(text)]
        onwards, backwards = slice(len(before), None), slice(0, len(before) + len(text))
        assert np.allclose(found[0][read[onwards]], expected[0][onwards][read[onwards]], rtol=1e-4)
        assert np.allclose(found[1][read[backwards]], expected[1][backwards][read[backwards]], rtol=1e-4)


def mixed(sights: trie.Sights, direction: int, trust: np.ndarray, least: int) -> np.ndarray:
    marks, shares, known = (array[0, direction] for array in sights)
    total = even(marks.shape[1])
    for length in range(least, len(trust)):
        weight = trust[length, marks[length]]
        total = weight * shares[length] + (1 - weight * known[length]) * total
    return total


def test_where_nothing_is_to_be_said_nothing_changes(counts: Counts) -> None:
    around = Around(encode("τωι "), encode(" και"), rows_of([encode("δημωι").tobytes()]), np.array([5]))
    forward, backward = even(1, 9), even(1, 9)
    counts.mix_around(forward, backward, around, DEAD)
    assert np.array_equal(forward, even(1, 9))
    assert np.array_equal(backward, even(1, 9))


def test_packed_counts_are_the_same_counts(counts: Counts) -> None:
    planes = linking.packed(counts.nodes, counts.roots)
    assert (planes[0] == 0).sum() > 20  # foreseen
    assert np.array_equal(linking.unpacked(planes, SIZE), counts.nodes)


def test_two_threads_link_as_one_does(counts: Counts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "_MANY", 0)
    planes = linking.packed(counts.nodes, counts.roots)
    assert np.array_equal(linking.unpacked(planes, SIZE), counts.nodes)


@pytest.mark.parametrize("plane", [0, 1, 2])
@pytest.mark.parametrize("value", [31, 255])
def test_foreign_planes_are_refused_or_harmless(counts: Counts, plane: int, value: int) -> None:
    symbols, children, drops = (each.copy() for each in linking.packed(counts.nodes, counts.roots))
    (symbols, children, drops)[plane][7] = value
    try:
        nodes = linking.unpacked((symbols, children, drops), SIZE)
    except ValueError:
        return
    assert shares_after(Counts(nodes, counts.trust), "και τωι δη").shape == (SIZE,)


def test_loops_are_compiled_even_where_nothing_can_be_kept() -> None:
    """As on a disk that cannot be written to: here, because there is no source file to keep it beside."""
    made: dict[str, Callable[[int], int]] = {}
    exec("def doubled(number):\n    return number * 2", made)
    assert trie.compiled(made["doubled"])(4) == 8


def test_tables_longer_than_the_context_are_refused() -> None:
    """Compiled loops would read beyond it."""
    with pytest.raises(ValueError, match="trust"):
        Trust.pulled(ORDER + 1, 1.0)
