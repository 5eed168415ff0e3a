"""Rules about how long a lacuna or a blank space is said to be: quantity, unit, extent, bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from pythia_epidoc.epidoc.extent import KNOWN_UNITS, is_unsure, means_circa, meant_unit, parse_bounds
from pythia_epidoc.epidoc.scanner import Element
from pythia_epidoc.lint.attributes import (
    add_attribute,
    attribute_place,
    remove_attribute,
    replace_attribute,
    set_value,
)
from pythia_epidoc.lint.findings import Fix, Report
from pythia_epidoc.lint.scope import Scope

_MEASURED = ("gap", "space", "supplied")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WITH_UNIT = re.compile(r"^(\S.*?)\s+([a-z]+)$", re.IGNORECASE)
_PRECISIONS = ("high", "medium", "low", "unknown")


def quantity_without_unit(scope: Scope) -> Iterator[Report]:
    for element in _having(scope, "quantity"):
        if not element.get("unit"):
            yield Report(
                *attribute_place(element, "quantity"),
                f'{_quantity(element)} of what? A quantity needs a unit, for instance unit="character".',
                Fix(
                    "Count in characters",
                    (add_attribute(scope.source, element, "unit", "character"),),
                    safe=False,
                )
                if element.attribute_span("unit") is None
                else None,
            )


def quantity_with_extent(scope: Scope) -> Iterator[Report]:
    for element in _having(scope, "quantity"):
        extent = element.get("extent")
        if not extent:
            continue
        same = extent.strip() == element.get("quantity").strip()
        yield Report(
            *attribute_place(element, "extent"),
            f'The length is given twice, as quantity="{element.get("quantity")}" and as extent="{extent}"; '
            "keep the quantity if the number is known, the extent if it is not.",
            Fix("Keep the quantity", (remove_attribute(scope.source, element, "extent"),), safe=True)
            if same
            else None,
        )


def unit_misspelt(scope: Scope) -> Iterator[Report]:
    for element in _having(scope, "unit"):
        unit = element.get("unit")
        if unit in KNOWN_UNITS:
            continue
        meant = meant_unit(unit)
        yield Report(
            *attribute_place(element, "unit"),
            f'unit="{unit}" is not a unit that is known' + (f'; "{meant}" is meant.' if meant else "."),
            Fix(f"Write {meant}", (set_value(scope.source, element, "unit", meant),), safe=True)
            if meant
            else None,
        )


def extent_misspelt(scope: Scope) -> Iterator[Report]:
    """Anything but a word for "unknown": a misspelling of it, a range, a number with its unit."""
    for element in _having(scope, "extent"):
        extent = element.get("extent")
        if extent == "unknown" or _NUMBER.fullmatch(extent.strip()):
            continue
        place = attribute_place(element, "extent")
        bounds, number, unit = _bounds_and_unit(extent)
        if get_close_matches(extent.strip().lower(), ["unknown"], cutoff=0.75):
            edit = set_value(scope.source, element, "extent", "unknown")
            yield Report(
                *place, f'extent="{extent}": "unknown" is meant.', Fix("Write unknown", (edit,), safe=True)
            )
        elif bounds and not element.get("quantity"):
            new = _as_numbers(bounds, unit if not element.get("unit") else "")
            if is_unsure(number) and element.get("precision") not in ("low", "medium"):
                new["precision"] = "low"
            label = " ".join(f'{name}="{value}"' for name, value in new.items())
            clash = any(element.attribute_span(name) for name in new) or unit not in (
                "",
                element.get("unit", unit),
            )
            edit = replace_attribute(scope.source, element, "extent", new)
            has_unit = bool(unit or element.get("unit"))
            yield Report(
                *place,
                f'extent="{extent}" is a length in numbers; EpiDoc writes it {label}.',
                None if clash else Fix(f"Write {label}", (edit,), safe=has_unit),
            )
        else:
            yield Report(
                *place,
                f'extent="{extent}" tells no length that can be used; it is read as unknown.',
            )


def extent_as_number(scope: Scope) -> Iterator[Report]:
    for element in _having(scope, "extent"):
        extent = element.get("extent")
        if not _NUMBER.fullmatch(extent.strip()) or element.attribute_span("quantity"):
            continue
        number = extent.strip()
        edit = replace_attribute(scope.source, element, "extent", {"quantity": number})
        yield Report(
            *attribute_place(element, "extent"),
            f'extent="{extent}": a number belongs in quantity; extent is for words such as "unknown".',
            Fix(f'Write quantity="{number}"', (edit,), safe=bool(element.get("unit"))),
        )


def quantity_not_a_number(scope: Scope) -> Iterator[Report]:
    for element in scope.elements(*_MEASURED):
        for name in ("quantity", "atLeast", "atMost"):
            value = element.get(name)
            if _NUMBER.fullmatch(value) or element.attribute_span(name) is None:
                continue
            yield Report(
                *attribute_place(element, name),
                f'{name}="{value}" is not a number.',
                _mended_number(scope.source, element, name, value),
            )


def precision_misspelt(scope: Scope) -> Iterator[Report]:
    for element in _having(scope, "precision"):
        precision = element.get("precision")
        if precision in _PRECISIONS:
            continue
        circa = means_circa(precision)
        yield Report(
            *attribute_place(element, "precision"),
            f'precision="{precision}" should be high, medium or low'
            + ("; low means circa." if circa else "."),
            Fix("Write low", (set_value(scope.source, element, "precision", "low"),), safe=True)
            if circa
            else None,
        )


def bounds_reversed(scope: Scope) -> Iterator[Report]:
    for element in _having(scope, "atLeast"):
        least, most = element.get("atLeast").strip(), element.get("atMost").strip()
        if least.isdecimal() and most.isdecimal() and int(least) > int(most):
            swapped = (
                set_value(scope.source, element, "atLeast", most),
                set_value(scope.source, element, "atMost", least),
            )
            yield Report(
                *attribute_place(element, "atLeast"),
                f"At least {least} and at most {most} cannot both be true.",
                Fix("Exchange the two", swapped, safe=False),
            )


def gap_without_length(scope: Scope) -> Iterator[Report]:
    for gap in scope.elements("gap"):
        if gap.get("reason") == "ellipsis":
            continue
        if not any(gap.get(name) for name in ("quantity", "extent", "atLeast", "atMost")):
            yield Report(
                gap.start,
                gap.open_end,
                'The gap does not say how much is lost; write quantity and unit, or extent="unknown".',
            )


def _having(scope: Scope, attribute: str) -> Iterator[Element]:
    return (element for element in scope.elements(*_MEASURED) if element.get(attribute))


def _quantity(element: Element) -> str:
    return f'quantity="{element.get("quantity")}"'


def _bounds_and_unit(extent: str) -> tuple[tuple[int, int] | None, str, str]:
    """The numbers in an extent, how they are written, and their unit."""
    number = extent.replace("/", "-")
    bounds = parse_bounds(number)
    if bounds:
        return bounds, number, ""
    parts = _WITH_UNIT.match(number.strip())
    if parts and (unit := meant_unit(parts.group(2))):
        return parse_bounds(parts.group(1)), parts.group(1), unit
    return None, "", ""


def _as_numbers(bounds: tuple[int, int], unit: str) -> dict[str, str]:
    least, most = bounds
    length = {"quantity": str(least)} if least == most else {"atLeast": str(least), "atMost": str(most)}
    return {**length, "unit": unit} if unit else length


def _mended_number(source: str, element: Element, name: str, value: str) -> Fix | None:
    bounds = parse_bounds(value)
    if bounds is None or re.search(r"c|\?", value):
        return None
    if bounds[0] == bounds[1]:
        edit = set_value(source, element, name, str(bounds[0]))
        return Fix(f"Write {bounds[0]}", (edit,), safe=True)
    if name != "quantity" or element.attribute_span("atLeast") or element.attribute_span("atMost"):
        return None
    edit = replace_attribute(source, element, name, _as_numbers(bounds, ""))
    return Fix(f"Write atLeast and atMost, {bounds[0]} and {bounds[1]}", (edit,), safe=True)
