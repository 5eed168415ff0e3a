"""From lacunae to restorations: what the model is asked, what it answers, and the pipeline between.

This module is free of torch: a `Restorer` is anything that answers queries. The real one is
`pythia_epidoc.model.restorer.load_restorer()`.

Not for writing restorations into a file: see `pythia_epidoc.writeback`.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.reading import State
from pythia_epidoc.epidoc.written import context_after, context_before
from pythia_epidoc.epidoc.written import words_of as words_of
from pythia_epidoc.errors import Cancelled
from pythia_epidoc.greek import LETTERS, SPACE, final_sigma

ANY = "."
"""In a query's pattern: a letter nobody knows."""
REACH = 1000
"""What stands farther from a lacuna than this many characters is out of the model's sight."""
CUT = 2000
"""A text is cut at multiples of this, which the places where the model's windows begin divide."""


@dataclass(frozen=True)
class Query:
    """What the model is asked: the model text around a lacuna and what would fit into it."""

    before: str
    after: str
    lengths: tuple[int, ...]
    """Admissible numbers of letters; of characters (letters and spaces) if `by_character`."""
    pattern: str = ""
    """One symbol per letter, `.` where it is free; empty if every letter is."""
    prefix: str = ""
    """Letters and spaces the restoration must begin with."""
    by_character: bool = False
    """The paper's way of counting: a space is a character, and none is free."""
    document: str = ""
    """The file of the edition, if it has one: a collection must not cite an edition for itself."""


@dataclass(frozen=True)
class Hypothesis:
    """A proposed text: letters and spaces; a space at an end is a word division at the lacuna's edge."""

    text: str
    log_probability: float
    probability: float
    """Calibrated: of hypotheses shown with 0.8, four in five are right on validation data."""
    polytonic: str = ""
    """The text as an edition writes it: accents, breathings, final sigma."""
    attestations: int | None = None
    """How often the user's own collection has it in this context; None without an index."""

    @property
    def letters(self) -> str:
        return self.text.replace(SPACE, "")


@dataclass(frozen=True)
class ModelIdentity:
    """Which model spoke: goes into the header of every file it touches."""

    name: str
    version: str
    digest: str


@dataclass(frozen=True)
class Settings:
    """How to restore."""

    top: int = 20
    beam: int = 100
    plain: bool = False
    """Leave accents off."""


@dataclass(frozen=True)
class Restoration:
    """The ranked hypotheses for a lacuna."""

    lacuna: Lacuna
    hypotheses: tuple[Hypothesis, ...]
    model: ModelIdentity
    settings: Settings


