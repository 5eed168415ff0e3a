"""Saliency as a heat map: SVG for print, HTML for a page, shaded text for a terminal.

Every sign is shaded by attention; the words whose loss hurts most are underlined. Colours are legible in
grey, and the letters themselves are always there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape

from pythia_epidoc.epidoc.reading import State
from pythia_epidoc.evidence.saliency import Saliency, SalientSign
from pythia_epidoc.greek import LOST, UNKNOWN, final_sigma

_WIDTH, _HEIGHT, _MARGIN, _FONT = 13, 30, 56, 19
_LONGEST = 70
"""Signs in a row where the edition has no lines or very long ones."""
_SHADES = " ░▒▓█"
_SHOWN_AS = {LOST: "·", UNKNOWN: "–"}


def rows(signs: Sequence[SalientSign]) -> Iterator[tuple[str, list[SalientSign]]]:
    """Signs by line of the text, with the line's number where a line begins."""
    row: list[SalientSign] = []
    name = None
    for sign in signs:
        if row and (sign.line != name or len(row) >= _LONGEST):
            yield name or "", row
            row = []
        name = sign.line
        row.append(sign)
    if row:
        yield name or "", row


def svg(found: Saliency) -> str:
    """A picture of its own."""
    lines = list(rows(_in_print(found.signs)))
    strongest = _strongest(found.signs)
    hurt = _deepest(found.signs)
    width = _MARGIN + _WIDTH * max((len(row) for _, row in lines), default=1) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT * len(lines) + 10}" '
        f'width="{width}" font-family="Gentium Plus, New Athena Unicode, serif" font-size="{_FONT}">'
    ]
    for number, (name, row) in enumerate(lines):
        top = _HEIGHT * number + 4
        baseline = top + 20
        if name and (number == 0 or lines[number - 1][0] != name):
            parts.append(f'<text x="4" y="{baseline}" font-size="12" fill="#777">{escape(name)}</text>')
        for column, sign in enumerate(row):
            parts.append(_cell(sign, _MARGIN + _WIDTH * column, top, strongest, hurt))
    return "\n".join([*parts, "</svg>\n"])


def _cell(sign: SalientSign, left: int, top: int, strongest: float, hurt: float) -> str:
    shade = sign.attention / strongest
    parts = []
    if sign.is_restored:
        parts.append(f'<rect x="{left}" y="{top}" width="{_WIDTH}" height="24" fill="#cfe3f7"/>')
    elif shade > 0.02:
        parts.append(
            f'<rect x="{left}" y="{top}" width="{_WIDTH}" height="24" fill="#d9480f" '
            f'fill-opacity="{shade:.2f}"/>'
        )
    if sign.occlusion is not None and sign.occlusion > 0.1 * hurt:
        thickness = 1 + 2 * sign.occlusion / hurt
        parts.append(
            f'<rect x="{left}" y="{top + 25}" width="{_WIDTH}" height="{thickness:.1f}" fill="#1c4f82"/>'
        )
    parts.append(
        f'<text x="{left + _WIDTH / 2}" y="{top + 20}" text-anchor="middle">{escape(_letter(sign))}</text>'
    )
    return "".join(parts)


def html(found: Saliency, title: str = "What the restoration rests on") -> str:
    """A page that needs nothing from outside."""
    restored = "".join(sign.letter for sign in _in_print(found.signs) if sign.is_restored)
    checked = ""
    if found.agreement is not None:
        checked = (
            f"<p>Underlined words were hidden and made the restoration less probable; their order agrees "
            f"with that of attention to {found.agreement:+.2f} (1: fully, 0: not at all).</p>"
        )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        "<style>body { font: 16px/1.5 Georgia, serif; margin: 2rem; } svg { max-width: 100%; }</style></head>"
        f"<body><h1>{escape(title)}</h1><p>The darker a letter, the more the model looked at it while it "
        f'wrote <b lang="grc">{escape(restored)}</b>.</p>{checked}\n{svg(found)}</body></html>\n'
    )


def text(found: Saliency) -> str:
    """Two rows for each line: the letters, and shades of attention under them."""
    strongest = _strongest(found.signs)
    lines = []
    for name, row in rows(_in_print(found.signs)):
        shades = [_SHADES[min(4, int(5 * sign.attention / strongest))] for sign in row]
        under = "".join("^" if sign.is_restored else shade for sign, shade in zip(row, shades, strict=True))
        lines += [f"{name:>6}  {''.join(map(_letter, row))}", f"{'':8}{under.rstrip()}"]
    if found.agreement is not None:
        lines.append(f"Attention and occlusion agree to {found.agreement:+.2f}.")
    return "\n".join(lines)


def _in_print(signs: Sequence[SalientSign]) -> list[SalientSign]:
    """The signs with final sigmas, which the model does not know."""
    letters = final_sigma("".join(sign.letter for sign in signs))
    return [replace(sign, letter=letter) for sign, letter in zip(signs, letters, strict=True)]


def _letter(sign: SalientSign) -> str:
    return _SHOWN_AS.get(sign.letter, sign.letter) if sign.state == State.LOST else sign.letter


def _strongest(signs: Sequence[SalientSign]) -> float:
    return max((sign.attention for sign in signs), default=0.0) or 1.0


def _deepest(signs: Sequence[SalientSign]) -> float:
    return max((sign.occlusion or 0.0 for sign in signs), default=0.0) or 1.0
