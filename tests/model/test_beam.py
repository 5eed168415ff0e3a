"""Beam search finds what exhaustive search finds, and respects every constraint."""

from __future__ import annotations

import itertools
import threading

import numpy as np
import pytest
import torch

from pythia_epidoc.errors import Cancelled
from pythia_epidoc.greek import LETTERS, PREDICT
from pythia_epidoc.model.alphabet import OUT_NOTHING, OUTPUT_CODES, OUTPUTS, START, Vocabulary, encode
from pythia_epidoc.model.beam import BEHIND
from pythia_epidoc.model.candidates import Judges, Weights, search
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.counts import ORDER
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import NetworkConfig, Pythia, build_network
from pythia_epidoc.model.tasks import encode_tasks, tasks_for
from pythia_epidoc.restoration import Query

WORDS = Vocabulary(["και", "δημωι"])
NETWORK_ONLY = Weights(1.0, 0.0)


@pytest.fixture(scope="module")
def network() -> Pythia:
    torch.manual_seed(3)
    tiny = NetworkConfig(hidden=12, decoder_hidden=12, character_size=6, word_size=4)
    made = build_network(tiny, len(WORDS)).eval()
    with torch.no_grad():
        made.output.weight.mul_(6)  # so that hypotheses differ clearly
    return made


@torch.inference_mode()
def log_probabilities(network: Pythia, query: Query, sequences: list[list[int]]) -> list[float]:
    """The probability of each sequence of outputs, by running the decoder over it."""
    slots = PREDICT * query.lengths[0]
    text = query.before + slots + query.after
    first, after, count = len(query.before), len(query.before) + len(slots), len(sequences)
    encoded = network.encode(
        torch.from_numpy(encode(text).astype(np.int64))[None],
        torch.from_numpy(WORDS.encode(text).astype(np.int64))[None],
    )
    state = network.start(encoded, torch.full((1, count), first - 1), torch.full((1, count), after))
    symbols = torch.tensor(sequences)
    previous = torch.cat((torch.full((count, 1), START), symbols[:, :-1]), dim=1)
    places = (first + torch.arange(symbols.shape[1])).expand(1, count, -1)
    logits, _, _ = network.decode(encoded, places, previous[None], state)
    chosen = logits[0].log_softmax(-1).gather(-1, symbols[..., None])
    return [float(value) for value in chosen.sum(dim=(1, 2))]


def test_a_wide_beam_equals_brute_force(network: Pythia) -> None:
    query = Query("και τωι ", "ι αθ", (2,))
    [found] = search(tasks_for(0, query), Judges(network, WORDS, None), NETWORK_ONLY, beam=10_000)
    everything = {}
    for first, second in itertools.product(LETTERS, repeat=2):
        for gap, edge in itertools.product(("", " "), repeat=2):
            symbols = [OUTPUT_CODES[first], OUTPUT_CODES[gap + second], OUTPUT_CODES[edge]]
            everything[first + gap + second + edge] = symbols
    expected = dict(
        zip(everything, log_probabilities(network, query, list(everything.values())), strict=True)
    )
    best = max(expected, key=lambda text: expected[text])
    likely = {text for text, log in expected.items() if log > expected[best] - BEHIND}
    assert len(likely) > 100
    assert likely <= {candidate.text for candidate in found} <= set(expected)
    for candidate in found:
        assert candidate.network == pytest.approx(expected[candidate.text], abs=1e-3)
    assert found[0].text == best


def test_letters_are_counted_and_spaces_are_free(network: Pythia) -> None:
    query = Query("τωι", "και", (1, 2, 3))
    tasks = tasks_for(0, query)
    for task, found in zip(
        tasks, search(tasks, Judges(network, WORDS, None), NETWORK_ONLY, 200), strict=True
    ):
        assert {len(candidate.text.replace(" ", "")) for candidate in found} == {task.length}
        assert any(" " in candidate.text for candidate in found)
        assert not any("  " in candidate.text for candidate in found)


