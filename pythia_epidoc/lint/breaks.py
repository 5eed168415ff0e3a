"""Rules about `break` on lines, columns and pages: does the word go on, as it says?"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from difflib import get_close_matches

import regex

from pythia_epidoc.epidoc.scanner import Element, Text
from pythia_epidoc.lint.attributes import add_attribute, attribute_place, set_value
from pythia_epidoc.lint.findings import Fix, Report
from pythia_epidoc.lint.scope import Scope

_VALUES = ("no", "yes", "maybe")
_LAST_WORD = regex.compile(r"[\p{L}\p{M}]+$")
_FIRST_WORD = regex.compile(r"[\p{L}\p{M}]+")
_VOWELS = regex.compile(r"[αεηιουωΑΕΗΙΟΥΩ]\p{M}*(?:[ιυ]\p{M}*)?")
_SENTENCE_END = ".,;·\u0387:"
_BREATHINGS = "\u0313\u0314"


def break_value(scope: Scope) -> Iterator[Report]:
    for element in scope.elements("lb", "cb", "pb", "gb", "milestone"):
        value = element.get("break")
        if value in _VALUES or element.attribute_span("break") is None:
            continue
        close = get_close_matches(value.strip().lower(), _VALUES, n=1, cutoff=0.6)
        meant = {"false": "no", "true": "yes"}.get(value.strip().lower()) or (close[0] if close else "")
        yield Report(
            *attribute_place(element, "break"),
            f'break="{value}" should be no (the word goes on) or yes'
            + (f'; "{meant}" is meant.' if meant else "."),
            Fix(f"Write {meant}", (set_value(scope.source, element, "break", meant),), safe=True)
            if meant
            else None,
        )


def break_between_words(scope: Scope) -> Iterator[Report]:
    """break="no" where the words before and after are complete."""
    running = scope.running_text
    for index, element in running.breaks:
        if element.get("break") != "no":
            continue
        why = ""
        if element.within("w", "num", "name", "seg") is None:
            why = _why_complete(running.text[max(0, index - 80) : index], running.text[index : index + 80])
        if not why and all(_is_complete_word(sibling) for sibling in _neighbours(element, scope.source)):
            why = (
                "there is a complete w on either side; if they are one word, join them or give each its part"
            )
        if why:
            yield Report(
                *attribute_place(element, "break"),
                f'break="no" says that the word goes on, but {why}.',
            )


def break_inside_word(scope: Scope) -> Iterator[Report]:
    """A break in the middle of a `w` that does not say that the word goes on."""
    letters: dict[Element, tuple[int, int]] = {}
    for _, element in scope.running_text.breaks:
        if element.attribute_span("break") is not None or element.name == "milestone":
            continue
        word = element.within("w")
        if word is None:
            continue
        if word not in letters:
            letters[word] = _letters_of(word, scope.source)
        first, last = letters[word]
        if not first <= element.start <= last:
            continue
        yield Report(
            element.start,
            element.open_end,
            f'This {element.name} stands inside a word (w) without break="no", and so seems to end it.',
            Fix('Write break="no"', (add_attribute(scope.source, element, "break", "no"),), safe=False),
        )


def _why_complete(before: str, after: str) -> str:
    before, after = before.rstrip(), after.lstrip()
    if not before or not after:
        return ""
    if before[-1] in _SENTENCE_END:
        return f"the text before it ends with “{before[-1]}”"
    last, first = _LAST_WORD.search(before), _FIRST_WORD.match(after)
    if last is None or first is None:
        return ""
    if before[-1] == "ς" and len(last.group()) > 1:
        return f"{last.group()} before it ends with a final sigma; either the word is complete, or σ is meant"
    # Crasis has a breathing inside a word, after one or two consonants (κἀγώ, θοἰμάτιον).
    if len(last.group()) > 3 and _starts_with_breathing(first.group()):
        return f"{first.group()} after it begins with a breathing"
    return ""


def _starts_with_breathing(word: str) -> bool:
    decomposed = unicodedata.normalize("NFD", word)
    vowels = _VOWELS.match(decomposed)
    return vowels is not None and any(mark in vowels.group() for mark in _BREATHINGS)


def _neighbours(element: Element, source: str) -> tuple[Element | None, Element | None]:
    """The elements directly before and after, None where text or nothing stands there."""
    if element.parent is None:
        return None, None
    siblings = element.parent.children
    position = bisect_left(siblings, element.start, key=lambda sibling: sibling.start)
    before = (siblings[index] for index in range(position - 1, -1, -1))
    after = (siblings[index] for index in range(position + 1, len(siblings)))
    return _nearest(before, source), _nearest(after, source)


def _nearest(siblings: Iterator[Element | Text], source: str) -> Element | None:
    for sibling in siblings:
        if isinstance(sibling, Element):
            return sibling
        if source[sibling.start : sibling.end].strip():
            return None
    return None


def _is_complete_word(element: Element | None) -> bool:
    return element is not None and element.name == "w" and not element.get("part")


def _letters_of(word: Element, source: str) -> tuple[int, int]:
    """Where the first run of letters of a word ends, and where the last begins."""
    runs = [
        node
        for part in word.iter()
        for node in part.children
        if isinstance(node, Text) and source[node.start : node.end].strip()
    ]
    return (min(node.end for node in runs), max(node.start for node in runs)) if runs else (0, -1)
