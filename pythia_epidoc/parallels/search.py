"""Find passages: FTS5 names those that have the query's trigrams, a regular expression decides.

Three letters of the query that stand together are looked up; where a wildcard parts them, every letter
it could be is tried; where even that leaves nothing to look up, the passages are read one after another
until there are enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from typing import NamedTuple

from pythia_epidoc.epidoc.reading import State
from pythia_epidoc.parallels.codes import SIGNS
from pythia_epidoc.parallels.index import OVERLAP, PASSAGE, ParallelsIndex, Passage, Place
from pythia_epidoc.parallels.query import Pattern, Wild, parse
from pythia_epidoc.parallels.snippets import Snippet, snippet
from pythia_epidoc.parallels.texts import IndexedText

_LOOKED_UP = 5
"""Trigrams looked up for a query at most, the rarest: more of them cost more time than they save."""
_FEW = 100
"""Passages that are sooner read than narrowed down by another trigram."""


class Match(NamedTuple):
    """The signs `start:stop` of a text of the index."""

    text: int
    start: int
    stop: int


@dataclass(frozen=True)
class Parallel:
    """A passage that matches, ready to be shown."""

    place: Place
    line: str
    """Number of the text line it begins in, as printed; empty if the edition numbers none."""
    source_line: int | None
    """Line of the file it begins in."""
    letters: str
    """The matching letters and word divisions as the model reads them."""
    states: tuple[State, ...]
    """The state of each matching letter: a supplied one is somebody's conjecture."""
    snippet: Snippet

    @property
    def supplied(self) -> int:
        """How many of the matching letters are an editor's."""
        return sum(state in (State.SUPPLIED, State.UNDERSTOOD) for state in self.states)

    def to_dict(self) -> dict[str, object]:
        return {
            "document": self.place.document,
            "path": self.place.path,
            "line": self.line,
            "source_line": self.source_line,
            "snippet": self.snippet.text,
            "before": self.snippet.before,
            "match": self.snippet.match,
            "after": self.snippet.after,
            "letters": self.letters,
            "states": [state.name.lower() for state in self.states],
            "supplied": self.supplied,
        }


def search(index: ParallelsIndex, query: str | Pattern, limit: int | None = None) -> list[Parallel]:
    """The passages that match, by file and place."""
    pattern = parse(query) if isinstance(query, str) else query
    found = groupby(islice(matches(index, pattern), limit), key=attrgetter("text"))
    return [parallel for text, of_text in found for parallel in _shown(index, text, of_text)]


def matches(index: ParallelsIndex, pattern: Pattern) -> Iterator[Match]:
    """Every place where the pattern matches, by file and place; overlapping ones too."""
    expression = _lookup(index, pattern)
    if expression is None:
        for passage in index.all_passages():
            yield from _in_passage(index, pattern, passage)
        return
    # A run may lie beyond the end of its passage if the pattern is longer than passages overlap.
    runs = pattern.runs if pattern.longest <= OVERLAP else ()
    found = [
        match
        for passage in index.passages_with(expression, runs)
        for match in _in_passage(index, pattern, passage)
    ]
    order = index.order({match.text for match in found})
    yield from sorted(found, key=lambda match: (order[match.text], match.start))


def _in_passage(index: ParallelsIndex, pattern: Pattern, passage: Passage) -> Iterator[Match]:
    _, text, first, signs = passage
    if pattern.longest > OVERLAP:
        signs = index.following(passage, PASSAGE + pattern.longest)
    for start, stop in pattern.spans(signs):
        if start >= PASSAGE:
            break
        yield Match(text, first + start, first + stop)


def _lookup(index: ParallelsIndex, pattern: Pattern) -> str | None:
    """The FTS5 expression that every matching passage fulfils, or None if there is none."""
    windows = list(pattern.windows(OVERLAP))
    literal = {"".join(window) for window in windows if not any(isinstance(part, Wild) for part in window)}  # type: ignore[arg-type]
    if literal:
        return " AND ".join(map(_quoted, _telling(index, literal)))
    half_open = [window for window in windows if sum(isinstance(part, Wild) for part in window) == 1]
    if half_open:
        return " AND ".join(f"({' OR '.join(_completions(window))})" for window in half_open[:_LOOKED_UP])
    return None


def _telling(index: ParallelsIndex, trigrams: Iterable[str]) -> list[str]:
    """The rarest trigrams, as many as are needed until few passages are left to read."""
    frequencies = {trigram: index.frequencies.get(trigram, 0) for trigram in trigrams}
    total = index.passage_count()
    chosen: list[str] = []
    left = float(total)
    for trigram in sorted(frequencies, key=lambda each: (frequencies[each], each))[:_LOOKED_UP]:
        # Neighbouring trigrams are no independent evidence: each leaves more than its share.
        left *= (frequencies[trigram] / total) ** (0.5 if chosen else 1)
        chosen.append(trigram)
        if 0 < left < _FEW:
            break
    return chosen


def _completions(window: Iterable[str | Wild]) -> list[str]:
    parts = list(window)
    return [_quoted("".join(sign if isinstance(part, Wild) else part for part in parts)) for sign in SIGNS]


def _quoted(trigram: str) -> str:
    return f'"{trigram}"'


def show(index: ParallelsIndex, match: Match) -> Parallel:
    """A match with what a reader wants to know about it."""
    (parallel,) = _shown(index, match.text, [match])
    return parallel


def _shown(index: ParallelsIndex, text: int, found: Iterable[Match]) -> list[Parallel]:
    """Matches in one text, which is unpacked for all of them: a long one takes its time."""
    place, unpacked = index.place(text), index.text(text)
    return [_parallel(place, unpacked, match) for match in found]


def _parallel(place: Place, text: IndexedText, match: Match) -> Parallel:
    line = text.line_at(match.start)
    return Parallel(
        place,
        line.n if line else "",
        line.source_line if line else None,
        text.model_text(match.start, match.stop).strip(),
        tuple(State(state) for state in text.states[match.start : match.stop]),
        snippet(text, match.start, match.stop),
    )
