"""Reviewing suggestions on a full screen: the line in Leiden notation, the alternatives, and undo.

Not for writing files: decisions are made on an `OpenDocument`, and the caller saves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Header, Label, OptionList, Static
from textual.widgets.option_list import Option

from pythia_epidoc.api import OpenDocument
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.errors import EditError
from pythia_epidoc.leiden.render import render_line
from pythia_epidoc.probability import percent
from pythia_epidoc.writeback import PendingAlternatives

_MARK = "\ue000"


@dataclass(frozen=True)
class _Moment:
    """The document before a decision, to go back to."""

    document: Document
    edits: list[Edit]
    number: int


class ReviewScreen(App[int]):
    """Arrow keys choose, Enter accepts, r rejects, u undoes, q finishes. Returns the number of decisions."""

    TITLE = "Pythia-EpiDoc: review"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #lacunae { width: 34; border: round $primary; }
    #line { padding: 1 2; height: auto; min-height: 5; }
    #about { padding: 0 2; color: $text-muted; }
    #alternatives { border: round $primary; height: 1fr; }
    """
    BINDINGS: ClassVar = [
        Binding("enter", "accept", "accept", priority=True),
        Binding("r", "reject", "reject"),
        Binding("u", "undo", "undo"),
        Binding("left", "go(-1)", "previous", priority=True),
        Binding("right", "go(1)", "next", priority=True),
        Binding("q", "finish", "save and finish"),
        Binding("escape", "abandon", "leave without changes"),
    ]

    def __init__(self, document: OpenDocument, *, final: bool = False) -> None:
        super().__init__()
        self.open_document = document
        self.final = final
        self.history: list[_Moment] = []
        self.waiting: list[PendingAlternatives] = []
        self.position = 0

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal():
            yield OptionList(id="lacunae")
            with Vertical():
                yield Label(id="about")
                yield Static(id="line")
                yield OptionList(id="alternatives")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#lacunae", OptionList).can_focus = False
        self._refresh()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list.id == "alternatives":
            self._show_line()

    def action_go(self, step: int) -> None:
        if self.waiting:
            self.position = (self.position + step) % len(self.waiting)
            self._refresh()

    def action_accept(self) -> None:
        highlighted = self.query_one("#alternatives", OptionList).highlighted
        if self.waiting and highlighted is not None:
            current = self.waiting[self.position]
            rank = current.alternatives[highlighted].rank
            self._remember(current.number)
            try:
                self.open_document.accept(current.number, rank, final=self.final)
            except EditError as error:
                self.history.pop()
                self.notify(error.message, severity="warning")
            else:
                self._refresh()

    def action_reject(self) -> None:
        if self.waiting:
            current = self.waiting[self.position]
            self._remember(current.number)
            self.open_document.reject(current.number)
            self._refresh()

    def action_undo(self) -> None:
        if self.history:
            moment = self.history.pop()
            self.open_document.document, self.open_document.edits = moment.document, moment.edits
            numbers = [waiting.number for waiting in self.open_document.pending]
            self.position = numbers.index(moment.number)
            self._refresh()

    def action_finish(self) -> None:
        self.exit(len(self.history))

    def action_abandon(self) -> None:
        if self.history:
            first = self.history[0]
            self.open_document.document, self.open_document.edits = first.document, first.edits
        self.exit(0)

    def _remember(self, number: int) -> None:
        self.history.append(_Moment(self.open_document.document, list(self.open_document.edits), number))

    def _refresh(self) -> None:
        self.waiting = self.open_document.pending
        self.position = min(self.position, max(0, len(self.waiting) - 1))
        lacunae = self.query_one("#lacunae", OptionList)
        lacunae.clear_options()
        for waiting in self.waiting:
            lacuna = waiting.lacuna
            lacunae.add_option(Option(f"{waiting.number:>3}  l. {lacuna.line or '?'}  {lacuna.extent}"))
        alternatives = self.query_one("#alternatives", OptionList)
        alternatives.clear_options()
        decided = f"{len(self.history)} decided, {len(self.waiting)} to go"
        if not self.waiting:
            self.query_one("#about", Label).update(f"{decided}. Press q to save and finish, u to undo.")
            self.query_one("#line", Static).update("")
            return
        lacunae.highlighted = self.position
        current = self.waiting[self.position]
        for alternative in current.alternatives:
            probability = "" if alternative.probability is None else percent(alternative.probability)
            alternatives.add_option(Option(f"{alternative.text.strip():<32} {probability:>7}"))
        alternatives.highlighted = 0
        alternatives.focus()
        self.query_one("#about", Label).update(
            f"Lacuna {current.number}, line {current.lacuna.line or '?'}, {current.lacuna.extent}. {decided}."
        )
        self._show_line()

    def _show_line(self) -> None:
        """The line with the highlighted alternative in its place."""
        highlighted = self.query_one("#alternatives", OptionList).highlighted
        if not self.waiting or highlighted is None:
            return
        current = self.waiting[self.position]
        lacuna = current.lacuna
        line = render_line(
            self.open_document.document, lacuna.start, lacuna=lacuna.elements[0], replacement=_MARK
        )
        before, _, after = line.partition(_MARK)
        text = current.alternatives[highlighted].text  # a space at its edge divides words
        shown = Text.assemble(before.removesuffix("⟪"), (text, "bold yellow"), after.removeprefix("⟫"))
        self.query_one("#line", Static).update(shown)


def review_document(document: OpenDocument, *, final: bool = False) -> int:
    """Let a person decide; the number of decisions made."""
    return ReviewScreen(document, final=final).run() or 0
