"""Code actions: ways to write a restoration down, decisions about pending ones, and lint fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lsprotocol import types

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.lint import Finding
from pythia_epidoc.probability import percent
from pythia_epidoc.writeback import INLINE, STANDOFF, PendingAlternatives
from pythia_epidoc_lsp.convert import workspace_edit
from pythia_epidoc_lsp.diagnostics import diagnostic
from pythia_epidoc_lsp.lacunae import shown
from pythia_epidoc_lsp.restorations import Answer
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.states import State

KINDS = (
    types.CodeActionKind.QuickFix,
    types.CodeActionKind.RefactorRewrite,
    types.CodeActionKind.Source,
)
REWRITE = types.CodeActionKind.RefactorRewrite
SOURCE = types.CodeActionKind.Source
ACCEPTABLE = 5
"""How many hypotheses are listed one by one."""


def wants(context: types.CodeActionContext) -> bool:
    """Whether the editor asks for the kind of action that writes restorations."""
    return not context.only or any(REWRITE.value.startswith(_value(kind)) for kind in context.only)


def all_actions(
    analysis: Analysis,
    params: types.CodeActionParams,
    lacuna: Lacuna | None,
    answer: Answer | None,
    findings: Iterable[Finding],
) -> list[types.CodeAction]:
    start, end = analysis.positions.offsets(params.range)
    here = [finding for finding in findings if finding.start <= end and start <= finding.end]
    offered = [
        *fix_actions(analysis, here),
        *(lacuna_actions(analysis, lacuna, answer) if lacuna is not None else ()),
        *document_actions(analysis),
    ]
    only = params.context.only
    if not only:
        return offered
    return [
        action for action in offered if any(_value(action.kind).startswith(_value(kind)) for kind in only)
    ]


def _value(kind: types.CodeActionKind | str | None) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else str(kind)


def lacuna_actions(analysis: Analysis, lacuna: Lacuna, answer: Answer | None) -> Iterator[types.CodeAction]:
    """What can be done with one lacuna; hypotheses are named if they are known."""
    argument = {"uri": analysis.uri, "position": analysis.positions.position(lacuna.start)}
    waiting = analysis.states.pending(lacuna)
    if waiting is not None:
        yield from _pending_actions(waiting, argument)
        return
    if not lacuna.restorable:
        return
    if answer is None:
        yield _command("Accept the best restoration", "accept", {**argument, "rank": 1})
    else:
        for row in answer.rows[:ACCEPTABLE]:
            title = f"Accept “{row.text}” ({percent(row.probability)})"
            yield _command(title, "accept", {**argument, "rank": row.rank, "text": row.text})
    if lacuna.kind == "gap":
        yield _command("Insert alternatives", "insert", {**argument, "form": INLINE})
        yield _command("Insert alternatives in an apparatus", "insert", {**argument, "form": STANDOFF})


def _pending_actions(waiting: PendingAlternatives, argument: dict[str, Any]) -> Iterator[types.CodeAction]:
    for alternative in waiting.alternatives:
        odds = "" if alternative.probability is None else f" ({percent(alternative.probability)})"
        title = f"Accept “{alternative.text}”{odds}"
        chosen = {**argument, "rank": alternative.rank, "text": alternative.text}
        yield _command(title, "acceptPending", chosen)
    yield _command("Reject the suggestions", "rejectPending", argument)


def document_actions(analysis: Analysis) -> Iterator[types.CodeAction]:
    argument = {"uri": analysis.uri}
    if any(analysis.states.of(lacuna) is State.OPEN for lacuna in shown(analysis.document)):
        yield _command("Restore the whole document", "restoreDocument", argument, SOURCE)
    if analysis.states.has_marks:
        yield _command("Remove machine suggestions", "strip", argument, SOURCE)


def fix_actions(analysis: Analysis, findings: Iterable[Finding]) -> Iterator[types.CodeAction]:
    """The mends that lint offers."""
    for finding in findings:
        if finding.fix is None:
            continue
        yield types.CodeAction(
            title=finding.fix.label,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic(analysis, finding)],
            edit=workspace_edit(analysis.uri, analysis.version, analysis.positions, finding.fix.edits),
        )


def _command(
    title: str, name: str, argument: dict[str, Any], kind: types.CodeActionKind = REWRITE
) -> types.CodeAction:
    command = types.Command(title=title, command=f"pythia.server.{name}", arguments=[argument])
    return types.CodeAction(title=f"Pythia: {title}", kind=kind, command=command)
