"""A training run (or a checkpoint) → a checkpoint to ship: weights, counts, accents, calibration, card."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from pythia_epidoc import __version__
from pythia_epidoc.corpus.attributions import attribution, restored_by_kind
from pythia_epidoc.corpus.build import load
from pythia_epidoc.errors import ModelError
from pythia_epidoc.evaluation.items import sample_items
from pythia_epidoc.model.accents import Accents
from pythia_epidoc.model.accents.learn import accent_table
from pythia_epidoc.model.accents.network import AccentNetwork
from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.calibration import calibrate
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint, load_checkpoint
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.network import Pythia, build_network
from pythia_epidoc.model.word_judge import WordJudge
from pythia_epidoc.model.words import Lexicon, WordNetwork
from pythia_epidoc.training.config import (
    AccentTrainingConfig,
    Schedule,
    TrainingConfig,
    WordTrainingConfig,
    config_from_dict,
)
from pythia_epidoc.training.counted import Report, count_records
from pythia_epidoc.training.jury import with_jury
from pythia_epidoc.training.loop import EXPERIENCE, read_state
from pythia_epidoc.training.pooling import fit_pooling
from pythia_epidoc.training.seen import seen_words
from pythia_epidoc.training.trust import fit_trust

CALIBRATION_ITEMS = 1000
LENGTH_ITEMS = 200
_LEAST_LENGTH = 40
"""Characters of a text from which items are taken."""


def pack(
    run: Path | None,
    data: Path,
    *,
    words: Path | None = None,
    accents_run: Path | None = None,
    name: str = "pythia-epidoc-default",
    counts: CountModel | None = None,
    accents: Accents | None = None,
    training_of_accents: dict[str, Any] | None = None,
    with_counts: bool = True,
    report: Report = lambda message: None,
) -> Checkpoint:
    """Make a checkpoint of a run, runs of the networks of words and of accents, and the statistics of their
    training corpus; `run` None: counts only. Instead of a run it may be a checkpoint, whose networks and
    accents are taken; `words` may be one, too. `training_of_accents`: what the card says of the accents that
    are given."""
    network: Pythia | None = None
    judge: WordJudge | None = None
    vocabulary, training, training_of_words = Vocabulary([]), {}, {}
    if run is not None and run.is_file():
        made = load_checkpoint(run)
        network, vocabulary, training = made.network, made.vocabulary, made.card.get("training", {})
        judge, training_of_words = made.words, made.card.get("words", {})
        if accents is None:
            accents, training_of_accents = made.accents, made.card.get("accents")
    elif run is not None:
        network, vocabulary, training = trained(run)
    if words is not None:
        judge, training_of_words = trained_words(words)
    if judge is not None:
        report("Looking for words that were seen, but are not known …")
        known = judge.lexicon.words
        judge = replace(judge, lexicon=Lexicon(known, seen_words(load(data, "train"), known)))
    if counts is None and with_counts:
        counts = count_records(list(load(data, "train")), report)
    if accents is None or accents_run is not None:
        accents, training_of_accents = learned_accents(data, accents_run, report)
    card = _card(name, data, training, training_of_words, training_of_accents or {})
    texts_to_fit = [record for record in load(data, "validation") if len(record.text) > _LEAST_LENGTH]
    validation = restored_by_kind(texts_to_fit)
    model = None
    if counts is not None:
        report("Fitting how far to trust the counts, and how to pool them, on validation texts …")
        texts = {kind: [record.text for record in records] for kind, records in validation.items()}
        model = fit_pooling(fit_trust(counts, texts), texts)
    checkpoint = Checkpoint(network, vocabulary, model, accents, Calibration(), card, judge)
    report("Fitting weights and probabilities on validation texts …")
    items = [
        item for records in validation.values() for item in sample_items(records, CALIBRATION_ITEMS, seed=7)
    ]
    counted = [
        item
        for records in validation.values()
        for item in sample_items(records, LENGTH_ITEMS, seed=7, by_character=False)
    ]
    checkpoint = calibrate(checkpoint, items, counted)
    if network is None or model is None or judge is None:
        return checkpoint
    return with_jury(checkpoint, texts_to_fit, report=report)


def with_accents(
    checkpoint: Checkpoint, data: Path, run: Path, report: Report = lambda message: None
) -> Checkpoint:
    """A checkpoint with accents of its own corpus and of this run of their network; all else is as it was."""
    accents, training = learned_accents(data, run, report)
    card = {**checkpoint.card, "version": _version(), "accents": training}
    return replace(checkpoint, accents=accents, card=card)


def learned_accents(
    data: Path, run: Path | None, report: Report = lambda message: None
) -> tuple[Accents, dict[str, Any]]:
    """The accents of a corpus, with the network of a run if there is one, and what the card says of it."""
    report("Learning accents …")
    network, training = (None, {}) if run is None else trained_accents(run)
    accents = Accents(accent_table(load(data, "train")), network)
    if not accents.words_known:
        report("These texts have none, so those of the shipped model are taken.")
        shipped = load_checkpoint()
        return shipped.accents or accents, shipped.card.get("accents", {})
    return accents, training


def trained(run: Path) -> tuple[Pythia, Vocabulary, dict[str, Any]]:
    """The averaged network of a run, its words, and what the card says of the training."""
    config, words, state = _state(run)
    if not isinstance(config, TrainingConfig):
        raise ModelError(
            "This is a run of the network of words or of accents; give it with --words or --accents.",
            path=run,
        )
    vocabulary = Vocabulary(words)
    network = build_network(config.network, len(vocabulary))
    network.load_state_dict(state["average"])
    return network.eval(), vocabulary, _experience(run, config, state)


def trained_words(run: Path) -> tuple[WordJudge, dict[str, Any]]:
    """The averaged network of words of a run, or that of a checkpoint, and what the card says of the
    training."""
    if run.is_file():
        made = load_checkpoint(run)
        if made.words is None:
            raise ModelError("This checkpoint has no network of words.", path=run)
        return made.words, made.card.get("words", {})
    config, words, state = _state(run)
    if not isinstance(config, WordTrainingConfig):
        raise ModelError("This is not a run of the network of words (`train --system words`).", path=run)
    lexicon = Lexicon(words)
    network = WordNetwork(config.network, len(lexicon))
    network.load_state_dict(state["average"])
    return WordJudge(network.eval(), lexicon), _experience(run, config, state)


def trained_accents(run: Path) -> tuple[AccentNetwork, dict[str, Any]]:
    """The averaged network of accents of a run, or that of a checkpoint, and what the card says of the
    training."""
    if run.is_file():
        made = load_checkpoint(run)
        if made.accents is None or made.accents.network is None:
            raise ModelError("This checkpoint has no network of accents.", path=run)
        return made.accents.network, made.card.get("accents", {})
    config, _, state = _state(run)
    if not isinstance(config, AccentTrainingConfig):
        raise ModelError("This is not a run of the network of accents (`train --system accents`).", path=run)
    network = AccentNetwork(config.network)
    network.load_state_dict(state["average"])
    return network.eval(), _experience(run, config, state)


def _state(run: Path) -> tuple[Schedule, list[str], dict[str, Any]]:
    """The settings of a run, its words if it has any, and how far it is."""
    if not (run / "state.pt").exists():
        raise ModelError("There is no training run here.", path=run)
    config = config_from_dict(json.loads((run / "config.json").read_text("utf-8")), path=run / "config.json")
    vocabulary = run / "vocabulary.txt"
    words = vocabulary.read_text("utf-8").split() if vocabulary.exists() else []
    return config, words, read_state(run, "cpu")


def _experience(run: Path, config: Schedule, state: dict[str, Any]) -> dict[str, Any]:
    """What the weights have been through, in this run and before."""
    progress = state["progress"]
    here = {
        "steps": progress["step"],
        "characters": progress["characters"],
        "hours": progress["minutes"] / 60,
    }
    start = run / "start.json"
    before = json.loads(start.read_text("utf-8")) if start.exists() else {}
    total = {name: round(here[name] + before.get(name, 0), 2) for name in EXPERIENCE}
    return {"config": config.to_dict(), **total}


def _version() -> str:
    return f"{__version__}+{date.today():%Y%m%d}"


def _card(
    name: str,
    data: Path,
    training: dict[str, Any],
    training_of_words: dict[str, Any],
    training_of_accents: dict[str, Any],
) -> dict[str, Any]:
    manifest = json.loads((data / "manifest.json").read_text("utf-8"))
    return {
        "name": name,
        "version": _version(),
        "licence": "Apache-2.0 (weights and statistics); texts under the licences below",
        "corpora": {
            corpus: {
                **vars(attribution(corpus)),
                "texts": manifest["statistics"][corpus]["train"][0],
                "characters": manifest["statistics"][corpus]["train"][2],
            }
            for corpus in manifest["corpora"]
        },
        "split": "5 % validation, 5 % test by SHA-256 of the identifier; near duplicates in one split",
        "training": training,
        "words": training_of_words,
        "accents": training_of_accents,
    }
