"""Rows → tokens: the signs of PHI and Leiden notation, each with its place.

One regular expression per state (inside or outside square brackets) cuts a row in one linear pass; no
alternative looks further than a fixed distance or past what it then consumes. Nothing is dropped: the
tokens of a row joined together are the row.

Not for meaning: which bracket belongs to which, and what a sign says about a word, is the parser's part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

import regex

from pythia_epidoc.leiden.model import Dialect

SUPERSCRIPTS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
FROM_SUPERSCRIPT: Final = str.maketrans(SUPERSCRIPTS, "0123456789")
TO_SUPERSCRIPT: Final = str.maketrans("0123456789", SUPERSCRIPTS)

INTERPUNCTS: Final = ":∶⋮∙⁙⁝⁞⁚⁖⁘⁛•●▪‧⸱‥⁏"
LEAVES: Final = "❦❧☙"
CROSSES: Final = "✝☩✠✚✙☨♱✛✢"
MONOGRAMS: Final = {"☧": "chi-rho", "⳩": "chi-rho", "⳨": "tau-rho", "𐆠": "tau-rho"}
METRE: Final = "⏑⏒⏓⏔⏕⏖⏗⏘⏙∪"

_SUP = f"[{SUPERSCRIPTS}]"
_CIRCA = r"(?:c(?:a|irca)?\.?|±|fere)"
_NUMBER = r"[0-9]{1,4}(?:\s?[-–]\s?[0-9]{1,4})?"
_LETTER_UNIT = r"(?:\s?(?:litterae|litt\.|letters))?"
_UNIT = r"(?:lines?|versus|vv\.|vs\.|litt(?:erae|\.)?|letters|cm|mm|m)(?![A-Za-z])"
_VACAT = (
    r"(?:spat(?:ium|ia|\.)?\s?)?[uv]ac(?:\.|(?:at|ant|uum|ua)?(?![\p{L}\p{M}]))"
    rf"(?:\s?{_CIRCA}?\s?[0-9]{{1,4}}(?:[.,][0-9]{{1,4}})?(?:\s?[-–]\s?[0-9]{{1,4}})?(?:\s?{_UNIT})?)?(?:\s?\?)?"
)
_CLOSERS = r"[\]\)}>›⟩〉〛⟧′⸣»⸥\s]"
# How many groups of dots one count may have is bounded, so that no row is read over and over again.
_STOPS = r"(?:[․…]++(?:\s[․…]++){0,40}+|(?=\.\s?\.)\.++(?:\s\.++){0,40}+)"
_STOPS_LOST = r"[.·․…]++(?:\s[.·․…]++){0,40}+"
_SPACED = r"(?:\s[.·․…](?![.·․…]))++"
_DASHES = r"[—―](?:(?>\s*)[—―])*+"
_MONEY = r"\U00010179-\U0001018e\U00010190-\U0001019c"
_LETTER = r"\p{Lu}\p{Ll}\p{Lt}\p{Lo}\u0375\U00010140-\U00010178"
_LETTERS = rf"[{_LETTER}][{_LETTER}\p{{M}}]*+"

_ALWAYS = [
    ("island_open", rf"\{{{_SUP}+"),
    ("island_close", rf"\}}{_SUP}+"),
    ("uncertain", r"\(\s?\?\s?\)"),
    ("query", r"\?(?=\s?[\])])"),
    ("uncertain", r"(?<=[\p{L}\p{M}])\?"),
    ("vacat", rf"\(\s?{_VACAT}\s?\)"),
    ("vacat", r"(?<![\p{L}\p{M}])\(\s?v{1,9}\.?\s?\??\s?\)"),
    ("hand", r"\((?:hand|man(?:us|\.)|m\.|m)\s?[0-9]{1,2}\)"),
    ("hand", rf"(?<![\p{{L}}\p{{M}}])m\.?{_SUP}+"),
    ("unexpanded", r"\([ \u00a0]{0,9}\)"),
    ("pointer", r"\(\s?[*!]\s?\)"),
    ("symbol", r"\(\([^()\[\]{}<>]{1,40}\)\)"),
    (
        "remark",
        r"(?<!\p{Latin}\p{M}{0,4})\((?=[^()\[\]{}<>]{0,200}(?:[a-z]{2}|e\.\s?g\.))[^()\[\]{}<>]{1,300}\)",
    ),
    ("remark", r"\(\s?[0-9]{1,4}\s?\)"),
    ("traces", rf"(?<![\p{{L}}\p{{M}}])[Tt]races\s?{_CIRCA}?\s?{_NUMBER}\s?lines?(?![a-z])"),
    ("sub_open", r"<(?=[^<>=]{1,60}=[^<>=]{1,60}>)"),
    ("bracket", r"[\[\]{}()<>‹›⟨⟩〈〉\u2329\u232a〚〛⟦⟧⸢⸣«»⸤⸥‵`\\†]"),
    ("counted", rf"{_STOPS}\s?{_CIRCA}?\s?{_NUMBER}\s?\??\s?{_STOPS}"),
    ("counted", rf"(?<![\p{{L}}\p{{M}}])(?:ca?\.|circa|±)\s?{_NUMBER}{_LETTER_UNIT}"),
    ("counted", rf"{_DASHES}\s*{_CIRCA}?\s?{_NUMBER}\s?(?:litt\.|letters)?\s*{_DASHES}"),
    ("unknown_traces", r"-\s?ca\.?\s?\?\s?-"),
    ("dots", rf"[.․…]{_SPACED}"),
    ("dots", r"[․…]+|\.{2,}"),
    ("dots", r"(?:[\u00a0 ]?[\u00a0 ]\u0323)+"),
    ("metre", rf"(?=[–¯×\s]{{0,40}}+[{METRE}])[–¯×{METRE}](?:(?>\s*)[–¯×{METRE}|‖])*+"),
    ("dashes", r"[—―⸺](?:(?>\s*)(?:\?(?>\s*))?[—―⸺])*+(?:\s?\?(?!\)))?"),
    ("en_dashes", r"–(?:(?>\s*)–)++"),
    ("dashes", r"-(?:\s?-)++"),
    ("hyphen", rf"[-‐‑⸗\u00ad–](?={_CLOSERS}*+$)"),
    ("vacat", rf"(?<![\p{{L}}\p{{M}}]){_VACAT}"),
    ("vacat", r"(?<![\p{L}\p{M}])v{1,9}(?![\p{L}\p{M}])\.?(?:\s?\?)?"),
    ("beta", rf"[#%](?:{_SUP}+|[0-9]{{1,4}})?"),
    ("bar", rf"(?:\|\|?|‖|∥|¦){_SUP}*"),
    ("verse", "/"),
    ("plus", r"\+(?:\s?\+)*+"),
    ("keraia", r"[\u0374\u0384\u02b9\u00b4\u1ffd\u2032]"),
    ("arrow", r"^\s*[←→]\s*"),
    ("letters", _LETTERS),
    ("blank", r"\s++(?!\u0323)"),
    ("blank", r"(?:(?![\u00a0 ]?[\u00a0 ]\u0323)\s)++"),
    ("punctuation", r"[.,;'’ʼ᾽᾿῾‘ʽ“”\"!\u0387\u037e]+"),
    ("sign", rf"[{INTERPUNCTS}{LEAVES}{CROSSES}{''.join(MONOGRAMS)}{_MONEY}]"),
    ("middot", "·"),
    ("digits", r"[0-9]+"),
    ("other", r"(?s:.)\p{M}*+"),
]
_IN_BRACKETS = [
    ("lines_lost", rf"{_CIRCA}?\s?{_NUMBER}\s?lines?\s?(?:missing|lost)"),
    ("counted", rf"(?:{_STOPS_LOST}|-+)\s?{_CIRCA}?\s?{_NUMBER}\s?\??\s?(?:{_STOPS_LOST}|-+)"),
    ("unknown", rf"(?:[.·․…]+|-+)\s?{_CIRCA}?\s?\?\s?(?:[.·․…]+|-+)"),
    ("unknown", r"(?<![\p{L}\p{M}])(?:ca?\.|circa)\s?\?"),
    ("counted", r"\.[0-9]{1,3}(?:[-–][0-9]{1,3})?(?=\s?\])"),
    ("counted", rf"(?<![\p{{L}}\p{{M}}]){_CIRCA}\s?{_NUMBER}{_LETTER_UNIT}"),
    ("counted", rf"(?<=\[\s?)[0-9]{{1,4}}(?:[-–][0-9]{{1,4}})?{_LETTER_UNIT}(?=\s?\])"),
    ("dashes", r"(?<=\[\s?)-(?=\s?\]\s*[^\s\]])"),
    ("dots", rf"(?:[.․…]|(?<![\p{{L}}\p{{M}}])·){_SPACED}"),
    ("dots", r"\.{2,}|·{2,}|(?<![\p{L}\p{M}])[.·](?!\p{L})"),
]
_MACHINE = [
    ("lost_letters", r"-+"),
    ("unknown", r"#+"),
    ("number", r"0+"),
    ("letters", _LETTERS),
    ("blank", r"\s++"),
    ("punctuation", r"[.,;'’ʼ·\"!]+"),
    ("other", r"(?s:.)\p{M}*+"),
]


@lru_cache(maxsize=3)
def _compiled(state: Literal["outside", "inside", "machine"]) -> tuple[regex.Pattern[str], tuple[str, ...]]:
    """The expression of a state and its kinds; compiled when first needed, as it takes a while."""
    alternatives = {"outside": _ALWAYS, "inside": _IN_BRACKETS + _ALWAYS, "machine": _MACHINE}[state]
    # The same kind may have several alternatives, so groups are counted, not named.
    pattern = "|".join(f"({alternative})" for _, alternative in alternatives)
    return regex.compile(pattern, regex.VERSION1), ("", *(kind for kind, _ in alternatives))


_SUBSTITUTE = re.compile(r"=([^<>=]{1,60})>")
_FIRST_SQUARE = re.compile(r"[\[\]]")
_COUNT = re.compile(
    r"((?<![A-Za-z])c(?:a|irca)?\.?|±|fere)?\s*([0-9]{1,4})(?:([.,])([0-9]{1,4}))?(?:\s?[-–]\s?([0-9]{1,4}))?"
)


class Token(NamedTuple):
    """One sign or run of letters; `column` counts from 0 within its row."""

    kind: str
    text: str
    row: int
    column: int


@dataclass(frozen=True)
class Count:
    """A number of letters or lines as printed: `5`, `c. 4`, `8-9`, `0.05`."""

    low: int
    high: int
    circa: bool = False
    decimals: str = ""

    @property
    def is_range(self) -> bool:
        return self.low != self.high


def count_in(text: str) -> Count | None:
    """The number a token such as `․․8-9․․` states, or None; a range may be reversed."""
    match = _COUNT.search(text)
    if match is None:
        return None
    circa, low, point, decimals, high = match.groups()
    return Count(
        int(low),
        int(high) if high else int(low),
        circa=bool(circa),
        decimals=decimals if point and decimals else "",
    )


def tokenize(row: str, index: int = 0, dialect: Dialect = "phi") -> list[Token]:
    """Cut one row into tokens."""
    if dialect == "machine":
        pattern, kinds = _compiled("machine")
        return [Token(kinds[m.lastindex or 0], m.group(), index, m.start()) for m in pattern.finditer(row)]
    tokens: list[Token] = []
    within, without = _compiled("inside"), _compiled("outside")
    first = _FIRST_SQUARE.search(row)
    inside = first is not None and first.group() == "]"
    substituting = False
    position = 0
    while position < len(row):
        if substituting and row[position] == "=":
            closing = _SUBSTITUTE.match(row, position)
            if closing is not None:
                tokens.append(Token("sub_close", closing.group(), index, position))
                substituting = False
                position = closing.end()
                continue
        pattern, kinds = within if inside else without
        match = pattern.match(row, position)
        assert match is not None  # the last alternative takes any character
        kind = kinds[match.lastindex or 0]
        text = match.group()
        if text == "[":
            inside = True
        elif text == "]":
            inside = False
        elif kind == "sub_open":
            substituting = True
        tokens.append(Token(kind, text, index, position))
        position = match.end()
    return tokens