class Restorer(Protocol):
    """Anything that answers queries."""

    @property
    def identity(self) -> ModelIdentity: ...

    def hypotheses(
        self,
        queries: Sequence[Query],
        *,
        top: int = 20,
        beam: int = 100,
        cancel: threading.Event | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[tuple[Hypothesis, ...]]:
        """Ranked hypotheses for each query; raises `Cancelled` when the event is set."""
        ...

    def polytonic(self, texts: Sequence[str], left: str, right: str, forms: Sequence[str] = ()) -> list[str]:
        """Texts for one place with accents: `left` and `right` are what adjoins them as the edition writes it
        (the part of a word, and some words more), `forms` the words of the document itself."""
        ...


@runtime_checkable
class OpenRestorer(Restorer, Protocol):
    """A restorer that also ranks texts proposed to it."""

    def consider(
        self,
        queries: Sequence[Query],
        proposed: Sequence[Sequence[str]],
        *,
        top: int = 20,
        beam: int = 100,
        cancel: threading.Event | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[tuple[Hypothesis, ...]]:
        """Ranked hypotheses for each query, among them the texts proposed for it, on the same scale."""
        ...

    def hypotheses(
        self,
        queries: Sequence[Query],
        *,
        top: int = 20,
        beam: int = 100,
        cancel: threading.Event | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[tuple[Hypothesis, ...]]:
        nothing: list[Sequence[str]] = [()] * len(queries)
        return self.consider(queries, nothing, top=top, beam=beam, cancel=cancel, progress=progress)


def in_sight(lacuna: Lacuna) -> int:
    """From which sign of its reading on a query for the lacuna need hold the text."""
    return max(0, (lacuna.first - REACH) // CUT * CUT)


def query_for(lacuna: Lacuna, prefix: str = "", begin: int = 0) -> Query:
    """What to ask about a lacuna, with the text from the sign `begin` on."""
    reading = lacuna.edition.reading
    before, after = reading.letters[begin : lacuna.first], reading.letters[lacuna.stop : lacuna.stop + REACH]
    document = str(lacuna.edition.document.path or "")
    if lacuna.kind == "gap" or not lacuna.conjecture.strip("-# "):
        return Query(before, after, lacuna.extent.lengths, prefix=prefix, document=document)
    pattern = "".join(
        letter if state == State.UNCLEAR else ANY
        for letter, state in zip(lacuna.conjecture, reading.states[lacuna.first : lacuna.stop], strict=True)
        if letter in LETTERS
    )
    has_constraint = bool(pattern.strip(ANY))
    pattern, length = pattern if has_constraint else "", len(pattern)
    return Query(before, after, (length,), pattern, prefix, document=document)


def restore(
    document: Document,
    restorer: Restorer,
    lacunae: Iterable[Lacuna] | None = None,
    settings: Settings | None = None,
    *,
    cancel: threading.Event | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Restoration]:
    """Restore the gaps of a document, or the lacunae given, all in one batch."""
    settings = settings or Settings()
    if lacunae is None:
        lacunae = [lacuna for lacuna in document.lacunae if lacuna.kind == "gap"]
    wanted = [lacuna for lacuna in lacunae if lacuna.restorable]
    if not wanted:
        return []
    answers = restorer.hypotheses(
        [query_for(lacuna) for lacuna in wanted],
        top=settings.top,
        beam=settings.beam,
        cancel=cancel,
        progress=progress,
    )
    forms = () if settings.plain else words_of(document)
    return [
        present(lacuna, hypotheses, restorer, settings, forms)
        for lacuna, hypotheses in zip(wanted, answers, strict=True)
    ]


def present(
    lacuna: Lacuna,
    hypotheses: Iterable[Hypothesis],
    restorer: Restorer,
    settings: Settings,
    forms: Sequence[str] | None = None,
) -> Restoration:
    """Hypotheses dressed as the edition would write them; `forms` are the words of the document, if known."""
    reading, document = lacuna.edition.reading, lacuna.edition.document
    left = context_before(reading, document, lacuna.first)
    right = context_after(reading, document, lacuna.stop)
    if forms is None:
        forms = () if settings.plain else words_of(document)
    dressed = dress(hypotheses, left, right, forms, restorer, plain_letters=settings.plain)
    return Restoration(lacuna, dressed, restorer.identity, settings)


def dress(
    hypotheses: Iterable[Hypothesis],
    left: str,
    right: str,
    forms: Sequence[str],
    restorer: Restorer,
    *,
    plain_letters: bool,
) -> tuple[Hypothesis, ...]:
    """Hypotheses with their text as written between `left` and `right`."""
    given = tuple(hypotheses)
    texts = [hypothesis.text for hypothesis in given]
    if plain_letters:
        written = [plain(text, right) for text in texts]
    else:
        accented = restorer.polytonic(texts, left, right, forms)
        written = [unicodedata.normalize("NFC", text) for text in accented]
    return tuple(replace(hypothesis, polytonic=text) for hypothesis, text in zip(given, written, strict=True))


def plain(text: str, right: str) -> str:
    """Letters without accents; final sigma where a word ends, also at the edge of the lacuna."""
    return final_sigma(text + right[:1])[: len(text)]


def check_cancelled(cancel: threading.Event | None) -> None:
    """Raise `Cancelled` if the user asked to stop."""
    if cancel is not None and cancel.is_set():
        raise Cancelled
