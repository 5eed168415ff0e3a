"""Training examples: windows of text with some letters hidden.

A window is a stretch of a record; several spans of it are hidden at once, each to be restored either
letter by letter (`?`, spaces free) or character by character as in the paper (`_`).

Not for feeding them to the network: see `run`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pythia_epidoc.corpus.attributions import attribution
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.corpus.spelling import spellings
from pythia_epidoc.errors import CorpusError
from pythia_epidoc.greek import LETTERS, LOST, PREDICT, SPACE, UNKNOWN
from pythia_epidoc.model.alphabet import (
    OUTPUT_CODES,
    PREDICT_CHARACTER,
    START,
    Vocabulary,
    encode,
    letter_outputs,
)
from pythia_epidoc.restoration import REACH

_LETTERS = frozenset(LETTERS)
IGNORED = -1


@dataclass(frozen=True)
class WindowConfig:
    """How windows are cut and hidden."""

    characters: int = 160
    """Longest window."""
    hidden_share: tuple[float, float] = (0.08, 0.25)
    longest_span: int = 10
    long_span_share: float = 0.08
    """Share of spans between `longest_span` and twice that."""
    character_share: float = 0.5
    """Share of windows in the paper's mode, where a space is a character."""
    lost_share: float = 0.3
    """Share of windows in which something more is lost than the edition says."""
    one_span: bool = False
    """As in the paper: a single hidden span per window."""
    kinds: tuple[tuple[str, float], ...] = (("papyri", 0.5), ("inscriptions", 0.2), ("literary", 0.3))
    """How often texts of each kind are taken."""


@dataclass(frozen=True)
class Span:
    """A hidden span: slots in the shown text and the output symbol of each."""

    slots: tuple[int, ...]
    targets: tuple[int, ...]
    after: int
    """Where the text goes on."""


@dataclass(frozen=True)
class Window:
    """A shown text, its hidden spans, and stretches of unknown length with their true length."""

    text: str
    spans: tuple[Span, ...]
    lengths: tuple[tuple[int, int], ...] = ()
    around: tuple[str, str] = ("", "")
    """What stands before and after the window."""
    fold: int = 0

    @property
    def longest_first(self) -> list[Span]:
        """The spans in the order of a batch."""
        return sorted(self.spans, key=lambda span: -len(span.slots))


@dataclass(frozen=True)
class Batch:
    """Arrays for the network: B windows of L characters, N spans of T slots, the longest spans first."""

    characters: npt.NDArray[np.int64]  # B L
    words: npt.NDArray[np.int64]  # B L
    slots: npt.NDArray[np.int64]  # B N T
    previous: npt.NDArray[np.int64]  # B N T
    targets: npt.NDArray[np.int64]  # B N T
    before: npt.NDArray[np.int64]  # B N
    after: npt.NDArray[np.int64]  # B N
    lengths: npt.NDArray[np.int64]  # B L: true length of an unknown stretch here
    expected: npt.NDArray[np.float32] | None = None  # B N T O: log p of the counts, if they are heard

    @property
    def longest(self) -> list[int]:
        """N: the most slots any window has in each span."""
        return list(map(int, (self.targets != IGNORED).sum(axis=-1).max(axis=0)))


class Sampler:
    """Draws windows: the same ones for the same seed, so that a run resumes without remembering them."""

    def __init__(
        self, records: Sequence[Record], config: WindowConfig, folds: Sequence[int] | None = None
    ) -> None:
        self.config = config
        by_fold: dict[int, dict[str, list[str]]] = {}
        for record, fold in zip(records, folds or [0] * len(records), strict=True):
            of_kind = by_fold.setdefault(fold, {}).setdefault(attribution(record.corpus).kind, [])
            of_kind.extend(spellings(record))
        wanted = {kind: share for kind, share in config.kinds if share > 0}
        self.shares = [
            _Share(fold, [(texts[kind], wanted[kind]) for kind in sorted(wanted.keys() & texts)], config)
            for fold, texts in sorted(by_fold.items())
            if wanted.keys() & texts
        ]
        if not self.shares:
            raise CorpusError(
                f"There are no texts of the kinds asked for ({', '.join(wanted)}) to train on or to validate "
                "with; build a larger corpus, or ask for other `kinds`."
            )

    def windows(self, count: int, seed: str) -> list[Window]:
        """All of one fold, so that the same counts speak of them."""
        chance = random.Random(seed)
        share = chance.choice(self.shares) if len(self.shares) > 1 else self.shares[0]
        windows: list[Window] = []
        while len(windows) < count:
            text = share.text(chance)
            start, end = cut(text, self.config.characters, chance)
            hidden = hide(text[start:end], self.config, chance)
            if hidden.spans:
                around = text[max(0, start - REACH) : start], text[end : end + REACH]
                windows.append(replace(hidden, around=around, fold=share.fold))
        return windows


