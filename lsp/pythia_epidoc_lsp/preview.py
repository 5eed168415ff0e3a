"""The line around a lacuna in Leiden notation, with room for a hypothesis."""

from __future__ import annotations

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc_lsp.lacunae import around
from pythia_epidoc_lsp.restorations import Answer

_MARK = "\ue000"
_WIDTH = 30


def leiden_line(lacuna: Lacuna) -> tuple[str, str]:
    """What the line has before and after the restored letters, brackets included."""
    # Imported here, as parallels are elsewhere: `initialize` must not wait for what is needed later.
    from pythia_epidoc.leiden.render import render_line

    document, element = lacuna.edition.document, lacuna.elements[0]
    line = render_line(document, lacuna.start, lacuna=element, replacement=_MARK)
    before, mark, after = line.partition(_MARK)
    if not mark:
        before, after = around(lacuna, _WIDTH)
        return f"{before}[", f"]{after}"
    # The renderer sets a suggestion apart; here it is set apart by bold letters or colour.
    return before.removesuffix("⟪"), after.removeprefix("⟫")


def preview(answer: Answer, rank: int) -> str:
    """The line as Markdown with the hypothesis of a rank in place."""
    before, after = leiden_line(answer.lacuna)
    text = answer.rows[rank - 1].text.strip() if rank <= len(answer.rows) else "– –"
    return f"{_escaped(before)}**{_escaped(text)}**{_escaped(after)}"


def _escaped(text: str) -> str:
    """Leiden brackets that Markdown would take for its own."""
    for character in "\\`*_<>|[]":
        text = text.replace(character, f"\\{character}")
    return text
