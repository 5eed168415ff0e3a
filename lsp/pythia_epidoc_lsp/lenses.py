"""Code lenses: Restore above a line with a gap; Accept and Reject above pending alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc_lsp.lacunae import extent_in_words, shown
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.states import State

_OFFERED = 3
"""More alternatives than these would fill the line; the others are among the code actions."""

SHOW_PANEL = "pythia.showRestoration"
"""A command of clients that have the Restoration panel."""


def code_lenses(analysis: Analysis, *, has_panel: bool) -> list[types.CodeLens]:
    return [lens for lacuna in shown(analysis.document) for lens in _lenses(analysis, lacuna, has_panel)]


def _lenses(analysis: Analysis, lacuna: Lacuna, has_panel: bool) -> Iterator[types.CodeLens]:
    place = analysis.positions.range(lacuna.start, lacuna.end)
    argument = {"uri": analysis.uri, "position": place.start}
    if analysis.states.of(lacuna) is State.OPEN:
        title = f"Restore ({extent_in_words(lacuna)})"
        yield types.CodeLens(range=place, command=_restore(title, argument, has_panel))
    waiting = analysis.states.pending(lacuna)
    if waiting is not None:
        for alternative in waiting.alternatives[:_OFFERED]:
            accept = types.Command(
                title=f"Accept “{alternative.text}”",
                command="pythia.server.acceptPending",
                arguments=[{**argument, "rank": alternative.rank, "text": alternative.text}],
            )
            yield types.CodeLens(range=place, command=accept)
        reject = types.Command(title="Reject", command="pythia.server.rejectPending", arguments=[argument])
        yield types.CodeLens(range=place, command=reject)


def _restore(title: str, argument: dict[str, Any], has_panel: bool) -> types.Command:
    if has_panel:
        arguments = [argument["uri"], argument["position"]]
        return types.Command(title=title, command=SHOW_PANEL, arguments=arguments)
    return types.Command(title=title, command="pythia.server.insert", arguments=[argument])
