"""Speed and memory of restoration, as ratios measured in one run.

    python benchmarks/restoration.py [--model FILE] [--beam 100]

Each figure is the median of several runs on the shipped model; milliseconds are for orientation only.
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

import pythia_epidoc
from pythia_epidoc.greek import LETTERS
from pythia_epidoc.model.candidates import Judges, Weights, search
from pythia_epidoc.model.restorer import PythiaRestorer, load_restorer
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.restoration import Query

PASSAGE = (
    "εδοξεν τηι βουληι και τωι δημωι επειδη διονυσιοσ ανηρ αγαθοσ εστιν περι τον δημον των αθηναιων "
    "και λεγει και πραττει οτι δυναται αγαθον αγαθηι τυχηι δεδοχθαι τωι δημωι επαινεσαι διονυσιον "
    "και στεφανωσαι αυτον "
)
SAMPLES = Path(__file__).parent.parent / "samples"
TEXTS = ("decree.xml", "papyrus-letter.xml", "stele.xml")
FIVE_LETTERS = re.compile(f"[{LETTERS}]{{5}}")


def text_of(length: int) -> str:
    return (PASSAGE * (length // len(PASSAGE) + 1))[:length]


def query(length: int = 1000, letters: tuple[int, ...] = (5,)) -> Query:
    text = text_of(length)
    middle = text.index("δημωι", length // 2)
    return Query(text[:middle], text[middle + 5 :], letters)


def lacunae_of_one_text(count: int) -> list[Query]:
    """Every forty characters five letters are lost; each query sees the others as lost, as in a document."""
    text = text_of(40 * count + 40)
    starts = [40 * number + 10 for number in range(count)]
    for start in starts:
        text = f"{text[:start]}-----{text[start + 5 :]}"
    return [Query(text[:start], text[start + 5 :], (5,)) for start in starts]


def lacunae_of_texts(count: int) -> list[Query]:
    """Each in the middle of a text of its own: 1,000 characters of the samples, from another place on."""
    readings = [
        edition.reading.letters
        for name in TEXTS
        for edition in pythia_epidoc.open(SAMPLES / name).document.editions
    ]
    text = " ".join(re.sub(f"[^{LETTERS} ]", "", " ".join(readings)).split())
    queries = []
    for number in range(count):
        start = number * len(text) // count
        rotated = f"{text[start:]} {text[:start]}"[:1000]
        lost = FIVE_LETTERS.search(rotated, 500)
        assert lost is not None
        queries.append(Query(rotated[: lost.start()], rotated[lost.end() :], (5,)))
    return queries


def seconds(action: Callable[[], object], runs: int = 5) -> float:
    action()
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def loop_over_hypotheses(restorer: PythiaRestorer, asked: Query, beam: int) -> None:
    """A plain beam search: the text is encoded and the decoder is run for each hypothesis by itself."""
    checkpoint = restorer.checkpoint
    assert checkpoint.network is not None
    [task] = tasks_for(0, asked)
    for step in range(task.steps):
        for _ in range(beam if step else 1):
            part = replace(task, allowed=task.allowed[:1])
            search([part], Judges(checkpoint.network, checkpoint.vocabulary, None), Weights(1.0, 0.0), 1)


def compare_together(restorer: PythiaRestorer, what: str, many: list[Query], beam: int) -> None:
    """Lacunae in one call against a call for each, of which every eighth is made."""
    singles = 8 * seconds(lambda: [restorer.hypotheses([each], beam=beam) for each in many[::8]], runs=3)
    together = seconds(lambda: restorer.hypotheses(many, beam=beam), runs=3)
    print(
        f"{len(many)} lacunae of {what} together: 1/{singles / together:.1f} of as many single calls "
        f"(target ≤ 1/6), {1000 * together / len(many):.0f} ms each"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--beam", type=int, default=100)
    options = parser.parse_args()
    beam = options.beam
    started = time.perf_counter()
    restorer = load_restorer(options.model, "cpu")
    first = time.perf_counter() - started
    again = seconds(lambda: load_restorer(options.model, "cpu"), runs=3)
    print(f"loading the model: {first:.1f} s the first time in a process, then {again:.1f} s (target ≤ 1)")
    one = query()

    single = seconds(lambda: restorer.hypotheses([one], beam=beam), runs=15)
    greedy = seconds(lambda: restorer.only("network").hypotheses([one], beam=1), runs=15)
    plain = seconds(lambda: loop_over_hypotheses(restorer, one, 10), runs=1) * beam / 10
    print(f"one 5-letter lacuna, 1,000 characters, beam {beam}: {1000 * single:.0f} ms")
    print(
        f"  against a loop over hypotheses (10, scaled to {beam}): {plain / single:.0f}× faster (target ≥ 20)"
    )
    print(f"  against greedy decoding: {single / greedy:.2f}× slower (target ≤ 3)")

    texts = [hypothesis.text for hypothesis in restorer.hypotheses([one], beam=beam)[0]]
    left, right = "ἔδοξεν τῆι βουλῆι καὶ τῶι ", " ἐπειδὴ Διονύσιος ἀνὴρ ἀγαθός ἐστιν"
    accented = seconds(lambda: restorer.polytonic(texts, left, right), runs=15)
    print(f"  accents for its {len(texts)} hypotheses: {accented / single:.2f} of that time")

    for what, many in (("one text", lacunae_of_one_text(64)), ("64 texts", lacunae_of_texts(64))):
        compare_together(restorer, what, many, beam)

    unknown = seconds(lambda: restorer.hypotheses([query(1000, tuple(range(1, 21)))], beam=beam), runs=7)
    print(f"an unknown length (1–20) against an exact one: {unknown / single:.1f}× (target ≤ 6)")

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    long = seconds(lambda: restorer.hypotheses([query(20_000)], beam=beam), runs=2)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"20,000 characters against 1,000: {long / single:.2f}× the time, "
        f"{(after - before) / 1024:.0f} MB more"
    )
    print(f"threads {torch.get_num_threads()}, peak memory {after / 1024:.0f} MB")


if __name__ == "__main__":
    main()
