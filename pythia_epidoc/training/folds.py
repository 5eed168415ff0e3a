"""Counts that have not seen the texts they are asked about.

A network that reads counts would trust them too much if they knew its training texts by heart. So these are
shared out into folds, and what the network is told of a text was counted in the other folds. Literature is
so much, and counts so little, that a work hardly knows itself: it is counted in every fold.

    RUN/fold-0.safetensors …   the counts without each fold

Not for the counts that are shipped, which know all training texts: see `pack`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from pythia_epidoc.corpus.attributions import attribution, restored_by_kind
from pythia_epidoc.corpus.duplicates import near_duplicates
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint, load_checkpoint, save_checkpoint
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.training.counted import Report, count_records
from pythia_epidoc.training.trust import fit_trust

FOLDS = 3


def folds_of(records: Sequence[Record]) -> list[int]:
    """The fold of each text: by a hash of its identifier, near duplicates together."""
    leaders = near_duplicates([record.letters for record in records])
    return [_hash(records[leader].key) % FOLDS for leader in leaders]


def _hash(key: str) -> int:
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big")


def fold_counts(
    folder: Path,
    train: Sequence[Record],
    folds: Sequence[int],
    validation: Sequence[Record],
    report: Report = lambda message: None,
) -> list[CountModel]:
    """For each fold the counts of the others: those kept in the folder of a run, or counted now."""
    models: list[CountModel] = []
    texts = {kind: [record.text for record in of] for kind, of in restored_by_kind(validation).items()}
    for fold in range(FOLDS):
        path = folder / f"fold-{fold}.safetensors"
        if not path.exists():
            report(f"Counting without fold {fold + 1} of {FOLDS} …")
            others = [
                record
                for record, own in zip(train, folds, strict=True)
                if own != fold or attribution(record.corpus).kind == "literary"
            ]
            counts = count_records(others, report)
            counts = counts.with_trust_of(models[0]) if models else fit_trust(counts, texts)
            empty = Checkpoint(None, Vocabulary([]), counts, None, Calibration(), {})
            save_checkpoint(empty, path)
        counts_of_others = load_checkpoint(path).counts
        assert counts_of_others is not None
        models.append(counts_of_others)
    return models
