"""Does `review` notice a wrong word? One supplied word in each of many texts is swapped for another.

    python benchmarks/review.py --data CORPUS --files FOLDER [--corpus papyri] [--index INDEX] [--texts 200]

FOLDER is what the identifiers of a collection of CORPUS (made by `corpus build`) are relative to; only
files of the test split are used. The swapped word has as many letters as the right one and is drawn from
the collection by frequency. Reported: how many of the swapped ones surprise more than nine in ten of the
genuine restorations of the same texts. Ctrl+C ends the run; the figures are then of the texts read so far.
"""

from __future__ import annotations

import argparse
import bisect
import random
import signal
import sys
from collections import Counter, defaultdict
from pathlib import Path
from threading import Event

import regex

from pythia_epidoc.corpus.build import load, read_manifest
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, apply_edits
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.errors import DocumentError
from pythia_epidoc.greek import SPACE
from pythia_epidoc.model.restorer import load_restorer
from pythia_epidoc.parallels.restorer import attesting
from pythia_epidoc.review.opinion import conjectures, review_document

LEAST, MOST = 2, 8
"""Restorations in a text that is used."""
SHORTEST = 4
_WORD = regex.compile(r"[^ ]+")

Words = dict[int, tuple[list[str], list[int]]]


def words_by_length(data: Path, corpus: str) -> Words:
    counts = Counter(word for record in load(data, "train", [corpus]) for word in record.text.split())
    by_length: defaultdict[int, tuple[list[str], list[int]]] = defaultdict(lambda: ([], []))
    for word, count in counts.items():
        if count > 1 and word.isalpha():
            by_length[len(word)][0].append(word)
            by_length[len(word)][1].append(count)
    return dict(by_length)


def swap(document: Document, words: Words, chance: random.Random) -> tuple[Document, int] | None:
    """The document with one whole supplied word replaced, and the number of its lacuna."""
    places = [(lacuna, span) for lacuna in conjectures(document) for span in _whole_words(lacuna)]
    chance.shuffle(places)
    for lacuna, (start, stop) in places:
        reading = lacuna.edition.reading
        first, last = reading.starts[start], reading.ends[stop - 1]
        right = reading.letters[start:stop]
        if "<" in document.text[first:last] or "&" in document.text[first:last] or len(right) not in words:
            continue
        wrong = right
        while wrong == right:
            wrong = chance.choices(*words[len(right)])[0]
        data = apply_edits(document.source, [Edit(first, last, wrong)])
        return Document.from_bytes(data, document.path), lacuna.number
    return None


def _whole_words(lacuna: Lacuna) -> list[tuple[int, int]]:
    letters = lacuna.edition.reading.letters
    return [
        match.span()
        for match in _WORD.finditer(letters, lacuna.first, lacuna.stop)
        if match.end() - match.start() >= SHORTEST
        and letters[match.start() - 1 : match.start()] in ("", SPACE)
        and letters[match.end() : match.end() + 1] in ("", SPACE)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--files", type=Path, required=True)
    parser.add_argument("--corpus", default="papyri")
    parser.add_argument("--index", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--beam", type=int, default=20)
    options = parser.parse_args()
    chance = random.Random(0)
    restorer = attesting(load_restorer(options.model, "cpu"), options.index)
    words = words_by_length(options.data, options.corpus)
    splits = read_manifest(options.data)["splits"]
    prefix = f"{options.corpus}/"
    test = [key for key, split in splits.items() if split == "test" and key.startswith(prefix)]
    names = sorted(key.removeprefix(prefix) for key in test)
    chance.shuffle(names)
    genuine: list[float] = []
    swapped: list[float] = []
    stop = Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    for name in names:
        if len(swapped) == options.texts or stop.is_set():
            break
        try:
            document = Document.open(options.files / f"{name}.xml")
        except DocumentError:
            continue
        if not LEAST <= len(conjectures(document)) <= MOST:
            continue
        changed = swap(document, words, chance)
        if changed is None:
            continue
        spoilt, number = changed
        for opinion in review_document(spoilt, restorer, beam=options.beam):
            (swapped if opinion.lacuna.number == number else genuine).append(opinion.surprise)
        print(f"\r{len(swapped)}/{options.texts}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if not swapped or not genuine:
        parser.error(
            "In this folder is none of the corpus's test files; it must hold them by their identifiers."
        )
    everything = sorted(genuine + swapped)
    genuine.sort()
    shares = [bisect.bisect_left(genuine, surprise) / len(genuine) for surprise in swapped]
    print(f"{len(swapped)} texts, {len(genuine)} genuine restorations, one swapped in each")
    noticed = _percent([share >= 0.9 for share in shares])
    print(f"in the top decile of surprise, against the genuine ones: {noticed} (target ≥ 70 %)")
    limit = everything[int(0.9 * len(everything))]
    print(f"in the top decile of all: {_percent([surprise >= limit for surprise in swapped])}")
    print(f"median share of genuine restorations that surprise less: {sorted(shares)[len(shares) // 2]:.1%}")


def _percent(flags: list[bool]) -> str:
    return f"{sum(flags) / len(flags):.1%}"


if __name__ == "__main__":
    main()
