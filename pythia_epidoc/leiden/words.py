"""What signs say of words: abbreviations, numerals, capitals, doubts, and other readings.

A word here is what stands between blanks on the stone: brackets do not end it, nor does a line end with
a hyphen. Everything is told as further spans; no letter is touched.

Not for brackets: they have been paired before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from pythia_epidoc.leiden.cover import Cover
from pythia_epidoc.leiden.items import (
    READINGS,
    Blank,
    Division,
    Doubt,
    Hand,
    Island,
    Item,
    Keraia,
    Kind,
    Lacuna,
    Letters,
    LineBreak,
    Passage,
    Remark,
    Sign,
    Span,
    Text,
    Unexpanded,
    Vacant,
    VerseEnd,
)
from pythia_epidoc.leiden.letters import (
    LOOK_ALIKES,
    acrophonic_value,
    fold,
    has_number_sign,
    is_bare_capitals,
    is_heta,
    is_latin,
    numeral_value,
)
from pythia_epidoc.leiden.model import Options
from pythia_epidoc.leiden.tokens import Token

_BETWEEN_VERSES = (Blank, Division, Hand, LineBreak, Remark, Vacant)
"""What may stand in a poem outside its verses."""
_PUNCTUATION = ".,;·\u0387\u037e"
"""What may stand between a word and a note that speaks of it."""
_MOST_WORDS = 6
_LONGEST_COMPARED = 200


@dataclass(frozen=True, slots=True)
class Word:
    """`items[start:end]` without a blank between."""

    start: int
    end: int


def read_words(
    items: list[Item],
    places: list[Token],
    spans: list[Span],
    options: Options,
    find: Callable[[str, Token, str], None],
    counts: Counter[str],
) -> Passage:
    """Resolve every sign that speaks of a word, and return the finished passage."""
    reader = _WordReader(items, places, spans, options, find, counts)
    reader.abbreviations()
    reader.words = reader.divide()
    reader.numerals()
    reader.scripts()
    reader.doubts()
    reader.other_readings()
    reader.verses()
    return Passage(tuple(reader.items), tuple(reader.spans))


class _WordReader:
    def __init__(
        self,
        items: list[Item],
        places: list[Token],
        spans: list[Span],
        options: Options,
        find: Callable[[str, Token, str], None],
        counts: Counter[str],
    ) -> None:
        self.items = items
        self.places = places
        self.spans = spans
        self.options = options
        self.find = find
        self.counts = counts
        self.words: list[Word] = []
        self.taken = [False] * (len(items) + 1)

    def _span(self, kind: Kind, start: int, end: int, **more: object) -> None:
        self.counts[kind.value] += 1
        self.spans.append(Span(kind, start, end, **more))  # type: ignore[arg-type]

    def _letters(self, start: int, end: int) -> str:
        return "".join(item.text for item in self.items[start:end] if isinstance(item, Letters))

    def _words_of(self, start: int, end: int) -> str:
        return "".join(
            " " if isinstance(item, Blank) else item.text
            for item in self.items[start:end]
            if isinstance(item, Blank | Letters)
        )

    def _keep(self, index: int, text: str, code: str) -> None:
        """A sign that speaks of nothing is kept as text."""
        self.find(code, self.places[index], text)
        self.items[index] = Text(text)

    # -- abbreviations -------------------------------------------------------------------------------

    def abbreviations(self) -> None:
        """`Αὐρ(ήλιος)`, `Σεβ(ασ)τ(οῦ)`, `(ἔτους)`, and `στρατηγ( )` that nobody resolved."""
        parentheses: list[Span] = []
        for position, span in enumerate(self.spans):
            if span.kind is not Kind.EXPANDED:
                continue
            if all(isinstance(item, Lacuna | Blank) for item in self.items[span.start : span.end]):
                self.spans[position] = replace(span, end=span.start)
                self.items[span.start : span.end] = [Unexpanded()] * (span.end - span.start)
            else:
                parentheses.append(span)
        self.spans[:] = [span for span in self.spans if span.start < span.end]
        parentheses.sort(key=lambda span: span.start)
        expansions: list[list[int]] = []
        for span in parentheses:
            start = self._back(span.start, expansions[-1][1] if expansions else 0)
            end = self._forward(span.end)
            joined = expansions and start <= expansions[-1][1]
            if joined and start == expansions[-1][1] and self._starts_word(start):
                joined = False
            if joined:
                expansions[-1][1] = max(end, expansions[-1][1])
            else:
                expansions.append([start, end])
        inside = [False] * (len(self.items) + 1)
        for span in parentheses:
            inside[span.start : span.end] = [True] * (span.end - span.start)
        for start, end in expansions:
            self._span(Kind.EXPANSION, start, end)
            self.taken[start:end] = [True] * (end - start)
            run = start
            while run < end:
                stop = run
                while stop < end and not inside[stop]:
                    stop += 1
                if stop > run:
                    self.spans.append(Span(Kind.ABBREVIATION, run, stop))
                run = max(stop, run + 1)
        self._unexpanded()

    def _unexpanded(self) -> None:
        for index, item in enumerate(self.items):
            if not isinstance(item, Unexpanded) or (index and isinstance(self.items[index - 1], Unexpanded)):
                continue
            start = index
            while start and isinstance(self.items[start - 1], Letters | Lacuna) and not self.taken[start - 1]:
                start -= 1
            if start == index:
                self._keep(index, "( )", "empty-bracket")
            else:
                self._span(Kind.ABBREVIATION, start, index, value="unexpanded")
                self.taken[start:index] = [True] * (index - start)

    def _back(self, start: int, limit: int) -> int:
        """Where the letters before an opening parenthesis begin."""
        while start > limit and self._continues(start - 1):
            start -= 1
        while start < len(self.items) and isinstance(self.items[start], LineBreak | Vacant | Sign | Division):
            start += 1
        return start

    def _forward(self, end: int) -> int:
        """Letters that go on after a closing parenthesis, unless a capital begins another word."""
        stop = end
        while stop < len(self.items) and self._continues(stop) and not self._starts_word(stop):
            stop += 1
        while stop > end and not isinstance(self.items[stop - 1], Letters):
            stop -= 1
        return stop

    def _continues(self, index: int) -> bool:
        item = self.items[index]
        if isinstance(item, LineBreak | Division):
            return item.no_break
        return isinstance(item, Letters | Sign | Vacant)

    def _starts_word(self, index: int) -> bool:
        item = self.items[index]
        return isinstance(item, Letters) and item.text[:1].isupper()

    # -- words ---------------------------------------------------------------------------------------

    def divide(self) -> list[Word]:
        """The words, with blanks inside parentheses and substitutions not dividing them."""
        joined = [False] * (len(self.items) + 1)
        for span in self.spans:
            if span.kind in (Kind.EXPANSION, Kind.SUBSTITUTED):
                joined[span.start : span.end] = [True] * (span.end - span.start)
        words: list[Word] = []
        start: int | None = None
        end = 0
        for index, item in enumerate(self.items):
            if isinstance(item, Letters | Lacuna):
                start = index if start is None else start
                end = index + 1
            elif start is not None and not (
                joined[index] or self._continues(index) or isinstance(item, Keraia | Doubt | Unexpanded)
            ):
                words.append(Word(start, end))
                start = None
        if start is not None:
            words.append(Word(start, end))
        return words

    def _segments(self, word: Word) -> list[tuple[int, int, str]]:
        """Runs of letters in a word that no lacuna interrupts."""
        segments: list[tuple[int, int, str]] = []
        start = word.start
        letters: list[str] = []
        for index in range(word.start, word.end + 1):
            item = self.items[index] if index < word.end else None
            if isinstance(item, Letters):
                letters.append(item.text)
            elif item is None or isinstance(item, Lacuna | Keraia):
                if letters:
                    segments.append((start, index, "".join(letters)))
                start = index + 1
                letters = []
            elif not letters:
                start = index + 1
        return segments

    def numerals(self) -> None:
        """`͵βφʹ`, `—ʹ`, and acrophonic `ΧΗΔΙΙ`."""
        for index, item in enumerate(self.items):
            if self.options.dialect == "machine" and isinstance(item, Text) and item.text.strip("0") == "":
                self._span(Kind.NUMERAL, index, index + 1)
            if not isinstance(item, Keraia):
                continue
            start = index
            while start and isinstance(self.items[start - 1], Letters | Lacuna) and not self.taken[start - 1]:
                start -= 1
            part = self.items[start:index]
            letters = "".join(item.text for item in part if isinstance(item, Letters))
            broken = any(isinstance(item, Lacuna) for item in part)
            value = numeral_value(letters) if letters else None
            if not part or (letters and value is None):
                self._keep(index, item.text, "numeral")
                continue
            self._span(Kind.NUMERAL, start, index + 1, value="" if broken or value is None else str(value))
            self.taken[start : index + 1] = [True] * (index + 1 - start)

    def scripts(self) -> None:
        """Capitals nobody interpreted, number signs, Latin words, Latin letters in Greek words."""
        latin: list[Word] = []
        for word in self.words:
            segments = self._segments(word)
            letters = "".join(text for _, _, text in segments)
            latin_letters = [c for c in letters if is_latin(c)]
            # Heta is a letter of its own: `[— — —]ℎ[— — —]` is Greek.
            if letters.strip("h") and len(latin_letters) == len(letters):
                if not set(letters) <= LOOK_ALIKES:
                    latin.append(word)
                    continue
                self.find("look-alike", self.places[word.start], letters)
            elif any(not is_heta(c) for c in latin_letters):
                self.find("look-alike", self.places[word.start], letters)
            for start, end, text in segments:
                if not any(self.taken[start:end]):
                    self._capitals(word, start, end, text)
        self._foreign(latin)

    def _capitals(self, word: Word, start: int, end: int, text: str) -> None:
        whole = start == word.start and end == word.end
        if has_number_sign(text) or (whole and len(text) > 2 and len(set(text)) > 1):
            value = acrophonic_value(text)
            if value:
                self._span(Kind.NUMERAL, start, end, value=value)
                return
        if self.options.capitals != "orig" or not is_bare_capitals(text):
            return
        # One capital before a lacuna may well begin a name.
        if len(text) == 1 and start == word.start and end < word.end:
            return
        self._span(Kind.UNINTERPRETED, start, end)

    def _foreign(self, words: list[Word]) -> None:
        groups: list[list[int]] = []
        for word in words:
            between = self.items[groups[-1][1] : word.start] if groups else []
            if groups and all(isinstance(item, Blank | Text | Sign) for item in between):
                groups[-1][1] = word.end
            else:
                groups.append([word.start, word.end])
        for start, end in groups:
            self._span(Kind.FOREIGN, start, end)
            self.find("latin", self.places[start], self._words_of(start, end)[:40])

    # -- doubts --------------------------------------------------------------------------------------

    def doubts(self) -> None:
        """`(?)` speaks of the lacuna, abbreviation, restoration or word just before it."""
        lost = Cover(self.spans, Kind.LOST)
        expanded = Cover(self.spans, Kind.EXPANDED)
        starts = [word.start for word in self.words]
        for index, item in enumerate(self.items):
            if not isinstance(item, Doubt):
                continue
            before = index - 1
            if before > 0 and isinstance(self.items[before], Blank):
                before -= 1
            previous = self.items[before] if before >= 0 else None
            order = bisect_right(starts, before) - 1
            word = self.words[order] if order >= 0 and self.words[order].end > before else None
            self.counts["doubt"] += 1
            if isinstance(previous, Lacuna | Vacant):
                self.items[before] = replace(previous, uncertain=True)
            elif (position := expanded.at(index)) is not None:
                self.spans[position] = replace(self.spans[position], low=True)
            elif (position := lost.at(index)) is not None and (word or item.whole):
                self._doubt_restoration(position, index, None if item.whole or word is None else word.start)
            elif word is not None:
                self._span(Kind.DOUBTFUL, word.start, min(before + 1, word.end))
            else:
                self._keep(index, "(?)", "question-mark")

    def _doubt_restoration(self, position: int, index: int, start: int | None) -> None:
        """Only the restored letters of the doubtful word are doubtful."""
        span = self.spans[position]
        first = span.start if start is None else max(start, span.start)
        if span.start < first:
            self.spans.append(replace(span, end=first))
        doubtful = replace(span, start=first, end=index, low=True)
        if index < span.end:
            # What follows keeps the place in the list: a later doubt may speak of it.
            self.spans.append(doubtful)
            self.spans[position] = replace(span, start=index)
        else:
            self.spans[position] = doubtful

    # -- other readings ------------------------------------------------------------------------------

    def other_readings(self) -> None:
        """`{²⁶…}²⁶` regularises the word before it, `{²⁷…}²⁷` gives other readings of it."""
        ends = [word.end for word in self.words]
        for index, item in enumerate(self.items):
            if not isinstance(item, Island) or item.code not in READINGS:
                continue
            last = index
            while last and isinstance(self.items[last - 1], Blank | Island | Doubt | Vacant):
                last -= 1
            order = bisect_right(ends, last) - 1
            end = ends[order] if order >= 0 else 0
            while end < last and isinstance(self.items[end], Keraia | Unexpanded):
                end += 1
            if order < 0 or not all(_is_punctuation(other) for other in self.items[end:last]):
                self.find("no-word", self.places[index], "")
                self.items[index] = replace(item, alone=True)
                continue
            count = self._words_meant(order, item.parts[0])
            kind = Kind.REGULARISED if item.code == "26" else Kind.ALTERNATIVE
            self._span(kind, self.words[order - count + 1].start, end, others=item.parts)

    def _words_meant(self, order: int, reading: Passage) -> int:
        """How many of the words before a note it replaces: as many as resemble it best."""
        other = fold("".join(item.text for item in reading.items if isinstance(item, Letters)))
        most = 1 + sum(isinstance(item, Blank) for item in reading.items)
        if most == 1 or not other or len(other) > _LONGEST_COMPARED:
            return 1
        best, best_ratio = 1, 0.0
        text = ""
        for count in range(1, min(most + 1, _MOST_WORDS, order + 1) + 1):
            word = self.words[order - count + 1]
            following = self.words[order - count + 2].start if count > 1 else word.end
            if any(isinstance(item, VerseEnd | Island) for item in self.items[word.end : following]):
                break
            text = fold(self._letters(word.start, word.end)) + text
            if len(text) > _LONGEST_COMPARED:
                break
            ratio = SequenceMatcher(None, text, other, autojunk=False).ratio()
            if ratio > best_ratio:
                best, best_ratio = count, ratio
        return best

    def verses(self) -> None:
        """Between `/` and `/` stands a verse."""
        ends = [index for index, item in enumerate(self.items) if isinstance(item, VerseEnd)]
        if not ends:
            return
        start = 0
        for end in [*ends, len(self.items)]:
            if not all(isinstance(item, _BETWEEN_VERSES) for item in self.items[start:end]):
                self._span(Kind.VERSE, start, end)
            start = end + 1


def _is_punctuation(item: Item) -> bool:
    return isinstance(item, Text) and not item.text.strip(_PUNCTUATION)
