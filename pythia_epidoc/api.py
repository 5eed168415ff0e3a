"""The library: open a document, restore it, decide, save. The names are those of the commands.

>>> import pythia_epidoc
>>> document = pythia_epidoc.open("decree.xml")     # doctest: +SKIP
>>> document.restore(top=3)                         # doctest: +SKIP
>>> document.save()                                 # doctest: +SKIP
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, apply_edits
from pythia_epidoc.epidoc.edits import save as save_edits
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.errors import EditError
from pythia_epidoc.restoration import Restoration, Restorer
from pythia_epidoc.restoring import LacunaReport, RestoreOptions, restore_document
from pythia_epidoc.writeback import (
    PendingAlternatives,
    WriteOptions,
    accept_pending,
    compose,
    pending,
    reject_pending,
    strip,
)
from pythia_epidoc.writeback.options import DEFAULT_RESP_ID, INLINE, today


class OpenDocument:
    """A document and the edits made to it so far; the file changes only when `save` is called."""

    def __init__(self, document: Document) -> None:
        self.original = document
        self.document = document
        """The document as the edits leave it."""
        self.edits: list[Edit] = []
        """What has been changed, as edits on the original."""
        self.reports: tuple[LacunaReport, ...] = ()
        """What became of each lacuna in the last `restore`."""

    @property
    def lacunae(self) -> tuple[Lacuna, ...]:
        """Every gap and supplied, restorable or not."""
        return self.document.lacunae

    @property
    def pending(self) -> list[PendingAlternatives]:
        """The lacunae with suggestions that wait for a decision."""
        return pending(self.document)

    @property
    def data(self) -> bytes:
        """The bytes of the document with the edits made."""
        return self.document.source.data

    def restore(
        self,
        *,
        only: str = "gap",
        lacunae: Sequence[int | str] = (),
        form: str = INLINE,
        top: int = 5,
        min_probability: float | None = None,
        beam: int = 100,
        plain: bool = False,
        iterative: bool = False,
        fit_lines: bool = False,
        resp_id: str = DEFAULT_RESP_ID,
        date: str | None = None,
        model: Path | str | None = None,
        device: str = "auto",
        parallels: Path | str | None = None,
        restorer: Restorer | None = None,
        cancel: threading.Event | None = None,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> list[Restoration]:
        """Restore lacunae and write the hypotheses into the document; `progress` is told how many of how many
        are done."""
        write = WriteOptions(form, top, min_probability, resp_id, date or today())
        names = tuple(str(name) for name in lacunae)
        options = RestoreOptions(only, names, beam, plain, iterative, write, fit_lines)
        restorer = restorer or load(None if model is None else Path(model), device, parallels)
        outcome = restore_document(self.document, restorer, options, cancel=cancel, progress=progress)
        self.reports = outcome.lacunae
        self._apply(outcome.edits)
        return outcome.restorations

    def accept(self, lacuna: int, choice: int = 1, *, final: bool = False) -> None:
        """Put an alternative in the place of the lacuna with this number."""
        [waiting] = self._waiting(lacuna)
        self._apply(accept_pending(self.document, waiting, choice, final=final))

    def reject(self, *lacunae: int) -> None:
        """Take the suggestions for the lacunae with these numbers away."""
        self._apply(reject_pending(self.document, *self._waiting(*lacunae)))

    def strip(self, *, keep_chosen: bool = False) -> None:
        """Remove what this tool added."""
        self._apply(strip(self.document, keep_chosen=keep_chosen))

    def save(self, to: Path | str | None = None) -> None:
        """Write the document to its own file, or to another."""
        save_edits(self.original.source, self.edits, None if to is None else Path(to))
        if to is None:
            self.original, self.edits = self.document, []

    def _waiting(self, *numbers: int) -> list[PendingAlternatives]:
        waiting = {each.number: each for each in self.pending}
        for number in numbers:
            if number not in waiting:
                raise EditError(
                    f"There are no suggestions for lacuna {number}; `restore` makes them.",
                    path=self.document.path,
                )
        return [waiting[number] for number in dict.fromkeys(numbers)]

    def _apply(self, edits: Sequence[Edit]) -> None:
        if not edits:
            return
        source = self.original.source
        # As they are in the file, whose encoding may lack letters: the next edits count these characters.
        encoded = [replace(edit, text=source.encode(edit.text).decode(source.encoding)) for edit in edits]
        self.edits = compose(self.original.text, self.edits, encoded)
        data = apply_edits(source, self.edits)
        self.document = Document.from_bytes(data, self.original.path)


def open(path: Path | str) -> OpenDocument:
    """Open an EpiDoc file."""
    return OpenDocument(Document.open_tei(path))


@lru_cache(maxsize=2)
def load(model: Path | None = None, device: str = "auto", parallels: Path | str | None = None) -> Restorer:
    """The restorer of a checkpoint, loaded once, with an index of parallels behind it: the one named, or
    the one that the settings name or that is in its usual place; "" for none."""
    from pythia_epidoc.model.restorer import load_restorer
    from pythia_epidoc.parallels.location import configured
    from pythia_epidoc.parallels.restorer import attesting

    index = configured() if parallels is None else Path(parallels) if parallels else None
    return attesting(load_restorer(model, device), index)
