"""A record: one text as the model sees it, and how records are kept on disk (JSON lines).

Not for building them: see `build`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pythia_epidoc.epidoc.reading import Reading
from pythia_epidoc.errors import CorpusError
from pythia_epidoc.greek import LETTERS

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class Record:
    """`states[i]` is the state of `text[i]` as a digit (see `epidoc.reading.State`)."""

    corpus: str
    id: str
    text: str
    states: str

    @classmethod
    def from_reading(cls, corpus: str, identifier: str, reading: Reading) -> Record:
        return cls(corpus, identifier, reading.letters, "".join(map(str, reading.states)))

    @property
    def key(self) -> str:
        return f"{self.corpus}/{self.id}"

    @property
    def letters(self) -> str:
        """The letters alone: what makes two texts the same."""
        return self.text.translate(_LETTERS_ONLY)

    def to_json(self) -> str:
        runs = [[int(state), len(list(run))] for state, run in groupby(self.states)]
        return json.dumps(
            {"corpus": self.corpus, "id": self.id, "text": self.text, "states": runs}, ensure_ascii=False
        )

    @classmethod
    def from_json(cls, line: str) -> Record:
        data = json.loads(line)
        states = "".join(str(state) * count for state, count in data["states"])
        return cls(data["corpus"], data["id"], data["text"], states)


_LETTERS_ONLY = {code: None for code in range(0x3000)}
for _letter in LETTERS:
    del _LETTERS_ONLY[ord(_letter)]


def read_records(path: Path) -> Iterator[Record]:
    """Records of one JSON-lines file."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield Record.from_json(line)
            except (ValueError, KeyError, TypeError):
                raise CorpusError("This line is not a record; build the corpus again.", path=path, line=number) from None
