"""`pythia-epidoc model`: what a checkpoint is, and making one from a training run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pythia_epidoc.cli.corpus import formulary_option

if TYPE_CHECKING:
    from pythia_epidoc.model.checkpoint import Checkpoint

_PATH = click.Path(path_type=Path)


@click.group("model")
def command() -> None:
    """Tell what a checkpoint is and where it came from; make one from a training run."""


@command.command("info")
@click.option("--model", "model_path", type=_PATH, help="A checkpoint; the shipped one by default.")
@click.option("--json", "as_json", is_flag=True, help="The whole card as JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="The card as a page to publish with the model.")
def info(model_path: Path | None, as_json: bool, as_markdown: bool) -> None:
    """Print a checkpoint's card: corpora, training, licence, size."""
    from pythia_epidoc.model.checkpoint import DEFAULT, load_checkpoint

    checkpoint = load_checkpoint(model_path)
    card = {**checkpoint.card, "sha256": checkpoint.digest}
    if as_json:
        click.echo(json.dumps(card, ensure_ascii=False, indent=2))
        return
    path = model_path or DEFAULT
    if as_markdown:
        from pythia_epidoc.model.card import markdown

        click.echo(markdown(checkpoint, path.stat().st_size), nl=False)
        return
    click.echo(f"{card['name']} {card['version']}   {path.stat().st_size / 1e6:.1f} MB")
    click.echo(f"SHA-256   {checkpoint.digest}")
    if checkpoint.network is not None:
        parameters = sum(weights.numel() for weights in checkpoint.network.parameters())
        training = card["training"]
        click.echo(
            f"Network   {checkpoint.network.config.system}, {parameters:,} parameters, trained for "
            f"{training['hours']} hours on {training['characters']:,} characters"
        )
    if checkpoint.words is not None:
        click.echo(
            f"Words     {checkpoint.words.describe()}; trained for {card['words']['hours']} hours on "
            f"{card['words']['characters']:,} characters"
        )
    if checkpoint.accents is not None and checkpoint.accents.network is not None:
        click.echo(
            f"Accents   {checkpoint.accents.describe()}; trained for {card['accents']['hours']} hours on "
            f"{card['accents']['characters']:,} characters"
        )
    if checkpoint.counts is not None:
        click.echo(f"Counts    {len(checkpoint.counts.corpus):,} strings that occur in two documents or more")
    click.echo(f"Together  {checkpoint.calibration.describe()}")
    if checkpoint.jury is not None:
        click.echo(f"Jury      {checkpoint.jury.describe()}")
    click.echo(f"Licence   {card['licence']}")
    click.echo(f"Split     {card['split']}")
    click.echo("Trained on")
    for name, corpus in card["corpora"].items():
        click.echo(
            f"  {name:20} {corpus['characters']:>12,} characters  {corpus['title']} "
            f"({corpus['licence']}; {corpus['credit']})"
        )


@command.command("pack")
@click.argument("run", type=_PATH)
@click.option("--data", type=_PATH, required=True, help="The corpus the run was trained on.")
@click.option("-o", "--output", type=_PATH, required=True, help="The checkpoint to write.")
@click.option(
    "--words",
    type=_PATH,
    help="A run of the network of words (`train --system words`), or a checkpoint that has one.",
)
@click.option(
    "--accents",
    type=_PATH,
    help="A run of the network of accents (`train --system accents`), or a checkpoint that has one.",
)
@click.option("--statistics-of", type=_PATH, help="Take counts and accents from this checkpoint.")
@click.option("--network-only", is_flag=True, help="No counts.")
@click.option("--name", default="pythia-epidoc-default", show_default=True)
@click.option("--bits", type=click.Choice(["8", "16", "32"]), default="8", show_default=True)
def pack_command(
    run: Path,
    data: Path,
    output: Path,
    words: Path | None,
    accents: Path | None,
    statistics_of: Path | None,
    network_only: bool,
    name: str,
    bits: str,
) -> None:
    """Make a checkpoint of a training run: weights, counts, accents, calibration, card. RUN may also be a
    checkpoint, whose networks and accents are taken."""
    from pythia_epidoc.model.checkpoint import load_checkpoint
    from pythia_epidoc.training.pack import pack

    statistics = load_checkpoint(statistics_of) if statistics_of is not None else None
    known = None if network_only or statistics is None else statistics.counts
    checkpoint = pack(
        run,
        data,
        words=words,
        accents_run=accents,
        name=name,
        counts=known,
        accents=None if statistics is None else statistics.accents,
        training_of_accents=None if statistics is None else statistics.card.get("accents"),
        with_counts=not network_only,
        report=click.echo,
    )
    _save(checkpoint, output, int(bits))


