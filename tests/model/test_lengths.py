"""Where nobody has counted the letters of a lacuna, network and counts tell how many there may be."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.calibration import fit_lengths
from pythia_epidoc.model.candidates import Judges, Weights
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.lengths import LIKELY, LengthWeights, Told, told
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import NetworkConfig, build_network
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.restoration import Query

TEXTS = ["εδοξεν τωι δημωι τησ πολεωσ", "εδοξεν τηι βουληι και τωι δημωι τησ πολεωσ"]
LENGTHS = tuple(range(1, 13))
ASKED = Query("εδοξεν τωι δ", " τησ πολεωσ", LENGTHS)


@pytest.fixture(scope="module")
def counts() -> CountModel:
    return CountModel(count([(1.0, (text,)) for text in TEXTS for _ in range(4)], [1] * 12))


def restorer(counts: CountModel, lengths: LengthWeights) -> PythiaRestorer:
    calibration = Calibration(Weights(0.0, 1.0), 1.0, lengths)
    card = {"name": "t", "version": "0"}
    return PythiaRestorer(Checkpoint(None, Vocabulary([]), counts, None, calibration, card))


def test_the_length_that_leads_to_what_follows_is_the_likeliest(counts: CountModel) -> None:
    [[best, *_]] = restorer(counts, LengthWeights(0.0, 1.0)).hypotheses([ASKED])
    assert best.text == "ημωι"
    assert best.probability > 0.5


def test_probabilities_are_shared_out_over_all_lengths(counts: CountModel) -> None:
    [found] = restorer(counts, LengthWeights(0.0, 0.5)).hypotheses([ASKED], top=10_000)
    assert sum(each.probability for each in found) <= 1 + 1e-6
    assert len({len(each.letters) for each in found}) == LIKELY


def test_a_text_that_others_propose_is_judged_whatever_its_length(counts: CountModel) -> None:
    unlikely = "ημωι τωι αλλω"
    model = restorer(counts, LengthWeights(0.0, 1.0))
    asked = Query(ASKED.before, ASKED.after, tuple(range(1, 21)))
    [found] = model.consider([asked], [[unlikely]], top=10_000)
    assert unlikely in {each.text for each in found}


def test_several_queries_are_told_what_each_is_told_alone(counts: CountModel) -> None:
    torch.manual_seed(3)
    network = build_network(NetworkConfig(hidden=8, decoder_hidden=8), 2).eval()
    judges = Judges(network, Vocabulary([]), counts)
    queries = [ASKED, Query("και ", "ημωι τησ", (2, 5, 30)), Query("", "", (1, 2))]
    tasks = [tasks_for(number, query) for number, query in enumerate(queries)]
    together = told(queries, tasks, judges)
    for query, each in zip(queries, together, strict=True):
        [alone] = told([query], [tasks_for(0, query)], judges)
        assert each.network == pytest.approx(alone.network, abs=1e-5)
        assert each.counts == pytest.approx(alone.counts, abs=1e-5)


def test_weighed_lengths_have_a_probability_of_one_together() -> None:
    logs = Told(np.array([-1.0, -2.0]), np.array([-30.0, -20.0])).logs(LengthWeights(1.0, 0.5))
    assert np.exp(logs).sum() == pytest.approx(1.0)
    assert logs[1] > logs[0]


def test_who_knows_lengths_gets_the_weight(counts: CountModel) -> None:
    torch.manual_seed(3)
    network = build_network(NetworkConfig(hidden=8, decoder_hidden=8), 2).eval()
    made = Checkpoint(network, Vocabulary([]), counts, None, Calibration(), {})
    assert fit_lengths(made, [Item(ASKED.before, ASKED.after, 4, "ημωι")]).counts > 0.5


def test_progress_counts_queries_not_lengths(counts: CountModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pythia_epidoc.model.restorer._TOGETHER", 2)
    told_of: list[int] = []
    model = restorer(counts, LengthWeights(0.0, 1.0))
    several = [ASKED, Query("και ", "ημωι τησ", (2,)), ASKED]
    found = model.hypotheses(several, progress=told_of.append)
    assert told_of == sorted(told_of) and told_of[-1] == 3
    assert [each[0].text for each in found] == [model.hypotheses([query])[0][0].text for query in several]
