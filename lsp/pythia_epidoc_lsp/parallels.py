"""Where the user's own collection attests a hypothesis in this context, or at least the hypothesis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pythia_epidoc_lsp.restorations import Answer

if TYPE_CHECKING:
    from pythia_epidoc.parallels.search import Parallel

SHOWN = 5
_OWN = 5
"""Passages looked at beyond those shown, in case some are of the document itself."""
_CONTEXT = 8
"""Letters on either side that a parallel should share."""
_ALONE = 5
"""A shorter hypothesis is not looked for without its context: it would be found everywhere."""


def index_path(setting: str) -> Path | None:
    """The index the settings name, else the one in its usual place."""
    from pythia_epidoc.parallels.location import configured

    return Path(setting).expanduser() if setting else configured()


def find_parallels(path: Path | None, answer: Answer, rank: int) -> list[Parallel] | None:
    """The passages that match the most context; None without an index."""
    from pythia_epidoc.parallels.index import ParallelsIndex
    from pythia_epidoc.parallels.search import search

    if path is None:
        return None
    file = answer.lacuna.edition.document.path  # an edition is no parallel to itself
    own = str(file.resolve()) if file else ""
    with ParallelsIndex(path) as index:
        for query in _queries(answer, rank):
            found = [each for each in search(index, query, SHOWN + _OWN) if each.place.path != own]
            if found:
                return found[:SHOWN]
    return []


def _queries(answer: Answer, rank: int) -> Iterator[str]:
    """From the closest context to the hypothesis alone."""
    lacuna, text = answer.lacuna, answer.rows[rank - 1].letters
    letters = lacuna.edition.reading.letters
    before = _preserved(letters[max(0, lacuna.first - _CONTEXT) : lacuna.first][::-1])[::-1]
    after = _preserved(letters[lacuna.stop : lacuna.stop + _CONTEXT])
    if before or after:
        yield f"{before}{text}{after}"
    if before and after:
        yield f"{before}{text}"
        yield f"{text}{after}"
    if len(text.replace(" ", "")) >= _ALONE:
        yield text


def _preserved(letters: str) -> str:
    """The letters up to the next lacuna."""
    for index, letter in enumerate(letters):
        if not letter.isalpha() and letter != " ":
            return letters[:index]
    return letters
