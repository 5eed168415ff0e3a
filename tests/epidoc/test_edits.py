"""Edits are the only way a file changes: one pass, whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from pythia_epidoc.epidoc import edits as module
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, apply_edits, save, write_atomically
from pythia_epidoc.epidoc.source import Source
from pythia_epidoc.errors import EditError

TEXT = "<ab>δῆ<gap/> τῶι</ab>"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "edition.xml"
    path.write_bytes(TEXT.encode())
    return path


def edit_of(source: Source, new: str = "μος") -> Edit:
    start = source.text.index("<gap/>")
    return Edit(start, start + len("<gap/>"), new)


def test_edits_are_applied_in_one_pass_whatever_their_order() -> None:
    source = Source.from_bytes(b"<a>123456</a>")
    assert apply_edits(source, [Edit(7, 8, "E"), Edit(3, 5, "AB"), Edit(5, 5, "!")]) == b"<a>AB!34E6</a>"


def test_insertions_at_one_place_keep_their_order() -> None:
    source = Source.from_bytes(b"<a></a>")
    assert apply_edits(source, [Edit(3, 3, "1"), Edit(3, 3, "2")]) == b"<a>12</a>"


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(3, 6, "x"), Edit(5, 7, "y")],
        [Edit(3, 6, "x"), Edit(4, 4, "y")],
        [Edit(-1, 2, "x")],
        [Edit(5, 3, "x")],
        [Edit(3, 999, "x")],
    ],
    ids=["overlap", "insertion inside", "before the text", "backwards", "after the text"],
)
def test_impossible_edits_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(EditError) as caught:
        apply_edits(Source.from_bytes(b"<a>123456</a>"), edits)
    assert caught.value.line == 1


def test_saving_changes_only_the_edit(file: Path) -> None:
    document = Document.open(file)
    save(document.source, [edit_of(document.source)])
    assert file.read_text(encoding="utf-8") == "<ab>δῆμος τῶι</ab>"
    assert list(file.parent.iterdir()) == [file]


def test_saving_elsewhere_leaves_the_file(file: Path, tmp_path: Path) -> None:
    document = Document.open(file)
    save(document.source, [edit_of(document.source)], tmp_path / "copy.xml")
    assert file.read_bytes() == TEXT.encode()
    assert (tmp_path / "copy.xml").read_text(encoding="utf-8") == "<ab>δῆμος τῶι</ab>"


def test_without_edits_the_file_is_not_touched(file: Path) -> None:
    os.utime(file, (1, 1))
    save(Document.open(file).source, [])
    assert file.stat().st_mtime == 1


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_the_mode_is_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    document = Document.open(file)
    save(document.source, [edit_of(document.source)])
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_new_file_has_the_mode_that_the_system_gives(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write_atomically(tmp_path / "new.xml", b"<a/>")
    assert (tmp_path / "new.xml").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_symbolic_link_is_followed_and_stays(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.xml"
    link.symlink_to(file)
    document = Document.open(link)
    save(document.source, [edit_of(document.source)])
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == "<ab>δῆμος τῶι</ab>"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_or_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, b"<ab/>")
    assert os.read(reader, 100) == b"<ab/>" and stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)


def test_a_name_as_long_as_names_may_be_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("δ" * 125 + ".xml")
    write_atomically(path, b"<ab/>")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_file_changed_meanwhile_is_not_overwritten(file: Path) -> None:
    document = Document.open(file)
    file.write_bytes(b"<ab>another hand</ab>")
    with pytest.raises(EditError, match="changed by another program"):
        save(document.source, [edit_of(document.source)])
    assert file.read_bytes() == b"<ab>another hand</ab>"


def test_a_file_deleted_meanwhile_is_not_made_again(file: Path) -> None:
    document = Document.open(file)
    file.unlink()
    with pytest.raises(EditError, match="no longer"):
        save(document.source, [edit_of(document.source)])
    assert not file.exists()


def test_a_text_without_a_file_cannot_be_saved() -> None:
    with pytest.raises(EditError, match="no file"):
        save(Document.from_text(TEXT).source, [])


@pytest.mark.parametrize("call", ["fsync", "write", "replace", "mkstemp"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EIO, errno.EACCES])
def test_when_writing_fails_the_file_is_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise OSError(code, os.strerror(code))

    class FullDisk:
        def __init__(self, handle: int, mode: str) -> None:
            self.handle = handle

        def __enter__(self) -> FullDisk:
            return self

        def __exit__(self, *error: object) -> None:
            os.close(self.handle)

        write = fail

    document = Document.open(file)
    if call == "write":
        monkeypatch.setattr(module.os, "fdopen", FullDisk)
    elif call == "fsync":
        monkeypatch.setattr(module.os, "fsync", fail)
    elif call == "replace":
        monkeypatch.setattr(Path, "replace", fail)
    else:
        monkeypatch.setattr(module.tempfile, "mkstemp", fail)
    with pytest.raises(EditError) as caught:
        save(document.source, [edit_of(document.source)])
    assert os.strerror(code) in str(caught.value)
    assert file.read_bytes() == TEXT.encode()
    assert list(file.parent.iterdir()) == [file], "no temporary file is left"


def test_a_read_only_file_is_not_replaced(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document.open(file)
    monkeypatch.setattr(module.os, "access", lambda path, mode: False)
    with pytest.raises(EditError, match="Permission denied"):
        save(document.source, [edit_of(document.source)])
    assert file.read_bytes() == TEXT.encode()


def test_an_interrupt_leaves_the_file_and_no_litter(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(handle: int) -> None:
        raise KeyboardInterrupt

    document = Document.open(file)
    monkeypatch.setattr(module.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(document.source, [edit_of(document.source)])
    assert file.read_bytes() == TEXT.encode()
    assert list(file.parent.iterdir()) == [file]
