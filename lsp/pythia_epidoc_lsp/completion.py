"""Completion in a lacuna: hypotheses that replace its markup; details follow when one is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.errors import EditError
from pythia_epidoc.probability import percent
from pythia_epidoc_lsp.convert import Positions
from pythia_epidoc_lsp.lacunae import lacuna_at
from pythia_epidoc_lsp.preview import preview
from pythia_epidoc_lsp.restorations import Answer, Row
from pythia_epidoc_lsp.session import Analysis
from pythia_epidoc_lsp.wording import in_list, place
from pythia_epidoc_lsp.writing import accept_edits

if TYPE_CHECKING:
    from pythia_epidoc.parallels.search import Parallel


@dataclass(frozen=True)
class Resolved:
    """What an item stands for; it travels with the item and comes back when it is looked at."""

    uri: str
    offset: int
    typed_to: int
    rank: int


def lacuna_to_complete(analysis: Analysis, offset: int) -> Lacuna | None:
    """The lacuna at the cursor, unless its tag is still being typed: that is for attribute completion.

    What stands between the parts of a lacuna, as a line break does, is no part of it.
    """
    lacuna = lacuna_at(analysis.document, offset)
    if lacuna is None or not lacuna.restorable or offset == lacuna.start:
        return None
    if not any(element.start <= offset <= element.end for element in lacuna.elements):
        return None
    text = analysis.document.text
    finished = all(text[element.open_end - 1 : element.open_end] == ">" for element in lacuna.elements)
    return lacuna if finished else None


@lru_cache(maxsize=4)
def completion_list(analysis: Analysis, answer: Answer, offset: int) -> types.CompletionList | None:
    """One item per hypothesis; none where the lacuna's markup leaves no room for text."""
    try:
        items = [_item(analysis, answer, row, offset, accept_edits(answer, row.rank)) for row in answer.rows]
    except EditError:
        return None
    return types.CompletionList(is_incomplete=False, items=items)


def _item(
    analysis: Analysis, answer: Answer, row: Row, offset: int, edits: Sequence[Edit]
) -> types.CompletionItem:
    main, others = split_for_completion(analysis.positions, edits, offset)
    replaced = analysis.document.text[main.start : main.end]
    return types.CompletionItem(
        label=row.text,
        label_details=types.CompletionItemLabelDetails(description=percent(row.probability)),
        kind=types.CompletionItemKind.Value,
        sort_text=f"{row.rank:03}",
        # Clients filter by what stands in the range that is replaced: the markup, not the Greek.
        filter_text=replaced,
        preselect=row.rank == 1,
        insert_text_format=types.InsertTextFormat.PlainText,
        text_edit=analysis.positions.text_edit(main),
        additional_text_edits=[analysis.positions.text_edit(edit) for edit in others],
        data=asdict(Resolved(analysis.uri, answer.lacuna.start, offset, row.rank)),
    )


def split_for_completion(positions: Positions, edits: Sequence[Edit], offset: int) -> tuple[Edit, list[Edit]]:
    """The edit at the cursor, kept to the cursor's line as clients demand, and all the rest.

    Markup that runs over several lines is replaced in pieces: new text on the cursor's line, nothing
    on the others.
    """
    main = next(edit for edit in edits if edit.start <= offset <= edit.end)
    others = [edit for edit in edits if edit is not main]
    line_start, line_end = positions.line_bounds(offset)
    start, end = max(main.start, line_start), min(main.end, line_end)
    if main.start < start:
        others.append(Edit(main.start, start, ""))
    if end < main.end:
        others.append(Edit(end, main.end, ""))
    return Edit(start, end, main.text), sorted(others)


def documentation(answer: Answer, rank: int, parallels: Sequence[Parallel] | None) -> types.MarkupContent:
    """What is shown beside a chosen item: the line in Leiden notation, the odds, and parallels."""
    row = answer.rows[rank - 1]
    parts = [preview(answer, rank), f"{percent(row.probability)} · {place(answer.lacuna)}"]
    if row.text != row.letters:
        parts.append(f"The model gave the letters *{row.letters}*; the accents were added to them.")
    if row.attestations:
        parts.append(f"Attested {row.attestations}× in this context.")
    if parallels:
        parts.append(in_list(parallels))
    parts.append(f"*{answer.model}*")
    return types.MarkupContent(kind=types.MarkupKind.Markdown, value="\n\n".join(parts))


def resolve_data(item: types.CompletionItem) -> Resolved | None:
    """What an item stands for; None for an item that is not ours."""
    data: Any = item.data
    if not isinstance(data, dict):
        data = getattr(data, "_asdict", dict)()
    try:
        return Resolved(str(data["uri"]), int(data["offset"]), int(data["typed_to"]), int(data["rank"]))
    except (KeyError, TypeError, ValueError):
        return None
