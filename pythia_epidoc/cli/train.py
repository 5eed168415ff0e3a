"""`pythia-epidoc train`: train a model, or go on training it."""

from __future__ import annotations

import contextlib
import math
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pythia_epidoc.training.loop import Progress


@click.command("train", epilog="Example: pythia-epidoc train --data corpus/ -o runs/first --minutes 60")
@click.option(
    "--data", type=click.Path(path_type=Path), required=True, help="A folder made by `corpus build`."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder of the run.")
@click.option("--config", "config_path", type=click.Path(path_type=Path), help="TOML file of settings.")
@click.option(
    "--system",
    default="pythia-bi-word",
    show_default=True,
    help="A system of the paper (`pythia-bi-word`, `pythia-bi`, `pythia-uni`, `lm`; `paper`: in its size), "
    "or `words`, or `accents`.",
)
@click.option(
    "--from",
    "start_path",
    type=click.Path(path_type=Path),
    help="A checkpoint to begin a new run with; `default` is the shipped one.",
)
@click.option("--minutes", type=click.FloatRange(0), default=math.inf, help="Stop after so many minutes.")
@click.option("--steps", type=click.IntRange(0), help="Stop at this step.")
@click.option(
    "--save-every",
    type=click.FloatRange(0),
    default=5.0,
    show_default=True,
    help="Minutes between checkpoints.",
)
@click.option(
    "--validate-every",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Steps between validations.",
)
@click.option("--device", default="auto", show_default=True, help="cpu, cuda, mps or auto.")
@click.option("--threads", type=click.IntRange(1), help="CPU threads to use.")
def command(
    data: Path,
    output: Path,
    config_path: Path | None,
    system: str,
    start_path: Path | None,
    minutes: float,
    steps: int | None,
    save_every: float,
    validate_every: int,
    device: str,
    threads: int | None,
) -> None:
    """Train a model on a built corpus; an interrupted run goes on where it stopped."""
    import torch

    if threads:
        torch.set_num_threads(threads)
    train_run(
        data,
        output,
        config_path=config_path,
        system=system,
        start_path=start_path,
        minutes=minutes,
        steps=steps,
        save_every=save_every,
        validate_every=validate_every,
        device=device,
    )


def train_run(
    data: Path,
    output: Path,
    *,
    config_path: Path | None,
    system: str,
    start_path: Path | None = None,
    minutes: float = math.inf,
    steps: int | None = None,
    save_every: float = 5.0,
    validate_every: int = 500,
    device: str = "auto",
) -> bool:
    """Begin a run, or go on with it, and tell how it goes; gives whether it is at its end."""
    from pythia_epidoc.corpus.build import load
    from pythia_epidoc.model.checkpoint import load_checkpoint
    from pythia_epidoc.training.accent_run import AccentRun
    from pythia_epidoc.training.config import AccentTrainingConfig, WordTrainingConfig, load_config
    from pythia_epidoc.training.run import Run
    from pythia_epidoc.training.word_run import WordRun

    config = load_config(config_path, system)
    names = config.corpora or None
    train = [record for record in load(data, "train", names) if len(record.text) >= config.min_length]
    validation = [
        record for record in load(data, "validation", names) if len(record.text) >= config.min_length
    ]
    characters = sum(len(record.text) for record in train)
    click.echo(
        f"{len(train):,} texts, {characters:,} characters to train on; {len(validation):,} to validate."
    )
    start = None
    if start_path is not None:
        start = load_checkpoint(None if str(start_path) == "default" else start_path)
    run: Run | WordRun | AccentRun
    if isinstance(config, AccentTrainingConfig):
        run = AccentRun(output, config, train, validation, device, start=start, report=click.echo)
    elif isinstance(config, WordTrainingConfig):
        run = WordRun(output, config, train, validation, device, start=start, report=click.echo)
    else:
        run = Run(output, config, train, validation, device, start=start, report=click.echo)
    size = sum(parameter.numel() for parameter in run.network.parameters())
    click.echo(
        f"{config.network.system}, {size:,} parameters, on {run.device}, from step {run.progress.step:,}."
    )
    asked_to_stop = threading.Event()
    handlers = {
        number: signal.signal(number, lambda *_: asked_to_stop.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        progress = run.train(
            minutes=minutes,
            steps=steps,
            save_every=save_every,
            validate_every=validate_every,
            report=_Reporter(config.steps, minutes),
            stop=asked_to_stop.is_set,
        )
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    finished = progress.step >= config.steps
    if not run.rank:
        _plot(output)
        going_on = "" if finished else "; the same command goes on from here"
        click.echo(f"Stopped at step {progress.step:,}{going_on}. Saved in {output}.")
    return finished


def _plot(output: Path) -> None:
    """Draw the loss curve beside the log, if there is anything to draw and something to draw with."""
    from pythia_epidoc.errors import ConfigError
    from pythia_epidoc.evaluation.plots import plot_training

    log = output / "log.csv"
    if log.exists():
        with contextlib.suppress(ConfigError):
            plot_training(log, output / "loss.png")


class _Reporter:
    """One line every hundred steps, so that a log file stays readable."""

    def __init__(self, steps: int, minutes: float) -> None:
        self.steps = steps
        self.minutes = minutes
        self.began: float | None = None

    def __call__(self, progress: Progress) -> None:
        if self.began is None:
            self.began = progress.minutes
        if progress.step % 100:
            return
        left = self.minutes - (progress.minutes - self.began)
        remaining = "" if math.isinf(left) else f", {max(0.0, left):.0f} min left"
        click.echo(
            f"step {progress.step:,}/{self.steps:,}  loss {progress.loss:.3f}  {progress.validation}  "
            f"{progress.characters / 1e6:.1f} M characters, "
            f"{progress.characters_per_second:,.0f}/s{remaining}"
        )
