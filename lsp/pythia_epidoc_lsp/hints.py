"""Inlay hints and ghost text, both off by default: the best hypothesis, shown but not written."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.errors import EditError
from pythia_epidoc.probability import percent
from pythia_epidoc_lsp.lacunae import shown
from pythia_epidoc_lsp.restorations import Answer
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.states import State
from pythia_epidoc_lsp.writing import accept_edits, covers


def inlay_hints(
    analysis: Analysis, span: types.Range, known: Callable[[Lacuna], Answer | None]
) -> list[types.InlayHint]:
    """A hint after each open lacuna that has been restored before; nothing is computed for a hint."""
    start, end = analysis.positions.offsets(span)
    found = (
        known(lacuna)
        for lacuna in shown(analysis.document)
        if start <= lacuna.end <= end and analysis.states.of(lacuna) is State.OPEN
    )
    return [_hint(analysis, answer) for answer in found if answer is not None and answer.rows]


def _hint(analysis: Analysis, answer: Answer) -> types.InlayHint:
    best = answer.rows[0]
    return types.InlayHint(
        position=analysis.positions.position(answer.lacuna.end),
        label=f"{best.text} {percent(best.probability)}",
        tooltip="The best hypothesis. It is not part of the text.",
        padding_left=True,
    )


def gap_before(analysis: Analysis, offset: int) -> Lacuna | None:
    """The open gap that ends where the cursor stands."""
    for lacuna in shown(analysis.document):
        if lacuna.end == offset and analysis.states.of(lacuna) is State.OPEN:
            return lacuna
    return None


def ghost_text(analysis: Analysis, answer: Answer, offset: int) -> types.InlineCompletionList | None:
    """Ghost text after a gap: the marked restoration; accepting it then removes the gap.

    None where the markup leaves no room for text, or a line break cuts the lacuna in two.

    Inserted text is already marked as a machine's, so that even half the gesture leaves no guess that
    passes for a reading.
    """
    lacuna = answer.lacuna
    try:
        main = next((edit for edit in accept_edits(answer, 1) if covers(edit, lacuna)), None)
    except EditError:
        main = None
    if main is None:
        return None
    position = analysis.positions.position(offset)
    place = analysis.positions.position(lacuna.start)
    argument = {"uri": analysis.uri, "position": place, "inserted": main.text}
    item = types.InlineCompletionItem(
        insert_text=main.text,
        range=types.Range(start=position, end=position),
        command=types.Command(
            title="Finish the restoration", command="pythia.server.finishGhost", arguments=[argument]
        ),
    )
    return types.InlineCompletionList(items=[item])
