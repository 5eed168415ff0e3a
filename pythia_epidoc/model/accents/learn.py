"""Records of the training split → the tables of `chooser`.

Only statistics are kept: words seen in at least two documents, and what their neighbours say of them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pythia_epidoc.corpus.attributions import attribution
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.greek import NUMERAL, SPACE
from pythia_epidoc.model.accents.chooser import DAMAGED, EDGE, WORD, Neighbour, ending
from pythia_epidoc.model.accents.marks import accent_of, accent_places, citation, decode
from pythia_epidoc.model.accents.numbers import pack_count, pack_log
from pythia_epidoc.model.accents.style import SAMPLE, is_accented
from pythia_epidoc.model.accents.table import Table

WEIGHTS = {"inscriptions": 3.0, "literary": 0.1}
"""Literature writes other words in other senses; it fills gaps but does not outvote documents. Papyri are
thirty times more than inscriptions: on validation data this weight gives 0.6 points to these and takes
0.02 from those."""
MIN_DOCUMENTS = 2
MAX_WORDS = 190_000
"""Some 1.1 MB; words of documents go first, then those in most works."""
MAX_FORMS = 4
_MIN_SHARE = 0.01
_MIN_AMBIGUITY = 4.0
_MIN_GAIN = 2.0
_SMOOTHING = 1.0


class _Word:
    """A written word taken apart once."""

    __slots__ = ("accent", "citation", "code", "is_complete", "letters", "neighbour")

    def __init__(self, form: str) -> None:
        decoded = decode(form)
        self.is_complete = decoded is not None
        self.letters, self.code = decoded or (NUMERAL if form == NUMERAL else DAMAGED, "")
        self.citation = citation(self.letters, self.code)
        self.accent = accent_of(self.letters, self.citation)
        self.neighbour = Neighbour(self.letters, self.citation if self.is_complete else None)


class _Words(dict[str, _Word]):
    def __missing__(self, form: str) -> _Word:
        word = self[form] = _Word(form)
        return word


def accent_table(records: Iterable[Record]) -> Table:
    """Learn how words are accented."""
    words = _Words()
    texts = []
    for record in records:
        text = record.written.split(SPACE)
        if is_accented(words[form].code for form in text[:SAMPLE] if words[form].is_complete):
            texts.append((_weight(record.corpus), text))
    counts, documentary = _count(texts, words)
    attested = [letters for letters, (documents, _) in counts.items() if documents >= MIN_DOCUMENTS]
    attested.sort(key=lambda letters: (letters not in documentary, -counts[letters][0], letters))
    lexicon = {letters: _kept(counts[letters][1]) for letters in attested[:MAX_WORDS]}
    entries = {WORD + letters: _pack_forms(forms) for letters, forms in lexicon.items()}
    entries |= _context(texts, words, lexicon)
    return Table.of(entries)


def _weight(corpus: str) -> float:
    return WEIGHTS.get(attribution(corpus).kind, 1.0)


_Texts = Sequence[tuple[float, list[str]]]
_Counts = dict[str, tuple[int, Counter[str]]]


def _count(texts: _Texts, words: _Words) -> tuple[_Counts, set[str]]:
    """For every word the number of its documents and the weight of its forms; and the documentary words."""
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    documents: Counter[str] = Counter()
    documentary: set[str] = set()
    for weight, text in texts:
        found: set[str] = set()
        for form, count in Counter(text).items():
            word = words[form]
            if word.is_complete:
                forms[word.letters][word.citation] += weight * count  # type: ignore[assignment]
                found.add(word.letters)
        documents.update(found)
        if weight >= 1.0:
            documentary |= found
    return {letters: (documents[letters], found) for letters, found in forms.items()}, documentary


def _kept(forms: Counter[str]) -> dict[str, float]:
    """The forms worth keeping: the commonest few."""
    total = sum(forms.values())
    ranked = sorted(forms.items(), key=lambda item: (-item[1], item[0]))[:MAX_FORMS]
    return {code: count for code, count in ranked if count >= _MIN_SHARE * total}


def _pack_forms(forms: dict[str, float]) -> str:
    return SPACE.join(pack_count(count) + code for code, count in forms.items())


def _context(texts: _Texts, words: _Words, lexicon: dict[str, dict[str, float]]) -> dict[str, str]:
    """What neighbours say: which form, acute or grave, one accent or two."""
    ambiguous = {
        letters: {code: index for index, code in enumerate(forms)}
        for letters, forms in lexicon.items()
        if sum(forms.values()) - max(forms.values()) >= _MIN_AMBIGUITY
    }
    leaning = {
        letters
        for letters, forms in ambiguous.items()
        if len({bool(accent_places(len(letters), code)) for code in forms}) == 2
    }
    features: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * MAX_FORMS)
    acute: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    second: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    edge = _Word("")
    edge.letters = EDGE
    for weight, text in texts:
        if weight < 1.0:
            continue  # the lexicon of literature fills gaps; its syntax is not that of documents
        before = edge
        following = iter(text)
        next(following)
        for form in text:
            word = words[form]
            after_form = next(following, None)
            after = words[after_form] if after_form is not None else edge
            if word.accent == "oxytone":
                kept = 0 if "\\" in word.code else 1
                for key in ("g", "g" + after.letters, "h" + word.letters):
                    acute[key][kept] += weight
            elif word.accent == "early":
                second["e" + after.letters][int(word.code != word.citation)] += weight
            index = ambiguous.get(word.letters, {}).get(word.citation)
            if index is not None:
                letters = word.letters
                features[f"<{letters} {before.letters}"][index] += weight
                features[f"({letters} {ending(before.letters)}"][index] += weight
                features[f">{letters} {after.letters}"][index] += weight
                features[f"){letters} {ending(after.letters)}"][index] += weight
                if letters in leaning and before.neighbour.code is not None:
                    features[f"a{letters} {before.accent}"][index] += weight
            before = word
    entries = dict(_informative(features, lexicon))
    entries |= _odds(acute, acute.pop("g", [1.0, 1.0]), "g")
    entries |= {
        key: pack_log(math.log((twice + 0.1) / (once + 0.1)))
        for key, (once, twice) in second.items()
        if twice > once and twice >= 2
    }
    return entries


def _informative(
    features: dict[str, list[float]], lexicon: dict[str, dict[str, float]]
) -> Iterator[tuple[str, str]]:
    """How each neighbour changes the odds of a word's forms, where it does."""
    wider = {"<": "(", ">": ")"}
    for key, counts in features.items():
        letters, value = key[1:].split(SPACE)
        forms = list(lexicon[letters].values())
        prior = [count / sum(forms) for count in forms]
        base = prior
        if key[0] in wider:
            base = _smoothed(features[f"{wider[key[0]]}{letters} {ending(value)}"], prior)
        shares = _smoothed(counts, base)
        gain = sum(
            count * math.log(share / known)
            for count, share, known in zip(counts, shares, base, strict=False)
            if count
        )
        if gain >= _MIN_GAIN:
            yield (
                key,
                "".join(
                    pack_log(math.log(share / known)) for share, known in zip(shares, prior, strict=True)
                ),
            )


def _smoothed(counts: list[float], prior: list[float]) -> list[float]:
    total = sum(counts) + _SMOOTHING
    return [(count + _SMOOTHING * share) / total for count, share in zip(counts, prior, strict=False)]


def _odds(table: dict[str, list[float]], base: list[float], base_key: str) -> dict[str, str]:
    """Log odds of a choice between two, overall and as each key changes them."""
    prior = base[1] / sum(base)
    if not 0 < prior < 1:
        return {base_key: pack_log(math.inf if prior else -math.inf)}
    entries = {base_key: pack_log(math.log(prior / (1 - prior)))}
    for key, counts in table.items():
        no, yes = _smoothed(counts, [1 - prior, prior])
        gain = counts[0] * math.log(no / (1 - prior)) + counts[1] * math.log(max(yes, 1e-9) / prior)
        if gain >= _MIN_GAIN:
            entries[key] = pack_log(math.log(yes / no) - math.log(prior / (1 - prior)))
    return entries
