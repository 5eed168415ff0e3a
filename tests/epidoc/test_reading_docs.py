"""docs/reading.md says what the code does: its tables are the rules that are tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from reading_rules import BREAKS, ELEMENTS, GAPS, LANGUAGES, RESTORED, TEXT, Rule
from test_extent import EXTENTS

TABLES = {
    "Characters": TEXT,
    "Elements": ELEMENTS,
    "Breaks": BREAKS,
    "What editors supplied": RESTORED,
    "What is lost": GAPS,
    "Languages": LANGUAGES,
}


def code(text: str) -> str:
    """Text as code in a Markdown table; combining marks and private characters by their number."""
    visible = "".join(
        f"\\u{ord(character):04x}" if re.match("[\u0300-\u036f\ue000-\uf8ff]", character) else character
        for character in text
    )
    return "`" + visible.replace("\n", "⏎").replace("\t", "→").replace("|", "\\|") + "`"


def table(rules: list[Rule]) -> str:
    rows = ["| rule | markup | reading | states |", "|---|---|---|---|"]
    rows += [
        f"| {rule.name} | {code(rule.markup)} | {code(rule.letters)} | {states} |"
        for rule in rules
        for states in [code(rule.states) if rule.states else ""]
    ]
    return "\n".join(rows)


def extents() -> str:
    rows = ["| attributes | extent | lengths tried |", "|---|---|---|"]
    for attributes, words, _, _, lengths in EXTENTS:
        tried = f"{lengths[0]}–{lengths[-1]}" if len(lengths) > 1 else str(lengths[0]) if lengths else "none"
        rows.append(f"| {code(attributes) if attributes else ''} | {words} | {tried} |")
    return "\n".join(rows)


def expected(title: str) -> str:
    return extents() if title == "Extents" else table(TABLES[title])


@pytest.mark.parametrize("title", [*TABLES, "Extents"])
def test_the_documented_rules_are_the_tested_rules(title: str, repository: Path) -> None:
    text = (repository / "docs" / "reading.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert section is not None, f"docs/reading.md has no section {title!r}"
    assert expected(title) in section.group(1), (
        "write the table anew: python tests/epidoc/test_reading_docs.py"
    )


def write() -> None:
    """Put the tables of the tests into the document."""
    path = Path(__file__).resolve().parent.parent.parent / "docs" / "reading.md"
    text = path.read_text(encoding="utf-8")
    for title in (*TABLES, "Extents"):
        pattern = rf"(^## {title}\n(?:(?!^\||^## ).*\n)*)(?:^\|.*\n)*\n*"
        new = expected(title) + "\n\n"
        text = re.sub(pattern, lambda match, new=new: match.group(1) + new, text, count=1, flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
