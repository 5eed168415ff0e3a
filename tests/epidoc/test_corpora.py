"""The promises of reading, kept on real files: every archive of ../shared/corpora and the awkward fixtures.

By default a fixed sample of each archive is checked; with PYTHIA_FULL_CORPUS=1 in the environment, all of
the 80,000 files, with as many processes as there are processors.
"""

from __future__ import annotations

import multiprocessing
import os
import tarfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.editions import Edition
from pythia_epidoc.epidoc.edits import Edit, apply_edits
from pythia_epidoc.epidoc.references import REFERENCE, resolve_reference
from pythia_epidoc.errors import DocumentError
from pythia_epidoc.greek import FOLD_TABLE, LETTERS, LOOKALIKES, LOST, NUMERAL, SPACE, UNKNOWN, shadow

IS_FULL = bool(os.environ.get("PYTHIA_FULL_CORPUS"))
# archive → every n-th file in the default run
SAMPLES = {
    "iaph": 20,
    "iospe": 12,
    "ircyr": 24,
    "isicily": 30,
    "lit-first1k-subset": 150,
    "lit-perseus": 150,
    "papyri": 150,
    "phoros": 2,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_files_of_an_archive_keep_every_promise(name: str, shared_dir: Path) -> None:
    archive = shared_dir / "corpora" / f"{name}.tar.xz"
    if not archive.is_file():
        pytest.skip(f"needs {archive.name} in ../shared/corpora")
    files = _members(archive, 1 if IS_FULL else SAMPLES[name])
    if IS_FULL:
        with multiprocessing.get_context("spawn").Pool() as pool:
            results = list(pool.imap_unordered(_check, files, chunksize=32))
    else:
        results = list(map(_check, files))
    assert results, "the archive holds no XML"
    assert [complaint for complaints in results for complaint in complaints] == []


def test_awkward_files_keep_every_promise(shared_dir: Path) -> None:
    files = sorted((shared_dir / "fixtures" / "nasty").glob("*.xml"))
    if not files:
        pytest.skip("needs ../shared/fixtures")
    assert [complaint for file in files for complaint in _check((file.name, file.read_bytes()))] == []


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("ISic001422.xml", "#ει ραχ#"),
        ("ISic003435.xml", "# αισχριωνα και νυμφοδωρον βομβυλινου"),
    ],
    ids=["a lone combining accent", "a milestone inside a name"],
)
def test_awkward_constructs_are_read(name: str, letters: str, shared_dir: Path) -> None:
    file = shared_dir / "fixtures" / "nasty" / name
    if not file.is_file():
        pytest.skip("needs ../shared/fixtures")
    assert Document.open(file).editions[0].reading.letters.startswith(letters)


def _members(archive: Path, every: int) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive, "r|xz") as contents:
        count = 0
        for member in contents:
            if not member.isfile() or not member.name.endswith(".xml"):
                continue
            count += 1
            stream = contents.extractfile(member) if count % every == 0 else None
            if stream is not None:
                yield member.name, stream.read()


def _check(file: tuple[str, bytes]) -> list[str]:
    """What is wrong with how a file is read; nothing is."""
    name, data = file
    try:
        parsed = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        if "xml:id" in str(error) or "already defined" in str(error):
            return []  # well-formed, but lxml will not have it by default
        return _check_broken(name, data)
    document = Document.from_bytes(data, name)
    complaints = [*_elements(document, parsed), *_bytes(document), *_lacunae(document, parsed)]
    if not document.editions:
        complaints.append("no edition")
    for edition in document.editions:
        complaints += _signs(edition)
    return [f"{name}: {complaint}" for complaint in complaints]


def _check_broken(name: str, data: bytes) -> list[str]:
    try:
        Document.from_bytes(data, name)
    except DocumentError as error:
        return [] if error.line and error.message else [f"{name}: an error without a place"]
    return [f"{name}: not well-formed, but read"]


def _elements(document: Document, parsed: etree._Element) -> Iterator[str]:
    ours = [element for element in document.tree.root.iter() if element.name]
    theirs = [etree.QName(element).localname for element in parsed.iter(etree.Element)]
    if [element.name for element in ours] != theirs:
        yield "elements differ from those of lxml"
    for element in ours:
        if not document.text.startswith(f"<{element.qualified_name}", element.start):
            yield f"{element!r} does not begin with its start tag"


def _bytes(document: Document) -> Iterator[str]:
    text, data = document.text, document.source.data
    if apply_edits(document.source, []) != data:
        yield "no edits change the bytes"
    gaps = [Edit(gap.start, gap.end, text[gap.start : gap.end]) for gap in document.tree.root.iter("gap")]
    if apply_edits(document.source, gaps) != data:
        yield "gaps replaced by themselves change the bytes"


def _lacunae(document: Document, parsed: etree._Element) -> Iterator[str]:
    """Every gap and supplied that XPath finds in the editions is part of a lacuna."""
    elements = [element for element in document.tree.root.iter() if element.name]
    theirs = dict(zip(elements, parsed.iter(etree.Element), strict=True))
    for edition in document.editions:
        count = theirs[edition.element].xpath("count(.//*[local-name()='gap' or local-name()='supplied'])")
        seen = sum(len(lacuna.elements) for lacuna in document.lacunae if lacuna.edition is edition)
        if seen != count:
            yield f"{seen} of {count} gaps and supplied are seen"


def _signs(edition: Edition) -> Iterator[str]:
    """At the offset of every sign stands the character it was read from."""
    reading, text = edition.reading, edition.document.text
    starts, ends, letters = reading.starts, reading.ends, reading.letters
    if not len(letters) == len(reading.states) == len(starts) == len(ends):
        yield "the columns differ in length"
    if "  " in letters:
        yield "two spaces in a row"
    folded = shadow("".join([text[start] for start in starts]))
    position = 0
    for index, (letter, found) in enumerate(zip(letters, folded, strict=True)):
        if starts[index] < position:
            yield f"sign {index} stands before the one before it"
        position = starts[index]
        if letter != found and not _stands_there(letter, text[starts[index] : ends[index]], edition):
            yield f"sign {index}, {letter!r}, is not at its offset: {text[starts[index] : ends[index]]!r}"
    for index in range(0, len(letters), 7):
        back = reading.sign_at(starts[index])
        if back is None or starts[back] != starts[index]:
            yield f"no way back to sign {index}"


def _stands_there(letter: str, raw: str, edition: Edition) -> bool:
    if letter == SPACE:
        return raw == "" or raw.translate(FOLD_TABLE).strip(SPACE + "\0") == "" or raw.startswith(("<", "&"))
    if letter in (LOST, UNKNOWN, NUMERAL):
        return raw.startswith("<") and raw.endswith(">")
    resolved = REFERENCE.sub(lambda match: resolve_reference(match, edition.document.entities), raw)
    folded = [LOOKALIKES.get(character, character).translate(FOLD_TABLE) for character in resolved]
    base = unicodedata.normalize("NFD", resolved)[:1]
    return letter in LETTERS and (
        letter in folded or LOOKALIKES.get(base, base).translate(FOLD_TABLE) == letter
    )
