"""A run learns, resumes exactly, and never relies on the default device."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.errors import ConfigError, CorpusError, ModelError
from pythia_epidoc.model.candidates import Weights
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.restoration import Query
from pythia_epidoc.training import trust
from pythia_epidoc.training.config import TrainingConfig, config_from_dict, load_config
from pythia_epidoc.training.folds import FOLDS
from pythia_epidoc.training.pack import trained
from pythia_epidoc.training.run import Run, _Losses, tensors_of
from pythia_epidoc.training.windows import Sampler, collate
from pythia_epidoc.training.word_run import WordRun

PHRASE = "εδοξεν τηι βουληι και τωι δημωι αγαθηι τυχηι"
RECORDS = [Record("iaph", str(number), PHRASE, "0" * len(PHRASE)) for number in range(4)]
TINY = {
    "batch": 8,
    "steps": 1000,
    "learning_rate": 0.01,
    "warmup": 10,
    "average": 0.9,
    "network": {"hidden": 32, "decoder_hidden": 32, "character_size": 16, "word_size": 8, "dropout": 0.0},
    "windows": {"characters": 60, "kinds": {"inscriptions": 1.0}},
}


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far to trust counts is not what is tested here."""
    monkeypatch.setattr(trust, "_STEPS", 2)


def config(**changes: object) -> TrainingConfig:
    made = config_from_dict({**TINY, **changes})
    assert isinstance(made, TrainingConfig)
    return made


def run(folder: Path, **changes: object) -> Run:
    return Run(folder, config(**changes), RECORDS, RECORDS, "cpu")


def restorer(trained: Run) -> PythiaRestorer:
    network = trained.network
    network.load_state_dict(trained.average)
    calibration = Calibration(Weights(1.0, 0.0))
    card = {"name": "tiny", "version": "0"}
    return PythiaRestorer(Checkpoint(network.eval(), trained.vocabulary, None, None, calibration, card))


def test_a_tiny_model_learns_a_phrase_and_restores_it(tmp_path: Path) -> None:
    trained = run(tmp_path, steps=450)
    trained.train(validate_every=10_000)
    queries = [
        Query("εδοξεν τηι βουληι και τωι ", " αγαθηι τυχηι", (5,)),
        Query("εδοξεν τηι β", " τωι δημωι αγαθηι τυχηι", (8,)),
        Query("εδοξεν τηι βουλη", "ωι δημωι αγαθηι τυχηι", (7,), by_character=True),
    ]
    found = restorer(trained).hypotheses(queries, top=3, beam=20)
    assert [hypotheses[0].text for hypotheses in found] == ["δημωι", "ουληι και", "ι και τ"]
    assert all(0.0 < hypotheses[0].probability <= 1.0 for hypotheses in found)


@pytest.mark.parametrize("expecting", [False, True])
def test_a_stopped_run_goes_on_exactly_where_it_was(tmp_path: Path, expecting: bool) -> None:
    network = {**TINY["network"], "expecting": expecting}  # type: ignore[dict-item]
    whole = run(tmp_path / "whole", network=network)
    whole.train(steps=14, validate_every=5)
    halves = run(tmp_path / "halves", network=network)
    halves.train(steps=7, validate_every=5)
    resumed = run(tmp_path / "halves", network=network)
    assert resumed.progress.step == 7
    resumed.train(steps=14, validate_every=5)
    for name, value in whole.network.state_dict().items():
        assert torch.equal(value, resumed.network.state_dict()[name]), name
    for name, value in whole.average.items():
        assert torch.equal(value, resumed.average[name]), name


def test_half_precision_is_for_products_only(tmp_path: Path) -> None:
    whole, half = run(tmp_path / "whole"), run(tmp_path / "half", half=True)
    for each in (whole, half):
        each.train(steps=60, validate_every=60)
    assert half.progress.loss != whole.progress.loss
    assert half.progress.validation_loss == pytest.approx(whole.progress.validation_loss, rel=0.2)
    assert {weights.dtype for weights in half.average.values()} == {torch.float32}


def test_a_network_that_reads_counts_learns_how_far_to_rely_on_them(tmp_path: Path) -> None:
    trained = run(tmp_path, network={**TINY["network"], "expecting": True}, steps=12)  # type: ignore[dict-item]
    assert not trained.network.state_dict()["reliance.weight"].any()
    trained.train(validate_every=6)
    assert trained.network.state_dict()["reliance.weight"].any()
    assert len(list(tmp_path.glob("fold-*.safetensors"))) == FOLDS


def test_a_run_begins_with_the_weights_of_a_checkpoint(tmp_path: Path) -> None:
    first = run(tmp_path / "first")
    first.train(steps=3, validate_every=10)
    first_training = trained(tmp_path / "first")[2]
    start = replace(restorer(first).checkpoint, card={"training": first_training})
    assert start.network is not None
    second = Run(
        tmp_path / "second",
        config(network={**TINY["network"], "expecting": True}),
        RECORDS,
        RECORDS,
        "cpu",
        start=start,
    )
    known = start.network.state_dict()
    assert all(torch.equal(known[name], second.network.state_dict()[name]) for name in known)
    assert second.vocabulary.words == first.vocabulary.words
    second.train(steps=2, validate_every=10)
    assert trained(tmp_path / "second")[2]["steps"] == 5
    with pytest.raises(ModelError, match="another shape"):
        other = config(network={**TINY["network"], "hidden": 16})
        Run(tmp_path / "third", other, RECORDS, RECORDS, "cpu", start=start)


