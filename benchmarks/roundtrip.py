"""Over whole collections: is what `restore` writes well-formed and valid, and does `strip` undo it exactly?

    python benchmarks/roundtrip.py COLLECTION… [--schema tei-epidoc.rng] [--validate-every 20] [--processes 2]

Restorations come from the stub of the tests, so this measures writing and not the model. Every form is
tried on every file. Exit code 1 if any promise is broken; the files are named.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from stub_model import StubRestorer

from pythia_epidoc.asking import answer
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import apply_edits
from pythia_epidoc.epidoc.validation import load_schema
from pythia_epidoc.errors import PythiaError
from pythia_epidoc.restoring import KINDS, RestoreOptions, close_case, open_case
from pythia_epidoc.writeback import ACCEPT, FORMS, WriteOptions, strip


def check(task: tuple[Path, Path | None, str]) -> tuple[Counter[str], list[str]]:
    """Restore and strip one file in every form; counts, and the promises that were broken."""
    path, schema, only = task
    counts: Counter[str] = Counter()
    broken: list[str] = []
    try:
        document = Document.open(path)
    except PythiaError:
        return Counter(unreadable=1), []
    counts["files"] = 1
    errors = load_schema(schema).errors(document) if schema else []
    case = open_case(document, RestoreOptions(only=only))
    answers = answer(case.questions, StubRestorer(), top=2, beam=1, plain=False, iterative=False)
    for form in FORMS:
        write = WriteOptions(form=form, top=2, min_probability=0.0, date="2025-01-01")
        try:
            outcome = close_case(
                case, answers, StubRestorer().identity, RestoreOptions(only=only, write=write)
            )
            after = Document.from_bytes(outcome.data, path)
        except Exception as error:
            broken.append(f"{form}: {path}: {error!r}")
            continue
        counts[f"{form}: lacunae written"] += outcome.written
        if apply_edits(after.source, strip(after)) != document.source.data:
            broken.append(f"{form}: {path}: strip does not give the original")
        if form != ACCEPT and letters(after) != letters(document):
            broken.append(f"{form}: {path}: the reading has changed")
        if schema and not errors:
            counts[f"{form}: valid files validated"] += 1
            found = load_schema(schema).errors(after)
            if found:
                broken.append(f"{form}: {path}: no longer valid: {found[0]}")
    return counts, broken


def letters(document: Document) -> list[str]:
    return [edition.reading.letters for edition in document.editions]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+", type=Path)
    parser.add_argument("--schema", type=Path)
    parser.add_argument("--validate-every", type=int, default=20)
    parser.add_argument("--only", choices=list(KINDS), default="gap")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    paths = [path for folder in arguments.collections for path in sorted(folder.rglob("*.xml"))]
    tasks = [
        (path, arguments.schema if index % arguments.validate_every == 0 else None, arguments.only)
        for index, path in enumerate(paths)
    ]
    began = time.monotonic()
    counts: Counter[str] = Counter()
    broken: list[str] = []
    with multiprocessing.Pool(arguments.processes) as pool:
        for done, (found, faults) in enumerate(pool.imap_unordered(check, tasks, chunksize=20), start=1):
            counts += found
            broken += faults
            for fault in faults:
                print(fault, flush=True)
            if done % 2000 == 0 or done == len(tasks):
                print(f"{done:,}/{len(tasks):,} {dict(counts)} {len(broken)} broken", flush=True)
    print(f"{time.monotonic() - began:.0f} s, {len(broken)} promises broken")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
