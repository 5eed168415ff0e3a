"""Which text is for training, which for validation, which for test: the same in every build.

Not for finding texts that are alike: see `duplicates`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pythia_epidoc.corpus import formulary
from pythia_epidoc.corpus.duplicates import near_duplicates
from pythia_epidoc.corpus.records import SPLITS, Record

_PHI = re.compile(r"(?:^|/)phi[0-9]*([0-9])(?:-[0-9]+)?(?:#[0-9]+)?$", re.IGNORECASE)


@dataclass(frozen=True)
class Shares:
    """The split of every text that is kept, and what each split of each corpus holds."""

    splits: dict[str, str]
    statistics: dict[str, dict[str, list[int]]]
    """corpus → split → texts, words, characters."""
    duplicates: int
    """Texts left out because another has the same letters."""
    near_duplicates: int
    """Texts that went where a similar one is, whatever their own hash."""


def split_of(corpus: str, identifier: str) -> str:
    """5 % validation, 5 % test by a hash of the identifier; texts with PHI's number as in the paper; what the
    formulary makes is only learned from.

    >>> split_of("iphi", "phi1233"), split_of("iphi", "phi4"), split_of("iphi", "phi40")
    ('test', 'validation', 'train')
    """
    if corpus == formulary.NAME:
        return "train"
    phi = _PHI.search(identifier)
    if phi:
        return {"3": "test", "4": "validation"}.get(phi[1], "train")
    share = int.from_bytes(hashlib.sha256(f"{corpus}/{identifier}".encode()).digest()[:4], "big") % 100
    return "test" if share < 5 else "validation" if share < 10 else "train"


def share_out(records: Iterable[Record]) -> Shares:
    """Drop texts with the same letters, keep near duplicates together, and share out the rest."""
    by_letters: dict[str, Record] = {}
    statistics: dict[str, dict[str, list[int]]] = {}
    duplicates = 0
    for record in records:
        statistics.setdefault(record.corpus, {split: [0, 0, 0] for split in SPLITS})
        duplicates += record.letters in by_letters
        by_letters.setdefault(record.letters, record)
    kept = list(by_letters.values())
    groups = near_duplicates(list(by_letters))
    splits: dict[str, str] = {}
    for record, group in zip(kept, groups, strict=True):
        split = split_of(kept[group].corpus, kept[group].id)
        splits[record.key] = split
        row = statistics[record.corpus][split]
        row[0] += 1
        row[1] += len(record.text.split())
        row[2] += len(record.text)
    twins = sum(group != index for index, group in enumerate(groups))
    return Shares(splits, statistics, duplicates, twins)
