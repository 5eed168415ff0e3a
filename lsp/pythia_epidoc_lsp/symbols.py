"""Document symbols: the editions, and their lacunae by line."""

from __future__ import annotations

from lsprotocol import types

from pythia_epidoc.epidoc.editions import Edition
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc_lsp.lacunae import around, bracketed, extent_in_words, shown
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.states import State

_KINDS = {
    State.OPEN: types.SymbolKind.Null,
    State.PENDING: types.SymbolKind.Event,
    State.RESTORED: types.SymbolKind.String,
    State.CONJECTURE: types.SymbolKind.String,
    State.UNRESTORABLE: types.SymbolKind.Null,
}
_CONTEXT = 12


def document_symbols(analysis: Analysis) -> list[types.DocumentSymbol]:
    lacunae = list(shown(analysis.document))
    return [
        _edition(analysis, edition, [lacuna for lacuna in lacunae if lacuna.edition is edition])
        for edition in analysis.document.editions
    ]


def _edition(analysis: Analysis, edition: Edition, lacunae: list[Lacuna]) -> types.DocumentSymbol:
    element, positions = edition.element, analysis.positions
    return types.DocumentSymbol(
        name=" ".join(part for part in ("Edition", edition.subtype) if part),
        detail=f"{len(lacunae)} lacunae",
        kind=types.SymbolKind.Module,
        range=positions.range(element.start, element.end),
        selection_range=positions.range(element.start, element.open_end),
        children=[_lacuna(analysis, lacuna) for lacuna in lacunae],
    )


def _lacuna(analysis: Analysis, lacuna: Lacuna) -> types.DocumentSymbol:
    before, after = around(lacuna, _CONTEXT)
    place = analysis.positions.range(lacuna.start, lacuna.end)
    line = f"line {lacuna.line}, " if lacuna.line else ""
    return types.DocumentSymbol(
        name=f"{before}{bracketed(lacuna)}{after}",
        detail=f"{line}{extent_in_words(lacuna)}",
        kind=_KINDS[analysis.states.of(lacuna)],
        range=place,
        selection_range=place,
    )
