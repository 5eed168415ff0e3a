"""Size, time and query time of an index, against a linear scan of the same text.

    python benchmarks/parallels.py FOLDER [--index FILE] [--queries 100] [--processes N]

With --index, an index that exists is brought up to date instead of made anew. The scan is a regular
expression (`regex`) over the readings held in memory, with an optional space between any two signs; both
sides find every match. Queries are passages of the texts, a third of them with wildcards.
"""

from __future__ import annotations

import argparse
import bisect
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import regex

from pythia_epidoc.parallels.codes import to_greek
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.query import Pattern, Wild, parse
from pythia_epidoc.parallels.search import matches
from pythia_epidoc.parallels.update import update

LENGTHS = (6, 8, 10, 12, 16, 24, 40)
_Result = TypeVar("_Result")


def timed(
    action: Callable[[], _Result], clock: Callable[[], float] = time.process_time
) -> tuple[float, _Result]:
    """Seconds of the processor, unless another clock is named, and what the action gives."""
    started = clock()
    result = action()
    return clock() - started, result


def best(action: Callable[[], _Result]) -> tuple[float, _Result]:
    """The shortest of three runs: text and index are in memory then, and nothing else was in the way."""
    runs = [timed(action) for _ in range(3)]
    return min(seconds for seconds, _ in runs), runs[0][1]


def scanned(pattern: Pattern, text: str) -> list[int]:
    """Where the pattern begins in all texts end to end."""
    pieces = [
        f"(?:(?:[^#\n ] ?){{{part.least - 1},{part.most - 1}}}?[^#\n ]|#)"
        if isinstance(part, Wild)
        else regex.escape(to_greek(part))
        for part in pattern.parts
    ]
    expression = regex.compile(" ?".join(pieces))
    return [match.start() for match in expression.finditer(text, overlapped=True) if match.group()[0] != " "]


def random_query(texts: list[str], chance: random.Random) -> str:
    while True:
        text = chance.choice(texts)
        length = chance.choice(LENGTHS)
        if len(text) <= length:
            continue
        start = chance.randrange(len(text) - length)
        query = text[start : start + length]
        if set(query) & set("-#0") or len(query.replace(" ", "")) < 6:
            continue
        if chance.random() < 1 / 3:
            place = chance.randrange(3, len(query) - 2)
            query = f"{query[:place]}{chance.choice(['?', '[2]', '[5]'])}{query[place + 1 :]}"
        return query


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--processes", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        path = options.index or Path(temporary) / "index.db"
        with ParallelsIndex(path, create=True) as index:
            measure(index, options.folder, options.queries, options.processes)


def measure(index: ParallelsIndex, folder: Path, queries: int, processes: int | None) -> None:
    seconds, done = timed(lambda: update(index, [folder], processes=processes), time.perf_counter)
    files = done.added + done.changed + done.unchanged
    print(f"{files:,} files, {done.added:,} new: indexed in {seconds:,.0f} s", flush=True)
    again, _ = timed(lambda: update(index, [folder], processes=processes), time.perf_counter)
    print(f"nothing changed: {again:.1f} s")
    ids: dict[int, int] = {}
    texts = []
    starts = []
    position = 0
    for identifier, signs, division in index.signs_with_division():
        letters = to_greek(signs)
        text = "".join(f" {x}" if flag else x for x, flag in zip(letters, division, strict=True)).lstrip()
        ids[identifier] = len(texts)
        starts.append(position)
        texts.append(text)
        position += len(text) + 1
    size = sum(len(text.encode()) for text in texts)
    kept = index.path.stat().st_size
    print(f"text {size / 1e6:,.1f} MB in {len(texts):,} editions, index {kept / 1e6:,.1f} MB")
    print(f"the index is {kept / size:.2f}× the text (target ≤ 3)", flush=True)
    whole = "\n".join(texts)
    chance = random.Random(0)
    patterns = [parse(random_query(texts, chance)) for _ in range(queries)]
    for pattern in patterns:
        pattern.expression  # noqa: B018 (both sides compile theirs beforehand)
    # One after the other, so that the scans do not drive the index out of the processor's caches.
    quick = [best(lambda wanted=pattern: list(matches(index, wanted))) for pattern in patterns]  # type: ignore[misc]
    slow = [best(lambda wanted=pattern: scanned(wanted, whole)) for pattern in patterns]  # type: ignore[misc]
    hits = 0
    for (_, found), (_, expected) in zip(quick, slow, strict=True):
        places = sorted((ids[match.text], match.start) for match in found)
        assert places == sorted(_places(expected, starts, texts)), "the index and the scan differ"
        hits += len(found)
    taken, scans = ([seconds for seconds, _ in side] for side in (quick, slow))
    ratios = [scan / query for query, scan in zip(taken, scans, strict=True)]
    print(f"{queries} queries, {hits:,} matches, the same as the scan's")
    milliseconds = [1000 * statistics.median(each) for each in (taken, scans)]
    print(f"a query {milliseconds[0]:.1f} ms, a scan {milliseconds[1]:.0f} ms (medians)")
    together = sum(scans) / sum(taken)
    print(
        f"a query takes 1/{statistics.median(ratios):.0f} of a scan (median; target ≤ 1/100); "
        f"all together 1/{together:.0f}"
    )


def _places(positions: list[int], starts: list[int], texts: list[str]) -> list[tuple[int, int]]:
    places = []
    for position in positions:
        number = bisect.bisect_right(starts, position) - 1
        inside = position - starts[number]
        places.append((number, inside - texts[number].count(" ", 0, inside)))
    return places


if __name__ == "__main__":
    main()
