"""What is hidden from the network is exactly what it must give back."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.greek import LOST, PREDICT, SPACE, UNKNOWN
from pythia_epidoc.model.alphabet import OUTPUTS, PREDICT_CHARACTER, letter_outputs
from pythia_epidoc.training.windows import Sampler, Window, WindowConfig, hide

TEXT = "εδοξεν τηι βουληι και τωι δημωι επειδη --- ανηρ αγαθοσ 0 εστιν περι τον δημον # και τασ θυσιασ"


def restored(window: Window) -> str:
    """The window with its targets written into its slots."""
    pieces: dict[int, str] = {}
    removed: set[int] = set()
    for span in window.spans:
        for slot, target in zip(span.slots, span.targets, strict=True):
            pieces[slot] = pieces.get(slot, "") + OUTPUTS[target]
            if window.text[slot : slot + 1] in (PREDICT, PREDICT_CHARACTER) and slot != span.after:
                removed.add(slot)
    text = window.text + "\0"
    result = ""
    for position, symbol in enumerate(text):
        result += pieces.get(position, "")
        if position not in removed:
            result += symbol
    return result.rstrip("\0")


@given(st.integers(0, 10_000))
def test_targets_put_back_give_the_text_that_was_hidden(seed: int) -> None:
    config = WindowConfig(lost_share=0.0)
    assert restored(hide(TEXT, config, random.Random(seed))) == TEXT


@given(st.integers(0, 10_000))
def test_what_is_lost_besides_is_shown_as_lost_or_unknown(seed: int) -> None:
    window = hide(TEXT, WindowConfig(lost_share=1.0), random.Random(seed))
    for place, length in window.lengths:
        assert window.text[place] == UNKNOWN
        assert 0 <= length <= 20
    assert set(window.text) <= set(TEXT) | {PREDICT, PREDICT_CHARACTER, LOST, UNKNOWN}


@given(st.integers(0, 10_000))
def test_the_papers_way_hides_one_span(seed: int) -> None:
    window = hide(TEXT, WindowConfig(one_span=True, lost_share=0.0), random.Random(seed))
    assert len(window.spans) <= 1


def test_a_hidden_text_becomes_one_symbol_per_letter_and_one_for_what_follows() -> None:
    assert [OUTPUTS[target] for target in letter_outputs("μωι και")] == ["μ", "ω", "ι", " κ", "α", "ι", ""]
    assert [OUTPUTS[target] for target in letter_outputs(f"μ{SPACE}")] == ["μ", " "]


def test_texts_with_iota_below_the_line_are_drawn_in_both_spellings() -> None:
    record = Record("iaph", "1", "τω δημω και τη πολει " * 3, "0" * 63, "τῷ δήμῳ καὶ τῇ πόλει " * 3)
    sampler = Sampler([record], WindowConfig(characters=63, kinds=(("inscriptions", 1.0),)))
    texts = [restored(window) for window in sampler.windows(40, "1")]
    assert any("δημωι" in text for text in texts) and any("δημω " in text for text in texts)
