"""Scoring a given text gives what the beam gives it, and only to texts that fit."""

from __future__ import annotations

import pytest
import torch

from pythia_epidoc.errors import ModelError
from pythia_epidoc.model import candidates, cores
from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.candidates import Judges, Weights, score, search
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import NetworkConfig, Pythia, build_network
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.restoration import Query

WORDS = Vocabulary(["και", "δημωι"])
WEIGHTS = Weights(1.0, 0.5)


@pytest.fixture(scope="module", params=[False, True], ids=["deaf", "expecting"])
def network(request: pytest.FixtureRequest) -> Pythia:
    torch.manual_seed(3)
    config = NetworkConfig(
        hidden=12, decoder_hidden=12, character_size=6, word_size=4, expecting=request.param
    )
    return build_network(config, len(WORDS)).eval()


@pytest.fixture(scope="module")
def counts() -> CountModel:
    texts = ["εδοξεν τηι βουληι και τωι δημωι", "και τωι δημωι εδοξεν"]
    return CountModel(count([(1.0, (text,)) for text in texts], [1.0] * 6))


@pytest.mark.parametrize("by_character", [False, True])
def test_the_beams_candidates_get_the_beams_scores(
    network: Pythia, counts: CountModel, by_character: bool
) -> None:
    queries = [
        Query("εδοξεν τηι ", " και τωι δημωι", (4,), by_character=by_character),
        Query("και τ", "ι δημωι --", (2, 3), by_character=by_character),
    ]
    tasks = [task for number, query in enumerate(queries) for task in tasks_for(number, query)]
    found = search(tasks, Judges(network, WORDS, counts), WEIGHTS, beam=15)
    texts = [[candidate.text for candidate in each] for each in found]
    again = score(tasks, texts, Judges(network, WORDS, counts), beam=15)
    for ours, others in zip(found, again, strict=True):
        assert [other.text for other in others] == [candidate.text for candidate in ours]
        for candidate, other in zip(ours, others, strict=True):
            assert other.network == pytest.approx(candidate.network, abs=1e-4)
            assert other.counts == pytest.approx(candidate.counts, abs=1e-4)


def test_lacunae_shared_out_among_cores_get_what_each_gets_alone(
    network: Pythia, counts: CountModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "available", lambda: 3)
    queries = [Query(f"{'και ' * number}τωι ", " εδοξεν", (4 + number % 3,)) for number in range(40)]
    tasks = [task for number, query in enumerate(queries) for task in tasks_for(number, query)]
    judges = Judges(network, WORDS, counts)
    chunks = list(candidates._chunks(tasks, [9] * len(tasks)))
    assert sorted(number for chunk in chunks for number in chunk) == list(range(40))
    assert [len(chunk) for chunk in chunks] == [13, 13, 14]
    reported: list[int] = []
    found = search(tasks, judges, WEIGHTS, beam=9, progress=reported.append)
    assert reported == [13, 26, 40]
    for task, together in zip(tasks, found, strict=True):
        [alone] = search([task], judges, WEIGHTS, beam=9)
        assert [each.text for each in together[:3]] == [each.text for each in alone[:3]]
        assert together[0].score(WEIGHTS) == pytest.approx(alone[0].score(WEIGHTS), abs=1e-4)


def test_the_lengths_of_a_query_are_worked_on_together() -> None:
    """The counts walk once for all of them; and no part has more tasks than memory is meant for."""
    ranges = [(3,), tuple(range(1, 6)), (4,), *[tuple(range(2, 8))] * 12]
    tasks = [
        task for number, lengths in enumerate(ranges) for task in tasks_for(number, Query("α", "β", lengths))
    ]
    parts = list(candidates._chunks(tasks, candidates._widths(tasks, 100)))
    assert sorted(number for part in parts for number in part) == list(range(len(tasks)))
    assert max(map(len, parts)) <= candidates._CHUNK
    for query in range(len(ranges)):
        assert sum(any(tasks[number].query == query for number in part) for part in parts) == 1


def test_what_goes_wrong_in_one_thread_is_told(
    network: Pythia, counts: CountModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ModelError("no")

    monkeypatch.setattr(cores, "available", lambda: 2)
    monkeypatch.setattr(candidates, "beam_search", fail)
    tasks = [task for number in range(20) for task in tasks_for(number, Query("τωι ", " εδοξεν", (4,)))]
    with pytest.raises(ModelError):
        search(tasks, Judges(network, WORDS, counts), WEIGHTS, beam=9)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (Query("τωι ", " και", (4,)), "δημωι"),
        (Query("τωι ", " και", (5,), pattern="θ...."), "δημωι"),
        (Query("τωι ", " και", (5,), prefix="θε"), "δημωι"),
        (Query("τωι ", " και", (5,)), " δημωι"),
        (Query("τωι ", " και", (5,)), "δημωι "),
    ],
    ids=["length", "pattern", "prefix", "space after a space", "space before a space"],
)
def test_a_text_that_does_not_fit_is_left_out(network: Pythia, query: Query, text: str) -> None:
    assert score(tasks_for(0, query), [[text]], Judges(network, WORDS, None), beam=8) == [[]]


def test_proposed_texts_are_ranked_with_the_beams(network: Pythia, counts: CountModel) -> None:
    restorer = PythiaRestorer(
        Checkpoint(network, WORDS, counts, None, Calibration(WEIGHTS), {"name": "t", "version": "0"})
    )
    query = Query("τωι ", " και", (5,))
    [narrow] = restorer.hypotheses([query], top=100, beam=2)
    [wider] = restorer.consider([query], [["ξξξξξ"]], top=100, beam=2)
    assert {each.text for each in wider} == {each.text for each in narrow} | {"ξξξξξ"}
    assert sum(each.probability for each in wider) == pytest.approx(1.0)
    assert restorer.scores([query], ["δημωι"])[0] < 0
