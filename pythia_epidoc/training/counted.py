"""Counting the strings of training texts, with the weight of each kind of text.

Not for the counting itself: see `pythia_epidoc.model.counting`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pythia_epidoc.corpus.attributions import attribution
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.corpus.spelling import spellings
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.counts import ORDER
from pythia_epidoc.model.local_counts import CountModel

WEIGHTS = {"inscriptions": 8.0, "papyri": 1.0, "literary": 0.25}
"""Inscriptions are few: a string in one of them counts as in eight papyri; literature, of which
there is much, is written differently."""
THRESHOLDS = (1, 1, 1, 1, 1, 1.5, *[2] * (ORDER - 8), 2.5, 2.5)
"""Least weighted count of a string of 1, 2, … characters, so that the trie stays small: the longest are kept
from three papyri on."""

Report = Callable[[str], None]


def count_records(records: Sequence[Record], report: Report = lambda message: None) -> CountModel:
    """The strings of all texts, and those of them that inscriptions have."""
    found = []
    for what, weights, thresholds in (
        ("the training texts", WEIGHTS, THRESHOLDS),
        ("inscriptions", {"inscriptions": 1.0}, (1,) * ORDER),
    ):
        report(f"Counting strings of {what} …")
        kinds = ((attribution(record.corpus).kind, record) for record in records)
        documents = ((weights[kind], spellings(record)) for kind, record in kinds if kind in weights)
        found.append(count(documents, thresholds, progress=lambda order: report(f"  of {order} characters")))
    return CountModel(found[0], found[1])
