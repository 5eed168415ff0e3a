"""A record: one text as the model sees it, and how records are kept on disk (JSON lines).

Not for building them: see `build`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pythia_epidoc.epidoc.editions import Edition
from pythia_epidoc.epidoc.written import written_words
from pythia_epidoc.errors import CorpusError
from pythia_epidoc.greek import LETTERS, SPACE

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class Record:
    """`states[i]` is the state of `text[i]` as a digit (see `epidoc.reading.State`)."""

    corpus: str
    id: str
    text: str
    states: str
    written: str = ""
    """Word for word the same as `text`, but complete words as the edition writes them, with accents."""

    @classmethod
    def from_edition(cls, corpus: str, identifier: str, edition: Edition) -> Record:
        reading = edition.reading
        states = "".join(map(str, reading.states))
        written = SPACE.join(written_words(reading, edition.document))
        return cls(corpus, identifier, reading.letters, states, written)

    @property
    def key(self) -> str:
        return f"{self.corpus}/{self.id}"

    @property
    def letters(self) -> str:
        """The letters alone: what makes two texts the same."""
        return self.text.translate(_LETTERS_ONLY)

    def to_json(self) -> str:
        runs = [[int(state), len(list(run))] for state, run in groupby(self.states)]
        return json.dumps({**vars(self), "states": runs}, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Record:
        data = json.loads(line)
        states = "".join(str(state) * count for state, count in data["states"])
        return cls(data["corpus"], data["id"], data["text"], states, data.get("written", ""))


_LETTERS_ONLY = dict.fromkeys(set(range(0x3000)) - set(map(ord, LETTERS)))


def read_records(path: Path) -> Iterator[Record]:
    """Records of one JSON-lines file."""
    try:
        lines = path.open(encoding="utf-8")
    except FileNotFoundError:
        raise CorpusError("These records are missing; build the corpus again.", path=path) from None
    with lines:
        for number, line in enumerate(lines, 1):
            try:
                yield Record.from_json(line)
            except (ValueError, KeyError, TypeError):
                raise CorpusError(
                    "This line is not a record; build the corpus again.", path=path, line=number
                ) from None
