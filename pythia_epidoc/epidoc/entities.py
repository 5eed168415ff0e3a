"""Entities that a document declares itself; what would reach outside it, or explode, is refused.

Not for characters and predefined entities: see `references`.
"""

from __future__ import annotations

import re

from pythia_epidoc.epidoc.references import REFERENCE, resolve_reference
from pythia_epidoc.epidoc.source import Source
from pythia_epidoc.errors import DocumentError

_MAX_ENTITY = 10_000
_MAX_TOTAL = 1_000_000
_ENTITY = re.compile(
    r"<!ENTITY\s+(%\s+)?([^\s\"'>]+)\s+(?:\"([^\"]*)\"|'([^']*)'|((?:SYSTEM|PUBLIC)\b[^>]*))\s*>", re.DOTALL
)


def declared_entities(source: Source, doctype: tuple[int, int] | None) -> dict[str, str]:
    """Text entities declared in the document itself; anything that could reach outside is refused."""
    if doctype is None:
        return {}
    start, end = doctype
    entities: dict[str, str] = {}
    for match in _ENTITY.finditer(source.text, start, end):
        parameter, name, double, single, external = match.groups()
        line = source.position(match.start()).line

        def refuse(why: str, name: str = name, line: int = line) -> DocumentError:
            return DocumentError(
                f"The DOCTYPE declares the entity {name!r}, {why}; "
                "remove the declaration and write the text itself.",
                path=source.path,
                line=line,
            )

        if external is not None:
            if parameter or not re.search(r"\sNDATA\s", external):
                raise refuse("which would load another file, and this tool never does")
            continue
        if parameter:
            raise refuse("a parameter entity, which this tool does not expand")
        value = REFERENCE.sub(
            lambda reference: resolve_reference(reference, entities), double or single or ""
        )
        if len(value) > _MAX_ENTITY:
            raise refuse(f"which expands to more than {_MAX_ENTITY:,} characters")
        if "<" in value:
            raise refuse("which holds markup")
        entities.setdefault(name, value)
    _refuse_flood(source, entities)
    return entities


def _refuse_flood(source: Source, entities: dict[str, str]) -> None:
    """Many references to one long entity fill the memory as surely as nested ones."""
    total = 0
    for match in REFERENCE.finditer(source.text) if entities else ():
        total += len(entities.get(match.group(3) or "", ""))
        if total > _MAX_TOTAL:
            raise DocumentError(
                f"Its entities stand for more than {_MAX_TOTAL:,} characters; write the text itself.",
                path=source.path,
                line=source.position(match.start()).line,
            )
