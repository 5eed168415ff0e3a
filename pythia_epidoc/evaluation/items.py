"""Test items: a text with one hidden span, and where they come from.

An item is `{"before", "after", "length", "gold"}`: a line of a JSON-lines file, or a random span of a
record, the same in every run. Not for answering them: see `measure`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import regex

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.epidoc.reading import State
from pythia_epidoc.errors import CorpusError
from pythia_epidoc.greek import (
    FOLD_TABLE,
    FOREIGN,
    HETA_FORMS,
    LETTERS,
    LOST,
    NUMERAL,
    PREDICT,
    SPACE,
    UNKNOWN,
    letters_only,
    replace_lookalikes,
)
from pythia_epidoc.restoration import Query

CONTEXT = 1000
"""The paper's longest text."""
LENGTHS = range(1, 11)
_LETTERS = frozenset(LETTERS)
_LONE_HETA = regex.compile(r"(?<![\p{L}\p{M}])h(?![\p{L}\p{M}])")
_KEPT = {ord(symbol): symbol for symbol in (LOST, UNKNOWN, NUMERAL)} | {ord(PREDICT): LOST}


@dataclass(frozen=True)
class Item:
    """A question with its answer. `length` counts characters, or letters in letter-counting mode."""

    before: str
    after: str
    length: int
    gold: str
    corpus: str = ""
    preserved: bool = True
    """Every hidden letter is preserved on the stone."""

    def query(self, by_character: bool, lengths: Sequence[int] = ()) -> Query:
        """What is asked: for the true length, or for any of these."""
        return Query(self.before, self.after, tuple(lengths) or (self.length,), by_character=by_character)


def fold_item_text(text: str) -> str:
    """Any text as model text: letters folded, `-`, `#` and `0` kept, single spaces; edges kept.

    A lone `h` is the model's heta, since a lacuna may cut it off from its word."""
    text = _LONE_HETA.sub(HETA_FORMS[0], replace_lookalikes(text))
    folded = "".join(
        _KEPT[ord(symbol)] if ord(symbol) in _KEPT else symbol.translate(FOLD_TABLE) for symbol in text
    ).replace(FOREIGN, "")
    inner = SPACE.join(folded.split())
    lead = SPACE if folded[:1] == SPACE and inner else ""
    trail = SPACE if folded[-1:] == SPACE and inner else ""
    return f"{lead}{inner}{trail}" if inner else SPACE * bool(folded)


def read_items(
    path: Path, by_character: bool, report: Callable[[str], None] = lambda message: None
) -> list[Item]:
    """Items of a JSON-lines file; `report` is told of lengths that are not those of the gold."""
    items = []
    otherwise: list[int] = []
    for number, data in _objects(path):
        try:
            gold = fold_item_text(data["gold"])
            before, after = fold_item_text(data["before"]), fold_item_text(data["after"])
            length = int(data.get("length") or 0)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise CorpusError(
                'This line is not {"before": …, "after": …, "length": …, "gold": …}.', path=path, line=number
            ) from None
        signs = len(gold.replace(SPACE, ""))
        counted = len(gold) if by_character else signs
        blank = data["gold"].isspace() and (by_character or length > 0)
        if not (letters_only(gold) or blank):
            raise CorpusError(
                "The gold has no Greek letter to compare with; correct or remove this line.",
                path=path,
                line=number,
            )
        if length and length not in (len(gold), signs):
            otherwise.append(number)
        items.append(Item(before, after, counted or length, gold, str(data.get("corpus", path.stem))))
    if not items:
        raise CorpusError("There is no item in this file.", path=path)
    if otherwise:
        report(
            f"{path}:{otherwise[0]}: The length is not that of the gold, so the gold was counted "
            f"(items of which this is true: {len(otherwise):,})."
        )
    return items


def _objects(path: Path) -> Iterator[tuple[int, Any]]:
    """What each line holds, with its number; blank lines are left out."""
    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except FileNotFoundError:
        raise CorpusError("There is no such file; check the name.", path=path) from None
    except UnicodeDecodeError:
        raise CorpusError("This file is not in UTF-8; save it so.", path=path) from None
    except OSError as error:
        raise CorpusError(f"The items cannot be read: {error.strerror}.", path=path) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except ValueError as error:
            raise CorpusError(f"This line is not JSON: {error}.", path=path, line=number) from None


def sample_items(
    records: Iterable[Record], count: int, *, seed: int = 0, by_character: bool = True
) -> list[Item]:
    """Random spans of 1 to 10 characters, each length as often, every letter of the corpus as likely."""
    texts: Sequence[Record] = sorted(records, key=lambda record: record.key)
    if not texts:
        raise CorpusError("There are no texts in this split.")
    chance = random.Random(seed)
    cumulative: list[int] = []
    total = 0
    for record in texts:
        total += len(record.text)
        cumulative.append(total)
    items: list[Item] = []
    tries = 0
    while len(items) < count and tries < 200 * count:
        tries += 1
        record = chance.choices(texts, cum_weights=cumulative)[0]
        item = _hide(record, LENGTHS[len(items) % len(LENGTHS)], chance, by_character)
        if item is not None:
            items.append(item)
    return items


def _hide(record: Record, length: int, chance: random.Random, by_character: bool) -> Item | None:
    text = record.text
    if len(text) < length + 20:
        return None
    start = chance.randrange(0, len(text) - length)
    end = start + length
    if not by_character:
        while end < len(text) and len(text[start:end].replace(SPACE, "")) < length:
            end += 1
    gold = text[start:end]
    if not all(symbol in _LETTERS or symbol == SPACE for symbol in gold):
        return None
    if not by_character and (gold[0] == SPACE or gold[-1] == SPACE):
        return None
    if not gold.strip():
        return None
    room = CONTEXT - length
    left = max(0, start - room // 2)
    right = min(len(text), left + CONTEXT)
    left = max(0, right - CONTEXT)
    preserved = all(
        int(state) in (State.PRESERVED, State.UNCLEAR)
        for state, symbol in zip(record.states[start:end], gold, strict=True)
        if symbol != SPACE
    )
    return Item(text[left:start], text[end:right], length, gold, record.corpus, preserved)
