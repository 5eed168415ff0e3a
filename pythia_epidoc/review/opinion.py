"""The editor's restorations hidden one by one and predicted anew: where does the editor's text stand?

Surprise is how many times more probable the best rival is, as a logarithm: a text that is improbable
where everything is improbable surprises nobody. Not for printing: see `report`.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.extent import extent_of
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.reading import NEVER_READ, NEVER_WRITTEN
from pythia_epidoc.epidoc.written import words_of, written
from pythia_epidoc.greek import LETTERS, SPACE
from pythia_epidoc.parallels.restorer import AttestingRestorer
from pythia_epidoc.parallels.search import Parallel
from pythia_epidoc.restoration import (
    Hypothesis,
    OpenRestorer,
    Query,
    Restorer,
    Settings,
    present,
    query_for,
)
from pythia_epidoc.review.lines import Room, room
from pythia_epidoc.writeback.marks import find_marks

RIVALS = 3
_FLOOR = 10.0
"""Surprise (in nats beyond the last hypothesis) of a text the restorer cannot even score."""
_READABLE = frozenset(LETTERS + SPACE)
_NOT_LOST = NEVER_WRITTEN | NEVER_READ


@dataclass(frozen=True)
class Opinion:
    """What model and collection think of one restoration of the editor's."""

    lacuna: Lacuna
    text: str
    """The editor's text as the edition writes it."""
    rank: int | None
    """1 if the model would have written the same; None if it is not among the hypotheses at all."""
    probability: float
    surprise: float
    rivals: tuple[Hypothesis, ...]
    """What ranks above it, the best first."""
    attestations: int | None
    """How often the collection has it in this context; None without a collection."""
    parallels: tuple[Parallel, ...]
    room: Room | None
    """What its line has room for, if that can be told."""
    excess: int
    """Letters too many (positive) or too few for its line, or for the length the editor gives."""

    @property
    def line(self) -> str:
        return self.lacuna.line

    @property
    def is_length_stated(self) -> bool:
        """Whether the editor says how many letters are supplied."""
        return _stated(self.lacuna) is not None


def conjectures(document: Document) -> list[Lacuna]:
    """What the editor supplied and a model can judge: whole letters, lost on the stone."""
    return [lacuna for lacuna, objection in _objections(document) if not objection]


def passed_over(document: Document) -> Counter[str]:
    """Why what is supplied as lost is not judged, and how often."""
    return Counter(
        objection
        for lacuna, objection in _objections(document)
        if objection and lacuna.elements[0].get("reason") not in _NOT_LOST
    )


def _objections(document: Document) -> Iterator[tuple[Lacuna, str]]:
    own = {accepted.element.start for accepted in find_marks(document).accepted}
    for lacuna in document.lacunae:
        if lacuna.kind == "supplied":
            yield lacuna, lacuna.obstacle or _objection(lacuna, own)


def _objection(lacuna: Lacuna, own: Set[int]) -> str:
    if lacuna.start in own:
        return "is a restoration by this tool, which would agree with itself"
    if not lacuna.conjecture.strip() or not _READABLE.issuperset(lacuna.conjecture):
        return "holds a numeral in figures, or signs that are no letters"
    return ""


def review_document(
    document: Document,
    restorer: Restorer,
    *,
    beam: int = 50,
    cancel: threading.Event | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Opinion]:
    """An opinion on each of the editor's restorations, the most surprising first."""
    found = conjectures(document)
    if not found:
        return []
    queries = [query_for(lacuna) for lacuna in found]
    texts = [[lacuna.conjecture] for lacuna in found]
    if isinstance(restorer, OpenRestorer):
        answers = restorer.consider(
            queries, texts, top=10 * beam, beam=beam, cancel=cancel, progress=progress
        )
    else:
        answers = restorer.hypotheses(queries, top=10 * beam, beam=beam, cancel=cancel, progress=progress)
    forms = words_of(document)
    opinions = [
        _opinion(lacuna, query, hypotheses, restorer, forms)
        for lacuna, query, hypotheses in zip(found, queries, answers, strict=True)
    ]
    return sorted(opinions, key=lambda opinion: (-opinion.surprise, opinion.lacuna.number))


def _opinion(
    lacuna: Lacuna,
    query: Query,
    hypotheses: Sequence[Hypothesis],
    restorer: Restorer,
    forms: Sequence[str],
) -> Opinion:
    rank = next((number for number, each in enumerate(hypotheses, 1) if each.text == lacuna.conjecture), None)
    above = hypotheses[: RIVALS if rank is None else min(rank - 1, RIVALS)]
    own = hypotheses[rank - 1].log_probability if rank else _last(hypotheses) - _FLOOR
    best = hypotheses[0].log_probability if hypotheses else own
    attested = None
    parallels: tuple[Parallel, ...] = ()
    if isinstance(restorer, AttestingRestorer):
        attestation = restorer.collection.attest(query).get(lacuna.conjecture)
        attested = attestation.count if attestation else 0
        parallels = tuple(restorer.collection.parallels(attestation)) if attestation else ()
    space = room(lacuna)
    reading, document = lacuna.edition.reading, lacuna.edition.document
    return Opinion(
        lacuna,
        written(reading, document, lacuna.first, lacuna.stop),
        rank,
        math.exp(min(0.0, own)),
        max(0.0, best - own),
        present(lacuna, above, restorer, Settings(), forms).hypotheses,
        attested,
        parallels,
        space,
        _excess(lacuna, space),
    )


def _last(hypotheses: Sequence[Hypothesis]) -> float:
    return hypotheses[-1].log_probability if hypotheses else 0.0


def _excess(lacuna: Lacuna, space: Room | None) -> int:
    """Against the length written on the `supplied` itself, else against the line."""
    letters = len(lacuna.conjecture.replace(SPACE, ""))
    if lengths := _stated(lacuna):
        return letters - lengths[-1] if letters > lengths[-1] else min(0, letters - lengths[0])
    return space.excess(letters) if space else 0


def _stated(lacuna: Lacuna) -> tuple[int, ...] | None:
    """The numbers of letters written on the `supplied` itself."""
    stated = extent_of(lacuna.elements[0])
    return stated.lengths if stated.in_letters and stated.is_known else None
