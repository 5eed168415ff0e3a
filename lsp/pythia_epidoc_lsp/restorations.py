"""Restorations as the features show them, asked of the model once for each reading.

What the model says depends on the letters around a lacuna, the words of the document (for accents) and
the settings; as long as these stay the same the first answer is given again.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.restoration import Hypothesis, ModelIdentity, Query, Restoration, query_for, words_of
from pythia_epidoc.restoration import Settings as RestorationSettings
from pythia_epidoc_lsp.door import ModelDoor, OnProgress
from pythia_epidoc_lsp.jobs import Question
from pythia_epidoc_lsp.lacunae import around, signs_as_written
from pythia_epidoc_lsp.settings import Settings

_REMEMBERED = 4096
_RIVALS = 3
_OPEN_END = 10
"""How many letters more than typed so far a restoration being typed may have."""

_Key = tuple[Query, tuple[str, str], int, RestorationSettings]


@dataclass(frozen=True)
class Row:
    """A hypothesis as it is shown; `text` as it would be written, `letters` as the model gave it."""

    rank: int
    text: str
    letters: str
    probability: float
    attestations: int | None = None
    """How often the user's collection has it in this context; None without an index."""


@dataclass(frozen=True)
class Verdict:
    """Where the editor's own restoration ranks, and what ranks above it."""

    text: str
    rank: int | None
    probability: float | None
    rivals: tuple[str, ...]
    surprise: float = 0.0
    """How many times more probable the best rival is, as a logarithm (see `pythia_epidoc.review`)."""


@dataclass(frozen=True, eq=False)
class Answer:
    """The restoration of one lacuna."""

    restoration: Restoration
    rows: tuple[Row, ...]
    verdict: Verdict | None

    @property
    def lacuna(self) -> Lacuna:
        return self.restoration.lacuna

    @property
    def model(self) -> str:
        return f"{self.restoration.model.name} {self.restoration.model.version}"


@dataclass(eq=False)
class _About:
    """What is known of one version of a document."""

    document: Document
    words: int
    """A number that changes when the document's words do, which decide on accents."""
    answers: dict[tuple[int, _Key, Settings], Answer] = field(default_factory=dict)


class Restorations:
    """Asks the model, and remembers."""

    def __init__(self, door: ModelDoor) -> None:
        self._door = door
        self._known: OrderedDict[_Key, tuple[Hypothesis, ...]] = OrderedDict()
        self._latest: _About | None = None

    async def answer(self, lacuna: Lacuna, settings: Settings, typed_to: int | None = None) -> Answer:
        """The restoration of a lacuna; `typed_to` is the cursor's offset in one that is being typed."""
        return (await self.answers([lacuna], settings, typed_to=typed_to))[0]

    async def answers(
        self,
        lacunae: Sequence[Lacuna],
        settings: Settings,
        on_progress: OnProgress | None = None,
        typed_to: int | None = None,
    ) -> list[Answer]:
        """The restorations of several lacunae of one document, the unknown ones in one batch."""
        keys = [self._key(lacuna, settings, typed_to) for lacuna in lacunae]
        numbers = {key: lacuna.number for key, lacuna in zip(keys, lacunae, strict=True)}
        found = {key: self._known[key] for key in numbers if key in self._known}
        unknown = [key for key in numbers if key not in found]
        if unknown:
            hypotheses = await self._door.ask(
                "restore",
                on_progress,
                text=lacunae[0].edition.document.text,
                questions=[Question(numbers[key], key[0]) for key in unknown],
                settings=unknown[0][3],
            )
            found.update(zip(unknown, hypotheses, strict=True))
            self._remember(found)
        return [
            self._answer(lacuna, key, found[key], settings) for lacuna, key in zip(lacunae, keys, strict=True)
        ]

    def known(self, lacuna: Lacuna, settings: Settings) -> Answer | None:
        """The restoration of a lacuna if it was asked for before; nothing is computed."""
        key = self._key(lacuna, settings, None)
        found = self._known.get(key)
        return None if found is None else self._answer(lacuna, key, found, settings)

    def forget(self) -> None:
        self._known.clear()
        self._latest = None

    def _remember(self, found: Mapping[_Key, tuple[Hypothesis, ...]]) -> None:
        self._known.update(found)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def _key(self, lacuna: Lacuna, settings: Settings, typed_to: int | None) -> _Key:
        query = _query(lacuna, typed_to)
        # The whole beam is kept, so that an editor's restoration is found though it ranks low.
        top = max(settings.top, settings.beam)
        chosen = RestorationSettings(top, settings.beam, plain=not settings.accents)
        return query, around(lacuna, 24), self._about(lacuna.edition.document).words, chosen

    def _about(self, document: Document) -> _About:
        if self._latest is None or self._latest.document is not document:
            self._latest = _About(document, hash(words_of(document)))
        return self._latest

    def _answer(
        self, lacuna: Lacuna, key: _Key, hypotheses: tuple[Hypothesis, ...], settings: Settings
    ) -> Answer:
        given = self._about(lacuna.edition.document).answers
        name = lacuna.number, key, settings
        if name not in given:
            identity = self._door.identity or ModelIdentity("", "", "")
            given[name] = _answer(lacuna, hypotheses, identity, settings)
        return given[name]


def _answer(
    lacuna: Lacuna, hypotheses: tuple[Hypothesis, ...], identity: ModelIdentity, settings: Settings
) -> Answer:
    best = hypotheses[: settings.top]
    chosen = RestorationSettings(settings.top, settings.beam, plain=not settings.accents)
    restoration = Restoration(lacuna, best, identity, chosen)
    rows = tuple(_row(rank, hypothesis) for rank, hypothesis in enumerate(best, start=1))
    return Answer(restoration, rows, _verdict(lacuna, hypotheses))


def _query(lacuna: Lacuna, typed_to: int | None) -> Query:
    """What to ask; at the end of a `supplied` somebody is typing: how it may go on."""
    written = lacuna.conjecture.strip("-# ")
    if not written or typed_to is None or typed_to != lacuna.elements[-1].close_start:
        return query_for(lacuna)
    query = query_for(lacuna, prefix=lacuna.conjecture)
    count = len(lacuna.conjecture.replace(" ", ""))
    return replace(query, lengths=tuple(range(count, count + _OPEN_END + 1)), pattern="")


def _row(rank: int, hypothesis: Hypothesis) -> Row:
    text = hypothesis.polytonic or hypothesis.text
    return Row(rank, text, hypothesis.text, hypothesis.probability, hypothesis.attestations)


def _verdict(lacuna: Lacuna, hypotheses: Sequence[Hypothesis]) -> Verdict | None:
    conjecture = lacuna.conjecture.strip("-# ")
    if not conjecture:
        return None
    letters = conjecture.replace(" ", "")
    text = "".join(signs_as_written(lacuna, lacuna.first, lacuna.stop)).strip()
    for index, hypothesis in enumerate(hypotheses):
        if hypothesis.letters == letters:
            rivals = tuple(rival.polytonic or rival.text for rival in hypotheses[: min(index, _RIVALS)])
            surprise = hypotheses[0].log_probability - hypothesis.log_probability
            return Verdict(text, index + 1, hypothesis.probability, rivals, surprise)
    rivals = tuple(rival.polytonic or rival.text for rival in hypotheses[:_RIVALS])
    return Verdict(text, None, None, rivals, math.inf)
