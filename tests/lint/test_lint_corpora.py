"""Lint over real corpora: it never fails, and its safe fixes mend what they say and spoil nothing."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from pythia_epidoc.corpus.sources import raw_files
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import apply_edits
from pythia_epidoc.epidoc.validation import Schema, new_errors
from pythia_epidoc.errors import DocumentError
from pythia_epidoc.lint import lint, safely_mendable

STEPS = {"iaph": 20, "iospe": 20, "ircyr": 20, "isicily": 40, "phoros": 2}


@pytest.mark.parametrize("corpus", STEPS)
def test_safe_fixes_mend_and_do_not_spoil(shared_dir: Path, own_schema: Schema, corpus: str) -> None:
    archive = shared_dir / "corpora" / f"{corpus}.tar.xz"
    if not archive.is_file():
        pytest.skip(f"needs {archive.name}")
    for file in islice(raw_files(archive), 0, None, STEPS[corpus]):
        try:
            before = Document.from_bytes(file.data)
        except DocumentError:
            continue
        mendable = safely_mendable(lint(before))
        if not mendable:
            continue
        edits = [edit for _, fix in mendable for edit in fix.edits]
        after = Document.from_bytes(apply_edits(before.source, edits))
        assert safely_mendable(lint(after)) == [], file.id
        assert new_errors(before, after, own_schema) == [], file.id
