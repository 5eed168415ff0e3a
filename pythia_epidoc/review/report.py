"""Opinions as text, JSON and HTML, over one file or many. Not for forming them: see `opinion`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from pythia_epidoc.epidoc.lacunae import Lacuna
from pythia_epidoc.greek import final_sigma
from pythia_epidoc.parallels.search import Parallel
from pythia_epidoc.probability import percent
from pythia_epidoc.review.opinion import Opinion


@dataclass(frozen=True)
class Reviewed:
    """An opinion and the file it is about."""

    path: Path
    opinion: Opinion


def sort(found: Iterable[Reviewed]) -> list[Reviewed]:
    """The most surprising first, whatever the file."""
    return sorted(
        found, key=lambda each: (-each.opinion.surprise, str(each.path), each.opinion.lacuna.number)
    )


def as_text(found: Sequence[Reviewed]) -> str:
    return "\n".join(map(_text, found))


def _text(reviewed: Reviewed) -> str:
    opinion = reviewed.opinion
    before, after = _around(opinion.lacuna, 20)
    lines = [f"{_place(reviewed)}  {before}[{opinion.text}]{after}", f"    {in_words(opinion)}"]
    lines += [f"    cf. {_cited(parallel)}" for parallel in opinion.parallels]
    return "\n".join(lines)


def in_words(opinion: Opinion) -> str:
    """One sentence or two."""
    if opinion.rank == 1:
        parts = [f"The model agrees ({percent(opinion.probability)})."]
    else:
        rank = f"no. {opinion.rank}" if opinion.rank else "not among the hypotheses"
        rivals = ", ".join(
            f"{rival.polytonic.strip()} {percent(rival.probability)}" for rival in opinion.rivals
        )
        parts = [
            f"{rank} ({percent(opinion.probability)}), surprise {opinion.surprise:.1f}; better: {rivals}."
        ]
    if opinion.excess:
        too = "long" if opinion.excess > 0 else "short"
        parts.append(f"{_letters(abs(opinion.excess))} too {too} for {_place_of_letters(opinion)}.")
    if opinion.attestations is not None:
        parts.append(
            f"Attested in this context {opinion.attestations}×."
            if opinion.attestations
            else "Not attested in this context."
        )
    return " ".join(parts)


def _place_of_letters(opinion: Opinion) -> str:
    if opinion.is_length_stated or opinion.room is None:
        return "the length that the edition states"
    length = opinion.room.length
    if length.is_stoichedon:
        return f"its line ({length.expected:.0f} letters, as most have)"
    return f"its line ({length.least} to {length.most} letters)"


def as_json(found: Sequence[Reviewed]) -> str:
    return json.dumps([to_dict(each) for each in found], ensure_ascii=False, indent=1)


def to_dict(reviewed: Reviewed) -> dict[str, Any]:
    opinion = reviewed.opinion
    line, column = opinion.lacuna.position
    space = opinion.room
    return {
        "file": str(reviewed.path),
        "lacuna": opinion.lacuna.number,
        "text_line": opinion.line,
        "line": line,
        "column": column,
        "text": opinion.text,
        "rank": opinion.rank,
        "probability": opinion.probability,
        "surprise": opinion.surprise,
        "rivals": [
            {"text": rival.polytonic, "probability": rival.probability, "attestations": rival.attestations}
            for rival in opinion.rivals
        ],
        "excess": opinion.excess,
        "room": None
        if space is None
        else {
            "least": space.least,
            "most": space.most,
            "letters_per_line": space.length.expected,
            "stoichedon": space.length.is_stoichedon,
        },
        "attestations": opinion.attestations,
        "parallels": [parallel.to_dict() for parallel in opinion.parallels],
    }


def as_html(found: Sequence[Reviewed]) -> str:
    """A page that needs nothing from outside."""
    rows = "\n".join(map(_row, found))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Second opinion</title><style>
body {{ font: 16px/1.5 "Gentium Plus", "New Athena Unicode", Georgia, serif; margin: 2rem; color: #222; }}
table {{ border-collapse: collapse; }}
td, th {{ padding: .4rem .8rem; vertical-align: top; text-align: left; }}
tr {{ border-bottom: 1px solid #ddd; }} mark {{ background: #fde9b0; }}
.place, .cf {{ color: #666; font-size: 85%; }}
.surprise {{ text-align: right; font-variant-numeric: tabular-nums; }}
</style></head><body><h1>Second opinion</h1>
<p>{len(found)} restorations, the most surprising first. Surprise is the logarithm of how many times more
probable the model's favourite is.</p>
<table><tr><th>Surprise</th><th>Place</th><th>Text</th><th>Opinion</th></tr>
{rows}
</table></body></html>
"""


def _row(reviewed: Reviewed) -> str:
    opinion = reviewed.opinion
    before, after = _around(opinion.lacuna, 24)
    cited = "".join(f'<div class="cf">cf. {escape(_cited(each))}</div>' for each in opinion.parallels)
    return (
        f'<tr><td class="surprise">{opinion.surprise:.1f}</td>'
        f'<td class="place">{escape(_place(reviewed))}</td>'
        f'<td lang="grc">{escape(before)}[<mark>{escape(opinion.text)}</mark>]{escape(after)}</td>'
        f"<td>{escape(in_words(opinion))}{cited}</td></tr>"
    )


def _around(lacuna: Lacuna, width: int) -> tuple[str, str]:
    """The letters before and after it; one more is asked for, to see whether a word ends with the last."""
    before, after = lacuna.context(width + 1)
    text = final_sigma(f"{before}{lacuna.conjecture}{after}")
    return text[: len(before)][-width:], text[len(text) - len(after) :][:width]


def _place(reviewed: Reviewed) -> str:
    line = reviewed.opinion.line
    return f"{reviewed.path}:{reviewed.opinion.lacuna.position[0]}{f' (l. {line})' if line else ''}"


def _cited(parallel: Parallel) -> str:
    line = f", l. {parallel.line}" if parallel.line else ""
    conjecture = " (a conjecture too)" if parallel.supplied == len(parallel.states) else ""
    return f"{parallel.place.document}{line}: {parallel.snippet.text}{conjecture}"


def _letters(count: int) -> str:
    return f"{count} letter" if count == 1 else f"{count} letters"


FORMATS = {"text": as_text, "json": as_json, "html": as_html}
