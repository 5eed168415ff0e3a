"""Over real corpora, a sample of each: well-formed and valid output, unchanged readings, exact way back.

The whole of the corpora: `python benchmarks/roundtrip.py COLLECTION…`.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from stub_model import StubRestorer

from pythia_epidoc.asking import answer
from pythia_epidoc.corpus.sources import raw_files
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import apply_edits
from pythia_epidoc.epidoc.validation import Schema
from pythia_epidoc.errors import DocumentError
from pythia_epidoc.restoring import RestoreOptions, close_case, open_case
from pythia_epidoc.writeback import ACCEPT, FORMS, WriteOptions, strip

STEPS = {"iaph": 80, "iospe": 60, "ircyr": 100, "isicily": 150, "papyri": 3000}


@pytest.mark.parametrize("corpus", STEPS)
def test_restored_files_are_valid_and_can_be_taken_back(
    corpus: str, shared_dir: Path, official_schema: Schema
) -> None:
    restorer = StubRestorer()
    seen = 0
    archive = shared_dir / "corpora" / f"{corpus}.tar.xz"
    if not archive.is_file():
        pytest.skip(f"needs {archive.name}")
    for file in islice(raw_files(archive), 0, None, STEPS[corpus]):
        try:
            document = Document.from_bytes(file.data)
        except DocumentError:
            continue
        was_valid = not official_schema.errors(document)
        case = open_case(document, RestoreOptions())
        answers = answer(case.questions, restorer, top=2, beam=1, plain=False, iterative=False)
        for form in FORMS:
            options = RestoreOptions(
                write=WriteOptions(form=form, top=2, min_probability=0.0, date="2025-01-01")
            )
            after = Document.from_bytes(close_case(case, answers, restorer.identity, options).data)
            assert apply_edits(after.source, strip(after)) == file.data, (file.id, form)
            if form != ACCEPT:
                assert [edition.reading.letters for edition in after.editions] == [
                    edition.reading.letters for edition in document.editions
                ], (file.id, form)
            if was_valid:
                assert official_schema.errors(after) == [], (file.id, form)
        seen += 1
    assert seen >= 10
