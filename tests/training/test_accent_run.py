"""A run of the network of accents learns what letters carry, resumes exactly, and stays on its device."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.errors import CorpusError, ModelError
from pythia_epidoc.greek import letters
from pythia_epidoc.model.accents import Accents
from pythia_epidoc.model.accents.marks import NOT_KNOWN, SIGN_SETS
from pythia_epidoc.model.accents.passages import passage_around
from pythia_epidoc.model.accents.table import Table
from pythia_epidoc.model.alphabet import INPUTS, Vocabulary
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint, save_checkpoint
from pythia_epidoc.training.accent_run import AccentRun, Windows, _Losses
from pythia_epidoc.training.config import AccentTrainingConfig, config_from_dict
from pythia_epidoc.training.pack import trained, trained_accents

TEXTS = (
    "τῇ καλῇ πόλει τῷ καλῷ δήμῳ ἡ καλὴ πόλις ὁ καλὸς δῆμος τὸν καλὸν δῆμον ἡ καλὴ πόλις τῇ καλῇ πόλει",
    "τῷ θεῷ τὸν θεὸν ὁ θεὸς τοῦ θεοῦ τῇ βουλῇ ἡ βουλὴ τὴν βουλὴν τῆς βουλῆς",
    "Διονύσιος Ἀπολλώνιος Ἀμμώνιος Σεμπρώνιος Πετρώνιος Θεώνιος Ἀντώνιος ἐποίει",
    "τὸν Διονυσίου τοῦ Ἀπολλωνίου τοῦ Ἀμμωνίου τοῦ Πετρωνίου τοῦ Ἀντωνίου υἱόν",
)


def record(number: int, written: str) -> Record:
    text = letters(written)
    return Record("iaph", str(number), text, "0" * len(text), written)


RECORDS = [record(number, text) for number, text in enumerate(TEXTS * 4)]
TINY = {
    "batch": 16,
    "steps": 400,
    "learning_rate": 0.01,
    "warmup": 10,
    "average": 0.95,
    "window": 48,
    "asked_share": 0.25,
    "kinds": {"inscriptions": 1.0},
    "network": {"letter_size": 16, "sign_size": 8, "hidden": 32, "dropout": 0.0},
}


def config(**changes: object) -> AccentTrainingConfig:
    made = config_from_dict({**TINY, **changes}, "accents")
    assert isinstance(made, AccentTrainingConfig)
    return made


def run(folder: Path, **changes: object) -> AccentRun:
    return AccentRun(folder, config(**changes), RECORDS, RECORDS, "cpu")


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Accents:
    """A network that has learned, with no lexicon to help it."""
    folder = tmp_path_factory.mktemp("accents")
    run(folder).train(validate_every=200)
    network, card = trained_accents(folder)
    assert card["steps"] == 400 and card["config"]["network"]["system"] == "accents"
    return Accents(Table.of({}), network)


def test_it_learns_which_form_a_word_takes_among_others(taught: Accents) -> None:
    assert taught.polytonic(["καλη"], "τῇ ", " πόλει τῷ καλῷ δήμῳ ἡ") == ["καλῇ"]
    assert taught.polytonic(["καλη"], "πόλει τῷ καλῷ δήμῳ ἡ ", " πόλις ὁ καλὸς δῆμος τὸν") == ["καλὴ"]


def test_it_accents_words_that_it_has_never_seen(taught: Accents) -> None:
    assert taught.polytonic(["σεμπρωνιου"], "τὸν τοῦ ", " τοῦ") == ["Σεμπρωνίου"]


def test_it_goes_by_what_is_visible_of_a_word(taught: Accents) -> None:
    assert taught.polytonic(["ουλη"], "β", "ν τῆς") == ["ουλὴ"]
    assert taught.polytonic(["ολλωνι"], "τοῦ Ἀπ", "ου τοῦ") == ["ολλωνί"]


def test_the_document_knows_better_how_its_own_words_are_accented(taught: Accents) -> None:
    forms = ("Σεμπρωνιοῦ", "τοῦ", "καὶ", "ὁ", "δῆμος")
    assert taught.polytonic(["σεμπρωνιου"], "τὸν τοῦ ", " τοῦ", forms) == ["Σεμπρωνιοῦ"]


def test_texts_are_accented_alike_alone_and_together(taught: Accents) -> None:
    texts = ["καλη", "", "βουλη και τωι", " ", "θεωι"]
    together = taught.polytonic(texts, "τῇ ", " πόλει")
    assert together == [taught.polytonic([text], "τῇ ", " πόλει")[0] for text in texts]
    assert together[1] == "" and together[3] == " "


def test_what_is_read_in_parts_is_what_is_read_as_a_whole(taught: Accents) -> None:
    network = taught.network
    assert network is not None
    passage = passage_around("λη πο", "ὁ καλὸς δῆμος τὸν δῆμον τῇ κα", "λει τῷ")
    sides = (passage.before, passage.asked, passage.after)
    codes = torch.tensor([[INPUTS.index(letter) for side in sides for letter in side.letters]])
    signs = torch.tensor([[number for side in sides for number in side.signs]])
    asked = torch.zeros_like(codes, dtype=torch.bool)
    start = len(passage.before.letters)
    asked[0, start : start + len(passage.asked.letters)] = True
    with torch.no_grad():
        whole = network(codes, signs, asked).log_softmax(dim=-1).numpy()
    [in_parts] = network.expected([passage])
    assert in_parts == pytest.approx(whole, abs=1e-5)


def test_signs_that_are_asked_for_are_hidden_and_others_shown() -> None:
    windows = Windows(RECORDS, config())
    batch = {name: array.numpy() for name, array in windows.batch(64, "seed").items()}
    asked, signs = batch["asked"], batch["signs"]
    assert 0.1 < asked.mean() < 0.6
    assert (signs[asked] == NOT_KNOWN).all()
    assert len(batch["targets"]) == asked.sum()
    assert batch["targets"].min() >= 0 and batch["targets"].max() < len(SIGN_SETS)
    assert not asked[batch["letters"] == INPUTS.index(" ")].any()
    spaces = batch["letters"] == INPUTS.index(" ")
    words = np.cumsum(spaces, axis=1) + 1000 * np.arange(64)[:, None]
    shares = [asked[(words == word) & ~spaces].mean() for word in np.unique(words[asked])]
    assert any(share < 1 for share in shares) and any(share == 1 for share in shares)
    again = windows.batch(64, "seed")
    assert all(np.array_equal(batch[name], array.numpy()) for name, array in again.items())


def test_a_stopped_run_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    whole.train(steps=14, validate_every=5)
    run(tmp_path / "halves").train(steps=7, validate_every=5)
    resumed = run(tmp_path / "halves")
    assert resumed.progress.step == 7
    resumed.train(steps=14, validate_every=5)
    for name, value in whole.average.items():
        assert torch.equal(value, resumed.average[name]), name


def test_a_run_begins_with_the_weights_of_a_checkpoint(tmp_path: Path) -> None:
    run(tmp_path / "first").train(steps=3, validate_every=10)
    network, card = trained_accents(tmp_path / "first")
    accents = Accents(Table.of({}), network)
    start = Checkpoint(None, Vocabulary([]), None, accents, Calibration(), {"accents": card})
    second = AccentRun(tmp_path / "second", config(), RECORDS, RECORDS, "cpu", start=start)
    for name, value in network.state_dict().items():
        assert torch.equal(value, second.network.state_dict()[name]), name
    second.train(steps=2, validate_every=10)
    assert trained_accents(tmp_path / "second")[1]["steps"] == 5
    without = Checkpoint(None, Vocabulary([]), None, None, Calibration(), {})
    with pytest.raises(ModelError, match="no such network"):
        AccentRun(tmp_path / "third", config(), RECORDS, RECORDS, "cpu", start=without)


def test_the_network_of_a_checkpoint_serves_as_well_as_a_run(tmp_path: Path, taught: Accents) -> None:
    assert taught.network is not None
    made = Checkpoint(None, Vocabulary([]), None, taught, Calibration(), {"accents": {"steps": 3}})
    save_checkpoint(made, tmp_path / "with.safetensors", bits=32)
    network, card = trained_accents(tmp_path / "with.safetensors")
    assert card["steps"] == 3
    for name, value in taught.network.state_dict().items():
        assert torch.equal(value, network.state_dict()[name]), name
    save_checkpoint(replace(made, accents=None), tmp_path / "without.safetensors")
    with pytest.raises(ModelError, match="no network of accents"):
        trained_accents(tmp_path / "without.safetensors")


def test_one_kind_of_run_is_not_taken_for_another(tmp_path: Path) -> None:
    run(tmp_path).train(steps=1, validate_every=10)
    with pytest.raises(ModelError, match="--accents"):
        trained(tmp_path)


def test_texts_without_accents_cannot_teach_any(tmp_path: Path) -> None:
    bare = [record(number, letters(text)) for number, text in enumerate(TEXTS)]
    with pytest.raises(CorpusError, match="accented"):
        AccentRun(tmp_path, config(), bare, bare, "cpu")


def test_nothing_is_made_on_another_device(taught: Accents) -> None:
    """With `meta` as the default, a tensor made without saying where would spoil the result."""
    network = taught.network
    assert network is not None
    batch = Windows(RECORDS, config()).batch(4, "seed")
    with torch.device("meta"):
        loss, _ = _Losses(network)(batch)
        [answer] = taught.polytonic(["καλη"], "τῇ ", " πόλει")
    assert torch.isfinite(loss) and answer == "καλῇ"
