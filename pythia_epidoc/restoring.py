"""Restoring one document from beginning to end: choose lacunae, ask, write back, tell what became of each.

The command line, the library and the batch runner all come through here. The three steps are apart so
that a batch can take the second for many documents at once:

    open_case(document)  →  case.questions  →  answers  →  close_case(case, answers)
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pythia_epidoc.asking import Answers, Questions, answer, questions_about
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, apply_edits
from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.errors import ConfigError
from pythia_epidoc.leiden.render import render_element
from pythia_epidoc.restoration import Hypothesis, ModelIdentity, Restoration, Restorer, Settings
from pythia_epidoc.review.lines import room
from pythia_epidoc.writeback.compose import compose
from pythia_epidoc.writeback.marks import find_marks
from pythia_epidoc.writeback.options import WriteOptions
from pythia_epidoc.writeback.strip import strip
from pythia_epidoc.writeback.write import signed_date, write

KINDS = {"gap": ("gap",), "supplied": ("supplied",), "all": ("gap", "supplied")}
_LINE = re.compile(r"(?:line|l)[\s.:=]*(.+)", re.IGNORECASE)
_MARK = "\ue000"


@dataclass(frozen=True)
class RestoreOptions:
    """How a document is restored."""

    only: str = "gap"
    """`gap`, `supplied` (a second opinion on the editor's conjectures) or `all`."""
    lacunae: tuple[str, ...] = ()
    """Numbers (`3`) or text lines (`l.12`); empty means all."""
    beam: int = 100
    plain: bool = False
    iterative: bool = False
    write: WriteOptions = field(default_factory=WriteOptions)
    fit_lines: bool = False
    """Only what its line has room for, judging by the intact lines."""

    def __post_init__(self) -> None:
        if self.only not in KINDS:
            raise ConfigError(f"Only gap, supplied or all can be asked for, not {self.only!r}.")
        if self.beam < 1:
            raise ConfigError("The beam must be at least 1 wide.")


@dataclass(frozen=True)
class LacunaReport:
    """What became of a lacuna."""

    number: int
    kind: str
    text_line: str
    line: int
    column: int
    extent: str
    least: int | None
    most: int | None
    hypotheses: tuple[Hypothesis, ...]
    note: str
    """Why nothing was written; empty if something was."""
    before: str
    after: str
    """The text line around it in Leiden notation."""
    room: tuple[int, int] | None = None
    """The fewest and most letters its line has room for, where the intact lines tell."""


@dataclass(frozen=True)
class Case:
    """A document made ready to be restored."""

    document: Document
    """As it was opened."""
    fresh: Document
    """Without what an earlier run of this tool left in it."""
    stripped: list[Edit]
    lacunae: tuple[Lacuna, ...]
    questions: Questions


@dataclass(frozen=True)
class Outcome:
    """A restored document: its bytes, the edits that lead there, and a report on every lacuna."""

    data: bytes
    edits: list[Edit]
    restorations: list[Restoration]
    lacunae: tuple[LacunaReport, ...]

    @property
    def written(self) -> int:
        return sum(not report.note for report in self.lacunae)


def restore_document(
    document: Document,
    restorer: Restorer,
    options: RestoreOptions | None = None,
    *,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """Restore one document; `progress` is told how many lacunae of how many are done."""
    options = options or RestoreOptions()
    case = open_case(document, options)
    answers = answer(
        case.questions,
        restorer,
        top=options.write.top,
        beam=options.beam,
        plain=options.plain,
        iterative=options.iterative,
        cancel=cancel,
        progress=progress,
    )
    return close_case(case, answers, restorer.identity, options)


def open_case(document: Document, options: RestoreOptions) -> Case:
    """Choose what is to be restored and put the questions together."""
    fresh, stripped = document, []
    if not options.lacunae:
        stripped = strip(document, keep_chosen=True)
        if stripped:
            fresh = Document.from_bytes(apply_edits(document.source, stripped), document.path)
    lacunae = select(fresh, options.only, options.lacunae)
    restorable = [lacuna for lacuna in lacunae if lacuna.restorable]
    return Case(
        document,
        fresh,
        stripped,
        lacunae,
        questions_about(fresh, restorable, plain=options.plain, fit_lines=options.fit_lines),
    )


def close_case(case: Case, answers: Answers, model: ModelIdentity, options: RestoreOptions) -> Outcome:
    """Write the answers back."""
    settings = Settings(options.write.top, options.beam, options.plain)
    restorations = [
        Restoration(lacuna, answers[lacuna.number], model, settings)
        for lacuna in case.lacunae
        if lacuna.number in answers
    ]
    signed = signed_date(case.document)
    if signed and signed != options.write.date:
        # Done before with the same result: the date stays, so that restoring twice is restoring once.
        before = _written(case, restorations, replace(options.write, date=signed))
        if before.data == case.document.source.data:
            return before
    return _written(case, restorations, options.write)


def select(document: Document, only: str, wanted: Sequence[str] = ()) -> tuple[Lacuna, ...]:
    """The lacunae of the kinds asked for, by number or text line if any are named."""
    # A gap that this tool has replaced is still found by its number.
    restored = {found.element for found in find_marks(document).accepted} if wanted else ()
    lacunae = tuple(
        lacuna for lacuna in document.lacunae if lacuna.kind in KINDS[only] or lacuna.elements[0] in restored
    )
    if not wanted:
        return lacunae
    named: set[int] = set()
    for name in wanted:
        line = _LINE.fullmatch(name.strip())
        matching = {
            lacuna.number
            for lacuna in lacunae
            if (lacuna.line == line.group(1).strip() if line else str(lacuna.number) == name.strip())
        }
        if not matching:
            what = f"in text line {line.group(1)}" if line else f"number {name}"
            raise ConfigError(
                f"There is no {'lacuna' if only == 'all' else only} {what}; `inspect` lists them.",
                path=document.path,
            )
        named |= matching
    return tuple(lacuna for lacuna in lacunae if lacuna.number in named)


def _written(case: Case, restorations: Sequence[Restoration], options: WriteOptions) -> Outcome:
    result = write(case.fresh, restorations, options)
    edits = compose(case.document.text, case.stripped, result.edits) if case.stripped else result.edits
    data = apply_edits(case.document.source, edits) if edits else case.document.source.data
    hypotheses = {restoration.lacuna.number: restoration.hypotheses for restoration in restorations}
    lines = _lines(case.fresh, case.lacunae)
    reports = tuple(
        _report(lacuna, hypotheses.get(lacuna.number, ()), result.left_out, lines[lacuna.number])
        for lacuna in case.lacunae
    )
    return Outcome(data, edits, list(restorations), reports)


def _report(
    lacuna: Lacuna, hypotheses: tuple[Hypothesis, ...], left_out: dict[int, str], around: tuple[str, str]
) -> LacunaReport:
    line, column = lacuna.position
    return LacunaReport(
        lacuna.number,
        lacuna.kind,
        lacuna.line,
        line,
        column,
        str(lacuna.extent),
        lacuna.extent.least,
        lacuna.extent.most,
        hypotheses,
        lacuna.obstacle or left_out.get(lacuna.number, ""),
        *around,
        room=(space.least, space.most) if (space := room(lacuna)) else None,
    )


def _lines(document: Document, lacunae: Sequence[Lacuna]) -> dict[int, tuple[str, str]]:
    """For each lacuna the Leiden text of its line before and after it: one rendering serves them all."""
    around: dict[int, tuple[str, str]] = {}
    for edition in document.editions:
        here = [lacuna for lacuna in lacunae if lacuna.edition is edition]
        if not here:
            continue
        marks = {lacuna.start: f"{_MARK}{lacuna.number}{_MARK}" for lacuna in here}
        rendered = render_element(
            edition.element, document.text, entities=document.entities, replacements=marks
        )
        for line in rendered.lines:
            for match in re.finditer(f"{_MARK}(\\d+){_MARK}", line.text):
                around[int(match.group(1))] = (
                    _unmarked(line.text[: match.start()]).removesuffix("⟪"),
                    _unmarked(line.text[match.end() :]).removeprefix("⟫"),
                )
    return {lacuna.number: around.get(lacuna.number) or _bracketed(lacuna) for lacuna in lacunae}


def _bracketed(lacuna: Lacuna) -> tuple[str, str]:
    """Plain letters around a lacuna that stands in a part of the text which Leiden notation does not show."""
    before, after = lacuna.context()
    return f"{before}[", f"]{after}"


def _unmarked(text: str) -> str:
    return re.sub(f"⟪?{_MARK}\\d+{_MARK}⟫?", "–", text)
