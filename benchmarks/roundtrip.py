"""Over whole collections: is what `restore` writes well-formed and valid, and does `strip` undo it exactly?

    python benchmarks/roundtrip.py COLLECTION… [--schema tei-epidoc.rng] [--validate-every 20] [--processes 2]
    python benchmarks/roundtrip.py COLLECTION… [--schema tei-epidoc.rng] --model --files 500 --processes 1

Restorations come from the stub of the tests, so this measures writing and not the model; with `--model`
they come from the model that is shipped, on as many files with lacunae as asked for, spread over the
collections. Every form is tried on every file. Exit code 1 if any promise is broken; the files are named.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from lxml import etree
from stub_model import StubRestorer

from pythia_epidoc.asking import answer
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import apply_edits
from pythia_epidoc.epidoc.validation import load_schema
from pythia_epidoc.errors import PythiaError
from pythia_epidoc.restoration import Restorer
from pythia_epidoc.restoring import KINDS, RestoreOptions, close_case, open_case
from pythia_epidoc.writeback import ACCEPT, FORMS, WriteOptions, strip


@dataclass(frozen=True)
class Task:
    """One file, and how it is to be checked."""

    path: Path
    schema: Path | None
    only: str
    model: bool


@cache
def restorer(model: bool) -> Restorer:
    if not model:
        return StubRestorer()
    from pythia_epidoc.model.restorer import load_restorer

    return load_restorer()


def check(task: Task) -> tuple[Counter[str], list[str]]:
    """Restore and strip one file in every form; counts, and the promises that were broken."""
    path, schema = task.path, task.schema
    counts: Counter[str] = Counter()
    broken: list[str] = []
    try:
        document = Document.open(path)
    except PythiaError:
        return Counter(unreadable=1), []
    counts["files"] = 1
    faults = load_schema(schema).errors(document) if schema else []
    if schema is not None:
        counts["not quite valid before" if faults else "valid before"] = 1
    options = RestoreOptions(only=task.only)
    case = open_case(document, options)
    guesser = restorer(task.model)
    answers = answer(case.questions, guesser, top=2, beam=20, plain=False, iterative=False)
    for form in FORMS:
        write = WriteOptions(form=form, top=2, min_probability=0.0, date="2025-01-01")
        try:
            outcome = close_case(case, answers, guesser.identity, replace(options, write=write))
            after = Document.from_bytes(outcome.data, path)
        except Exception as error:
            broken.append(f"{form}: {path}: {error!r}")
            continue
        counts[f"{form}: lacunae written"] += outcome.written
        if apply_edits(after.source, strip(after)) != document.source.data:
            broken.append(f"{form}: {path}: strip does not give the original")
        if form != ACCEPT and letters(after) != letters(document):
            broken.append(f"{form}: {path}: the reading has changed")
        if text_of_people(after) != text_of_people(document):
            broken.append(f"{form}: {path}: text outside the suggestions has changed")
        if schema is not None:
            # An editor's faulty gap is blamed on the <app> it now stands in, so faults are counted.
            found = load_schema(schema).errors(after)
            if len(found) > len(faults):
                broken.append(f"{form}: {path}: less valid than before: {found[0]}")
    return counts, broken


def letters(document: Document) -> list[str]:
    return [edition.reading.letters for edition in document.editions]


def text_of_people(document: Document) -> str:
    """All text outside header, gaps (they may hold notes) and suggestions, as lxml sees it; no blanks."""
    root = deepcopy(document.lxml)
    for element in list(root.iter("{*}rdg", "{*}supplied", "{*}div", "{*}gap", "{*}teiHeader")):
        ours = element.get("resp") == "#pythia" or element.get("subtype") == "machine"
        if ours or etree.QName(element).localname in ("gap", "teiHeader"):
            element.clear(keep_tail=True)
    return "".join("".join(root.itertext(etree.Element)).split())


def tasks(collections: list[Path], schema: Path | None, every: int, only: str) -> list[Task]:
    paths = [path for folder in collections for path in sorted(folder.rglob("*.xml"))]
    return [
        Task(path, schema if index % every == 0 else None, only, False) for index, path in enumerate(paths)
    ]


def sample(collections: list[Path], schema: Path | None, count: int, only: str) -> list[Task]:
    """Files with lacunae that can be restored, as many from each collection, spread over it."""
    chosen: list[Task] = []
    for folders_left, folder in zip(range(len(collections), 0, -1), collections, strict=True):
        wanted = (count - len(chosen)) // folders_left
        paths = sorted(folder.rglob("*.xml"))
        # A prime step visits every file once, in an order that jumps about.
        step = next(prime for prime in (7919, 7907) if len(paths) % prime)
        visited = (paths[index * step % len(paths)] for index in range(len(paths)))
        found = (path for path in visited if has_lacunae(path, only))
        chosen += [Task(path, schema, only, True) for path in islice(found, wanted)]
    return chosen


def has_lacunae(path: Path, only: str) -> bool:
    try:
        return len(open_case(Document.open(path), RestoreOptions(only=only)).questions) > 0
    except PythiaError:
        return False


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+", type=Path)
    parser.add_argument("--schema", type=Path)
    parser.add_argument("--validate-every", type=int, default=20)
    parser.add_argument("--only", choices=list(KINDS), default="gap")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--files", type=int, default=500)
    arguments = parser.parse_args()
    if arguments.model:
        work = sample(arguments.collections, arguments.schema, arguments.files, arguments.only)
    else:
        work = tasks(arguments.collections, arguments.schema, arguments.validate_every, arguments.only)
    began = time.monotonic()
    counts: Counter[str] = Counter()
    broken: list[str] = []
    with multiprocessing.Pool(arguments.processes) as pool:
        for done, (found, faults) in enumerate(pool.imap_unordered(check, work, chunksize=20), start=1):
            counts += found
            broken += faults
            for fault in faults:
                print(fault, flush=True)
            if done % (50 if arguments.model else 2000) == 0 or done == len(work):
                print(f"{done:,}/{len(work):,} {dict(counts)} {len(broken)} broken", flush=True)
    print(f"{time.monotonic() - began:.0f} s, {len(broken)} promises broken")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
