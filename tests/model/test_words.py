"""Words are read by their number, their beginning and their ending, and survive a checkpoint."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pythia_epidoc.errors import ModelError
from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.candidates import Judges, Weights, search
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint, load_checkpoint, save_checkpoint
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.model.word_judge import FITS, WordJudge
from pythia_epidoc.model.words import (
    DAMAGED,
    EDGE,
    FIRST_WORD,
    GONE,
    PIECES,
    UNKNOWN_WORD,
    Lexicon,
    WordConfig,
    WordNetwork,
    pieces,
)
from pythia_epidoc.restoration import Query

LEXICON = Lexicon(["και", "δημοσ", "0"], {"νομοσ": -2.0, "πολισ": -3.5})


@pytest.fixture
def judge() -> WordJudge:
    torch.manual_seed(1)
    return WordJudge(WordNetwork(WordConfig(size=8, hidden=8), len(LEXICON)).eval(), LEXICON)


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("", EDGE),
        ("και", FIRST_WORD),
        ("0", FIRST_WORD + 2),
        ("πολισ", UNKNOWN_WORD),
        ("δημ--", DAMAGED),
        ("?ημοσ", DAMAGED),
        ("---", GONE),
        ("#", GONE),
    ],
)
def test_the_number_of_a_word(word: str, number: int) -> None:
    assert LEXICON.number(word) == number


def test_words_that_were_seen_have_a_share_of_the_unknown_ones_and_others_are_as_rare_as_the_rarest() -> None:
    words = ["και", "νομοσ", "πολισ", "ωμοσ", "δημ--", "---", ""]
    assert LEXICON.shares(words).tolist() == [0, -2.0, -3.5, -3.5, 0, 0, 0]
    assert [word for word in words if LEXICON.is_unseen(word)] == ["ωμοσ"]


def test_words_are_written_in_letters() -> None:
    words, numbers, shares = LEXICON.spelled()
    assert words == ["και", "δημοσ", "νομοσ", "πολισ"]
    assert numbers.tolist() == list(map(LEXICON.number, words))
    assert shares.tolist() == LEXICON.shares(words).tolist()


def test_pieces_are_beginnings_and_endings_that_can_be_read() -> None:
    whole, damaged, ending, letter, nothing = pieces(["δημοσ", "δημο-", "οσ", "ο", ""]).tolist()
    assert all(0 < piece < PIECES for piece in whole)
    assert whole[1::2] == damaged[1::2]
    assert damaged[::2] == [0, 0, 0, 0]
    assert set(ending) & set(whole), "words with one ending share it"
    assert letter[2:] == [0] * 6
    assert nothing == [0] * 8


@given(st.lists(st.text(st.sampled_from("αβωσ0xϲ€"), max_size=6), max_size=5))
def test_pieces_have_the_hash_that_checkpoints_were_made_with(words: list[str]) -> None:
    for word, found in zip(words, pieces(words).tolist(), strict=True):
        for length in range(1, 5):
            for number, piece in enumerate((f"-{word[-length:]}", f"+{word[:length]}"), 2 * (length - 1)):
                expected = 1 + zlib.crc32(piece.encode()) % (PIECES - 1)
                assert found[number] == (expected if len(word) >= length else 0)


def test_an_empty_lexicon_of_words_has_no_rows() -> None:
    numbers, of_words = LEXICON.encode([])
    assert numbers.shape == (0,) and of_words.shape == (0, 8)


def test_a_checkpoint_keeps_the_network_of_words(judge: WordJudge, tmp_path: Path) -> None:
    path = tmp_path / "words.safetensors"
    weights = Weights(1.0, 0.5, 0.2, 0.4, -1.0, -2.0)
    made = Checkpoint(None, Vocabulary([]), None, None, Calibration(weights), {"name": "t"}, judge)
    save_checkpoint(made, path, bits=32)
    kept = load_checkpoint(path)
    assert kept.words is not None
    assert kept.words.lexicon.words == LEXICON.words
    assert kept.words.lexicon.seen == LEXICON.seen
    assert kept.calibration.weights == weights
    for name, value in judge.network.state_dict().items():
        assert torch.equal(value, kept.words.network.state_dict()[name]), name


def test_a_lexicon_that_does_not_fit_its_network_is_refused(judge: WordJudge, tmp_path: Path) -> None:
    path = tmp_path / "words.safetensors"
    foreign = WordJudge(judge.network, Lexicon(["και"]))
    save_checkpoint(Checkpoint(None, Vocabulary([]), None, None, Calibration(), {}, foreign), path)
    with pytest.raises(ModelError, match="damaged or foreign"):
        load_checkpoint(path)


def test_what_words_say_moves_candidates(judge: WordJudge) -> None:
    """Of what the counts propose, a great weight of words puts first what the network of words likes best."""
    texts = ["και ο δημοσ", "και ο νομοσ", "και ο νομοσ"]
    counts = CountModel(count([(1.0, (text,)) for text in texts for _ in range(4)], [1] * 8))
    tasks = tasks_for(0, Query("και ο ", "μοσ", (2,)))
    [alone] = search(tasks, Judges(None, Vocabulary([]), counts), Weights(0.0, 1.0), 20)
    weighty = Weights(0.0, 1.0, 1e6, 1e6)
    [found] = search(tasks, Judges(None, Vocabulary([]), counts, judge), weighty, 20)
    fits = judge.judge(judge.surroundings(tasks), [[candidate.text for candidate in found]])[0]
    assert np.allclose(fits, [[getattr(each, name) for name in FITS] for each in found])
    assert found[0].text == found[int(fits[:, :2].sum(axis=1).argmax())].text
    assert {each.text for each in found} <= {each.text for each in alone}
    assert {each.counts for each in found} <= {each.counts for each in alone}
