"""How well words are accented: hide each word of held-out texts and compare with the edition.

The words around it and the rest of the document are known; the hidden word itself is not. Not for the
letters of a restoration: see `measure`.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.epidoc.written import WORDS_BESIDE
from pythia_epidoc.greek import SPACE, is_accented
from pythia_epidoc.model.accents import Accents
from pythia_epidoc.model.accents.marks import citation, decode
from pythia_epidoc.model.accents.passages import passage_around
from pythia_epidoc.model.accents.style import Style


@dataclass(frozen=True)
class AccentScore:
    """Shares of words; exact is every mark and capital as the edition has it."""

    corpus: str
    words: int
    exact: float
    """Of all words; one left without accents is wrong, unless the edition has none either."""
    abstained: float
    exact_if_sure: float
    """Of the words not left without accents."""
    exact_if_accented: float
    """Of the words that the edition itself accents: not its fragments and unexpanded abbreviations."""


@dataclass(frozen=True)
class Accented:
    """One hidden word: what the edition has and what came back."""

    corpus: str
    gold: str
    answer: str
    is_sure: bool
    before: str
    after: str

    @property
    def is_exact(self) -> bool:
        return decode(self.gold) == decode(self.answer)


def hide_words(accents: Accents, record: Record, chance: random.Random, share: float = 1.0) -> list[Accented]:
    """Hide complete words of a record one at a time; a share of them, at random."""
    texts, forms = record.text.split(SPACE), record.written.split(SPACE)
    decoded = [decode(form) for form in forms]
    style = Style.of([form for form, word in zip(forms, decoded, strict=True) if word])
    hidden = [
        (index, letters, citation(*word))
        for index, (letters, word) in enumerate(zip(texts, decoded, strict=True))
        if word is not None and word[0] == letters and chance.random() < share
    ]
    lefts = [f"{SPACE.join(forms[max(0, index - WORDS_BESIDE) : index])} " for index, _, _ in hidden]
    rights = [f" {SPACE.join(forms[index + 1 : index + 1 + WORDS_BESIDE])}" for index, _, _ in hidden]
    passages = [
        passage_around(letters, left, right)
        for (_, letters, _), left, right in zip(hidden, lefts, rights, strict=True)
    ]
    results = []
    for (index, letters, code), left, right, expected in zip(
        hidden, lefts, rights, accents.expected(passages), strict=True
    ):
        own = style.forms[letters]
        own[code] -= 1
        ((answer, is_sure),) = accents.words(letters, left, right, style, expected)
        own[code] += 1
        results.append(Accented(record.corpus, forms[index], answer, is_sure, left, right))
    return results


def measure_accents(
    accents: Accents, records: Iterable[Record], *, words: int = 20_000, seed: int = 0
) -> list[AccentScore]:
    """Scores per corpus, from about so many words of each."""
    corpora: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record.written:
            corpora[record.corpus].append(record)
    scores = []
    for corpus, held_out in corpora.items():
        chance = random.Random(seed)
        share = words / max(1, sum(record.text.count(SPACE) + 1 for record in held_out))
        hidden = [word for record in held_out for word in hide_words(accents, record, chance, share)]
        scores.append(score(corpus, hidden))
    return scores


def score(corpus: str, hidden: list[Accented]) -> AccentScore:
    """The shares of a list of hidden words."""
    sure = [word for word in hidden if word.is_sure]
    accented = [word for word in hidden if is_accented(word.gold)]
    abstained = 1 - len(sure) / max(1, len(hidden))
    return AccentScore(corpus, len(hidden), _exact(hidden), abstained, _exact(sure), _exact(accented))


def _exact(hidden: list[Accented]) -> float:
    return sum(word.is_exact for word in hidden) / max(1, len(hidden))
