"""Collections of texts → records with a train/validation/test split, in a folder.

    DIR/NAME.jsonl       the records of one collection
    DIR/manifest.json    fingerprints of the inputs, the split of every text, statistics

A collection whose input has not changed is not read again, so a stopped build goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pythia_epidoc.corpus.attributions import attribution
from pythia_epidoc.corpus.duplicates import near_duplicates
from pythia_epidoc.corpus.records import SPLITS, Record, read_records
from pythia_epidoc.corpus.sources import RawFile, corpus_name, fingerprint, raw_files
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import write_atomically
from pythia_epidoc.errors import CorpusError, DocumentError

FORMAT = 3
Progress = Callable[[str, int], None]
"""Called with the name of the collection and the number of files read so far."""


@dataclass(frozen=True)
class Built:
    """What one collection gave."""

    corpus: str
    files: int
    records: int
    unreadable: tuple[str, ...]


def build(
    inputs: Iterable[Path],
    output: Path,
    *,
    min_length: int = 20,
    processes: int | None = None,
    progress: Progress = lambda name, files: None,
) -> dict[str, Any]:
    """Build or bring up to date the corpus in `output`, and give its manifest."""
    output.mkdir(parents=True, exist_ok=True)
    manifest_path = output / "manifest.json"
    manifest = json.loads(manifest_path.read_text("utf-8")) if manifest_path.exists() else {}
    if manifest.get("format") != FORMAT or manifest.get("min_length") != min_length:
        manifest = {"format": FORMAT, "min_length": min_length, "corpora": {}}
    for path in inputs:
        name = corpus_name(path)
        mark = fingerprint(path)
        known = manifest["corpora"].get(name)
        if known and known["fingerprint"] == mark and (output / f"{name}.jsonl").exists():
            continue
        built = _build_one(path, name, output, min_length, processes, progress)
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
        manifest.update(_split(output, list(manifest["corpora"]), progress))
        _save(manifest_path, manifest)
    return manifest


def _save(path: Path, manifest: dict[str, Any]) -> None:
    write_atomically(path, json.dumps(manifest, ensure_ascii=False, indent=1).encode())


def _build_one(
    path: Path, name: str, output: Path, min_length: int, processes: int | None, progress: Progress
) -> Built:
    files = records = 0
    unreadable: list[str] = []
    part = output / f"{name}.jsonl.part"
    with part.open("w", encoding="utf-8") as lines:
        for result in _read_all(path, name, min_length, processes):
            files += 1
            if isinstance(result, str):
                unreadable.append(result)
            else:
                for record in result:
                    lines.write(record.to_json() + "\n")
                    records += 1
            progress(name, files)
    part.replace(output / f"{name}.jsonl")
    return Built(name, files, records, tuple(unreadable))


def _read_all(path: Path, name: str, min_length: int, processes: int | None) -> Iterator[list[Record] | str]:
    if path.suffix == ".json":
        from pythia_epidoc.corpus.iphi import iphi_records

        yield from ([record] for record in iphi_records(path, name) if len(record.text) >= min_length)
        return
    jobs = ((name, raw, min_length) for raw in raw_files(path))
    with get_context("spawn").Pool(processes or os.cpu_count()) as pool:
        yield from pool.imap(_records_of, jobs, chunksize=32)


def _records_of(job: tuple[str, RawFile, int]) -> list[Record] | str:
    name, raw, min_length = job
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


def _split(output: Path, names: list[str], progress: Progress) -> dict[str, Any]:
    """Drop exact duplicates, keep near duplicates together, and share out by a hash of the identifier."""
    records: dict[str, Record] = {}
    for name in names:
        for record in read_records(output / f"{name}.jsonl"):
            records.setdefault(record.letters, record)
    texts = list(records)
    kept = list(records.values())
    groups = near_duplicates(texts)
    splits: dict[str, str] = {}
    statistics = {name: {split: [0, 0, 0] for split in SPLITS} for name in names}
    for record, group in zip(kept, groups, strict=True):
        split = split_of(kept[group].corpus, kept[group].id)
        splits[record.key] = split
        row = statistics[record.corpus][split]
        row[0] += 1
        row[1] += len(record.text.split())
        row[2] += len(record.text)
    twins = sum(group != index for index, group in enumerate(groups))
    return {"splits": splits, "statistics": statistics, "near_duplicates": twins}


def split_of(corpus: str, identifier: str) -> str:
    """5 % validation, 5 % test, the same in every build; I.PHI texts as in the paper."""
    if corpus.startswith("iphi") and identifier[-1:].isdigit():
        return {"3": "test", "4": "validation"}.get(identifier[-1], "train")
    share = int.from_bytes(hashlib.sha256(f"{corpus}/{identifier}".encode()).digest()[:4], "big") % 100
    return "test" if share < 5 else "validation" if share < 10 else "train"


def load(directory: Path, split: str, corpora: Iterable[str] | None = None) -> Iterator[Record]:
    """The records of one split of a built corpus."""
    manifest_path = directory / "manifest.json"
    if not manifest_path.exists():
        raise CorpusError(
            "There is no built corpus here; make one with `pythia-epidoc corpus build`.", path=directory
        )
    manifest = json.loads(manifest_path.read_text("utf-8"))
    if "splits" not in manifest:
        raise CorpusError("This corpus is only half built; run the same build again.", path=directory)
    for name in corpora if corpora is not None else manifest["corpora"]:
        if name not in manifest["corpora"]:
            raise CorpusError(f"There is no collection {name!r} in this corpus.", path=directory)
        for record in read_records(directory / f"{name}.jsonl"):
            if manifest["splits"].get(record.key) == split:
                yield record
