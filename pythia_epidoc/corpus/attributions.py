"""Who made the collections that models are trained on, and under which licence.

The model card and NOTICE repeat these lines. Not for reading licences out of files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pythia_epidoc.corpus import formulary
from pythia_epidoc.corpus.records import Record


@dataclass(frozen=True)
class Attribution:
    """Origin of a collection; `kind` is inscriptions, papyri or literary."""

    kind: str
    title: str
    licence: str
    credit: str


KNOWN = {
    "papyri": Attribution(
        "papyri",
        "Duke Databank of Documentary Papyri",
        "CC BY 3.0",
        "papyri.info / Integrating Digital Papyrology",
    ),
    "isicily": Attribution("inscriptions", "I.Sicily", "CC BY 4.0", "J. Prag et al."),
    "iaph": Attribution(
        "inscriptions", "Inscriptions of Aphrodisias", "CC BY 4.0", "J. Reynolds, C. Roueché, G. Bodard"
    ),
    "ircyr": Attribution("inscriptions", "Inscriptions of Roman Cyrenaica", "CC BY 2.0 UK", "J. M. Reynolds"),
    "iospe": Attribution(
        "inscriptions",
        "Ancient Inscriptions of the Northern Black Sea (IOSPE)",
        "CC BY 2.0 UK",
        "A. Ivantchik, I. Makarov, A. Vinogradov",
    ),
    "phoros": Attribution(
        "inscriptions", "Phoros, Athenian tribute lists", "CC BY-SA 3.0", "C. Bannan, N. Smith"
    ),
    formulary.NAME: Attribution(
        "inscriptions",
        "Formulary: phrases of Greek inscriptions",
        "Apache-2.0",
        "The Pythia-EpiDoc authors",
    ),
    "lit-perseus": Attribution(
        "literary", "Perseus canonical-greekLit", "CC BY-SA 4.0", "Perseus Digital Library"
    ),
    "lit-first1k-subset": Attribution(
        "literary", "First1KGreek (subset)", "CC BY-SA 4.0", "Open Greek and Latin"
    ),
}


def attribution(corpus: str) -> Attribution:
    """What is known of a collection; one we do not know counts as inscriptions of unknown licence."""
    return KNOWN.get(corpus, Attribution("inscriptions", corpus, "unknown", "unknown"))


RESTORED = ("papyri", "inscriptions")
"""Kinds of texts that are to be restored; others only teach."""


def by_kind(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The records of each kind of text."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(attribution(record.corpus).kind, []).append(record)
    return found


def restored_by_kind(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The same, but only the kinds that are to be restored, always in the same order."""
    found = by_kind(records)
    return {kind: found[kind] for kind in RESTORED if kind in found}
