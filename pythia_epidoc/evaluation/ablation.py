"""The paper's table on our corpora: every system trained on the same data for the same time.

    systems/lm-philology/      a training run of system `lm` on literary texts
    systems/lm-both/           … on literary texts and inscriptions and papyri
    systems/lm-epigraphy/      … on inscriptions and papyri
    systems/pythia-uni/  pythia-bi/  pythia-bi-word/

`train_systems` makes the runs, `evaluate_systems` measures them beside the shipped model and its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pythia_epidoc.corpus.attributions import by_kind
from pythia_epidoc.corpus.build import load
from pythia_epidoc.errors import ModelError
from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.evaluation.measure import Figures, answer, figures
from pythia_epidoc.evaluation.report import Progress
from pythia_epidoc.model.candidates import Weights
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.restorer import PythiaRestorer
from pythia_epidoc.training.config import TrainingConfig, config_from_dict
from pythia_epidoc.training.pack import trained
from pythia_epidoc.training.run import Run

EPIGRAPHY = {"papyri": 0.6, "inscriptions": 0.4}
PHILOLOGY = {"literary": 1.0}
BOTH = {"papyri": 0.35, "inscriptions": 0.25, "literary": 0.4}

SYSTEMS: dict[str, tuple[str, dict[str, float]]] = {
    "lm-philology": ("lm", PHILOLOGY),
    "lm-both": ("lm", BOTH),
    "lm-epigraphy": ("lm", EPIGRAPHY),
    "pythia-uni": ("pythia-uni", EPIGRAPHY),
    "pythia-bi": ("pythia-bi", EPIGRAPHY),
    "pythia-bi-word": ("pythia-bi-word", EPIGRAPHY),
}
"""Rows of the paper's table: name → system and texts to train on."""


def config_of(name: str, *, hidden: int, steps: int) -> TrainingConfig:
    """The settings of a row; the same for all but what the row is about."""
    system, kinds = SYSTEMS[name]
    config = config_from_dict(
        {
            "network": {"system": system, "hidden": hidden, "decoder_hidden": hidden},
            "windows": {"kinds": kinds, "characters": 160, "character_share": 1.0},
            "steps": steps,
        }
    )
    assert isinstance(config, TrainingConfig)
    return config


def train_systems(
    data: Path,
    folder: Path,
    *,
    hidden: int = 192,
    steps: int = 3000,
    names: Sequence[str] = tuple(SYSTEMS),
    report: Callable[[str], None] = lambda message: None,
) -> None:
    """Train every row that the corpus has texts for, each for the same number of steps; a stopped run goes on
    where it was."""
    train = [record for record in load(data, "train") if len(record.text) >= 40]
    validation = [record for record in load(data, "validation") if len(record.text) >= 40]
    kinds = by_kind(train).keys() & by_kind(validation).keys()
    for name in names:
        if not kinds & SYSTEMS[name][1].keys():
            report(f"{name}: left out, because this corpus has no texts for it")
            continue
        run = Run(folder / name, config_of(name, hidden=hidden, steps=steps), train, validation)
        progress = run.train(validate_every=500)
        report(f"{name}: step {progress.step:,}, {progress.validation}")


def evaluate_systems(
    folder: Path,
    items: Sequence[Item],
    shipped: PythiaRestorer,
    *,
    beam: int = 100,
    progress: Progress = lambda what, done, total: None,
) -> dict[str, Figures]:
    """Figures of every row that was trained, then of the shipped model and its parts."""
    rows: dict[str, PythiaRestorer] = {
        name: _restorer(folder / name) for name in SYSTEMS if (folder / name / "state.pt").exists()
    }
    if not rows:
        raise ModelError("There are no trained systems here; train them first.", path=folder)
    rows |= {
        "shipped: counts": shipped.only("counts"),
        "shipped: network": shipped.only("network"),
        "shipped: without words": shipped.only("no-words"),
        "shipped: together": shipped,
    }
    found: dict[str, Figures] = {}
    for name, restorer in rows.items():
        answers = answer(
            restorer,
            items,
            beam=beam,
            progress=lambda done: progress(name, done, len(items)),  # noqa: B023
        )
        measured = figures(answers)
        assert measured is not None
        found[name] = measured
    return found


def _restorer(run: Path) -> PythiaRestorer:
    network, vocabulary, training = trained(run)
    calibration = replace(Calibration(), weights=Weights(1.0, 0.0))
    card = {"name": run.name, "version": "ablation", "training": training}
    return PythiaRestorer(Checkpoint(network, vocabulary, None, None, calibration, card))
