"""The settings of the server: typed, with a default and a sentence for every value that makes no sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pythia_epidoc.writeback import FORMS, INLINE

DEVICES = ("auto", "cpu", "cuda", "mps")


@dataclass(frozen=True)
class Settings:
    model: str = ""
    """A checkpoint; empty means the one that comes with the package."""
    device: str = "auto"
    top: int = 20
    beam: int = 100
    form: str = INLINE
    """How restorations of a whole document are written."""
    alternatives: int = 5
    accents: bool = True
    completion: bool = True
    hover: bool = True
    code_lens: bool = True
    diagnostics: bool = True
    inlay_hints: bool = False
    ghost_text: bool = False
    review_conjectures: bool = False
    """Hints on an editor's restorations that the model finds implausible."""
    parallels_index: str = ""


@dataclass(frozen=True)
class _Rule:
    field: str
    accepts: Callable[[Any], bool]
    expected: str


def _whole_number(low: int, high: int) -> tuple[Callable[[Any], bool], str]:
    def accepts(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    return accepts, f"a whole number from {low} to {high}"


def _one_of(*options: str) -> tuple[Callable[[Any], bool], str]:
    return (lambda value: value in options), "one of " + ", ".join(options)


_TEXT = (lambda value: isinstance(value, str)), "text"
_SWITCH = (lambda value: isinstance(value, bool)), "true or false"

_RULES = {
    "model": _Rule("model", *_TEXT),
    "device": _Rule("device", *_one_of(*DEVICES)),
    "top": _Rule("top", *_whole_number(1, 100)),
    "beam": _Rule("beam", *_whole_number(1, 500)),
    "form": _Rule("form", *_one_of(*FORMS)),
    "alternatives": _Rule("alternatives", *_whole_number(1, 20)),
    "accents": _Rule("accents", *_SWITCH),
    "completion": _Rule("completion", *_SWITCH),
    "hover": _Rule("hover", *_SWITCH),
    "codeLens": _Rule("code_lens", *_SWITCH),
    "diagnostics": _Rule("diagnostics", *_SWITCH),
    "inlayHints": _Rule("inlay_hints", *_SWITCH),
    "ghostText": _Rule("ghost_text", *_SWITCH),
    "reviewConjectures": _Rule("review_conjectures", *_SWITCH),
    "parallelsIndex": _Rule("parallels_index", *_TEXT),
}


def parse_settings(raw: object) -> tuple[Settings, list[str]]:
    """Settings from what the client sent, and one sentence for each value that was not usable."""
    settings, complaints = Settings(), []
    if not isinstance(raw, Mapping):
        return settings, (
            [] if raw is None else ["The settings of pythia are not a table; the defaults are used."]
        )
    for name, rule in _RULES.items():
        value = raw.get(name)
        if value is None:
            continue
        if rule.accepts(value):
            settings = replace(settings, **{rule.field: value})
        else:
            default = getattr(settings, rule.field)
            complaints.append(f"pythia.{name} should be {rule.expected}, not {value!r}; {default!r} is used.")
    return settings, complaints
