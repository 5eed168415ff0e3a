"""The two ways of writing a long vowel with iota: τῷ as most editors print it, τωι as older stones have it.

Folded, the iota under a letter is lost, so what literature says of τω would not be known of τωι. Texts of
kinds that hardly ever have the iota as a letter are therefore learned in both spellings.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from pythia_epidoc.corpus.attributions import attribution
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.greek import SPACE, letters

TWO_SPELLINGS = ("inscriptions", "literary")
"""Kinds of texts that are learned in both spellings; in papyri both are frequent."""
_IOTA_SUBSCRIPT = "\u0345"


def spellings(record: Record) -> tuple[str, ...]:
    """The text in the spellings in which it is to be learned: one or two, as its kind has."""
    if attribution(record.corpus).kind not in TWO_SPELLINGS:
        return (record.text,)
    return record.text, with_adscript(record)


def with_adscript(record: Record) -> str:
    """The text of a record with every iota subscript as a letter.

    >>> with_adscript(Record("iaph", "1", "τω δημω --", "0000000033", "τῷ δήμῳ --"))
    'τωι δημωι --'
    """
    if not record.written:
        return record.text
    words = zip(record.text.split(SPACE), record.written.split(SPACE), strict=True)
    return SPACE.join(_adscript(written) or word for word, written in words)


@lru_cache(maxsize=1 << 18)
def _adscript(written: str) -> str:
    """A written word as the model would read it with letters for iota subscripts; nothing if it has none."""
    marked = unicodedata.normalize("NFD", written)
    return letters(marked.replace(_IOTA_SUBSCRIPT, "ι")) if _IOTA_SUBSCRIPT in marked else ""
