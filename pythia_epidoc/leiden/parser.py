"""Tokens → a passage: items in order, and spans over them that may cross.

Not for words: what a sign says of the word before it is told by `words`; not for XML either.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field

from pythia_epidoc.leiden import tokens as lexer
from pythia_epidoc.leiden.brackets import Brackets, Pair, pair_brackets
from pythia_epidoc.leiden.items import (
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
from pythia_epidoc.leiden.letters import letter_runs, normalise
from pythia_epidoc.leiden.model import Finding, Options, Row
from pythia_epidoc.leiden.tokens import Count, Token, count_in, tokenize
from pythia_epidoc.leiden.words import read_words

_ISLANDS_DEEP = 3
_COMMENT = "2"
_TRACES = re.compile(r"(?:vestigia|vestigium|vest\.|traces)(?:[\s\w.]*)$")
_LINES_GONE = re.compile(r"\s*(?:--\s*){5,}$")
_STROKE = re.compile(r"\s*[—―]{6,}\s*$")
_CURRENCY = re.compile(r"(?:GREEK|ROMAN) (.+?)(?: SIGN)?$")


@dataclass
class Report:
    """Findings and counts, collected while a text is read."""

    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def parse(rows: tuple[Row, ...], options: Options, report: Report) -> Passage:
    """Read the rows of one part of a text."""
    tokens: list[Token] = []
    for index, row in enumerate(rows):
        tokens.append(Token("row", "", index, 0))
        tokens.extend(tokenize(row.text, index, options.dialect))
    return _Reader(rows, options, report).read(tokens)


class _Reader:
    """One passage being read."""

    def __init__(self, rows: tuple[Row, ...], options: Options, report: Report, depth: int = 0) -> None:
        self.rows = rows
        self.options = options
        self.report = report
        self.depth = depth
        self.items: list[Item] = []
        self.places: list[Token] = []
        self.no_break = False
        self.line = 0

    def read(self, tokens: list[Token]) -> Passage:
        tokens, islands = self._islands(tokens)
        brackets = pair_brackets(tokens)
        for index, code in brackets.amiss:
            self._find(code, tokens[index], tokens[index].text)
        empty, literal = self._empty_brackets(tokens, brackets)
        starts = {pair.start for pair in empty}
        broken = [t.row for t in tokens if t.kind not in ("row", "island", "blank")]
        self.last_row = broken[-1] if broken else -1
        self.broken_rows = set(broken)
        self.tokens = tokens
        at: list[int] = []
        for index, token in enumerate(tokens):
            at.append(len(self.items))
            if index in starts:
                self._add(Lacuna(reason="lost"), token)
            if index in islands:
                self._add(islands[index], token)
            elif index in literal or (token.kind == "bracket" and index not in brackets.consumed):
                self._add_stray(token)
            elif index not in brackets.consumed:
                self._add_token(index, token)
        at.append(len(self.items))
        spans = [
            Span(self._angle(pair.kind), at[pair.start], at[pair.end])
            for pair in brackets.pairs
            if pair.start - 1 not in literal and at[pair.start] < at[pair.end]
        ]
        for span in spans:
            self.report.counts[span.kind.value] += 1
        spans.extend(self._substitutions(tokens, at))
        return read_words(self.items, self.places, spans, self.options, self._find, self.report.counts)

    # -- what stands beside the text -----------------------------------------------------------------

    def _islands(self, tokens: list[Token]) -> tuple[list[Token], dict[int, Item]]:
        """Take `{²⁶…}²⁶` and its like out of the sequence: brackets inside them are their own affair."""
        opened: dict[str, int] = {}
        ends: dict[int, int] = {}
        for index, token in enumerate(tokens):
            if token.kind == "island_open":
                opened[token.text[1:]] = index
            elif token.kind == "island_close" and token.text[1:] in opened:
                ends[opened.pop(token.text[1:])] = index
        kept: list[Token] = []
        islands: dict[int, Item] = {}
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if index in ends and self.depth < _ISLANDS_DEEP:
                islands[len(kept)] = self._island(token, tokens[index + 1 : ends[index]])
                kept.append(Token("island", token.text, token.row, token.column))
                index = ends[index]
            elif token.kind in ("island_open", "island_close"):
                kept.append(token._replace(kind="stray"))
                self._find("unbalanced", token, token.text)
            else:
                kept.append(token)
            index += 1
        return kept, islands

    def _island(self, opener: Token, tokens: list[Token]) -> Item:
        code = opener.text[1:].translate(lexer.FROM_SUPERSCRIPT)
        self.report.counts[f"phi-{code}"] += 1
        if code == _COMMENT:
            words = "".join("\n" if token.kind == "row" else token.text for token in tokens)
            return Remark(_legible(unicodedata.normalize("NFC", words)), "comment")
        if code not in ("26", "27"):
            self._find("unknown-code", opener, f"{{{opener.text[1:]}")
        inner = [token for token in tokens if token.kind != "row"]
        parts: list[list[Token]] = [[]]
        for token in inner:
            if code == "27" and token.text == ";":
                parts.append([])
            else:
                parts[-1].append(token)
        readers = [(_Reader(self.rows, self.options, self.report, self.depth + 1), _strip(part)) for part in parts]
        return Island(code, tuple(reader.read(part) for reader, part in readers))

    def _substitutions(self, tokens: list[Token], at: list[int]) -> list[Span]:
        """`<α=Λ>`: the editor reads α, the stone has Λ."""
        spans: list[Span] = []
        start: int | None = None
        for index, token in enumerate(tokens):
            if token.kind == "sub_open":
                start = index
            elif token.kind == "sub_close" and start is not None:
                reader = _Reader(self.rows, self.options, Report(), self.depth + 1)
                stone = reader.read([t for t in tokenize(token.text[1:-1], token.row)])
                spans.append(Span(Kind.SUBSTITUTED, at[start], at[index], others=(stone,)))
                self.report.counts[Kind.SUBSTITUTED.value] += 1
                start = None
        return spans

    def _empty_brackets(self, tokens: list[Token], brackets: Brackets) -> tuple[list[Pair], set[int]]:
        empty: list[Pair] = []
        literal: set[int] = set()
        for pair in brackets.pairs:
            if all(token.kind in ("blank", "row") for token in tokens[pair.start : min(pair.end, pair.start + 9)]):
                if pair.end - pair.start > 9:
                    continue
                place = tokens[max(pair.start - 1, 0)]
                self._find("empty-bracket", place)
                if pair.kind in (Kind.LOST, Kind.ERASED) and pair.end < len(tokens):
                    empty.append(pair)
                else:
                    literal.update((pair.start - 1, pair.end))
        return empty, literal

    # -- tokens to items -----------------------------------------------------------------------------

    def _add(self, item: Item, token: Token) -> None:
        self.items.append(item)
        self.places.append(token)

    def _find(self, code: str, token: Token, detail: str = "") -> None:
        row = self.rows[token.row]
        self.report.findings.append(Finding(row.line, row.column + token.column, code, detail))

    def _angle(self, kind: Kind) -> Kind:
        if kind is Kind.OMITTED and self.options.angle == "corrected":
            return Kind.CORRECTED
        return kind

    def _add_stray(self, token: Token) -> None:
        if token.text == "†":
            self._add(Sign("cross", token.text), token)
            self.report.counts["cross"] += 1
        else:
            self._add(Text(token.text), token)

    def _add_token(self, index: int, token: Token) -> None:
        adder = getattr(self, f"_add_{token.kind}", None)
        if adder is None:
            self._add_other(index, token)
        else:
            adder(index, token)

    def _add_row(self, index: int, token: Token) -> None:
        if token.row not in self.broken_rows:
            return
        row = self.rows[token.row]
        direction = ""
        if index + 1 < len(self.tokens) and self.tokens[index + 1].kind == "arrow":
            direction = "rtl" if "←" in self.tokens[index + 1].text else "ltr"
        self.line = int(re.sub(r"\D", "", row.number)[:6] or 0)
        self._add(LineBreak(row.number, self.no_break, direction), token)
        self.no_break = False

    def _add_arrow(self, index: int, token: Token) -> None:
        self.report.counts["direction"] += 1

    def _add_letters(self, index: int, token: Token) -> None:
        for run in letter_runs(token.text):
            self._add(run, token)
            if run.unclear:
                self.report.counts["unclear"] += 1

    def _add_blank(self, index: int, token: Token) -> None:
        if not self.items or not isinstance(self.items[-1], Blank):
            self._add(Blank(), token)

    def _add_punctuation(self, index: int, token: Token) -> None:
        self._add(Text(normalise(token.text)), token)

    def _add_stray_text(self, code: str, token: Token) -> None:
        self._find(code, token, _printable(token.text))
        self._add(Text(_legible(normalise(token.text))), token)

    def _add_digits(self, index: int, token: Token) -> None:
        self._add_stray_text("digits", token)

    def _add_other(self, index: int, token: Token) -> None:
        text = token.text
        if token.kind == "stray":
            self._add(Text(text), token)
        elif _legible(text) != text:
            self._add_stray_text("control", token)
        elif unicodedata.category(text[0])[0] == "M":
            self._add_stray_text("stray-mark", token)
        elif text == "?":
            self._add_stray_text("question-mark", token)
        elif text in "-‐\u00ad":
            self._add_stray_text("stray-hyphen", token)
        else:
            self._add_stray_text("unknown-sign", token)

    def _count(self, token: Token) -> Count | None:
        count = count_in(token.text)
        if count is not None and count.high < count.low:
            self._find("range", token, token.text)
            count = Count(count.high, count.low, count.circa)
        return count

    def _add_dots(self, index: int, token: Token) -> None:
        number = sum(3 if sign == "…" else sign in "․.·\u0323" for sign in token.text)
        self.report.counts["dots"] += 1
        self._add(Lacuna(Count(number, number)), token)

    def _add_counted(self, index: int, token: Token) -> None:
        self.report.counts["counted"] += 1
        reason = "lost" if token.text[0] in "—―-" else "illegible"
        self._add(Lacuna(self._count(token), reason, uncertain="?" in token.text), token)

    def _add_unknown(self, index: int, token: Token) -> None:
        self.report.counts["unknown"] += 1
        self._add(Lacuna(reason="lost"), token)

    def _add_dashes(self, index: int, token: Token) -> None:
        self.report.counts["unknown"] += 1
        row = self.rows[token.row].text
        if _LINES_GONE.match(row):
            self._add(Lacuna(reason="lost", unit="line"), token)
        elif self.options.dialect == "leiden" and _STROKE.match(row):
            self._add(Division("paragraphos"), token)
        elif self.options.dialect == "leiden" and token.text == row.strip("[ ]") == "------":
            self._add(Lacuna(Count(1, 1), "lost", "line"), token)
        else:
            self._add(Lacuna(reason="lost", uncertain="?" in token.text), token)

    def _add_en_dashes(self, index: int, token: Token) -> None:
        if any(sign in self.rows[token.row].text for sign in lexer.METRE):
            self._add_metre(index, token)
        else:
            self._find("en-dash", token, token.text)
            self._add(Lacuna(reason="lost"), token)

    def _add_metre(self, index: int, token: Token) -> None:
        self.report.counts["metre"] += 1
        self._add(Lacuna(reason="lost", metre="".join(token.text.split())), token)

    def _add_lines_lost(self, index: int, token: Token) -> None:
        self.report.counts["counted"] += 1
        self._add(Lacuna(self._count(token), "lost", "line"), token)

    def _add_lost_letters(self, index: int, token: Token) -> None:
        self.report.counts["counted"] += 1
        self._add(Lacuna(Count(len(token.text), len(token.text)), "lost"), token)

    def _add_number(self, index: int, token: Token) -> None:
        self._add(Text(token.text), token)

    def _add_vacat(self, index: int, token: Token) -> None:
        text = token.text.strip("()").strip()
        if text.strip("v.") == "" and self._among_latin(index):
            self._add(Letters(text.rstrip(".")), token)
            if text.endswith("."):
                self._add(Text("."), token)
            return
        self.report.counts["vacat"] += 1
        count = self._count(token)
        unit = "character"
        if text.strip("v.") == "":
            letters = text.count("v")
            count = Count(letters, letters)
        elif re.search(r"lines?|versus|vv\.|vs\.", text):
            unit = "line"
        elif count is not None and count.decimals:
            unit = "cm" if text.endswith("cm") else "m"
        elif match := re.search(r"(?<![a-z])(cm|mm|m)$", text):
            unit = match.group(1)
        elif count is None and self.rows[token.row].text.strip() == token.text:
            unit = "line"
        self._add(Vacant(count, unit), token)

    def _among_latin(self, index: int) -> bool:
        """`v` among Latin words is a letter, not a vacat."""
        for step in (-1, 1):
            place = index + step
            while 0 <= place < len(self.tokens) and self.tokens[place].row == self.tokens[index].row:
                token = self.tokens[place]
                if token.kind == "letters":
                    if token.text.isascii() and token.text.islower():
                        return True
                    break
                if token.kind not in ("blank", "bracket") or abs(place - index) > 4:
                    break
                place += step
        return False

    def _add_beta(self, index: int, token: Token) -> None:
        self.report.counts["beta-code"] += 1
        code = token.text[1:].translate(lexer.FROM_SUPERSCRIPT)
        if token.text[0] == "#" and code == "7":
            self._add(Lacuna(Count(1, 1)), token)
        else:
            name = "beta" if token.text[0] == "#" else "beta-percent"
            self._add(Sign(f"{name}-{code}" if code else name, token.text), token)

    def _add_bar(self, index: int, token: Token) -> None:
        self.report.counts["division"] += 1
        mark = token.text.rstrip(lexer.SUPERSCRIPTS)
        number = token.text[len(mark) :].translate(lexer.FROM_SUPERSCRIPT)[:6]
        no_break = not (self._blank_at(index - 1) or self._blank_at(index + 1))
        is_line = self.options.bars == "line" or (self.options.bars == "auto" and len(self.rows) == 1)
        if is_line and not self.depth:
            self.line = int(number) if number else self.line + 1
            self._add(LineBreak(str(self.line), no_break), token)
        else:
            self._add(Division(mark, no_break), token)

    def _blank_at(self, index: int) -> bool:
        return not 0 <= index < len(self.tokens) or self.tokens[index].kind in ("blank", "row")

    def _add_verse(self, index: int, token: Token) -> None:
        self.report.counts["verse"] += 1
        self._add(VerseEnd(), token)

    def _add_plus(self, index: int, token: Token) -> None:
        number = token.text.count("+")
        beside = [self.tokens[i].kind for i in (index - 1, index + 1) if 0 <= i < len(self.tokens)]
        if number > 1 or "letters" in beside or "bracket" in beside:
            self.report.counts["dots"] += 1
            self._add(Lacuna(Count(number, number)), token)
        else:
            self.report.counts["cross"] += 1
            self._add(Sign("cross", "+"), token)

    def _add_keraia(self, index: int, token: Token) -> None:
        self._add(Keraia(normalise(token.text)), token)

    def _add_sign(self, index: int, token: Token) -> None:
        self.report.counts["sign"] += 1
        self._add(Sign(_sign_type(token.text), token.text), token)

    def _add_middot(self, index: int, token: Token) -> None:
        """A raised dot is punctuation after a word, an interpunct between or inside words."""
        if not self._blank_at(index - 1) and (
            self._blank_at(index + 1) or self.tokens[index + 1].kind in ("bracket", "hyphen", "verse", "island")
        ):
            self._add(Text("·"), token)
        else:
            self.report.counts["sign"] += 1
            self._add(Sign("interpunct", "·"), token)

    def _add_hyphen(self, index: int, token: Token) -> None:
        if self._blank_at(index - 1):
            self._add_stray_text("stray-hyphen", token)
        elif token.row >= self.last_row:
            self._add_stray_text("dangling-hyphen", token)
        else:
            self.no_break = True

    def _add_uncertain(self, index: int, token: Token) -> None:
        self._add(Doubt(), token)

    def _add_query(self, index: int, token: Token) -> None:
        self._add(Doubt(whole=True), token)

    def _add_unexpanded(self, index: int, token: Token) -> None:
        self._add(Unexpanded(), token)

    def _add_pointer(self, index: int, token: Token) -> None:
        mark = token.text.strip("() ")
        self._add(Remark(mark, "apparatus" if mark == "*" else "sic"), token)

    def _add_remark(self, index: int, token: Token) -> None:
        self.report.counts["remark"] += 1
        self._add(Remark(unicodedata.normalize("NFC", token.text[1:-1])), token)

    def _add_hand(self, index: int, token: Token) -> None:
        self.report.counts["hand"] += 1
        number = "".join(re.findall(r"[0-9]", token.text.translate(lexer.FROM_SUPERSCRIPT)))
        self._add(Hand(number), token)

    def _add_symbol(self, index: int, token: Token) -> None:
        self.report.counts["sign"] += 1
        name = token.text[2:-2].strip()
        if name.isascii() and name.replace("-", "").replace("_", "").replace(" ", "").isalnum():
            self._add(Sign(name.replace(" ", "-")), token)
        else:
            for run in letter_runs(name):
                self._add(Letters(run.text, run.unclear, "reversed"), token)

    def _add_sub_open(self, index: int, token: Token) -> None:
        pass  # seen again in _substitutions

    def _add_sub_close(self, index: int, token: Token) -> None:
        pass


def _strip(tokens: list[Token]) -> list[Token]:
    start, end = 0, len(tokens)
    while start < end and tokens[start].kind == "blank":
        start += 1
    while end > start and tokens[end - 1].kind == "blank":
        end -= 1
    return tokens[start:end]


def _sign_type(sign: str) -> str:
    if sign in lexer.INTERPUNCTS:
        return "interpunct"
    if sign in lexer.LEAVES:
        return "leaf"
    if sign in lexer.CROSSES:
        return "cross"
    if sign in lexer.MONOGRAMS:
        return lexer.MONOGRAMS[sign]
    match = _CURRENCY.match(unicodedata.name(sign, ""))
    return match.group(1).lower().replace(" ", "-") if match else "symbol"


_ILLEGIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _legible(text: str) -> str:
    """The text with every character XML forbids replaced."""
    return _ILLEGIBLE.sub("\ufffd", text)


def _printable(text: str) -> str:
    return " ".join(f"U+{ord(c):04X}" if not c.isprintable() else c for c in text) if len(text) < 5 else text[:20]
