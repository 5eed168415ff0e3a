"""The model card of a checkpoint as Markdown: what it is, what it learned from, what it is not for.

    pythia-epidoc model info --markdown

Not for measuring a model: see `pythia_epidoc.evaluation`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pythia_epidoc.model.checkpoint import Checkpoint

_USE = """## For what

Suggestions for damaged places in ancient Greek inscriptions and papyri, to be judged by a person who knows
the text. Every suggestion is written as uncertain and signed by the model.

## Not for what

- Deciding what stood on a stone. A probability says how often such a suggestion is right on texts like those
  learned from, not whether this one is.
- Dating, attributing or translating; Latin or other languages.
- Names and numbers that occur nowhere else: a model repeats what is common, so it errs most, and most
  convincingly, where a text is rare or local.
- Texts that are in the collections below: there it may remember the editors' restorations instead of judging
  them."""


def markdown(checkpoint: Checkpoint, size: int) -> str:
    """The card of a checkpoint that is `size` bytes long."""
    return "\n".join(_lines(checkpoint, size)) + "\n"


def _lines(checkpoint: Checkpoint, size: int) -> Iterator[str]:
    card = checkpoint.card
    yield from ("# Model card", "", "| | |", "|---|---|")
    yield f"| name | {card['name']} {card['version']} |"
    yield f"| SHA-256 | `{checkpoint.digest}` |"
    yield f"| size | {size / 1e6:.1f} MB |"
    if checkpoint.network is not None:
        parameters = sum(weights.numel() for weights in checkpoint.network.parameters())
        training = card["training"]
        yield f"| network | {checkpoint.network.config.system}, {parameters:,} parameters |"
        yield f"| training | {training['hours']} hours, {training['characters']:,} characters |"
    if checkpoint.words is not None:
        yield f"| words | {checkpoint.words.describe()} |"
        training = card["words"]
        yield f"| training of words | {training['hours']} hours, {training['characters']:,} characters |"
    if checkpoint.accents is not None and checkpoint.accents.network is not None:
        yield f"| accents | {checkpoint.accents.describe()} |"
        training = card["accents"]
        yield f"| training of accents | {training['hours']} hours, {training['characters']:,} characters |"
    if checkpoint.counts is not None:
        yield f"| counts | {len(checkpoint.counts.corpus):,} strings that occur in two documents or more |"
    if checkpoint.jury is not None:
        yield f"| jury | {checkpoint.jury.describe()} |"
    yield f"| calibration | {checkpoint.calibration.describe()} |"
    yield f"| split | {card['split']} |"
    yield f"| licence | {card['licence']} |"
    yield from ("", *_USE.splitlines(), "", "## Learned from", "")
    yield "| collection | by | licence | kind | texts | characters |"
    yield "|---|---|---|---|---:|---:|"
    for corpus in card["corpora"].values():
        yield (
            f"| {corpus['title']} | {corpus['credit']} | {corpus['licence']} | {corpus['kind']} "
            f"| {corpus['texts']:,} | {corpus['characters']:,} |"
        )
