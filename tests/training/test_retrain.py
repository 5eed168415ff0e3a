"""A person with I.PHI retrains with the documented commands, from the JSON file to figures."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from pythia_epidoc.cli import group
from pythia_epidoc.errors import ModelError
from pythia_epidoc.greek import letters
from pythia_epidoc.model.checkpoint import load_checkpoint
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.restoration import Query
from pythia_epidoc.training import jury, pack, pooling, trust

WORDS = """ἔδοξεν τῆι βουλῆι καὶ τῶι δήμωι ἀγαθῆι τύχηι δεδόχθαι ἐπαινέσαι Διονύσιον στεφανῶσαι αὐτὸν
ἀναγράψαι τὸ ψήφισμα ἐν στήληι λιθίνηι στῆσαι ἱερῶι τῆς Ἀθηνᾶς εὐνοίας ἕνεκα περὶ πόλιν
ἄρχοντος μηνὸς πρυτάνεις εἶπεν"""
SETTINGS = """
batch = 4
steps = 3
warmup = 1

[network]
hidden = 16
decoder_hidden = 16
character_size = 8
word_size = 8

[windows]
characters = 60
kinds = { inscriptions = 1.0 }
"""


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Forty texts of the same words in any order; their numbers end in every digit."""
    chance = random.Random(1)
    texts = [{"id": number, "text": " ".join(chance.choices(WORDS.split(), k=25))} for number in range(40)]
    path = tmp_path / "iphi.json"
    path.write_text(json.dumps(texts, ensure_ascii=False), "utf-8")
    return path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(group, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


WORD_SETTINGS = """
batch = 4
steps = 3
warmup = 1
vocabulary = 20
stretch = 16
others = 10
kinds = { inscriptions = 1.0 }

[network]
size = 8
hidden = 8
"""


ACCENT_SETTINGS = """
batch = 4
steps = 3
warmup = 1
window = 32
kinds = { inscriptions = 1.0 }

[network]
letter_size = 8
sign_size = 8
hidden = 8
"""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, Path]:
    """Settings of three networks that learn little, quickly."""
    monkeypatch.setattr(trust, "_STEPS", 2)
    monkeypatch.setattr(pooling, "_STEPS", 2)
    monkeypatch.setattr(pooling, "_SPANS", 10)
    monkeypatch.setattr(pack, "CALIBRATION_ITEMS", 10)
    monkeypatch.setattr(jury, "ITEMS", 5)
    files = tmp_path / "settings.toml", tmp_path / "words.toml", tmp_path / "accents.toml"
    for path, text in zip(files, (SETTINGS, WORD_SETTINGS, ACCENT_SETTINGS), strict=True):
        path.write_text(text, "utf-8")
    return files


def make_command(dataset: Path, made: Path, settings: tuple[Path, Path, Path]) -> list[object]:
    options = ("--config", "--words-config", "--accents-config")
    pairs = [argument for pair in zip(options, settings, strict=True) for argument in pair]
    return ["model", "make", dataset, "-o", made, *pairs]


def test_one_command_from_iphi_to_a_model(
    dataset: Path, tmp_path: Path, settings: tuple[Path, Path, Path]
) -> None:
    made = tmp_path / "made"
    arguments = make_command(dataset, made, settings)
    told = run(*arguments)
    assert "Stopped at step 3. Saved" in told
    assert "100 % of " in told, "searching lacunae for a jury takes long"
    checkpoint = load_checkpoint(made / "model.safetensors")
    assert checkpoint.network is not None and checkpoint.words is not None and checkpoint.counts is not None
    assert checkpoint.jury is not None
    assert checkpoint.card["name"] == "mine"
    assert checkpoint.card["words"]["steps"] == 3
    assert checkpoint.accents is not None and checkpoint.accents.network is not None
    assert checkpoint.card["accents"]["steps"] == 3
    assert checkpoint.accents.polytonic(["βουληι"], "ἔδοξεν τῆι ", "") == ["βουλῆι"]
    again = run(*arguments)
    assert "from step 3" in again
    assert load_checkpoint(made / "model.safetensors").digest == checkpoint.digest


