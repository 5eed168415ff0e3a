"""Texts of inscriptions that are in none of the collections learned from: how well are they restored?

    python benchmarks/passages.py [--model FILE] [--model OTHER] [--samples 1000] [--mode letters]

The fifty passages of `passages.jsonl` were written from memory, or in the manner of the stones they name,
without a look at the formulary. Nothing in them was checked against an edition: they are for comparing
models on the language of many places, and prove nothing about these stones. Nobody may learn from them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.epidoc.extent import UNKNOWN_LENGTHS
from pythia_epidoc.evaluation.items import fold_item_text, sample_items
from pythia_epidoc.evaluation.measure import answer
from pythia_epidoc.evaluation.report import HEADER, UNDER_HEADER, row, summary
from pythia_epidoc.model.restorer import load_restorer

PASSAGES = Path(__file__).with_suffix(".jsonl")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", type=Path, action="append", help="More than one are compared.")
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--mode", default="characters", choices=["characters", "letters", "unknown-length"])
    parser.add_argument("--beam", type=int, default=100)
    options = parser.parse_args()
    by_character = options.mode == "characters"
    passages = [json.loads(line) for line in PASSAGES.read_text("utf-8").splitlines()]
    records = [record(passage) for passage in passages]
    items = sample_items(records, options.samples, by_character=by_character)
    lengths = UNKNOWN_LENGTHS if options.mode == "unknown-length" else ()
    for model in options.model or [None]:
        answers = answer(
            load_restorer(model), items, by_character=by_character, lengths=lengths, beam=options.beam
        )
        print(f"{model or 'shipped model'}\n{HEADER}\n{UNDER_HEADER}")
        for group in ("", "Attica", "Greece", "East", "from memory", "composed"):
            of_group = [given for given in answers if group in given.item.corpus]
            print(row(group or "all", summary(of_group)["overall"]))


def record(passage: dict[str, str]) -> Record:
    """A passage as a text all of whose letters are there; its groups stand for the collection."""
    text = fold_item_text(passage["text"])
    source = "composed" if "composed" in passage["reference"] else "from memory"
    return Record(f"{passage['region']}, {source}", passage["id"], text, "0" * len(text))


if __name__ == "__main__":
    main()
