"""How places are put into words, the same in every feature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pygls.uris import from_fs_path

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc_lsp.lacunae import extent_in_words

if TYPE_CHECKING:
    from pythia_epidoc.parallels.search import Parallel


def place(lacuna: Lacuna) -> str:
    """ "line 2, 5 letters" """
    extent = extent_in_words(lacuna)
    return f"line {lacuna.line}, {extent}" if lacuna.line else extent


def place_of(parallel: Parallel) -> str:
    """Where a parallel stands: document and line."""
    name = parallel.place.document
    return f"{name}, line {parallel.line}" if parallel.line else name


def in_list(parallels: Iterable[Parallel]) -> str:
    """Parallels as a Markdown list that links to the passages; empty if there are none."""
    rows = [f"- {found.snippet.text} ([{place_of(found)}]({_link(found)}))" for found in parallels]
    return "Parallels:\n" + "\n".join(rows) if rows else ""


def _link(parallel: Parallel) -> str:
    uri = from_fs_path(parallel.place.path) or ""
    return f"{uri}#L{parallel.source_line}" if parallel.source_line else uri