def test_all_word_divisions_of_an_enumeration_are_admitted(network: Pythia) -> None:
    query = Query("τ", "κ", (3,), pattern="και")
    [found] = search(tasks_for(0, query), Judges(network, WORDS, None), NETWORK_ONLY, 1000)
    expected = {f"{a}κ{b}α{c}ι{d}" for a, b, c, d in itertools.product(("", " "), repeat=4)}
    assert {candidate.text for candidate in found} == expected


def test_no_space_where_the_edition_already_has_one(network: Pythia) -> None:
    [found] = search(
        tasks_for(0, Query("τωι ", " και", (2,))), Judges(network, WORDS, None), NETWORK_ONLY, 500
    )
    assert all(candidate.text == candidate.text.strip() for candidate in found)


def test_known_letters_and_typed_prefix_are_kept(network: Pythia) -> None:
    [found] = search(
        tasks_for(0, Query("και ", " τ", (4,), pattern="..μ.", prefix="δη")),
        Judges(network, WORDS, None),
        NETWORK_ONLY,
        100,
    )
    assert found
    assert all(candidate.text.replace(" ", "")[2] == "μ" for candidate in found)
    assert all(candidate.text.startswith("δη") for candidate in found)


def test_a_prefix_longer_than_the_lacuna_finds_nothing(network: Pythia) -> None:
    assert tasks_for(0, Query("και ", " τ", (2,), prefix="δημ")) == []


def test_in_the_papers_mode_a_space_is_a_character(network: Pythia) -> None:
    query = Query("τωι", "και", (4,), by_character=True)
    [found] = search(tasks_for(0, query), Judges(network, WORDS, None), NETWORK_ONLY, 300)
    assert {len(candidate.text) for candidate in found} == {4}
    assert not any("  " in candidate.text for candidate in found)


def test_lacunae_together_give_what_each_gives_alone(network: Pythia) -> None:
    counts = CountModel(count([(1.0, ("εδοξεν τωι δημωι",)), (1.0, ("και τωι δημωι",))], [2] * ORDER))
    text = "εδοξεν τ-- δημ-- και τωι ---ωι"
    queries = [
        Query(text[:8], text[10:], (2,)),
        Query(text[:14], text[16:], (2,)),
        Query(text[:25], text[28:], (3,)),
    ]
    tasks = [task for number, query in enumerate(queries) for task in tasks_for(number, query)]
    weights = Weights(1.0, 0.5)
    together = search(tasks, Judges(network, WORDS, counts), weights, 50)
    for task, found in zip(tasks, together, strict=True):
        [alone] = search([task], Judges(network, WORDS, counts), weights, 50)
        assert [candidate.text for candidate in found[:10]] == [candidate.text for candidate in alone[:10]]
        assert found[0].counts == pytest.approx(alone[0].counts, abs=1e-4)


def test_lacunae_of_one_text_are_read_together(network: Pythia) -> None:
    """To the network it makes no difference which of them is asked for."""
    text = "εδοξεν τηι ----- και τωι ----- επειδη"
    starts = [place for place in range(len(text)) if text.startswith(" -----", place)]
    queries = [Query(text[: start + 1], text[start + 6 :], (5,)) for start in starts]
    tasks = [task for number, query in enumerate(queries) for task in tasks_for(number, query)]
    encoded, texts = encode_tasks(tasks, network, WORDS)
    assert (len(encoded.states), texts) == (1, [0, 0])


def test_counts_alone_restore_a_formula() -> None:
    texts = ["εδοξεν τηι βουληι και τωι δημωι", "εδοξε τωι δημωι"]
    counts = CountModel(count([(1.0, (text,)) for text in texts], [2] * ORDER))
    query = Query("εδοξεν τωι δ", "ι", (3,))
    [found] = search(tasks_for(0, query), Judges(None, WORDS, counts), Weights(0.0, 1.0), 50)
    assert found[0].text == "ημω"


def test_a_search_can_be_stopped(network: Pythia) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        search(tasks_for(0, Query("και ", " τ", (4,))), Judges(network, WORDS, None), NETWORK_ONLY, 10, stop)


def test_outputs_are_letters_spaced_letters_space_and_nothing() -> None:
    assert len(OUTPUTS) == 2 * len(LETTERS) + 2
    assert OUTPUTS[OUT_NOTHING] == ""
