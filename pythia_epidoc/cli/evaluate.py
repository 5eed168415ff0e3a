"""`pythia-epidoc evaluate`: measure a model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

_PATH = click.Path(path_type=Path)
_DEFAULT_CORPORA = ("papyri", "isicily", "iaph", "ircyr", "iospe")


@click.command(
    "evaluate",
    epilog="Examples: pythia-epidoc evaluate --data corpus/ --split test · "
    "pythia-epidoc evaluate --items mine.jsonl --mode letters --json figures.json",
)
@click.option("--model", "model_path", type=_PATH, help="A checkpoint; the shipped one by default.")
@click.option("--data", type=_PATH, help="A folder made by `corpus build`.")
@click.option("--split", type=click.Choice(["test", "validation"]), default="test", show_default=True)
@click.option("--corpus", "corpora", multiple=True, help="A collection of the corpus; may be repeated.")
@click.option("--items", type=_PATH, help='JSON lines of {"before", "after", "length", "gold"}.')
@click.option("--mode", type=click.Choice(["characters", "letters"]), default="characters", show_default=True)
@click.option("--samples", type=int, default=1000, show_default=True, help="Items per collection.")
@click.option("--beam", type=int, default=100, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--part",
    type=click.Choice(["whole", "network", "counts"]),
    default="whole",
    show_default=True,
    help="The model, or only its network or its counts.",
)
@click.option("--device", default="auto", show_default=True)
@click.option("--json", "json_path", type=_PATH, help="Write the figures here as well.")
def command(
    model_path: Path | None,
    data: Path | None,
    split: str,
    corpora: tuple[str, ...],
    items: Path | None,
    mode: str,
    samples: int,
    beam: int,
    seed: int,
    part: str,
    device: str,
    json_path: Path | None,
) -> None:
    """Measure a model: CER, Top-1, Top-5, Top-20, calibration error."""
    if (data is None) == (items is None):
        raise click.UsageError("Give either --data or --items.")
    from pythia_epidoc.evaluation.items import read_items
    from pythia_epidoc.evaluation.report import evaluate_corpus, evaluate_items, table
    from pythia_epidoc.model.restorer import load_restorer

    restorer = load_restorer(model_path, device).only(part)
    by_character = mode == "characters"
    result: dict[str, Any]
    if items is not None:
        found = read_items(items, by_character)
        result = evaluate_items(restorer, found, by_character=by_character, beam=beam, progress=_progress)
    else:
        assert data is not None
        result = evaluate_corpus(
            restorer,
            data,
            split=split,
            corpora=corpora or _DEFAULT_CORPORA,
            samples=samples,
            by_character=by_character,
            beam=beam,
            seed=seed,
            progress=_progress,
        )
    click.echo(table(result))
    if json_path is not None:
        json_path.write_text(json.dumps(result, indent=1), "utf-8")


def _progress(what: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{what}: {done}/{total}", err=True, nl=done == total)