class _Share:
    """The texts of a fold, to be drawn by kind."""

    def __init__(self, fold: int, kinds: Sequence[tuple[Sequence[str], float]], config: WindowConfig) -> None:
        self.fold = fold
        self.texts = [texts for texts, _ in kinds]
        self.weights = [weight for _, weight in kinds]
        # A text is drawn in proportion to its length, so that every window of a kind is as likely.
        self.cumulative = [
            np.cumsum([max(1, len(text) - config.characters // 2) for text in texts]).tolist()
            for texts in self.texts
        ]

    def text(self, chance: random.Random) -> str:
        kind = chance.choices(range(len(self.texts)), self.weights)[0]
        return chance.choices(self.texts[kind], cum_weights=self.cumulative[kind])[0]


def cut(text: str, longest: int, chance: random.Random) -> tuple[int, int]:
    """Start and end of a stretch of at most `longest` characters from anywhere in the text."""
    if len(text) <= longest:
        return 0, len(text)
    start = chance.randrange(-longest // 4, len(text) - longest // 2)
    start = max(0, min(start, len(text) - longest // 2))
    end = min(len(text), start + longest)
    return start + (text[start] == SPACE), end - (text[end - 1] == SPACE)


def hide(text: str, config: WindowConfig, chance: random.Random) -> Window:
    """Hide spans of a text."""
    by_character = chance.random() < config.character_share
    budget = len(text) * chance.uniform(*config.hidden_share)
    with_losses = chance.random() < config.lost_share
    pieces: list[str] = []
    spans: list[Span] = []
    lengths: list[tuple[int, int]] = []
    position = shown = 0
    chosen = _spans(text, 1 if config.one_span else budget, config, chance)
    if not by_character:
        chosen = [trim(text, start, end) for start, end in chosen]
    for start, end in chosen:
        fate = chance.random() if with_losses and len(chosen) > 1 else 1.0
        as_letters = not by_character or fate < 0.25
        left, right = start, end
        if as_letters:
            # Editions do not always show whether a word ended before the break.
            if left > position and text[left - 1] == SPACE and chance.random() < 0.5:
                left -= 1
            if right < len(text) - 1 and text[right] == SPACE and chance.random() < 0.5:
                right += 1
        pieces.append(text[position:left])
        shown += left - position
        hidden = text[left:right]
        count = len(hidden.replace(SPACE, ""))
        if fate < 0.1:
            pieces.append(UNKNOWN)
            lengths.append((shown, count if count <= 20 else 0))
            shown += 1
        elif fate < 0.25:
            pieces.append(LOST * count)
            shown += count
        elif as_letters:
            pieces.append(PREDICT * count)
            targets = letter_outputs(hidden)
            spans.append(Span(tuple(range(shown, shown + count + 1)), targets, shown + count))
            shown += count
        else:
            pieces.append(PREDICT_CHARACTER * len(hidden))
            targets = tuple(OUTPUT_CODES[symbol] for symbol in hidden)
            spans.append(Span(tuple(range(shown, shown + len(hidden))), targets, shown + len(hidden)))
            shown += len(hidden)
        position = right
    pieces.append(text[position:])
    return Window("".join(pieces), tuple(spans), tuple(lengths))


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """The same span without spaces at its ends."""
    return start + (text[start] == SPACE), end - (text[end - 1] == SPACE)


def _spans(text: str, budget: float, config: WindowConfig, chance: random.Random) -> list[tuple[int, int]]:
    """Places to hide: letters and spaces only, not adjoining one another."""
    found: list[tuple[int, int]] = []
    hidden = 0
    taken = bytearray(len(text) + 2)
    for _ in range(60):
        if hidden >= budget or len(text) < 4:
            break
        length = chance.randint(1, config.longest_span)
        if chance.random() < config.long_span_share:
            length += config.longest_span
        start = chance.randrange(0, max(1, len(text) - length))
        end = min(start + length, len(text))
        stretch = text[start:end]
        if (
            any(taken[max(0, start - 2) : end + 3])
            or not all(symbol in _LETTERS or symbol == SPACE for symbol in stretch)
            or not stretch.strip()
        ):
            continue
        taken[start:end] = b"\1" * (end - start)
        found.append((start, end))
        hidden += end - start
    return sorted(found)


def collate(windows: Sequence[Window], vocabulary: Vocabulary) -> Batch:
    """Arrays for a batch of windows, padded."""
    longest = max(len(window.text) for window in windows)
    spans = max(len(window.spans) for window in windows)
    steps = max(len(span.slots) for window in windows for span in window.spans)
    shape = (len(windows), spans, steps)
    characters = np.zeros((len(windows), longest), dtype=np.int64)
    words = np.zeros_like(characters)
    lengths = np.full_like(characters, IGNORED)
    slots = np.zeros(shape, dtype=np.int64)
    previous = np.full(shape, START, dtype=np.int64)
    targets = np.full(shape, IGNORED, dtype=np.int64)
    before = np.zeros(shape[:2], dtype=np.int64)
    after = np.zeros(shape[:2], dtype=np.int64)
    for row, window in enumerate(windows):
        size = len(window.text)
        characters[row, :size] = encode(window.text)
        words[row, :size] = vocabulary.encode(window.text)
        for place, length in window.lengths:
            lengths[row, place] = length
        for column, span in enumerate(window.longest_first):
            count = len(span.targets)
            slots[row, column, :count] = np.minimum(span.slots, size - 1)
            targets[row, column, :count] = span.targets
            previous[row, column, 1:count] = span.targets[:-1]
            before[row, column] = max(0, span.slots[0] - 1)
            after[row, column] = min(size - 1, span.after)
    return Batch(characters, words, slots, previous, targets, before, after, lengths)
