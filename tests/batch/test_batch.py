"""A batch over a small collection: same results as one file at a time, broken files passed over, reports."""

from __future__ import annotations

import csv
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stub_model import StubRestorer

from pythia_epidoc.batch.ledger import FILE_NAME
from pythia_epidoc.batch.run import BatchOptions, Progress, run_batch, survey
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import Cancelled, ConfigError, EditError
from pythia_epidoc.restoration import Hypothesis, Query
from pythia_epidoc.restoring import RestoreOptions, restore_document
from pythia_epidoc.writeback import WriteOptions

WRITE = WriteOptions(top=2, date="2025-01-01")
OPTIONS = BatchOptions(restore=RestoreOptions(write=WRITE), workers=2, pool=8)
EDITION = (
    '<div type="edition" xml:lang="grc"><ab>ἔδοξεν τῶι <gap reason="lost" quantity="{}" unit="character"/> '
    'καὶ <gap reason="lost" extent="unknown" unit="line"/></ab></div>'
)


@pytest.fixture
def collection(tmp_path: Path, samples_dir: Path) -> Path:
    folder = tmp_path / "collection"
    (folder / "deep" / "er").mkdir(parents=True)
    for name in ("decree", "broken", "lacunae"):
        (folder / f"{name}.xml").write_bytes((samples_dir / f"{name}.xml").read_bytes())
    for number in range(1, 13):
        (folder / "deep" / "er" / f"{number}.xml").write_text(EDITION.format(number), "utf-8")
    (folder / "deep" / "note.xml").write_text("<html/>", "utf-8")
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Everything in a folder but the ledger, whose pages tell in what order files were done."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(FILE_NAME)
    }


@pytest.mark.parametrize("iterative", [False, True])
def test_a_batch_gives_what_one_file_at_a_time_gives(
    collection: Path, tmp_path: Path, iterative: bool
) -> None:
    restorer = StubRestorer()
    options = BatchOptions(RestoreOptions(write=WRITE, iterative=iterative), workers=2, pool=8)
    before = tree(collection)
    totals = run_batch(collection, tmp_path / "out", restorer, options)
    assert (totals.files, totals.failed) == (16, 2)
    assert len(restorer.calls) < 16 or iterative
    assert tree(collection) == before
    for path in collection.rglob("*.xml"):
        output = tmp_path / "out" / path.relative_to(collection)
        if path.name in ("broken.xml", "note.xml"):
            assert not output.exists()
            continue
        alone = restore_document(Document.open(path), StubRestorer(), options.restore)
        assert output.read_bytes() == alone.data, path


