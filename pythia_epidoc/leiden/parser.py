"""Tokens → a passage: items in order, and spans over them that may cross.

Not for words: what a sign says of the word before it is told by `words`; not for XML either.
"""

from __future__ import annotations

import re
import unicodedata

from pythia_epidoc.leiden import tokens as lexer
from pythia_epidoc.leiden.brackets import Brackets, Pair, pair_brackets
from pythia_epidoc.leiden.items import READINGS, Island, Item, Kind, Lacuna, Passage, Remark, Span
from pythia_epidoc.leiden.model import Finding, Options, Row
from pythia_epidoc.leiden.rows import REMARK_ROW, TRACES_ROW
from pythia_epidoc.leiden.signs import ItemMaker, Report, legible
from pythia_epidoc.leiden.tokens import Token, tokenize
from pythia_epidoc.leiden.words import read_words

_ISLANDS_DEEP = 3
_COMMENT = "2"
_EMPTY = frozenset({"blank", "row", "hyphen"})
_STROKE = re.compile(r"\s*[—―]{6,}\s*")


def parse(rows: tuple[Row, ...], options: Options, report: Report) -> Passage:
    """Read the rows of one part of a text."""
    tokens: list[Token] = []
    for index, row in enumerate(rows):
        tokens.append(Token("row", "", index, 0))
        if options.dialect == "phi" and TRACES_ROW.fullmatch(row.text):
            tokens.append(Token("traces", row.text, index, 0))
        elif options.dialect == "phi" and REMARK_ROW.fullmatch(row.text):
            tokens.append(Token("remark_row", row.text, index, 0))
        elif options.dialect == "leiden" and _STROKE.fullmatch(row.text):
            tokens.append(Token("stroke", row.text, index, 0))
        else:
            tokens.extend(tokenize(row.text, index, options.dialect))
    return _read(tokens, rows, options, report, 0)


def _read(
    tokens: list[Token], rows: tuple[Row, ...], options: Options, report: Report, depth: int
) -> Passage:
    tokens, islands = _take_islands(tokens, rows, options, report, depth)
    maker = ItemMaker(tokens, rows, options, report, top=depth == 0)
    brackets = pair_brackets(tokens)
    for index, code in brackets.amiss:
        maker.find(code, tokens[index], tokens[index].text)
    lacking, literal = _empty_brackets(tokens, brackets, maker)
    at: list[int] = []
    for index, token in enumerate(tokens):
        at.append(len(maker.items))
        if index in lacking:
            maker.add(Lacuna(reason="lost"), token)
        if index in islands:
            maker.add(islands[index], token)
        elif index in literal or (token.kind == "bracket" and index not in brackets.consumed):
            maker.add_stray(token)
        elif index not in brackets.consumed:
            maker.add_token(index)
    if len(tokens) in lacking:
        maker.add(Lacuna(reason="lost"), tokens[-1])
    at.append(len(maker.items))
    spans: list[Span] = []
    for pair in brackets.pairs:
        if pair.end not in literal and at[pair.start] < at[pair.end]:
            kind = pair.kind
            if kind is Kind.OMITTED and options.angle == "corrected":
                kind = Kind.CORRECTED
            report.counts[kind.value] += 1
            spans.append(Span(kind, at[pair.start], at[pair.end]))
    spans.extend(_substitutions(tokens, at, rows, options, report, depth))
    return read_words(maker.items, maker.places, spans, options, maker.find, report.counts)


def _take_islands(
    tokens: list[Token], rows: tuple[Row, ...], options: Options, report: Report, depth: int
) -> tuple[list[Token], dict[int, Item]]:
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
        if index in ends and depth < _ISLANDS_DEEP:
            islands[len(kept)] = _island(token, tokens[index + 1 : ends[index]], rows, options, report, depth)
            island = islands[len(kept)]
            is_text = isinstance(island, Island) and island.code not in READINGS
            kept.append(token._replace(kind="island_text" if is_text else "island"))
            index = ends[index]
        elif token.kind in ("island_open", "island_close"):
            kept.append(token._replace(kind="stray"))
            row = rows[token.row]
            report.findings.append(Finding(row.line, row.column + token.column, "unbalanced", token.text))
        else:
            kept.append(token)
        index += 1
    return kept, islands


def _island(
    opener: Token, tokens: list[Token], rows: tuple[Row, ...], options: Options, report: Report, depth: int
) -> Item:
    code = opener.text[1:].translate(lexer.FROM_SUPERSCRIPT)
    report.counts[f"phi-{code}"] += 1
    if code == _COMMENT:
        words = "".join("\n" if token.kind == "row" else token.text for token in tokens)
        return Remark(legible(unicodedata.normalize("NFC", words)), "comment")
    if code not in READINGS:
        row = rows[opener.row]
        report.findings.append(Finding(row.line, row.column + opener.column, "unknown-code", opener.text))
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if code == "27" and token.text == ";":
            parts.append([])
        elif token.kind != "row":
            parts[-1].append(token)
    return Island(code, tuple(_read(_strip(part), rows, options, report, depth + 1) for part in parts))


def _substitutions(
    tokens: list[Token], at: list[int], rows: tuple[Row, ...], options: Options, report: Report, depth: int
) -> list[Span]:
    """`<α=Λ>`: the editor reads α, the stone has Λ."""
    spans: list[Span] = []
    start: int | None = None
    for index, token in enumerate(tokens):
        if token.kind == "sub_open":
            start = index
        elif token.kind == "sub_close" and start is not None:
            stone = tokenize(token.text[1:-1], token.row)
            # What the stone has instead is no interpreted text: its capitals need no saying.
            plain = Options(angle=options.angle, capitals="text", bars="block")
            others = (_read(stone, rows, plain, report, depth + 1),)
            spans.append(Span(Kind.SUBSTITUTED, at[start], at[index], others=others))
            report.counts[Kind.SUBSTITUTED.value] += 1
            start = None
    return spans


def _empty_brackets(tokens: list[Token], brackets: Brackets, maker: ItemMaker) -> tuple[set[int], set[int]]:
    """`[ ]` is a lacuna nobody measured, two if a row ends in it; other empty brackets stay."""
    lacking: set[int] = set()
    literal: set[int] = set()
    for pair in brackets.pairs:
        if not _is_empty(pair, tokens):
            continue
        if not pair.mended:
            maker.find("empty-bracket", tokens[pair.start - 1])
        if pair.kind in (Kind.LOST, Kind.ERASED):
            lacking.add(pair.start)
            over_rows = not pair.mended and tokens[pair.start - 1].row != tokens[pair.end].row
            if pair.kind is Kind.LOST and over_rows:
                # `τοῦ[` and `]ον` in the next row: something is lost at both edges.
                lacking.add(pair.end)
        else:
            literal.update((pair.start - 1, pair.end))
    return lacking, literal


def _is_empty(pair: Pair, tokens: list[Token]) -> bool:
    return all(tokens[index].kind in _EMPTY for index in range(pair.start, pair.end))


def _strip(tokens: list[Token]) -> list[Token]:
    start, end = 0, len(tokens)
    while start < end and tokens[start].kind == "blank":
        start += 1
    while end > start and tokens[end - 1].kind == "blank":
        end -= 1
    return tokens[start:end]
