"""A checkpoint comes back as it was saved; anything else is a clear error and runs no code."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from pythia_epidoc.errors import ModelError
from pythia_epidoc.model.accents import Accents
from pythia_epidoc.model.accents.network import AccentConfig, AccentNetwork
from pythia_epidoc.model.accents.numbers import pack_count
from pythia_epidoc.model.accents.passages import passage_around
from pythia_epidoc.model.accents.table import Table
from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.candidates import Weights
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint, load_checkpoint, save_checkpoint
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.counts import ORDER
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import NetworkConfig, build_network
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.restoration import Query

QUERIES = [Query("εδοξεν τωι δ", "ι", (3,)), Query("και ", " τυχηι", (2, 3))]


@pytest.fixture
def checkpoint() -> Checkpoint:
    torch.manual_seed(1)
    tiny = NetworkConfig(hidden=10, decoder_hidden=10, character_size=6, word_size=4)
    words = Vocabulary(["και", "δημωι", "τυχηι"])
    counts = CountModel(count([(1.0, ("εδοξεν τωι δημωι",)), (1.0, ("και τωι δημωι",))], [2] * ORDER))
    calibration = Calibration(Weights(1.0, 0.4), 1.25)
    card = {"name": "tiny", "version": "1", "training": {"hours": 0.1}}
    return Checkpoint(build_network(tiny, len(words)).eval(), words, counts, None, calibration, card)


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_a_checkpoint_answers_as_before_it_was_saved(
    checkpoint: Checkpoint, tmp_path: Path, bits: int
) -> None:
    path = tmp_path / "m.safetensors"
    digest = save_checkpoint(checkpoint, path, bits=bits)
    loaded = load_checkpoint(path)
    assert loaded.digest == digest
    assert loaded.card == checkpoint.card
    assert loaded.calibration == checkpoint.calibration
    assert loaded.vocabulary.words == checkpoint.vocabulary.words
    assert loaded.counts is not None and checkpoint.counts is not None
    for part in ("corpus", "inscriptions"):
        saved, again = getattr(checkpoint.counts, part), getattr(loaded.counts, part)
        assert np.array_equal(again.nodes, saved.nodes)
        assert np.array_equal(again.trust.before, saved.trust.before)
    assert np.array_equal(loaded.counts.own_trust.after, checkpoint.counts.own_trust.after)
    assert np.array_equal(loaded.counts.pooling.before, checkpoint.counts.pooling.before)
    before = PythiaRestorer(checkpoint).hypotheses(QUERIES, beam=30)
    after = PythiaRestorer(loaded).hypotheses(QUERIES, beam=30)
    for old, new in zip(before, after, strict=True):
        assert new[0].probability == pytest.approx(old[0].probability, abs=0.02)


def test_weights_come_back_as_precise_as_they_are_kept(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    save_checkpoint(checkpoint, path)
    loaded = load_checkpoint(path)
    assert loaded.network is not None and checkpoint.network is not None
    again = loaded.network.state_dict()
    for name, weights in checkpoint.network.state_dict().items():
        if weights.ndim == 2:
            embedded = name in ("encoder.characters.weight", "encoder.words.weight", "symbols.weight")
            step = weights.abs().amax(dim=1, keepdim=True) / (31 if embedded else 127)
            assert bool(((again[name] - weights).abs() <= 0.51 * step + 1e-6).all()), name
            # And no more precise: that is what makes the file small.
            assert bool(((again[name] - weights).abs() > 0.3 * step).any()), name
        else:
            assert torch.allclose(again[name], weights, atol=1e-3)


def test_saving_twice_gives_the_same_file(checkpoint: Checkpoint, tmp_path: Path) -> None:
    first = save_checkpoint(checkpoint, tmp_path / "a.safetensors")
    assert save_checkpoint(checkpoint, tmp_path / "b.safetensors") == first


class _Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, ("raise SystemExit('code was run')",))


def test_a_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    path = tmp_path / "evil.safetensors"
    path.write_bytes(pickle.dumps(_Bomb()))
    with pytest.raises(ModelError, match="damaged or foreign"):
        load_checkpoint(path)


def test_a_flipped_byte_is_noticed(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    save_checkpoint(checkpoint, path)
    data = bytearray(path.read_bytes())
    data[-7] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelError, match="SHA-256"):
        load_checkpoint(path)


def test_a_shortened_file_is_a_clear_error(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    save_checkpoint(checkpoint, path)
    path.with_suffix(".sha256").unlink()
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ModelError, match=r"m\.safetensors: The checkpoint is damaged or foreign"):
        load_checkpoint(path)


def test_a_file_that_would_fill_the_memory_is_refused(
    checkpoint: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.safetensors"
    save_checkpoint(checkpoint, path)
    monkeypatch.setattr("pythia_epidoc.model.checkpoint._MOST", 10)
    with pytest.raises(ModelError, match="damaged or foreign"):
        load_checkpoint(path)


def test_another_safetensors_file_is_foreign(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    save_file({"x": np.zeros(3)}, path)
    with pytest.raises(ModelError, match="not a Pythia-EpiDoc checkpoint"):
        load_checkpoint(path)


def test_metadata_that_are_no_table_are_foreign(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    save_file({"x": np.zeros(3)}, path, {"pythia-epidoc": "[]"})
    with pytest.raises(ModelError, match="damaged or foreign"):
        load_checkpoint(path)


def test_the_checkpoint_of_another_version_is_called_so(
    checkpoint: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.safetensors"
    with monkeypatch.context() as patched:
        patched.setattr("pythia_epidoc.model.checkpoint.FORMAT", "pythia-epidoc checkpoint 1")
        save_checkpoint(checkpoint, path)
    with pytest.raises(ModelError, match=r"m\.safetensors: This is another version's checkpoint"):
        load_checkpoint(path)


def test_a_network_of_accents_survives(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    torch.manual_seed(1)
    network = AccentNetwork(AccentConfig(hidden=8)).eval()
    accents = Accents(Table.of({"wδημοσ": pack_count(9.0) + "3="}), network)
    save_checkpoint(replace(checkpoint, accents=accents), path, bits=32)
    loaded = load_checkpoint(path).accents
    assert loaded is not None and loaded.network is not None
    passage = passage_around("δημοσ", "ὁ ", " ἔδοξεν")
    [ours], [theirs] = network.expected([passage]), loaded.network.expected([passage])
    assert theirs == pytest.approx(ours, abs=1e-6)
    assert loaded.polytonic(["δημοσ"], "ὁ ", " ἔδοξεν") == ["δῆμος"]


def test_weights_that_do_not_fit_the_network_are_damage(checkpoint: Checkpoint, tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    save_checkpoint(checkpoint, path)
    path.with_suffix(".sha256").unlink()
    arrays = load_file(path)
    arrays.pop("network.output.weight:int8")
    with safe_open(path, "numpy") as file:
        metadata = file.metadata()
    save_file(arrays, path, metadata)
    with pytest.raises(ModelError, match="damaged or foreign"):
        load_checkpoint(path)


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such checkpoint"):
        load_checkpoint(tmp_path / "none.safetensors")


@pytest.mark.parametrize("left", [None, b"half of it"])
def test_a_package_without_its_model_asks_to_be_installed_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, left: bytes | None
) -> None:
    shipped = tmp_path / "default.safetensors"
    if left is not None:
        shipped.write_bytes(left)
    monkeypatch.setattr("pythia_epidoc.model.checkpoint.DEFAULT", shipped)
    with pytest.raises(ModelError, match="install the package again"):
        load_checkpoint()