def test_reports_tell_of_every_lacuna(collection: Path, tmp_path: Path) -> None:
    run_batch(collection, tmp_path / "out", StubRestorer(), OPTIONS)
    lines = (tmp_path / "out" / "suggestions.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    with (tmp_path / "out" / "report.csv").open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    assert len(rows) == len(table) == 4 + 47 + 24
    mine = [row for row in rows if row["file"] == "deep/er/5.xml"]
    assert [row["number"] for row in mine] == [1, 2]
    assert mine[0]["before"] == "ἔδοξεν τῶι [" and mine[0]["hypotheses"][0]["probability"] > 0
    assert mine[1]["note"] == "is measured in lines, not in letters"
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "{{" not in page and "http" not in page.replace("http-equiv", "")
    assert "broken.xml" in page and "<svg" in page


def test_markup_in_a_text_does_no_harm_in_the_report(tmp_path: Path) -> None:
    folder = tmp_path / "collection"
    folder.mkdir()
    nasty = EDITION.format(3).replace("καὶ", "&lt;/script>&lt;img src=x onerror=alert(1)>")
    (folder / "<b>.xml").write_text(nasty, "utf-8")
    run_batch(folder, tmp_path / "out", StubRestorer(), OPTIONS)
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "<img" not in page and "<b>.xml" not in page


def test_a_stopped_run_goes_on_without_doing_a_file_twice(collection: Path, tmp_path: Path) -> None:
    run_batch(collection, tmp_path / "whole", StubRestorer(), OPTIONS)
    cancel = threading.Event()

    def stop_soon(progress: Progress) -> None:
        if progress.done >= 5:
            cancel.set()

    out = tmp_path / "out"
    with pytest.raises(Cancelled):
        run_batch(collection, out, StubRestorer(), OPTIONS, cancel=cancel, progress=stop_soon)
    done_before = set(out.rglob("*.xml"))
    times = {path: path.stat().st_mtime_ns for path in done_before}
    seen: list[Progress] = []
    run_batch(collection, out, StubRestorer(), OPTIONS, resume=True, progress=seen.append)
    assert 5 <= seen[0].done <= 17 and seen[-1].session <= 11
    assert tree(out) == tree(tmp_path / "whole")
    assert sum(path.stat().st_mtime_ns == times[path] for path in done_before) >= 3


def test_resuming_keeps_the_date_and_refuses_other_settings(collection: Path, tmp_path: Path) -> None:
    run_batch(collection, tmp_path / "out", StubRestorer(), OPTIONS)
    first = tree(tmp_path / "out")
    later = BatchOptions(RestoreOptions(write=WriteOptions(top=2, date="2026-06-06")), workers=1)
    run_batch(collection, tmp_path / "out", StubRestorer(), later, resume=True)
    assert tree(tmp_path / "out") == first
    with pytest.raises(ConfigError, match="--resume"):
        run_batch(collection, tmp_path / "out", StubRestorer(), OPTIONS)
    other = BatchOptions(RestoreOptions(write=WriteOptions(top=3)))
    with pytest.raises(ConfigError, match="another settings"):
        run_batch(collection, tmp_path / "out", StubRestorer(), other, resume=True)
    with pytest.raises(ConfigError, match="another model"):
        run_batch(collection, tmp_path / "out", StubRestorer("00" * 32), later, resume=True)


def test_a_changed_source_is_done_again(collection: Path, tmp_path: Path) -> None:
    run_batch(collection, tmp_path / "out", StubRestorer(), OPTIONS)
    (collection / "deep" / "note.xml").write_text(EDITION.format(4), "utf-8")
    seen: list[Progress] = []
    totals = run_batch(
        collection, tmp_path / "out", StubRestorer(), OPTIONS, resume=True, progress=seen.append
    )
    assert totals.failed == 1 and seen[-1].session == 1


def test_an_output_that_is_gone_is_made_again(collection: Path, tmp_path: Path) -> None:
    run_batch(collection, tmp_path / "out", StubRestorer(), OPTIONS)
    before = tree(tmp_path / "out")
    (tmp_path / "out" / "decree.xml").unlink()
    seen: list[Progress] = []
    run_batch(collection, tmp_path / "out", StubRestorer(), OPTIONS, resume=True, progress=seen.append)
    assert seen[-1].session == 1 and tree(tmp_path / "out") == before


def test_a_source_that_changes_after_it_was_read_is_done_again(collection: Path, tmp_path: Path) -> None:
    class Disturbed(StubRestorer):
        def hypotheses(self, queries: Sequence[Query], **how: Any) -> list[tuple[Hypothesis, ...]]:
            with (collection / "decree.xml").open("ab") as stream:
                stream.write(b"\n")
            return super().hypotheses(queries, **how)

    run_batch(collection, tmp_path / "out", Disturbed(), replace(OPTIONS, pool=1000))
    seen: list[Progress] = []
    run_batch(collection, tmp_path / "out", StubRestorer(), OPTIONS, resume=True, progress=seen.append)
    assert seen[-1].session == 1
    assert (tmp_path / "out" / "decree.xml").read_bytes().endswith(b"\n\n")


def test_a_name_that_is_not_utf8_is_a_file_like_others(collection: Path, tmp_path: Path) -> None:
    name = os.fsdecode(b"\xe9dition.xml")
    try:
        (collection / "decree.xml").rename(collection / name)
    except OSError:
        pytest.skip("names are UTF-8 here")
    totals = run_batch(collection, tmp_path / "out", StubRestorer(), OPTIONS)
    assert totals.files == 16 and (tmp_path / "out" / name).is_file()
    lines = (tmp_path / "out" / "suggestions.jsonl").read_text("utf-8").splitlines()
    assert sum(json.loads(line)["file"] == name for line in lines) == 4
    run_batch(collection, tmp_path / "out", StubRestorer(), OPTIONS, resume=True)


def test_a_collection_is_never_its_own_output(collection: Path, tmp_path: Path) -> None:
    for output in (collection, tmp_path, collection.parent):
        with pytest.raises(ConfigError, match="overwrite"):
            run_batch(collection, output, StubRestorer(), OPTIONS)
    run_batch(collection, collection / "out", StubRestorer(), OPTIONS)
    assert survey(collection, collection / "out", OPTIONS.restore).files == 16


def test_a_dry_run_counts_and_writes_nothing(collection: Path, tmp_path: Path) -> None:
    found = survey(collection, tmp_path / "out", OPTIONS.restore)
    assert (found.files, len(found.failed), found.lacunae) == (16, 2, 75)
    assert 50 < found.restorable < 75 and not (tmp_path / "out").exists()


def test_an_output_that_cannot_be_made_is_a_clear_error(collection: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(EditError, match="folder cannot be made"):
        run_batch(collection, tmp_path / "file" / "out", StubRestorer(), OPTIONS)
