"""Iterative restoration of a whole text: the paper's experiment on IG II² 116.

Every letter an editor supplied is hidden at once; the lacuna the model is surest of is filled first, and
each filled one informs the next. Right and wrong letters are then told apart.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.greek import LOST, SPACE
from pythia_epidoc.restoration import Query, Restorer, check_cancelled


@dataclass(frozen=True)
class Filled:
    """A lacuna after its turn: what the model wrote, how sure it was, what the editor wrote."""

    lacuna: Lacuna
    text: str
    probability: float
    turn: int

    @property
    def gold(self) -> str:
        return self.lacuna.conjecture

    @property
    def right_letters(self) -> list[bool]:
        """For each letter of the editor's whether the model wrote the same."""
        given = self.text.replace(SPACE, "")
        wanted = self.gold.replace(SPACE, "")
        return [index < len(given) and given[index] == letter for index, letter in enumerate(wanted)]


def restore_full_text(
    document: Document,
    restorer: Restorer,
    *,
    beam: int = 100,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Filled]:
    """Hide and restore all supplied text of a document; in the order of the text."""
    filled: list[Filled] = []
    for edition in document.editions:
        waiting = [
            lacuna
            for lacuna in document.lacunae
            if lacuna.edition is edition and lacuna.kind == "supplied" and lacuna.restorable
        ]
        total, shown = len(waiting), _Shown(edition.reading.letters, waiting)
        while waiting:
            check_cancelled(cancel)
            queries = [shown.query(lacuna) for lacuna in waiting]
            answers = restorer.hypotheses(queries, top=1, beam=beam, cancel=cancel)
            best = max(range(len(waiting)), key=lambda index: answers[index][0].probability)
            lacuna, hypothesis = waiting.pop(best), answers[best][0]
            shown.fill(lacuna, hypothesis.text)
            filled.append(Filled(lacuna, hypothesis.text, hypothesis.probability, total - len(waiting)))
            progress(total - len(waiting), total)
    return sorted(filled, key=lambda each: each.lacuna.start)


class _Shown:
    """The text as it stands: hidden stretches as lost letters until they are filled."""

    def __init__(self, letters: str, hidden: list[Lacuna]) -> None:
        self.letters = letters
        self.content = {lacuna: LOST * len(lacuna.conjecture.replace(SPACE, "")) for lacuna in hidden}

    def fill(self, lacuna: Lacuna, text: str) -> None:
        self.content[lacuna] = text

    def query(self, asked: Lacuna) -> Query:
        before, after = self._between(0, asked.first), self._between(asked.stop, len(self.letters))
        return Query(before, after, (len(asked.conjecture.replace(SPACE, "")),))

    def _between(self, start: int, stop: int) -> str:
        pieces, position = [], start
        for lacuna, content in sorted(self.content.items(), key=lambda pair: pair[0].first):
            if lacuna.first >= start and lacuna.stop <= stop:
                pieces += [self.letters[position : lacuna.first], content]
                position = lacuna.stop
        return "".join([*pieces, self.letters[position:stop]])
