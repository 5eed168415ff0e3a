"""Which language an element is in, and whether it is Greek."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.epidoc.tags import Tag

# `gr` is no language, but often written for Greek; so are `grc_GR` and `grc la`.
_READ = frozenset(("", "grc", "el", "gre", "ell", "greek", "gr", "und", "mul", "mis"))
_SUBTAG = re.compile(r"[-_,;\s]")
# The language said on these is that of the metadata, not of the ancient text.
_METADATA = ("TEI", "TEI.2", "teiCorpus")


@lru_cache(maxsize=256)
def is_greek(language: str) -> bool:
    """True for Greek and for "not said", where the script decides; `xly-Grek` is not Greek."""
    return _SUBTAG.split(language.strip().lower())[0] in _READ


def language_of(element: Element) -> str:
    """The language an element is in, said on itself or on what holds it; empty if nothing says it."""
    return inherited_language([element.tag, *(ancestor.tag for ancestor in element.ancestors())])


def inherited_language(tags: Iterable[Tag]) -> str:
    """The first language said by these start tags, from the inside out."""
    for tag in tags:
        if tag.name in _METADATA:
            break
        if tag.language:
            return tag.language
    return ""
