"""`pythia-epidoc evaluate`: measure a model."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pythia_epidoc.cli.meter import Line, Meter

if TYPE_CHECKING:
    from pythia_epidoc.evaluation.measure import Figures
    from pythia_epidoc.model.accents import Accents
    from pythia_epidoc.restoration import Restorer

_PATH = click.Path(path_type=Path)
_LISTS = ("phoros",)
"""Collections of names and sums rather than texts: measured only when they are named."""


@click.command(
    "evaluate",
    epilog="Examples: pythia-epidoc evaluate --data corpus/ --split test · "
    "pythia-epidoc evaluate --items mine.jsonl --mode letters --json figures.json",
)
@click.option("--model", "model_path", type=_PATH, help="A checkpoint; the shipped one by default.")
@click.option("--data", type=_PATH, help="A folder made by `corpus build`.")
@click.option(
    "--split",
    type=click.Choice(["test", "validation"]),
    default="test",
    show_default=True,
    help="Which texts of the corpus; neither was trained on.",
)
@click.option("--corpus", "corpora", multiple=True, help="A collection of the corpus; may be repeated.")
@click.option("--items", type=_PATH, help='JSON lines of {"before", "after", "length", "gold"}.')
@click.option(
    "--mode",
    type=click.Choice(["characters", "letters", "unknown-length"]),
    default="characters",
    show_default=True,
    help="Count characters, as the paper does; or letters; or letters whose number nobody tells.",
)
@click.option(
    "--samples", type=click.IntRange(1), default=1000, show_default=True, help="Items per collection."
)
@click.option("--beam", type=click.IntRange(1, 1000), default=100, show_default=True, help="Width of search.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another number draws other items.")
@click.option(
    "--part",
    type=click.Choice(["whole", "network", "counts", "no-words"]),
    default="whole",
    show_default=True,
    help="The model, or only its network or its counts, or all but its network of words.",
)
@click.option(
    "--ablation", type=_PATH, help="Folder of systems trained for the paper's table: measure them all."
)
@click.option("--accents", is_flag=True, help="Measure how words are accented, not how letters are restored.")
@click.option("--context-lengths", is_flag=True, help="Measure with more and more text around the lacuna.")
@click.option(
    "--full-text", type=_PATH, help="Hide all supplied text of this file and restore it turn by turn."
)
@click.option("--picture", type=_PATH, help="With --context-lengths: draw the figure here.")
@click.option("--device", default="auto", show_default=True, help="cpu, cuda, mps or auto.")
@click.option(
    "--parallels",
    type=_PATH,
    help="Measure with this index behind the model; make it of the training split only.",
)
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
    ablation: Path | None,
    accents: bool,
    context_lengths: bool,
    full_text: Path | None,
    picture: Path | None,
    device: str,
    parallels: Path | None,
    json_path: Path | None,
) -> None:
    """Measure a model: CER, Top-1, Top-5, Top-20, calibration error."""
    if sum(source is not None for source in (data, items, full_text)) != 1:
        raise click.UsageError("Give one of --data, --items and --full-text.")
    if mode != "characters" and (ablation is not None or context_lengths):
        raise click.UsageError("--ablation and --context-lengths count characters, as the paper does.")
    if corpora and data is None:
        raise click.UsageError("--corpus names a collection of --data.")
    if picture is not None:
        if not context_lengths:
            raise click.UsageError("--picture draws what --context-lengths measures; give both.")
        from pythia_epidoc.evaluation.plots import check_picture

        check_picture(picture)
    _check_place(json_path)
    from pythia_epidoc.epidoc.extent import UNKNOWN_LENGTHS
    from pythia_epidoc.evaluation.items import read_items
    from pythia_epidoc.evaluation.report import corpus_items, evaluate_corpus, evaluate_items, table
    from pythia_epidoc.model.restorer import load_restorer
    from pythia_epidoc.parallels.restorer import attesting

    by_character = mode == "characters"
    lengths = UNKNOWN_LENGTHS if mode == "unknown-length" else ()
    names = corpora or (_collections(data, split) if data is not None else ())
    result: dict[str, Any]
    if items is not None:
        found = read_items(items, by_character, lambda message: click.echo(message, err=True))
    elif ablation is not None or context_lengths:
        found = corpus_items(_given(data), split, names, samples, by_character, seed)
    else:
        found = []
    model = load_restorer(model_path, device).only(part)
    restorer = attesting(model, parallels)
    if full_text is not None:
        result = _print_full_text(full_text, restorer, beam)
    elif accents:
        result = _print_accents(model.checkpoint.accents, _given(data), split, names, seed)
    elif ablation is not None:
        from pythia_epidoc.evaluation.ablation import evaluate_systems

        result = _print_rows(evaluate_systems(ablation, found, model, beam=beam, progress=_Display()))
    elif context_lengths:
        from pythia_epidoc.evaluation.context import by_context

        measured = by_context(restorer, found, beam=beam, progress=_Display())
        result = _print_rows({f"{length} characters": figures for length, figures in measured.items()})
        if picture is not None:
            from pythia_epidoc.evaluation.plots import plot_context

            plot_context(measured, picture)
    elif items is not None:
        result = evaluate_items(
            restorer, found, by_character=by_character, lengths=lengths, beam=beam, progress=_Display()
        )
        click.echo(table(result))
    else:
        result = evaluate_corpus(
            restorer,
            _given(data),
            split=split,
            corpora=names,
            samples=samples,
            by_character=by_character,
            lengths=lengths,
            beam=beam,
            seed=seed,
            progress=_Display(),
        )
        click.echo(table(result))
    if json_path is not None:
        from pythia_epidoc.epidoc.edits import write_atomically

        write_atomically(json_path, json.dumps(result, ensure_ascii=False, indent=1).encode())


def _check_place(path: Path | None) -> None:
    """Before anything is measured, which may take hours."""
    from pythia_epidoc.errors import ConfigError

    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise ConfigError("No file can be written here; name one in a folder that exists.", path=path)


def _collections(data: Path, split: str) -> tuple[str, ...]:
    """What a split of a corpus has of the texts that are to be restored."""
    from pythia_epidoc.corpus.build import read_manifest
    from pythia_epidoc.errors import CorpusError

    manifest = read_manifest(data)
    held, sizes = manifest["corpora"], manifest["statistics"]
    names = tuple(
        name
        for name in held
        if held[name]["kind"] != "literary" and name not in _LISTS and sizes.get(name, {}).get(split, [0])[0]
    )
    if not names:
        raise CorpusError(
            f"This corpus has no inscriptions or papyri in its {split} split; name a collection with "
            "--corpus, or build a larger corpus.",
            path=data,
        )
    return names


def _given(data: Path | None) -> Path:
    if data is None:
        raise click.UsageError("This needs --data, a folder made by `corpus build`.")
    return data


def _print_rows(measured: dict[str, Figures]) -> dict[str, Any]:
    """A table with a row per system or setting; gives it as a dictionary too."""
    from pythia_epidoc.evaluation.report import HEADER, UNDER_HEADER, row

    result = {name: figures.to_dict() for name, figures in measured.items()}
    click.echo("\n".join([HEADER, UNDER_HEADER, *(row(name, found) for name, found in result.items())]))
    return result


def _print_accents(
    accents: Accents | None, data: Path, split: str, names: Sequence[str], seed: int
) -> dict[str, Any]:
    """A table with a row per collection; gives it as a dictionary too."""
    from pythia_epidoc.corpus.build import load
    from pythia_epidoc.errors import ModelError
    from pythia_epidoc.evaluation.accents import measure_accents

    if accents is None:
        raise ModelError("This checkpoint has no accents to measure; make one with `model pack`.")
    scores = measure_accents(accents, load(data, split, names), seed=seed)
    click.echo(f"{'':<14}{'words':>8}{'exact':>9}{'of accented':>13}{'left plain':>12}{'of the others':>15}")
    for score in scores:
        click.echo(
            f"{score.corpus:<14}{score.words:>8,}{score.exact:>9.1%}{score.exact_if_accented:>13.1%}"
            f"{score.abstained:>12.1%}{score.exact_if_sure:>15.1%}"
        )
    return {score.corpus: dataclasses.asdict(score) for score in scores}


def _print_full_text(path: Path, restorer: Restorer, beam: int) -> dict[str, Any]:
    """The text with right letters green and wrong ones red, and the order in which they were filled; gives it
    as a dictionary too."""
    from pythia_epidoc.epidoc.document import Document
    from pythia_epidoc.evaluation.full_text import restore_full_text

    document = Document.open_tei(path)
    filled = restore_full_text(document, restorer, beam=beam, progress=Meter("lacunae"))
    right = total = 0
    for each in filled:
        marks = each.right_letters
        right, total = right + sum(marks), total + len(marks)
        letters = each.gold.replace(" ", "")
        coloured = "".join(
            click.style(letter, fg="green" if mark else "red")
            for letter, mark in zip(letters, marks, strict=True)
        )
        click.echo(
            f"line {each.lacuna.line or '?':>4}  turn {each.turn:>3}  {each.probability:>6.1%}  "
            f"edition {coloured}  model {each.text.strip()}"
        )
    if total:
        click.echo(f"{right} of {total} supplied letters as the edition has them ({right / total:.1%}).")
    else:
        click.echo("Nothing is supplied in this file.")
    return {
        "right": right,
        "letters": total,
        "lacunae": [
            {
                "line": each.lacuna.line,
                "turn": each.turn,
                "probability": each.probability,
                "edition": each.gold,
                "model": each.text,
            }
            for each in filled
        ],
    }


class _Display(Line):
    def __call__(self, what: str, done: int, total: int) -> None:
        self.show(f"{what}: {done}/{total}")
        if done == total:
            self.clear()
