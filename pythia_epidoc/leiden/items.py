"""What the parser makes of tokens: a flat sequence of items, and spans over it that may cross.

Not for XML: `nesting` turns spans into a tree, `markup` into elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pythia_epidoc.leiden.tokens import Count


@dataclass(frozen=True, slots=True)
class Letters:
    """A run of letters in one state; NFC, without the marks that state stands for."""

    text: str
    unclear: bool = False
    rend: str = ""
    """`previous` (underlined), `supraline`, `ligature`, `reversed`, or nothing."""


@dataclass(frozen=True, slots=True)
class Text:
    """Punctuation, and whatever was not understood and is kept."""

    text: str


@dataclass(frozen=True, slots=True)
class Blank:
    """A space between words."""


@dataclass(frozen=True, slots=True)
class Lacuna:
    """Letters or lines that cannot be read; inside square brackets they are lost."""

    count: Count | None = None
    reason: str = "illegible"
    unit: str = "character"
    uncertain: bool = False
    description: str = ""
    metre: str = ""


@dataclass(frozen=True, slots=True)
class Vacant:
    """Space left uninscribed."""

    count: Count | None = None
    unit: str = "character"
    uncertain: bool = False


@dataclass(frozen=True, slots=True)
class Sign:
    """A glyph that is no letter."""

    type: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class LineBreak:
    """The beginning of a line."""

    n: str = ""
    no_break: bool = False
    direction: str = ""


@dataclass(frozen=True, slots=True)
class Division:
    """`|` or `‖` where it is not a line end, or a stroke between lines."""

    text: str
    no_break: bool = False


@dataclass(frozen=True, slots=True)
class VerseEnd:
    """`/`: a verse ends."""


@dataclass(frozen=True, slots=True)
class Remark:
    """An editor's words about the text."""

    text: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Hand:
    """Another hand begins."""

    n: str


@dataclass(frozen=True, slots=True)
class Keraia:
    """The stroke after a numeral, until the words have been looked at."""

    text: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """`(?)` after a word, or `?` before a closing bracket, until the words have been looked at."""

    whole: bool = False


@dataclass(frozen=True, slots=True)
class Unexpanded:
    """`( )`: the word before is an abbreviation nobody has resolved."""


READINGS = frozenset({"26", "27"})
"""PHI's codes for regularised forms and other readings."""


@dataclass(frozen=True, slots=True)
class Island:
    """`{²⁶…}²⁶` and its like: another text beside the one on the stone."""

    code: str
    parts: tuple[Passage, ...]
    alone: bool = False
    """No word stands before it that it could speak of."""

    @property
    def is_reading(self) -> bool:
        return self.code in READINGS and not self.alone


Item = (
    Letters
    | Text
    | Blank
    | Lacuna
    | Vacant
    | Sign
    | LineBreak
    | Division
    | VerseEnd
    | Remark
    | Hand
    | Keraia
    | Doubt
    | Unexpanded
    | Island
)


class Kind(Enum):
    """What a span says of its items; of two spans over the same items the earlier kind is outside."""

    VERSE = "verse"
    ALTERNATIVE = "alternative"
    REGULARISED = "regularised"
    DOUBTFUL = "doubtful"
    FOREIGN = "foreign"
    UNINTERPRETED = "uninterpreted"
    NUMERAL = "numeral"
    CORRUPT = "corrupt"
    ERASED = "erased"
    ADDED = "added"
    OVERSTRUCK = "overstruck"
    SURPLUS = "surplus"
    LOST = "lost"
    PARALLEL = "parallel"
    OMITTED = "omitted"
    CORRECTED = "corrected"
    SUBSTITUTED = "substituted"
    EXPANSION = "expansion"
    ABBREVIATION = "abbreviation"
    EXPANDED = "expanded"


ORDER = {kind: order for order, kind in enumerate(Kind)}

WHOLE = frozenset(
    {
        Kind.VERSE,
        Kind.ALTERNATIVE,
        Kind.REGULARISED,
        Kind.DOUBTFUL,
        Kind.UNINTERPRETED,
        Kind.NUMERAL,
        Kind.EXPANSION,
        Kind.SUBSTITUTED,
    }
)
"""Spans that say something about a word or verse as a whole, and are never split."""


@dataclass(frozen=True, slots=True)
class Span:
    """A statement about `items[start:end]`."""

    kind: Kind
    start: int
    end: int
    low: bool = False
    """The editor doubts it."""
    value: str = ""
    others: tuple[Passage, ...] = ()
    """Other readings of the same words."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Items and the spans over them."""

    items: tuple[Item, ...]
    spans: tuple[Span, ...]
