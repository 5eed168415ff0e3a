"""Rules about what is lost and what is restored: gap, supplied, their reasons, and who is responsible."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from pythia_epidoc.epidoc.losses import WORDLESS, says_nothing
from pythia_epidoc.epidoc.scanner import Element, Text
from pythia_epidoc.lint.attributes import attribute_place, set_value
from pythia_epidoc.lint.findings import Fix, Report
from pythia_epidoc.lint.scope import Scope

_REASONS = {
    "gap": ("lost", "illegible", "omitted", "ellipsis", "undefined"),
    "supplied": ("lost", "omitted", "subaudible", "explanation", "undefined"),
}
_CONTENT_WITHOUT_LETTERS = {*WORDLESS, "gap", "num"}


def gap_in_supplied(scope: Scope) -> Iterator[Report]:
    for gap in scope.elements("gap"):
        if gap.get("reason") == "ellipsis":
            continue
        if any(outer.name == "supplied" and outer.get("reason") != "undefined" for outer in gap.ancestors()):
            yield Report(
                gap.start,
                gap.open_end,
                "This gap stands inside a supplied: text cannot be restored and lost at once. "
                "End the supplied before the gap and begin another after it.",
            )


def empty_supplied(scope: Scope) -> Iterator[Report]:
    for supplied in scope.elements("supplied"):
        text, has_content = _content(supplied, scope.source)
        if has_content or not says_nothing(text):
            continue
        what = f"holds only {text.strip()!r}" if text.strip() else "is empty"
        yield Report(
            supplied.start,
            supplied.end,
            f"This supplied {what}, so nothing is restored; if the text is lost, write a gap.",
        )


def unknown_reason(scope: Scope) -> Iterator[Report]:
    for name, reasons in _REASONS.items():
        for element in scope.elements(name):
            reason = element.get("reason")
            if reason in reasons:
                continue
            known = ", ".join(reasons[:-1])
            if not reason:
                yield Report(
                    element.start,
                    element.open_end,
                    f"The {name} does not say why; write reason, one of {known}.",
                )
                continue
            close = get_close_matches(reason.strip().lower(), reasons, n=1, cutoff=0.7)
            yield Report(
                *attribute_place(element, "reason"),
                f'reason="{reason}" is not known; it is one of {known}.',
                Fix(f"Write {close[0]}", (set_value(scope.source, element, "reason", close[0]),), safe=True)
                if close
                else None,
            )


def dangling_resp(scope: Scope) -> Iterator[Report]:
    root = scope.document.root
    if root is None or next(root.iter("teiHeader"), None) is None:
        return  # a bare edition: its header, and with it the names, is kept elsewhere
    identifiers = {element.get("xml:id") for element in root.iter()} - {""}
    for element in scope.edition.iter():
        pointers = element.get("resp").split()
        for pointer in pointers:
            if pointer.startswith("#") and pointer[1:] not in identifiers:
                yield Report(
                    *attribute_place(element, "resp"),
                    f'resp points at "{pointer}", but nothing in this file has xml:id="{pointer[1:]}".',
                )
            elif pointer in identifiers:
                mended = " ".join(f"#{name}" if name == pointer else name for name in pointers)
                yield Report(
                    *attribute_place(element, "resp"),
                    f'resp="{pointer}" points at a file of that name; "#{pointer}" is meant.',
                    Fix(f"Write #{pointer}", (set_value(scope.source, element, "resp", mended),), safe=True),
                )


def _content(element: Element, source: str) -> tuple[str, bool]:
    """The text inside an element, and whether it holds anything else worth restoring."""
    text: list[str] = []
    for part in element.iter():
        if part.name in _CONTENT_WITHOUT_LETTERS:
            return "", True
        text += (source[node.start : node.end] for node in part.children if isinstance(node, Text))
    return "".join(text), False
