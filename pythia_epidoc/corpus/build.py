"""Collections of texts → records with a train/validation/test split, in a folder.

    DIR/NAME.jsonl       the records of one collection
    DIR/manifest.json    fingerprints of the inputs, the split of every text, statistics

A collection whose input has not changed is not read again, so a stopped build goes on where it was.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pythia_epidoc.corpus import formulary
from pythia_epidoc.corpus.attributions import attribution
from pythia_epidoc.corpus.iphi import PhiText, phi_texts
from pythia_epidoc.corpus.records import Record, read_records
from pythia_epidoc.corpus.sources import RawFile, corpus_name, fingerprint, raw_files
from pythia_epidoc.corpus.split import share_out
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import write_atomically
from pythia_epidoc.errors import CorpusError, DocumentError

FORMAT = 4
MIN_LENGTH = 20
Progress = Callable[[str, int], None]
"""Called with the name of the collection and the number of files read so far, and at the end with
`SHARING` and the number of texts to share out."""
SHARING = "sharing out"


@dataclass(frozen=True)
class Built:
    """What one collection gave; `unreadable` has one sentence per file that could not be read."""

    files: int
    records: int
    unreadable: tuple[str, ...]


def build(
    inputs: Iterable[Path],
    output: Path,
    *,
    with_formulary: bool = False,
    min_length: int = MIN_LENGTH,
    processes: int | None = None,
    progress: Progress = lambda name, files: None,
) -> dict[str, Any]:
    """Build or bring up to date the corpus in `output`, and give its manifest; if wanted, with the formulary
    that comes with the package."""
    named = _named([*inputs, formulary.FOLDER] if with_formulary else inputs)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CorpusError(f"The folder cannot be made: {error.strerror}.", path=output) from None
    manifest_path = output / "manifest.json"
    manifest = _known(manifest_path, min_length)
    for name, path in named.items():
        mark = formulary.fingerprint() if path == formulary.FOLDER else fingerprint(path)
        known = manifest["corpora"].get(name)
        if known and known["fingerprint"] == mark and (output / f"{name}.jsonl").exists():
            continue
        built = _build_one(path, name, output, min_length, processes, progress)
        if not built.files:
            raise CorpusError("There is no text in this collection; check the name.", path=path)
        if not built.records:
            raise CorpusError(_nothing_of(built, min_length), path=path)
        manifest["corpora"][name] = {
            "fingerprint": mark,
            "files": built.files,
            "records": built.records,
            "unreadable": list(built.unreadable),
            **vars(attribution(name)),
        }
        manifest.pop("splits", None)
        _save(manifest_path, manifest)
    if "splits" not in manifest:
        corpora = manifest["corpora"]
        progress(SHARING, sum(corpus["records"] for corpus in corpora.values()))
        shares = share_out(record for name in corpora for record in read_records(output / f"{name}.jsonl"))
        manifest.update(vars(shares))
        _save(manifest_path, manifest)
    return dict(manifest)


def _known(path: Path, min_length: int) -> dict[str, Any]:
    """What was built before under the same conditions; a manifest that is damaged tells nothing."""
    fresh: dict[str, Any] = {"format": FORMAT, "min_length": min_length, "corpora": {}}
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return fresh
    same = isinstance(manifest, dict) and all(
        manifest.get(key) == fresh[key] for key in ("format", "min_length")
    )
    return manifest if same else fresh


def _nothing_of(built: Built, min_length: int) -> str:
    first = f" The first that cannot be read: {built.unreadable[0]}" if built.unreadable else ""
    return (
        f"None of the {built.files:,} files of this collection has a Greek text of {min_length} letters or "
        f"more; name another collection, or a smaller --min-length.{first}"
    )


def _named(inputs: Iterable[Path]) -> dict[str, Path]:
    named: dict[str, Path] = {}
    for path in inputs:
        name = corpus_name(path)
        if name in named and named[name] != path:
            raise CorpusError(
                f"Two collections would be called {name!r}; rename this one or the other.", path=path
            )
        named[name] = path
    return named


def _save(path: Path, manifest: dict[str, Any]) -> None:
    write_atomically(path, json.dumps(manifest, ensure_ascii=False, indent=1).encode())


def _build_one(
    path: Path, name: str, output: Path, min_length: int, processes: int | None, progress: Progress
) -> Built:
    files = records = 0
    unreadable: list[str] = []
    part = output / f"{name}.jsonl.part"
    try:
        with part.open("w", encoding="utf-8") as lines:
            for result in _read_all(path, name, min_length, processes or os.cpu_count() or 1):
                files += 1
                if isinstance(result, str):
                    unreadable.append(result)
                else:
                    for record in result:
                        lines.write(record.to_json() + "\n")
                        records += 1
                progress(name, files)
        part.replace(output / f"{name}.jsonl")
    finally:
        part.unlink(missing_ok=True)
    return Built(files, records, tuple(unreadable))


_Job = tuple[str, "RawFile | PhiText", int]


def _read_all(path: Path, name: str, min_length: int, processes: int) -> Iterator[list[Record] | str]:
    jobs = ((name, text, min_length) for text in _raw_texts(path))
    if processes == 1:
        yield from map(_records_of, jobs)
        return
    with get_context("spawn").Pool(processes, _leave_interrupts_to_parent) as pool:
        yield from pool.imap(_records_of, jobs, chunksize=32)


def _raw_texts(path: Path) -> Iterator[RawFile | PhiText]:
    if path == formulary.FOLDER:
        return formulary.texts()
    return phi_texts(path) if path.suffix == ".json" else raw_files(path)


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _records_of(job: _Job) -> list[Record] | str:
    """The records of one file, or the sentence that says why it cannot be read."""
    name, raw, min_length = job
    if isinstance(raw, PhiText):
        raw = raw.as_file()
    try:
        document = Document.from_bytes(raw.data, raw.id)
    except DocumentError as error:
        return str(error)
    found = []
    for number, edition in enumerate(document.editions, 1):
        identifier = raw.id if len(document.editions) == 1 else f"{raw.id}#{number}"
        record = Record.from_edition(name, identifier, edition)
        if len(record.letters) >= min_length:
            found.append(record)
    return found


def read_manifest(directory: Path) -> dict[str, Any]:
    """The manifest of a built corpus."""
    path = directory / "manifest.json"
    if not path.exists():
        raise CorpusError(
            "There is no built corpus here; make one with `pythia-epidoc corpus build`.", path=directory
        )
    try:
        manifest = dict(json.loads(path.read_text("utf-8")))
    except (ValueError, TypeError):
        raise CorpusError("The manifest is damaged; build the corpus again.", path=path) from None
    if "splits" not in manifest:
        raise CorpusError("This corpus is only half built; run the same build again.", path=directory)
    return manifest


def load(directory: Path, split: str, corpora: Iterable[str] | None = None) -> Iterator[Record]:
    """The records of one split of a built corpus."""
    manifest = read_manifest(directory)
    for name in corpora if corpora is not None else manifest["corpora"]:
        if name not in manifest["corpora"]:
            raise CorpusError(f"There is no collection {name!r} in this corpus.", path=directory)
        for record in read_records(directory / f"{name}.jsonl"):
            if manifest["splits"].get(record.key) == split:
                yield record
