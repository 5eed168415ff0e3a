"""How well words are accented: hide each word of held-out texts and compare with the edition.

Both neighbours and the rest of the document are known; the hidden word itself is not. Not for the
letters of a restoration: see `measure`.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.greek import SPACE, is_accented
from pythia_epidoc.model.accents import Accents
from pythia_epidoc.model.accents.marks import citation, decode
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
    results = []
    for index, (letters, word) in enumerate(zip(texts, decoded, strict=True)):
        if word is None or word[0] != letters or chance.random() >= share:
            continue
        own, code = style.forms[letters], citation(*word)
        own[code] -= 1
        before = forms[index - 1] if index else ""
        after = forms[index + 1] if index + 1 < len(forms) else ""
        ((answer, is_sure),) = accents.words(letters, f"{before} ", f" {after}", style)
        own[code] += 1
        results.append(Accented(record.corpus, forms[index], answer, is_sure, before, after))
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
