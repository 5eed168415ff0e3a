"""Hints on an editor's restorations that the model finds implausible; off by default."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc_lsp.diagnostics import SOURCE
from pythia_epidoc_lsp.hover import verdict_in_words
from pythia_epidoc_lsp.lacunae import shown
from pythia_epidoc_lsp.restorations import Answer
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.states import State

SURPRISING = 5.0
"""The best rival is some 150 times as probable."""


def conjectures(analysis: Analysis) -> list[Lacuna]:
    """The restorations that are an editor's own."""
    return [lacuna for lacuna in shown(analysis.document) if analysis.states.of(lacuna) is State.CONJECTURE]


def hints(analysis: Analysis, known: Callable[[Lacuna], Answer | None]) -> list[types.Diagnostic]:
    """A hint for each implausible restoration that the model has judged; nothing is computed for it."""
    answers = (known(lacuna) for lacuna in conjectures(analysis))
    return [_hint(analysis, answer) for answer in answers if answer is not None and _is_implausible(answer)]


def _is_implausible(answer: Answer) -> bool:
    return answer.verdict is not None and answer.verdict.surprise >= SURPRISING


def _hint(analysis: Analysis, answer: Answer) -> types.Diagnostic:
    assert answer.verdict is not None
    lacuna = answer.lacuna
    return types.Diagnostic(
        range=analysis.positions.range(lacuna.start, lacuna.end),
        message=verdict_in_words(answer.verdict).replace("**", ""),
        severity=types.DiagnosticSeverity.Hint,
        code="conjecture",
        source=SOURCE,
    )