def test_what_was_not_validated_is_said_to_be_so(tmp_path: Path) -> None:
    trained = run(tmp_path)
    assert trained.train(steps=1, validate_every=5).validation == "not validated yet"
    validated = trained.train(steps=5, validate_every=5)
    assert validated.validation.startswith(f"validation {validated.validation_loss:.3f} (")


def test_texts_that_the_corpus_does_not_have_are_missed_in_words(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"no texts of the kinds asked for \(literary\)"):
        run(tmp_path, windows={"kinds": {"literary": 1.0}})


@pytest.mark.parametrize("system", ["lm", "pythia-uni", "pythia-bi", "pythia-bi-word", "paper"])
def test_every_system_of_the_paper_can_be_trained(tmp_path: Path, system: str) -> None:
    network = {**TINY["network"], "system": system}  # type: ignore[dict-item]
    sampling = 0.5 if system == "paper" else 0.0
    trained = run(tmp_path, network=network, scheduled_sampling=sampling)
    before = trained.average["output.bias"].clone()
    progress = trained.train(steps=3, validate_every=3)
    assert progress.validation_loss > 0
    assert not torch.equal(before, trained.average["output.bias"])
    assert (tmp_path / "log.csv").read_text().startswith("step,minutes")


def test_nothing_relies_on_the_default_device(tmp_path: Path) -> None:
    """With `meta` as the default, a tensor made without saying where would spoil the loss."""
    trained = run(tmp_path, scheduled_sampling=0.5)
    windows = Sampler(RECORDS, trained.config.windows).windows(4, "1")
    batch = collate(windows, trained.vocabulary)
    with torch.device("meta"):
        loss, _ = _Losses(trained.network, trained.config)(tensors_of(batch, trained.device), batch.longest)
        found = restorer(trained).hypotheses([Query("εδοξεν ", " βουληι", (2, 3))], top=3, beam=10)
    assert loss.device.type == "cpu"
    assert torch.isfinite(loss)
    assert found[0]


def test_losses_stay_on_the_networks_device(tmp_path: Path) -> None:
    """On a device without memory everything that is computed must be there too."""
    trained = run(tmp_path)
    meta = torch.device("meta")
    windows = Sampler(RECORDS, trained.config.windows).windows(4, "1")
    batch = collate(windows, trained.vocabulary)
    loss, _ = _Losses(trained.network.to(meta), trained.config)(tensors_of(batch, meta), batch.longest)
    assert loss.device == meta


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('batch = "many"', "batch must be a whole number, not below 0, not 'many'"),
        ("batch = 2.5", "batch must be a whole number"),
        ("batch = 0", "batch must be 1 or more"),
        ("steps = -4", "steps must be a whole number"),
        ("stepz = 4", "no training setting 'stepz'"),
        ("network = 5", "network must be a table of settings"),
        ("[network]\nhiden = 5", "no training setting 'network.hiden'"),
        ('[network]\nhidden = "big"', "network.hidden must be a whole number"),
        ("[network]\nwords = 1", "network.words must be true or false"),
        ('[network]\nsystem = "gpt"', "There is no system 'gpt'"),
        ('[windows]\nkinds = { papyri = "many" }', "windows.kinds must be a table such as"),
        ("[windows]\nhidden_share = 0.2", "windows.hidden_share must be a list of 2 numbers"),
        ('corpora = "iaph"', "corpora must be a list of names, not 'iaph'"),
    ],
)
def test_settings_that_make_no_sense_are_named(tmp_path: Path, settings: str, told: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(settings)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert str(path) in str(caught.value) and told in str(caught.value)


@pytest.mark.parametrize("system", ["pythia-bi-word", "lm", "words", "accents"])
def test_settings_come_back_from_what_is_kept_of_them(system: str) -> None:
    made = config_from_dict({"corpora": ["iaph"], "learning_rate": 1}, system)
    assert config_from_dict(json.loads(json.dumps(made.to_dict()))) == made


def test_a_run_does_not_go_on_with_another_network(tmp_path: Path) -> None:
    run(tmp_path).train(steps=1)
    network = {**TINY["network"], "hidden": 24}  # type: ignore[dict-item]
    with pytest.raises(ConfigError, match=r"another network \(hidden is 32, not 24\).*another folder"):
        run(tmp_path, network=network)
    with pytest.raises(ConfigError, match=r"system is 'pythia-bi-word', not 'words'"):
        WordRun(tmp_path, config_from_dict({}, "words"), RECORDS, RECORDS, "cpu")  # type: ignore[arg-type]
    network = {**TINY["network"], "dropout": 0.5}  # type: ignore[dict-item]
    assert run(tmp_path, network=network, steps=2000).progress.step == 1


@pytest.mark.parametrize("left", [b"", b"batch = 1", b"half"])
def test_a_damaged_run_says_so(tmp_path: Path, left: bytes) -> None:
    run(tmp_path).train(steps=1)
    state = tmp_path / "state.pt"
    state.write_bytes(state.read_bytes()[:5000] if left == b"half" else left)
    for use in (run, trained):
        with pytest.raises(ModelError, match="The state of this run is damaged"):
            use(tmp_path)


def test_a_run_that_cannot_be_saved_keeps_what_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = run(tmp_path)
    begun.train(steps=1)

    def full(state: object, path: Path) -> None:
        path.write_bytes(b"half")
        raise RuntimeError("PytorchStreamWriter failed writing file\nat some place")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(ModelError, match=r"cannot be saved .*failed writing file.: make room"):
        begun.train(steps=2)
    assert not list(tmp_path.glob("*.part"))
    assert run(tmp_path).progress.step == 1


def test_a_run_needs_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="folder of the run cannot be made"):
        run(tmp_path / "file")
