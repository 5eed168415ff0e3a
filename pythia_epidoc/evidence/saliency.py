"""How much each sign around a lacuna matters to a hypothesis, told in two ways.

Attention is where the network looks while it writes. That need not be what it goes by, so it is checked:
each word of the context is hidden in turn, and its occlusion is how much less probable the hypothesis
becomes. `agreement` says how far the two give the same order of words.

Not for drawing: see `pictures`.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import regex

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.reading import State
from pythia_epidoc.greek import LETTERS, LOST, SPACE
from pythia_epidoc.restoration import Query, query_for

if TYPE_CHECKING:
    from pythia_epidoc.model.restorer import PythiaRestorer

CONTEXT = 160
"""Signs on either side that are shown and hidden in turn."""
_WORD = regex.compile(r"[^ ]+")
_LETTERS = frozenset(LETTERS)


@dataclass(frozen=True)
class SalientSign:
    """A sign of the reading: `attention` is its share; `occlusion` that of its word, in nats."""

    letter: str
    state: State
    line: str
    attention: float
    occlusion: float | None
    is_restored: bool = False
    """Part of the hypothesis itself."""


@dataclass(frozen=True)
class Saliency:
    """The signs around a lacuna, the hypothesis in their midst."""

    text: str
    signs: tuple[SalientSign, ...]
    agreement: float | None
    """Rank correlation (−1 to 1) of attention and occlusion over the words; None if not checked."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "agreement": self.agreement,
            "signs": [
                {
                    "letter": sign.letter,
                    "state": sign.state.name.lower(),
                    "line": sign.line,
                    "attention": round(sign.attention, 6),
                    "occlusion": None if sign.occlusion is None else round(sign.occlusion, 4),
                    "restored": sign.is_restored,
                }
                for sign in self.signs
            ],
        }


def saliency(lacuna: Lacuna, text: str, restorer: PythiaRestorer, *, occlude: bool = True) -> Saliency:
    """What the hypothesis `text` (letters and spaces) for a lacuna rests on."""
    query = query_for(lacuna)
    attention = _attention(lacuna, query, text, restorer)
    begin = max(0, lacuna.first - CONTEXT)
    end = min(len(lacuna.edition.reading), lacuna.stop + CONTEXT)
    words = [
        *_words(query.before, begin, lacuna.first, 0),
        *_words(query.after, 0, end - lacuna.stop, lacuna.stop),
    ]
    effects = _occlusion(lacuna, query, text, words, restorer) if occlude and words else None
    occluded = {
        index: effect
        for (start, stop), effect in zip(words, effects or (), strict=effects is not None)
        for index in range(start, stop)
    }
    signs = [
        *_signs(lacuna, begin, lacuna.first, attention, occluded),
        *(SalientSign(letter, State.SUPPLIED, lacuna.line, 0.0, None, True) for letter in text),
        *_signs(lacuna, lacuna.stop, end, attention, occluded),
    ]
    agreement = None
    if effects is not None:
        looked_at = [sum(attention.get(index, 0.0) for index in range(*word)) for word in words]
        agreement = rank_correlation(looked_at, effects)
    return Saliency(text, tuple(signs), agreement)


def _attention(lacuna: Lacuna, query: Query, text: str, restorer: PythiaRestorer) -> dict[int, float]:
    """Index in the reading → share of the attention while the hypothesis was written."""
    found = restorer.attention(query, text)
    after = len(query.before) + len(text.replace(SPACE, ""))
    shares: dict[int, float] = {}
    for place, column in enumerate(zip(*found.weights, strict=True), found.offset):
        share = sum(column) / len(found.weights)
        if place < lacuna.first:
            shares[place] = share
        elif place >= after:
            shares[place - after + lacuna.stop] = share
    return shares


def _words(text: str, start: int, stop: int, offset: int) -> list[tuple[int, int]]:
    """Words of a side of the query that have letters, as spans of the reading."""
    return [
        (match.start() + offset, match.end() + offset)
        for match in _WORD.finditer(text, start, stop)
        if not _LETTERS.isdisjoint(match.group())
    ]


def _occlusion(
    lacuna: Lacuna, query: Query, text: str, words: Sequence[tuple[int, int]], restorer: PythiaRestorer
) -> list[float]:
    """How much less probable the hypothesis is without each word, in nats."""
    hidden = [_without(lacuna, query, word) for word in words]
    whole, *others = restorer.scores([query, *hidden], [text] * (len(hidden) + 1))
    return [whole - other for other in others]


def _without(lacuna: Lacuna, query: Query, word: tuple[int, int]) -> Query:
    start, stop = word
    if start < lacuna.first:
        before = query.before[:start] + _lost(query.before[start:stop]) + query.before[stop:]
        return replace(query, before=before)
    start, stop = start - lacuna.stop, stop - lacuna.stop
    after = query.after[:start] + _lost(query.after[start:stop]) + query.after[stop:]
    return replace(query, after=after)


def _lost(word: str) -> str:
    return "".join(LOST if letter in _LETTERS else letter for letter in word)


def _signs(
    lacuna: Lacuna, start: int, stop: int, attention: dict[int, float], occluded: dict[int, float]
) -> list[SalientSign]:
    reading = lacuna.edition.reading
    signs = []
    for index in range(start, stop):
        line = reading.line_of(index)
        signs.append(
            SalientSign(
                reading.letters[index],
                State(reading.states[index]),
                line.n if line else "",
                attention.get(index, 0.0),
                occluded.get(index),
            )
        )
    return signs


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's: 1 if both give the same order, −1 if opposite ones; None of fewer than three.

    >>> rank_correlation([1, 2, 3], [10, 20, 30]), rank_correlation([1, 2, 3], [3, 2, 1])
    (1.0, -1.0)
    """
    if len(first) < 3:
        return None
    try:
        return statistics.correlation(_ranks(first), _ranks(second))
    except statistics.StatisticsError:  # all of one side are alike
        return None


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    first = {value: order.index(value) for value in set(order)}
    return [first[value] + (order.count(value) - 1) / 2 for value in values]
