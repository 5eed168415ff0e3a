"""What the network of words has learned, and what it has learned by heart.

    python benchmarks/words.py --data corpus/ [--model FILE]

For each kind of text: the loss (nats a word) and how often the true word fits best, in stretches of texts it
was trained on and of validation texts. Where the two are far apart, texts were learned by heart.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from pythia_epidoc.corpus.build import load
from pythia_epidoc.model.checkpoint import load_checkpoint
from pythia_epidoc.training.config import WordTrainingConfig
from pythia_epidoc.training.word_run import Stretches, WordLosses

BATCHES = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="A folder made by `corpus build`.")
    parser.add_argument("--model", type=Path)
    options = parser.parse_args()
    judge = load_checkpoint(options.model).words
    if judge is None:
        parser.error("this checkpoint has no network of words")
    # Every word is shown.
    config = WordTrainingConfig(unknown_share=0.0, lost_share=0.0)
    records = {
        split: [record for record in load(options.data, split) if len(record.text) >= config.min_length]
        for split in ("train", "validation")
    }
    others = Stretches(records["train"], judge.lexicon, config)
    losses = WordLosses(judge.network, 0.0).eval()
    print("kind             texts          loss   right")
    for kind, _ in config.kinds:
        for split, texts in records.items():
            stretches = Stretches(texts, judge.lexicon, replace(config, kinds=((kind, 1.0),)))
            found = []
            for number in range(BATCHES):
                batch, _ = stretches.batch(config.batch, f"benchmark/{number}", others)
                with torch.inference_mode():
                    _, loss, right = losses(batch)
                found.append((float(loss), float(right)))
            loss, right = np.mean(found, axis=0)
            print(f"{kind:<16} {split:<12} {loss:6.2f}  {right:6.1%}")


if __name__ == "__main__":
    main()
