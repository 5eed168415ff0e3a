"""Edits of a single attribute: its value, its replacement, its removal. Quotes stay as they are."""

from __future__ import annotations

from pythia_epidoc.epidoc.edits import Edit
from pythia_epidoc.epidoc.scanner import Element


def attribute_place(element: Element, name: str) -> tuple[int, int]:
    """Where `name="value"` stands, or the start tag if it is not there."""
    return element.attribute_span(name) or (element.start, element.open_end)


def set_value(source: str, element: Element, name: str, value: str) -> Edit:
    """Replace the value of an attribute that is there."""
    start, end = attribute_place(element, name)
    quote = source[end - 1]
    return Edit(source.index(quote, start) + 1, end - 1, _escape(value))


def replace_attribute(source: str, element: Element, name: str, new: dict[str, str]) -> Edit:
    """Put other attributes in the place of one that is there."""
    start, end = attribute_place(element, name)
    quote = source[end - 1]
    return Edit(start, end, " ".join(f"{key}={quote}{_escape(value)}{quote}" for key, value in new.items()))


def remove_attribute(source: str, element: Element, name: str) -> Edit:
    """Remove an attribute and the white space before it."""
    start, end = attribute_place(element, name)
    while source[start - 1].isspace():
        start -= 1
    return Edit(start, end, "")


def add_attribute(source: str, element: Element, name: str, value: str) -> Edit:
    """Add an attribute at the end of a start tag."""
    end = element.open_end - (2 if source[element.open_end - 2] == "/" else 1)
    while source[end - 1].isspace():
        end -= 1
    return Edit(end, end, f' {name}="{_escape(value)}"')


def _escape(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").replace("'", "&apos;")
