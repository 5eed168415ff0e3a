"""Text → tokens: markup and the runs of text before it, in columns, in one linear pass.

XML forbids `<` inside tags and attribute values, so one regular expression cuts any text exactly. What is
not well-formed is put in balance afterwards: what was left open is closed where its parent ends, a stray
end tag is passed over, a tag being typed is an empty element.

Not for the tree of elements: see `scanner`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from pythia_epidoc.epidoc.tags import CLOSE, EMPTY, END, IGNORED, NAME, OPEN, TAGS, Tag

MAX_DEPTH: Final = 256
"""Elements nested deeper are taken for empty ones; libxml2 has the same limit."""

Span = tuple[int, int]
"""From where to where something stands in the text."""

_FIRST = r"[^\s<>!?\"'=]"
# A tag ends with the first `>`: wrong if a value holds one, and then there is one too many in the text.
_SIMPLE_MARKUP = re.compile(
    rf"(<(?:{_FIRST}[^>]*>|!--.*?-->|\?.*?\?>|!\[CDATA\[.*?\]\]>))",
    re.DOTALL,
)
_BEGIN = rf"{_FIRST}[^<>\"']*"
_MARKUP = re.compile(
    r"(<(?:"
    # Start and end tags; those with single quotes, which are rare, apart: it saves a fifth of the time.
    rf"{_BEGIN}(?:\"[^\"<]*\"[^<>\"']*)*>"
    rf"|{_BEGIN}(?:\"[^\"<]*\"[^<>\"']*|'[^'<]*'[^<>\"']*)*>"
    r"|!--.*?(?:-->|\Z)"
    r"|\?.*?(?:\?>|\Z)"
    r"|!\[CDATA\[.*?(?:\]\]>|\Z)"
    # A tag being typed: as far as it makes sense.
    rf"|{NAME}(?:\s+[^\s<>=\"'/]+(?:\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[\"'][^\"'<>\n]*)?)?)*\s*"
    r"))",
    re.DOTALL,
)
# Each alternative begins differently, so that no text can make this try two ways.
_PROLOG = re.compile(r"\s*(?:<\?(?:[^?]|\?(?!>))*\?>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<!DOCTYPE")
_IN_DOCTYPE = re.compile(r"\"[^\"]*\"|'[^']*'|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|[\[\]>]", re.DOTALL)


@dataclass(frozen=True)
class Tokens:
    """Markup `tags[i]` and the text `runs[i]` before it; the last tag is the end of the text.

    The run stands at `offsets[2 * i]`, the markup at `offsets[2 * i + 1]` to `offsets[2 * i + 2]`.
    """

    runs: list[str]
    tags: list[Tag]
    offsets: list[int]
    doctype: Span | None = None

    def close_of(self, index: int) -> int:
        """The index of the end tag that belongs to a start tag; of an empty element, its own."""
        tags = self.tags
        if tags[index].kind != OPEN:
            return index
        depth = 1
        while depth:
            index += 1
            depth += tags[index].step
        return index

    def inside(self, index: int) -> tuple[list[int], int]:
        """The start tags of the elements directly inside an element, and its end tag."""
        tags = self.tags
        children: list[int] = []
        depth = tags[index].step
        while depth:
            index += 1
            tag = tags[index]
            if depth == 1 and tag.kind in (OPEN, EMPTY):
                children.append(index)
            depth += tag.step
        return children, index


def tokenise(text: str, doctype: Span | None) -> Tokens:
    """Cut a text into tokens that is known to be well-formed; on others this may take for ever."""
    return _tokenise(text, doctype, _cut)


def _cut(text: str) -> list[str]:
    """Runs and markup in turn. Few texts have a `>` in a run or in a value; they are cut again."""
    pieces = _SIMPLE_MARKUP.split(text)
    stray = text.count(">") - len(pieces) // 2
    if stray:
        stray -= sum(markup.count(">") - 1 for markup in pieces[1::2] if markup[1] in "!?")
    return _MARKUP.split(text) if stray else pieces


def _tokenise(text: str, doctype: Span | None, cut: Callable[[str], list[str]]) -> Tokens:
    if doctype is not None:
        # Its internal subset would be cut like content; blanks keep every offset.
        text = text[: doctype[0]] + " " * (doctype[1] - doctype[0]) + text[doctype[1] :]
    pieces = cut(text)
    offsets = list(accumulate(map(len, pieces), initial=0))
    offsets.append(len(text))
    tags = list(map(TAGS.__getitem__, pieces[1::2]))
    tags.append(END)
    return Tokens(pieces[::2], tags, offsets, doctype)


def tokenise_broken(text: str) -> Tokens:
    """Cut any text into tokens that are in balance. Never fails."""
    found = _tokenise(text, find_doctype(text), _MARKUP.split)
    runs: list[str] = []
    tags: list[Tag] = []
    offsets: list[int] = []
    opened: list[tuple[str, bool]] = []
    names: Counter[str] = Counter()

    def put(run: str, start: int, tag: Tag, place: int) -> None:
        runs.append(run)
        tags.append(tag)
        offsets.extend((start, place))

    def close(run: str, start: int, place: int) -> None:
        name, is_real = opened.pop()
        names[name] -= 1
        put(run, start, TAGS[f"</{name}>"] if is_real else IGNORED, place)

    for index, (run, tag) in enumerate(zip(found.runs, found.tags, strict=True)):
        start, place = found.offsets[2 * index], found.offsets[2 * index + 1]
        name = tag.qualified_name
        if tag.kind == OPEN:
            is_real = len(opened) < MAX_DEPTH
            opened.append((name, is_real))
            names[name] += 1
            put(run, start, tag if is_real else tag.emptied(), place)
        elif tag.kind == CLOSE and (names[name] or tag is END):
            while opened and (tag is END or opened[-1][0] != name):
                close(run, start, place)
                run, start = "", place
            if tag is END:
                put(run, start, tag, place)
            else:
                close(run, start, place)
        else:
            put(run, start, IGNORED if tag.kind == CLOSE else tag, place)
    offsets.append(len(text))
    return Tokens(runs, tags, offsets, found.doctype)


def find_doctype(text: str) -> Span | None:
    """Where the document type declaration stands, its internal subset included."""
    prolog = _PROLOG.match(text) if "<!DOCTYPE" in text else None
    if prolog is None:
        return None
    inside_subset = False
    for match in _IN_DOCTYPE.finditer(text, prolog.end()):
        sign = match.group()
        if sign == "[":
            inside_subset = True
        elif sign == "]":
            inside_subset = False
        elif sign == ">" and not inside_subset:
            return prolog.end() - len("<!DOCTYPE"), match.end()
    return None
