"""A restorer for the tests of editors: quick, deterministic, with a vocabulary of a few formulas.

What is given as checkpoint chooses how it misbehaves: `slow`, `stuck` (until cancelled), `deaf` (not even
then), `dies`, `damaged` (cannot be loaded).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

from pythia_epidoc.errors import ModelError
from pythia_epidoc.parallels.restorer import attesting
from pythia_epidoc.restoration import Hypothesis, ModelIdentity, Query, Restorer, check_cancelled

VOCABULARY = {
    "δημωι": "δήμωι",
    "δημοσ": "δῆμος",
    "οντοσ": "οντος",
    "κοινωι": "κοινῶι",
    "βουληι": "βουλῆι",
    "ουλευ": "ουλευ",
    "θεοισ": "θεοῖς",
    "πολισ": "πόλις",
    "πατηρ": "πατήρ",
    "αστοι": "ἀστοί",
    "και": "καί",
    "του": "τοῦ",
    "θε": "θε",
    "ασ": "ας",
    "ο": "ο",
    "α": "α",
    "ν": "ν",
    "ων": "ῶν",
    "υσ κ": "ὺς κ",
    "εκγονοισ": "ἐκγόνοις",
    "συμμαχιαν": "συμμαχίαν",
}
FAVOURITES = (("τωι ", "δημωι"), ("αρχ", "οντοσ"), (" ο ", "δημοσ"))


class StubRestorer:
    """Answers from the vocabulary, favourites of the context first."""

    identity = ModelIdentity("Pythia (test)", "0", "0" * 12)

    def __init__(self, checkpoint: str) -> None:
        self.checkpoint = checkpoint

    def hypotheses(
        self,
        queries: Sequence[Query],
        *,
        top: int = 20,
        beam: int = 100,
        cancel: threading.Event | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[tuple[Hypothesis, ...]]:
        found = []
        for done, query in enumerate(queries):
            self._misbehave(cancel)
            check_cancelled(cancel)
            found.append(tuple(_answers(query))[:top])
            if progress is not None:
                progress(done + 1)
        return found

    def polytonic(self, texts: Sequence[str], left: str, right: str, forms: Sequence[str] = ()) -> list[str]:
        return [VOCABULARY.get(text, text) for text in texts]

    def attention(self, query: Query, text: str) -> SimpleNamespace:
        def weight(text: str, index: int, distance: int) -> float:
            heavy = 3.0 if text[max(0, index - 4) : index + 5].find("δημ") >= 0 else 1.0
            return heavy / (4.0 + distance) if text[index] != " " else 0.0

        before = [weight(query.before, i, len(query.before) - i) for i in range(len(query.before))]
        after = [weight(query.after, i, i) for i in range(len(query.after))]
        lost = len(text.replace(" ", ""))
        row = (*before, *([0.0] * lost), *after)
        return SimpleNamespace(
            offset=0, window=f"{query.before}{'?' * lost}{query.after}", weights=(row,) * lost
        )

    def _misbehave(self, cancel: threading.Event | None) -> None:
        if self.checkpoint == "slow":
            time.sleep(0.05)
        elif self.checkpoint == "stuck" and cancel is not None:
            cancel.wait()
        elif self.checkpoint == "deaf":
            time.sleep(3600)
        elif self.checkpoint == "dies":
            os._exit(1)


def _answers(query: Query) -> Iterator[Hypothesis]:
    fitting = [word for word in VOCABULARY if len(word.replace(" ", "")) in query.lengths]
    fitting = [word for word in fitting if word.startswith(query.prefix)]
    first = [word for ending, word in FAVOURITES if query.before.endswith(ending) and word in fitting]
    ranked = first + [word for word in fitting if word not in first]
    share = 0.7
    rest = 1.0
    for word in ranked:
        probability = rest * share
        rest -= probability
        yield Hypothesis(word, -1.0, round(probability, 4))


def load(checkpoint: str, device: str, parallels: str = "") -> tuple[Restorer, str]:
    if checkpoint == "damaged":
        raise ModelError("The checkpoint is damaged.", path="pythia.safetensors")
    return attesting(StubRestorer(checkpoint), Path(parallels) if parallels else None), "cpu"
