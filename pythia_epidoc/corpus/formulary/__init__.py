"""What Greek inscriptions say again and again, as texts to learn from: a collection in the package.

The collections that may be used hold few inscriptions, and of few places. So phrases of decrees, accounts,
dedications and epitaphs were written down as handbooks know them, as templates (`*.txt` beside this file),
from which texts are made: always the same ones. They are no inscriptions; no figure is measured on them.

    # …              a comment
    (a|b|)           one of these, or nothing
    {name.gen}       a word of a list in one of its forms, another each time
    {name:1.gen}     the same one wherever `:1` recurs in a text
    {n}              a numeral
    [name] nom gen   begins a list; one entry on each line, its forms divided by spaces or slashes

Not for reading texts: they are given as EpiDoc, which is read like all others.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

import regex

from pythia_epidoc.corpus.sources import RawFile

NAME = "formulary"
"""The name of the collection."""
FOLDER = Path(__file__).parent
COPIES = 4
"""How many texts are made of each template."""

_TOKEN = regex.compile(r"[(|)]|\{[^{}]*\}|[^(|){}]+")
_SLOT = regex.compile(r"\{(?P<list>\w+)(?::(?P<number>\d+))?\.(?P<form>\w+)\}")
_EDITION = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>'
    '<div type="edition" xml:lang="grc"><ab>{}</ab></div></body></text></TEI>'
)

Entry = Mapping[str, str]
"""Form → how it is written."""
Lists = Mapping[str, list[Entry]]


def texts() -> Iterator[RawFile]:
    """Several texts of each template; `attica/12-3` is the third of the twelfth paragraph of `attica.txt`."""
    lists, templates = read()
    for name, template in templates.items():
        for copy in range(1, COPIES + 1):
            identifier = f"{name}-{copy}"
            yield RawFile(identifier, _EDITION.format(expanded(template, lists, identifier)).encode())


def fingerprint() -> str:
    """Changes when other texts are made."""
    written = b"".join(file.read_bytes() for file in sorted(FOLDER.glob("*.txt")))
    return f"{COPIES} × {hashlib.sha256(written).hexdigest()}"


def read() -> tuple[Lists, dict[str, str]]:
    """The lists and the templates of all files: a template may use the lists of others."""
    lists: dict[str, list[Entry]] = {}
    templates: dict[str, str] = {}
    for file in sorted(FOLDER.glob("*.txt")):
        lines = file.read_text("utf-8").splitlines()
        text = "\n".join(line for line in lines if not line.startswith("#"))
        for number, paragraph in enumerate(filter(None, map(str.strip, text.split("\n\n"))), 1):
            if paragraph.startswith("["):
                heading, *entries = paragraph.splitlines()
                name, *forms = heading.removeprefix("[").replace("]", " ").split()
                cells = (_cells(entry, len(forms)) for entry in entries)
                lists[name] = [dict(zip(forms, each, strict=True)) for each in cells]
            else:
                templates[f"{file.stem}/{number}"] = paragraph
    return lists, templates


def _cells(entry: str, count: int) -> list[str]:
    """The forms of an entry: words, or where some have several words, what stands between slashes."""
    return [cell.strip() for cell in entry.split("/")] if "/" in entry or count == 1 else entry.split()


def expanded(template: str, lists: Lists, seed: str) -> str:
    """One text of a template, as the content of an element."""
    drawing = _Drawing(lists, random.Random(seed))
    return " ".join(drawing.choice(iter(_TOKEN.findall(template))).split())


@dataclass
class _Drawing:
    """What is drawn for one text."""

    lists: Lists
    chance: random.Random
    kept: dict[tuple[str, str], Entry] = field(default_factory=dict)

    def choice(self, tokens: Iterator[str]) -> str:
        """One of the alternatives up to the closing bracket, or up to the end."""
        alternatives = [""]
        for token in tokens:
            if token == ")":
                break
            if token == "|":
                alternatives.append("")
            else:
                alternatives[-1] += self._text(token, tokens)
        return self.chance.choice(alternatives)

    def _text(self, token: str, tokens: Iterator[str]) -> str:
        if token == "(":
            return self.choice(tokens)
        if token == "{n}":
            return "<num>Δ</num>"
        slot = _SLOT.fullmatch(token)
        return escape(token) if slot is None else self._entry(slot["list"], slot["number"])[slot["form"]]

    def _entry(self, name: str, number: str | None) -> Entry:
        drawn = self.chance.choice(self.lists[name])
        return drawn if number is None else self.kept.setdefault((name, number), drawn)
