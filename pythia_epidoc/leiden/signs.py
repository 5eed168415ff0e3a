"""One token → the items it stands for: every siglum that is no bracket has its method here.

Not for spans: brackets, and signs that speak of a word, are put together in `parser` and `words`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field

from pythia_epidoc.leiden import tokens as lexer
from pythia_epidoc.leiden.items import (
    Blank,
    Division,
    Doubt,
    Hand,
    Item,
    Keraia,
    Lacuna,
    Letters,
    LineBreak,
    Remark,
    Sign,
    Text,
    Unexpanded,
    Vacant,
    VerseEnd,
)
from pythia_epidoc.leiden.letters import letter_runs, normalise
from pythia_epidoc.leiden.model import Finding, Options, Row
from pythia_epidoc.leiden.tokens import Count, Token, count_in

_AFTER_WORD = frozenset({"bracket", "hyphen", "verse", "island"})
_LINES_GONE = re.compile(r"\s*(?:--\s*){5,}$")
_CURRENCY = re.compile(r"(?:GREEK|ROMAN) (.+?)(?: SIGN)?$")
_ILLEGIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass
class Report:
    """Findings and counts, collected while a text is read."""

    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class ItemMaker:
    """The items of one sequence of tokens, made token by token."""

    def __init__(
        self, tokens: list[Token], rows: tuple[Row, ...], options: Options, report: Report, top: bool
    ) -> None:
        self.tokens = tokens
        self.rows = rows
        self.options = options
        self.report = report
        self.top = top
        self.items: list[Item] = []
        self.places: list[Token] = []
        self.no_break = False
        self.line = 0
        broken = [t.row for t in tokens if t.kind not in ("row", "island", "blank", "remark_row", "stroke")]
        self.last_row = broken[-1] if broken else -1
        self.broken_rows = set(broken)
        self.lettered_rows = {t.row for t in tokens if t.kind not in ("row", "blank", "vacat", "island")}

    def add(self, item: Item, token: Token) -> None:
        self.items.append(item)
        self.places.append(token)

    def find(self, code: str, token: Token, detail: str = "") -> None:
        row = self.rows[token.row]
        self.report.findings.append(Finding(row.line, row.column + token.column, code, detail))

    def add_stray(self, token: Token) -> None:
        """A bracket without a partner; what is amiss with it has been reported."""
        if token.text == "†":
            self.add(Sign("cross", token.text), token)
            self.report.counts["cross"] += 1
        else:
            self.add(Text(token.text), token)

    def add_token(self, index: int) -> None:
        token = self.tokens[index]
        method = getattr(self, f"_{token.kind}", None)
        if method is None:
            self._other(index, token)
        else:
            method(index, token)

    def _row(self, index: int, token: Token) -> None:
        row = self.rows[token.row]
        if token.row not in self.broken_rows and row.text:
            return
        direction = ""
        if index + 1 < len(self.tokens) and self.tokens[index + 1].kind == "arrow":
            direction = "rtl" if "←" in self.tokens[index + 1].text else "ltr"
        self.line = int(re.sub(r"\D", "", row.number)[:6] or 0)
        self.add(LineBreak(row.number, self.no_break, direction), token)
        # A word broken off before an empty row goes on after it.
        self.no_break = self.no_break and token.row not in self.lettered_rows

    def _arrow(self, index: int, token: Token) -> None:
        self.report.counts["direction"] += 1

    def _letters(self, index: int, token: Token) -> None:
        for run in letter_runs(token.text):
            self.add(run, token)
            if run.unclear:
                self.report.counts["unclear"] += 1

    def _blank(self, index: int, token: Token) -> None:
        if not self.items or not isinstance(self.items[-1], Blank):
            self.add(Blank(), token)

    def _punctuation(self, index: int, token: Token) -> None:
        self.add(Text(normalise(token.text)), token)

    def _kept(self, code: str, token: Token) -> None:
        self.find(code, token, _printable(token.text))
        self.add(Text(legible(normalise(token.text))), token)

    def _digits(self, index: int, token: Token) -> None:
        self._kept("digits", token)

    def _other(self, index: int, token: Token) -> None:
        text = token.text
        if token.kind == "stray":
            self.add(Text(text), token)
        elif legible(text) != text:
            self._kept("control", token)
        elif unicodedata.category(text[0])[0] == "M":
            self._kept("stray-mark", token)
        elif text == "?":
            self._kept("question-mark", token)
        elif text in "-‐‑\u00ad":
            self._kept("stray-hyphen", token)
        else:
            self._kept("unknown-sign", token)

    def _count(self, token: Token) -> Count | None:
        count = count_in(token.text)
        if count is not None and count.high < count.low:
            self.find("range", token, token.text)
            count = Count(count.high, count.low, count.circa)
        return count

    def _dots(self, index: int, token: Token) -> None:
        number = sum(3 if sign == "…" else sign in "․.·\u0323" for sign in token.text)
        self.report.counts["dots"] += 1
        self.add(Lacuna(Count(number, number)), token)

    def _counted(self, index: int, token: Token) -> None:
        self.report.counts["counted"] += 1
        reason = "lost" if token.text[0] in "—―-" else "illegible"
        self.add(Lacuna(self._count(token), reason, uncertain="?" in token.text), token)

    def _unknown(self, index: int, token: Token) -> None:
        self.report.counts["unknown"] += 1
        self.add(Lacuna(reason="lost"), token)

    def _unknown_traces(self, index: int, token: Token) -> None:
        """`-ca.?-` outside brackets, alone in its row: nobody knows how many lines."""
        self.report.counts["unknown"] += 1
        alone = self.rows[token.row].text.strip() == token.text
        self.add(Lacuna(None, "illegible", "line" if alone else "character"), token)

    def _dashes(self, index: int, token: Token) -> None:
        self.report.counts["unknown"] += 1
        row = self.rows[token.row].text
        if _LINES_GONE.match(row):
            self.add(Lacuna(reason="lost", unit="line"), token)
        elif self.options.dialect == "leiden" and token.text == row.strip("[ ]") == "------":
            self.add(Lacuna(Count(1, 1), "lost", "line"), token)
        else:
            self.add(Lacuna(reason="lost", uncertain="?" in token.text), token)

    def _en_dashes(self, index: int, token: Token) -> None:
        if any(sign in self.rows[token.row].text for sign in lexer.METRE):
            self._metre(index, token)
        else:
            self.find("en-dash", token, token.text)
            self.add(Lacuna(reason="lost"), token)

    def _metre(self, index: int, token: Token) -> None:
        self.report.counts["metre"] += 1
        self.add(Lacuna(reason="lost", metre="".join(token.text.split())), token)

    def _lines_lost(self, index: int, token: Token) -> None:
        self.report.counts["counted"] += 1
        self.add(Lacuna(self._count(token), "lost", "line"), token)

    def _lost_letters(self, index: int, token: Token) -> None:
        self.report.counts["counted"] += 1
        self.add(Lacuna(Count(len(token.text), len(token.text)), "lost"), token)

    def _number(self, index: int, token: Token) -> None:
        self.add(Text(token.text), token)

    def _vacat(self, index: int, token: Token) -> None:
        text = token.text.strip("() ?")
        if text.strip("v.") == "" and self._among_latin(index):
            before, word, after = token.text.partition(text.rstrip("."))
            for part in (Text(before), Letters(word), Text(after)):
                if part.text:
                    self.add(part, token)
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
        elif count is None and self.rows[token.row].text.strip().removesuffix("(?)").rstrip() == token.text:
            unit = "line"
        self.add(Vacant(count, unit, uncertain="?" in token.text), token)

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

    def _beta(self, index: int, token: Token) -> None:
        self.report.counts["beta-code"] += 1
        code = token.text[1:].translate(lexer.FROM_SUPERSCRIPT)
        if token.text[0] == "#" and code == "7":
            self.add(Lacuna(Count(1, 1)), token)
        else:
            name = "beta" if token.text[0] == "#" else "beta-percent"
            self.add(Sign(f"{name}-{code}" if code else name, token.text), token)

    def _bar(self, index: int, token: Token) -> None:
        self.report.counts["division"] += 1
        mark = token.text.rstrip(lexer.SUPERSCRIPTS)
        number = token.text[len(mark) :].translate(lexer.FROM_SUPERSCRIPT)[:6]
        no_break = not (self._blank_at(index - 1) or self._blank_at(index + 1))
        is_line = self.options.bars == "line" or (self.options.bars == "auto" and len(self.rows) == 1)
        if is_line and self.top:
            self.line = int(number) if number else self.line + 1
            self.add(LineBreak(str(self.line), no_break), token)
        else:
            self.add(Division(mark, no_break), token)

    def _blank_at(self, index: int) -> bool:
        return not 0 <= index < len(self.tokens) or self.tokens[index].kind in ("blank", "row")

    def _verse(self, index: int, token: Token) -> None:
        self.report.counts["verse"] += 1
        self.add(VerseEnd(), token)

    def _plus(self, index: int, token: Token) -> None:
        number = token.text.count("+")
        beside = [self.tokens[i].kind for i in (index - 1, index + 1) if 0 <= i < len(self.tokens)]
        if number > 1 or "letters" in beside or "bracket" in beside:
            self.report.counts["dots"] += 1
            self.add(Lacuna(Count(number, number)), token)
        else:
            self.report.counts["cross"] += 1
            self.add(Sign("cross", "+"), token)

    def _keraia(self, index: int, token: Token) -> None:
        self.add(Keraia(normalise(token.text)), token)

    def _sign(self, index: int, token: Token) -> None:
        self.report.counts["sign"] += 1
        self.add(Sign(_sign_type(token.text), token.text), token)

    def _middot(self, index: int, token: Token) -> None:
        """A raised dot is punctuation after a word, an interpunct between or inside words."""
        after = self._blank_at(index + 1) or self.tokens[index + 1].kind in _AFTER_WORD
        if after and not self._blank_at(index - 1):
            self.add(Text("·"), token)
        else:
            self.report.counts["sign"] += 1
            self.add(Sign("interpunct", "·"), token)

    def _hyphen(self, index: int, token: Token) -> None:
        if self._blank_at(index - 1):
            self._kept("stray-hyphen", token)
        elif token.row >= self.last_row:
            self._kept("dangling-hyphen", token)
        else:
            self.no_break = True

    def _uncertain(self, index: int, token: Token) -> None:
        self.add(Doubt(), token)

    def _query(self, index: int, token: Token) -> None:
        self.add(Doubt(whole=True), token)

    def _unexpanded(self, index: int, token: Token) -> None:
        self.add(Unexpanded(), token)

    def _pointer(self, index: int, token: Token) -> None:
        mark = token.text.strip("() ")
        self.add(Remark(mark, "apparatus" if mark == "*" else "sic"), token)

    def _remark(self, index: int, token: Token) -> None:
        self.report.counts["remark"] += 1
        self.add(Remark(unicodedata.normalize("NFC", token.text[1:-1])), token)

    def _hand(self, index: int, token: Token) -> None:
        self.report.counts["hand"] += 1
        number = "".join(re.findall(r"[0-9]", token.text.translate(lexer.FROM_SUPERSCRIPT)))
        self.add(Hand(number), token)

    def _symbol(self, index: int, token: Token) -> None:
        self.report.counts["sign"] += 1
        name = token.text[2:-2].strip()
        if name.isascii() and name.replace("-", "").replace("_", "").replace(" ", "").isalnum():
            self.add(Sign(name.replace(" ", "-")), token)
        else:
            for run in letter_runs(name):
                self.add(Letters(run.text, run.unclear, "reversed"), token)

    def _traces(self, index: int, token: Token) -> None:
        self.report.counts["traces"] += 1
        unit = "character" if re.search(r"\blitt|\bletters", token.text) else "line"
        self.add(Lacuna(self._count(token), "illegible", unit, description=token.text), token)

    def _stroke(self, index: int, token: Token) -> None:
        self.report.counts["stroke"] += 1
        self.add(Division("paragraphos"), token)

    def _remark_row(self, index: int, token: Token) -> None:
        self._remark(index, token._replace(text=f"({token.text})"))

    def _sub_open(self, index: int, token: Token) -> None:
        pass  # the parser sees to substitutions

    def _sub_close(self, index: int, token: Token) -> None:
        pass


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


def legible(text: str) -> str:
    """The text with every character XML forbids replaced."""
    return _ILLEGIBLE.sub("\ufffd", text)


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in text[:20])
