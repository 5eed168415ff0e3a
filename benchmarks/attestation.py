"""What a collection adds to the model, and how the two are best combined.

    python benchmarks/attestation.py --data CORPUS --index INDEX [--split test] [--samples 200]
    python benchmarks/attestation.py --data CORPUS --index INDEX --fit          on validation data

INDEX is made of a split: `pythia-epidoc parallels index --data CORPUS --split SPLIT -o INDEX`. What the model
has learned from tells it nothing new; of the split that is asked about, every text has the others for its
collection. Several indexes are asked one after another, and all answers counted together. Only spans whose
context does not occur in training are asked about, as many of papyri as of inscriptions.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import numpy as np

from pythia_epidoc.corpus.attributions import attribution
from pythia_epidoc.corpus.build import load
from pythia_epidoc.evaluation.items import Item
from pythia_epidoc.evaluation.measure import Answer, figures
from pythia_epidoc.evaluation.report import HEADER, UNDER_HEADER, corpus_items, row
from pythia_epidoc.evaluation.unseen import unseen
from pythia_epidoc.greek import letters_only
from pythia_epidoc.model.restorer import PythiaRestorer, load_restorer
from pythia_epidoc.parallels.attest import RATE, Attestation, Collection
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.restorer import PROPOSED, AttestingRestorer, Mixture, best_attested
from pythia_epidoc.restoration import Hypothesis

KINDS = (("papyri",), ("isicily", "iaph", "ircyr", "iospe"))
RATES = (0.7, 0.9, 1.1, 1.3)
MODEL_WEIGHTS = (0.4, 0.6, 0.8, 1.0, 1.25, 1.5)
ATTESTED_WEIGHTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0)
NOISES = (4, 6, 8, 10, 12, 14)
POOL = 24

Attested = dict[str, Attestation]


def asked(
    restorer: PythiaRestorer,
    collection: Collection,
    items: Sequence[Item],
    by_character: bool,
    beam: int,
    fitting: bool,
) -> tuple[list[tuple[Hypothesis, ...]], list[tuple[Hypothesis, ...]], list[dict[float, Attested]]]:
    """The model's hypotheses, the same with those of the collection among them, and the attestations.

    Ctrl+C ends the asking; the figures are then of the items that were asked about.
    """
    alone: list[tuple[Hypothesis, ...]] = []
    both: list[tuple[Hypothesis, ...]] = []
    attested: list[dict[float, Attested]] = []
    stop = Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    for start in range(0, len(items), POOL):
        if stop.is_set():
            break
        queries = [item.query(by_character) for item in items[start : start + POOL]]
        looked_up = [
            {rate: collection.attest(query, rate) for rate in {RATE, *(RATES if fitting else ())}}
            for query in queries
        ]
        proposed = [best_attested(found[RATE]) for found in looked_up]
        alone += restorer.hypotheses(queries, top=20, beam=beam) if not fitting else [()] * len(queries)
        both += restorer.consider(queries, proposed, top=beam + PROPOSED, beam=beam)
        attested += looked_up
        print(f"\r{len(both)}/{len(items)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return alone, both, attested


def fit(
    items: Sequence[Item],
    found: Sequence[tuple[Hypothesis, ...]],
    attested: Sequence[dict[float, Attested]],
) -> None:
    """Print the mixtures under which the true texts, or that they were not found, are most probable."""
    results = []
    texts = [[hypothesis.text for hypothesis in hypotheses] for hypotheses in found]
    logs = [np.array([hypothesis.log_probability for hypothesis in hypotheses]) for hypotheses in found]
    for rate in RATES:
        weights = [
            np.array([each.weight if (each := looked_up[rate].get(text)) else 0.0 for text in of_item])
            for of_item, looked_up in zip(texts, attested, strict=True)
        ]
        for noise, model, weight in itertools.product(NOISES, MODEL_WEIGHTS, ATTESTED_WEIGHTS):
            mixture = Mixture(model, weight, math.exp(noise))
            total, first, twenty = 0.0, 0, 0
            for item, of_item, of_model, counted in zip(items, texts, logs, weights, strict=True):
                mixed = mixture.logs(of_model, counted)
                if item.gold in of_item:
                    of_gold = mixed[of_item.index(item.gold)]
                    rank = int((mixed[:-1] > of_gold).sum())
                    first, twenty = first + (rank < 1), twenty + (rank < 20)
                else:
                    of_gold = mixed[-1]
                total += of_gold
            share = 1 / len(items)
            results.append((total * share, first * share, twenty * share, rate, noise, model, weight))
    among = sum(item.gold in of_item for item, of_item in zip(items, texts, strict=True))
    print(f"{len(items)} items, the gold text among the candidates of {among}")
    print(f"{'log p':>8}{'Top-1':>8}{'Top-20':>8}{'rate':>6}{'noise':>6}{'model':>7}{'attested':>9}")
    best = sorted(results, reverse=True)
    alone = next(result for result in best if result[5:] == (1.0, 0.0))
    now = Mixture()
    present = [
        result for result in best if result[3:] == (RATE, math.log(now.noise), now.model, now.attested)
    ]
    for kind, rows in (("best", best[:12]), ("the model alone", [alone]), ("as it is", present)):
        for log, first, twenty, rate, noise, model, weight in rows:
            print(
                f"{log:8.3f}{100 * first:8.1f}{100 * twenty:8.1f}{rate:6}{noise:6}{model:7}{weight:9}  {kind}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--index", type=Path, required=True, nargs="+")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--split", default="validation", choices=["validation", "test"])
    parser.add_argument("--mode", default="letters", choices=["letters", "characters"])
    parser.add_argument(
        "--samples", type=int, default=240, help="spans of each kind, before the seen ones go"
    )
    parser.add_argument("--beam", type=int, default=100)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    if options.fit and options.split == "test":
        parser.error("Nothing is fitted on test data.")
    by_character = options.mode == "characters"
    restorer = load_restorer(options.model, "cpu")
    items = [
        item
        for corpora in KINDS
        for item in corpus_items(
            options.data, options.split, corpora, options.samples // len(corpora), by_character, seed=0
        )
    ]
    is_new = unseen(items, (letters_only(record.text) for record in load(options.data, "train")))
    items = list(itertools.compress(items, is_new))
    random.Random(0).shuffle(items)  # so that a run that is interrupted has asked about all kinds
    alone: list[tuple[Hypothesis, ...]] = []
    both: list[tuple[Hypothesis, ...]] = []
    attested: list[dict[float, Attested]] = []
    asked_about: list[Item] = []
    for index in options.index:
        collection = Collection(ParallelsIndex(index))
        answers = asked(restorer, collection, items, by_character, options.beam, options.fit)
        alone, both, attested = alone + answers[0], both + answers[1], attested + answers[2]
        asked_about += items[: len(answers[1])]
    items = asked_about
    if options.fit:
        fit(items, both, attested)
        return
    mixed = AttestingRestorer(restorer, collection, Mixture())
    together = [mixed.ranked(found, looked_up[RATE]) for found, looked_up in zip(both, attested, strict=True)]
    only = [
        tuple(Hypothesis(text, 0.0, 0.0) for text in best_attested(looked_up[RATE])) for looked_up in attested
    ]
    print(HEADER)
    print(UNDER_HEADER)
    kinds = [attribution(item.corpus).kind for item in items]
    for kind in sorted(set(kinds)):
        chosen = [number for number in range(len(items)) if kinds[number] == kind]
        for name, answers in (("model", alone), ("collection", only), ("both", together)):
            given = figures([Answer(items[number], answers[number]) for number in chosen])
            if given is not None:
                print(row(f"{kind}, unseen: {name}", given.to_dict()))


if __name__ == "__main__":
    main()
