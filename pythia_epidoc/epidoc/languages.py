"""Which language an element is in, and whether it is Greek."""

from __future__ import annotations

from functools import lru_cache

from pythia_epidoc.epidoc.scanner import Element

# The language said on these is that of the metadata, not of the ancient text.
_METADATA = ("TEI", "TEI.2", "teiCorpus")


@lru_cache(maxsize=256)
def is_greek(language: str) -> bool:
    """True for Greek and for "not said", where the script decides; `xly-Grek` is not Greek."""
    return language.lower().split("-")[0] in ("", "grc", "el", "gre", "ell", "greek", "und", "mul", "mis")


def language_of(element: Element) -> str:
    """The language an element is in, said on itself or on what holds it; empty if nothing says it."""
    inner: Element | None = element
    while inner is not None and inner.name not in _METADATA:
        if inner.tag.language:
            return inner.tag.language
        inner = inner.parent
    return ""
