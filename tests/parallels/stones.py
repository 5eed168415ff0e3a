"""Small collections for the tests of parallels."""

from __future__ import annotations

from pathlib import Path

from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.update import update

TEI = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc">'
    "<ab>{}</ab></div></body></text></TEI>"
)


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.xml").write_text(TEI.format(text), "utf-8")
    return folder


def indexed(folder: Path, **texts: str) -> ParallelsIndex:
    """An index, beside the folder, of these texts."""
    write(folder, **texts)
    index = ParallelsIndex(folder.with_suffix(".db"), create=True)
    update(index, [folder], processes=1)
    return index


def contents(index: ParallelsIndex) -> list[tuple[object, ...]]:
    """All that an index knows, whatever the order in which it learnt it."""
    passages: dict[int, int] = {}
    for passage in index.all_passages():
        passages[passage.text] = passages.get(passage.text, 0) + 1
    found = [(index.place(text), index.text(text), count) for text, count in passages.items()]
    return sorted(found, key=lambda known: (known[0].path, known[0].number))