def test_texts_without_accents_get_those_of_the_shipped_model(
    dataset: Path, tmp_path: Path, settings: tuple[Path, Path, Path]
) -> None:
    bare = [{**text, "text": letters(text["text"])} for text in json.loads(dataset.read_text("utf-8"))]
    dataset.write_text(json.dumps(bare, ensure_ascii=False), "utf-8")
    made = tmp_path / "made"
    assert "those of the shipped model are taken" in run(*make_command(dataset, made, settings))
    ours, shipped = load_checkpoint(made / "model.safetensors").accents, load_checkpoint().accents
    assert ours is not None and shipped is not None
    assert ours.table.to_bytes() == shipped.table.to_bytes()
    assert ours.polytonic(["δημοσ"], "ὁ ", "") == ["δῆμος"]


def test_a_checkpoint_gets_other_accents_and_restores_as_before(
    dataset: Path, tmp_path: Path, settings: tuple[Path, Path, Path]
) -> None:
    corpus, accents = tmp_path / "corpus", tmp_path / "accents"
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    run("corpus", "build", dataset, "-o", corpus, "--processes", 1)
    run("train", "--data", corpus, "-o", tmp_path / "run", "--config", settings[0])
    run("train", "--system", "accents", "--data", corpus, "-o", accents, "--config", settings[2])
    run("model", "pack", tmp_path / "run", "--data", corpus, "-o", first)
    run("model", "accent", first, accents, "--data", corpus, "-o", second)
    assert "trained for 0.0 hours" in run("model", "info", "--model", second)
    before, after = load_checkpoint(first), load_checkpoint(second)
    assert before.accents is not None and before.accents.network is None
    assert after.accents is not None and after.accents.network is not None
    assert after.card["accents"]["steps"] == 3 and after.card["training"] == before.card["training"]
    with pytest.raises(ModelError, match="no network of words"):
        pack.trained_words(first)
    third = tmp_path / "third.safetensors"
    run("model", "pack", tmp_path / "run", "--statistics-of", second, "--data", corpus, "-o", third)
    assert "trained for 0.0 hours" in run("model", "info", "--model", third)
    assert load_checkpoint(third).card["accents"] == after.card["accents"]
    asked = [Query("εδοξεν τηι ", " και τωι δημωι", (6,))]
    assert PythiaRestorer(before).hypotheses(asked) == PythiaRestorer(after).hypotheses(asked)


def test_from_iphi_to_figures(dataset: Path, tmp_path: Path, settings: tuple[Path, Path, Path]) -> None:
    corpus, made = tmp_path / "corpus", tmp_path / "mine.safetensors"
    run("corpus", "build", dataset, "-o", corpus, "--processes", 1)
    run("train", "--data", corpus, "-o", tmp_path / "run", "--config", settings[0])
    words = ("--system", "words", "--data", corpus, "-o", tmp_path / "words", "--config", settings[1])
    run("train", *words)
    run("model", "pack", tmp_path / "run", "--words", tmp_path / "words", "--data", corpus, "-o", made)
    figures = tmp_path / "figures.json"
    run("evaluate", "--model", made, "--data", corpus, "--split", "test", "--samples", 10, "--json", figures)
    assert json.loads(figures.read_text("utf-8"))["overall"]["n"] == 10

    again = tmp_path / "again.safetensors"
    run("model", "pack", made, "--data", corpus, "-o", again)
    first, second = load_checkpoint(made), load_checkpoint(again)
    assert first.network is not None and second.network is not None
    assert first.card["training"]["steps"] == second.card["training"]["steps"] == 3
    assert second.network.output.weight.equal(first.network.output.weight)
    assert second.counts is not None and len(second.counts.corpus) > 1
    assert second.words is not None and second.card["words"]["steps"] == 3

    parts = ("--words", made, "--statistics-of", made)
    run("model", "pack", tmp_path / "run", *parts, "--data", corpus, "-o", again)
    third = load_checkpoint(again)
    assert third.words is not None and third.card["words"] == first.card["words"]
    assert third.words.lexicon.words == second.words.lexicon.words
