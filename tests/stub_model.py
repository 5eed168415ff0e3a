"""A restorer without a network, for tests: fast, and the same answer to the same query every time.

Its hypotheses have admissible lengths and word divisions, also at the edges, and keep to a pattern and
a prefix. They mean nothing.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence

from pythia_epidoc.errors import Cancelled
from pythia_epidoc.restoration import Hypothesis, ModelIdentity, Query

_WORDS = ("και", "ο", "δημος", "εδοξεν", "τη", "βουλη", "επι", "αρχοντος", "θεοι", "του", "θεου", "αγαθη")
_ACCENTED = {"και": "καὶ", "δημος": "δῆμος", "βουλη": "βουλὴ", "θεοι": "θεοὶ", "αγαθη": "ἀγαθῆι"}


class StubRestorer:
    """Answers from a hash of the query."""

    def __init__(self, digest: str = "57" * 32) -> None:
        self.identity = ModelIdentity("stub", "1", digest)
        self.calls: list[int] = []
        """How many queries each call held."""

    def hypotheses(
        self,
        queries: Sequence[Query],
        *,
        top: int = 20,
        beam: int = 100,
        cancel: threading.Event | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[tuple[Hypothesis, ...]]:
        self.calls.append(len(queries))
        answers = []
        for number, query in enumerate(queries, start=1):
            if cancel is not None and cancel.is_set():
                raise Cancelled
            answers.append(self.answer(query, top))
            if progress is not None:
                progress(number)
        return answers

    def answer(self, query: Query, top: int) -> tuple[Hypothesis, ...]:
        """What is thought of one query; other stand-ins for the model think otherwise."""
        return _answer(query, top)

    def polytonic(self, texts: Sequence[str], left: str, right: str, forms: Sequence[str] = ()) -> list[str]:
        return [" ".join(_ACCENTED.get(word, word) for word in text.split(" ")) for text in texts]


def _answer(query: Query, top: int) -> tuple[Hypothesis, ...]:
    seed = hashlib.sha256(f"{query.before[-40:]}|{query.after[:40]}|{query.lengths}".encode()).digest()
    hypotheses = []
    for rank in range(min(top, 12)):
        length = query.lengths[seed[rank] % len(query.lengths)]
        text = _text(length, seed[rank + 12], query)
        if text not in [hypothesis.text for hypothesis in hypotheses]:
            probability = (1 + seed[31] % 96) / 97 / (rank + 1)
            hypotheses.append(Hypothesis(text, -1.0 - rank, probability))
    return tuple(hypotheses)


def _text(length: int, seed: int, query: Query) -> str:
    stream = " ".join(_WORDS[(seed + index) % len(_WORDS)] for index in range(length + 1))
    if seed % 5 == 0:
        stream = " " + stream
    stream = query.prefix + stream
    text, letters = "", 0
    for character in stream:
        if letters == length:
            break
        if character == " ":
            text += character
            continue
        if query.pattern and query.pattern[letters] != ".":
            character = query.pattern[letters]
        text += character
        letters += 1
    return text + " " if seed % 7 == 0 else text
