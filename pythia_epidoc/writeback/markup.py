"""The pieces of markup this project writes, and the note that lets it take them back.

Everything is text to be put into a source: nothing here knows where it will stand.

A replaced gap is remembered in a processing instruction inside the `supplied` that replaces it. No
schema and no stylesheet minds one, and it travels with the text when lines are moved about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.probability import degree

TARGET = "pythia-epidoc"
"""Target of the processing instructions this project writes."""

_RECORD = re.compile(rf"<\?{TARGET} (chosen )?instead of (.*?)\?>\s*\Z", re.DOTALL)
SPLIT = f"<?{TARGET} split?>"
# What the schema lets a `supplied` say, for what a `gap` says. Illegible traces that are restored are
# neither lost nor read, and "undefined" is the schema's word for a restoration that does not tell.
_REASONS = {"lost": "lost", "omitted": "omitted"}
UNDEFINED = "undefined"


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def supplied_reason(elements: Sequence[Element]) -> str:
    """The `reason` of a `supplied` that stands for these gaps, or for this `supplied`."""
    reasons = {_REASONS.get(element.get("reason") or "lost", UNDEFINED) for element in elements}
    return reasons.pop() if len(reasons) == 1 else UNDEFINED


def supplied(name: str, reason: str, content: str, resp: str, record: str = "") -> str:
    """An accepted hypothesis."""
    return f'<{name} reason="{reason}" cert="low" resp="#{resp}">{content}{record}</{name}>'


def reading(prefix: str, rank: int, reason: str, text: str, probability: float, resp: str) -> str:
    """One alternative."""
    return (
        f'<{prefix}rdg n="{rank}" resp="#{resp}" cert="low">'
        f'<{prefix}supplied reason="{reason}" cert="low">{escape(text)}'
        f'<{prefix}certainty match=".." locus="value" degree="{degree(probability)}" resp="#{resp}"/>'
        f"</{prefix}supplied></{prefix}rdg>"
    )


def record(original: str, *, chosen: bool) -> str:
    """The note that remembers what stood here; `chosen` if a person decided, not a threshold."""
    kept = original.replace("&", "&amp;").replace("?>", "?&gt;")
    return f"<?{TARGET} {'chosen ' if chosen else ''}instead of {kept}?>"


def recorded(content: str) -> tuple[str, bool] | None:
    """What stood here before, and whether a person chose; None if the content keeps no record."""
    match = _RECORD.search(content)
    if match is None:
        return None
    return match.group(2).replace("?&gt;", "?>").replace("&amp;", "&"), bool(match.group(1))


def prefix_of(element: Element) -> str:
    """`tei:` where the document writes its elements so."""
    return f"{element.prefix}:" if element.prefix else ""
