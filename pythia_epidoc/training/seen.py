"""Words that are too rare for the network of words to know, but stand in several texts: they tell a rare word
from none, and can be suggested.

Not for the words it knows: see `word_run`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from pythia_epidoc.corpus.attributions import attribution
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.corpus.spelling import spellings
from pythia_epidoc.greek import LETTERS, SPACE
from pythia_epidoc.training.counted import WEIGHTS

MOST = 150_000
"""What a checkpoint has room for."""
_LEAST_DOCUMENTS = 2
"""What ships are statistics, not texts."""
_LEAST_LETTERS = 3


def seen_words(records: Iterable[Record], known: Collection[str], most: int = MOST) -> dict[str, float]:
    """The most frequent words that are not known, but stand in two documents or more, with the logarithm of
    the share that each has of all that are not known. Documents count by their kind, as in the counts."""
    documents: Counter[str] = Counter()
    weights: defaultdict[str, float] = defaultdict(float)
    numbered = frozenset(known)
    for record in records:
        weight = WEIGHTS.get(attribution(record.corpus).kind, 0.0)
        for word in {word for text in spellings(record) for word in text.split(SPACE)} - numbered:
            if word and not word.strip(LETTERS):
                documents[word] += 1
                weights[word] += weight
    total = sum(weights.values())
    seen = [
        word
        for word, count in documents.items()
        if count >= _LEAST_DOCUMENTS and len(word) >= _LEAST_LETTERS and weights[word] > 0
    ]
    best = sorted(seen, key=lambda word: (-weights[word], word))[:most]
    return {word: math.log(weights[word] / total) for word in best}
