"""What has become of each lacuna of a document: open, pending, restored, or an editor's own."""

from __future__ import annotations

from enum import Enum
from functools import cached_property

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.writeback import PendingAlternatives, find_marks, pending


class State(str, Enum):
    OPEN = "open"
    PENDING = "pending"
    RESTORED = "restored"
    CONJECTURE = "conjecture"
    UNRESTORABLE = "unrestorable"


class States:
    """The states of the lacunae of one document, looked up from the marks that write-back leaves."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def has_marks(self) -> bool:
        """Whether anything of the machine's stands in the document."""
        return bool(find_marks(self._document))

    @cached_property
    def _pending(self) -> dict[int, PendingAlternatives]:
        return {waiting.number: waiting for waiting in pending(self._document)} if self.has_marks else {}

    @cached_property
    def _accepted(self) -> set[Element]:
        return (
            {accepted.element for accepted in find_marks(self._document).accepted}
            if self.has_marks
            else set()
        )

    def of(self, lacuna: Lacuna) -> State:
        if lacuna.number in self._pending:
            return State.PENDING
        if not lacuna.restorable:
            return State.UNRESTORABLE
        if lacuna.kind == "supplied":
            return State.RESTORED if lacuna.elements[0] in self._accepted else State.CONJECTURE
        return State.OPEN

    def pending(self, lacuna: Lacuna) -> PendingAlternatives | None:
        """The suggestions that wait for a decision about a lacuna."""
        return self._pending.get(lacuna.number)