@command.command("accent")
@click.argument("checkpoint_path", metavar="CHECKPOINT", type=_PATH)
@click.argument("run", type=_PATH)
@click.option("--data", type=_PATH, required=True, help="The corpus the run was trained on.")
@click.option("-o", "--output", type=_PATH, required=True, help="The checkpoint to write.")
def accent_command(checkpoint_path: Path, run: Path, data: Path, output: Path) -> None:
    """Give a checkpoint other accents: those of a corpus and of RUN, a run of their network or a checkpoint
    that has one. What it restores stays the same."""
    from pythia_epidoc.model.checkpoint import load_checkpoint
    from pythia_epidoc.training.pack import with_accents

    checkpoint = with_accents(load_checkpoint(checkpoint_path), data, run, report=click.echo)
    _save(checkpoint, output)


def _save(checkpoint: Checkpoint, output: Path, bits: int = 8) -> None:
    from pythia_epidoc.model.checkpoint import save_checkpoint

    digest = save_checkpoint(checkpoint, output, bits=bits)
    click.echo(f"{output}: {output.stat().st_size / 1e6:.1f} MB, SHA-256 {digest}")


@command.command(
    "make",
    epilog="Example: pythia-epidoc model make iphi.json my-inscriptions/ -o mine/ · "
    "pythia-epidoc restore stone.xml --model mine/model.safetensors",
)
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=_PATH)
@click.option("-o", "--output", type=_PATH, required=True, help="Folder of all that is made.")
@click.option("--config", "config_path", type=_PATH, help="TOML file of settings for the network.")
@click.option("--words-config", type=_PATH, help="TOML file of settings for the network of words.")
@click.option("--accents-config", type=_PATH, help="TOML file of settings for the network of accents.")
@formulary_option
@click.option("--name", default="mine", show_default=True, help="What the model is called in files.")
@click.pass_context
def make_command(
    context: click.Context,
    inputs: tuple[Path, ...],
    output: Path,
    config_path: Path | None,
    words_config: Path | None,
    accents_config: Path | None,
    formulary: bool,
    name: str,
) -> None:
    """Make a model of your own texts in one go: build a corpus of IN (as `corpus build` takes it), train all
    networks on it, count, calibrate. A matter of days without a GPU; stopped at any time, the same command
    goes on."""
    from pythia_epidoc.cli.corpus import build_command
    from pythia_epidoc.cli.train import train_run
    from pythia_epidoc.corpus.build import load
    from pythia_epidoc.greek import is_accented

    corpus, network, words, accents = (output / part for part in ("corpus", "network", "words", "accents"))
    context.invoke(build_command, inputs=inputs, output=corpus, formulary=formulary)
    runs = [(network, "pythia-bi-word", config_path), (words, "words", words_config)]
    accented = all(
        any(is_accented(record.written) for record in load(corpus, split))
        for split in ("train", "validation")
    )
    if accented:
        runs.append((accents, "accents", accents_config))
    for run, system, settings in runs:
        if not train_run(corpus, run, config_path=settings, system=system):
            context.exit(130)
    made = output / "model.safetensors"
    context.invoke(
        pack_command,
        run=network,
        words=words,
        accents=accents if accented else None,
        data=corpus,
        output=made,
        name=name,
    )
