"""Indexing: only what changed is read, a stopped run loses nothing, and the result is that of a fresh one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from stones import TEI, contents, write

from pythia_epidoc.errors import CorpusError, DocumentError
from pythia_epidoc.parallels import index as indexes
from pythia_epidoc.parallels import update as updating
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.search import search
from pythia_epidoc.parallels.update import Update, update

WORDS = ("ἔδοξεν", "τῆι", "βουλῆι", "καὶ", "τῶι", "δήμωι", "ἐπειδὴ", "Διονύσιος", "ἀνὴρ", "περὶ", "δῆμον")


def some_text(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randrange(1, 30)))


def fresh(folder: Path, where: Path) -> ParallelsIndex:
    where.unlink(missing_ok=True)
    index = ParallelsIndex(where, create=True)
    update(index, [folder], processes=1)
    return index


def test_a_second_run_reads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "stones", a="χαῖρε", b="χαίρετε")
    for file in folder.iterdir():
        os.utime(file, (1_000_000_000, 1_000_000_000))
    index = fresh(folder, tmp_path / "index.db")
    monkeypatch.setattr(updating, "_read", lambda job: pytest.fail("a file was read again"))
    assert update(index, [folder], processes=1).unchanged == 2


def test_a_change_that_leaves_size_and_time_as_they_were_is_seen_if_it_came_soon(tmp_path: Path) -> None:
    folder = write(tmp_path / "stones", a="χαῖρε")
    index = fresh(folder, tmp_path / "index.db")
    stat = (folder / "a.xml").stat()
    write(folder, a="δῆμος")
    os.utime(folder / "a.xml", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    update(index, [folder], processes=1)
    assert search(index, "δῆμος")
    assert not search(index, "χαῖρε")


def test_after_random_edits_deletes_and_renames_the_index_is_that_of_a_fresh_run(tmp_path: Path) -> None:
    chance = random.Random(3)
    folder = write(tmp_path / "stones", **{f"t{number}": some_text(chance) for number in range(20)})
    index = fresh(folder, tmp_path / "index.db")
    for turn in range(12):
        for _ in range(chance.randrange(1, 6)):
            files = sorted(folder.rglob("*.xml"))
            file = chance.choice(files)
            action = chance.choice(["edit", "delete", "rename", "add", "break"])
            if action == "edit":
                file.write_text(TEI.format(some_text(chance)), "utf-8")
            elif action == "delete" and len(files) > 3:
                file.unlink()
            elif action == "rename":
                target = folder / chance.choice(["", "sub"]) / f"r{chance.randrange(40)}.xml"
                target.parent.mkdir(exist_ok=True)
                file.rename(target)
            elif action == "add":
                write(folder, **{f"n{turn}": some_text(chance)})
            else:
                file.write_text("<TEI><not closed", "utf-8")
        update(index, [folder], processes=1)
        again = fresh(folder, tmp_path / "fresh.db")
        assert contents(index) == contents(again)
        for query in ("δῆμον", "τῶι δ", "καὶ ?? δημ"):
            assert [p.to_dict() for p in search(index, query)] == [p.to_dict() for p in search(again, query)]
        again.close()


def test_files_of_other_folders_stay_in_the_index(tmp_path: Path) -> None:
    stones, papyri = write(tmp_path / "stones", a="χαῖρε"), write(tmp_path / "papyri", b="χαῖρε")
    index = fresh(stones, tmp_path / "index.db")
    update(index, [papyri], processes=1)
    (stones / "a.xml").unlink()
    update(index, [papyri], processes=1)
    assert len(search(index, "χαῖρε")) == 2
    assert update(index, [stones], processes=1).removed == 1


def test_a_folder_that_is_not_there_removes_nothing(tmp_path: Path) -> None:
    stones = write(tmp_path / "stones", a="χαῖρε")
    index = fresh(stones, tmp_path / "index.db")
    stones.rename(tmp_path / "elsewhere")
    with pytest.raises(DocumentError):
        update(index, [stones], processes=1)
    assert search(index, "χαῖρε")


@pytest.mark.parametrize("name", ["stones/../stones", "linked", "linked/../linked"])
def test_a_folder_has_one_path_whatever_it_is_named_by(tmp_path: Path, name: str) -> None:
    index = fresh(write(tmp_path / "stones", a="χαῖρε"), tmp_path / "index.db")
    (tmp_path / "linked").symlink_to("stones")
    assert update(index, [tmp_path / name], processes=1).unchanged == 1
    assert len(search(index, "χαῖρε")) == 1


def test_a_link_to_a_file_comes_and_goes_without_it(tmp_path: Path) -> None:
    stones = write(tmp_path / "stones", a="χαῖρε")
    index = fresh(stones, tmp_path / "index.db")
    (stones / "link.xml").symlink_to("a.xml")
    assert update(index, [stones / "link.xml"], processes=1) == Update(added=1)
    (stones / "link.xml").unlink()
    assert update(index, [stones], processes=1) == Update(removed=1, unchanged=1)


def test_a_file_that_vanishes_while_the_others_are_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stones = write(tmp_path / "stones", a="χαῖρε", b="χαίρετε")
    index = fresh(stones, tmp_path / "index.db")
    named = updating.named_files

    def vanish(*arguments: object) -> dict[str, str]:
        names = named(*arguments)  # type: ignore[arg-type]
        (stones / "a.xml").unlink()
        return names

    monkeypatch.setattr(updating, "named_files", vanish)
    (sentence,) = update(index, [stones], processes=1).unreadable
    assert "a.xml: Cannot be read" in sentence
    assert len(search(index, "χαίρετε")) == 1


def test_two_runs_at_once_leave_what_one_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stones = write(tmp_path / "stones", a="χαῖρε", b="δῆμος", c="βουλή")
    index = fresh(stones, tmp_path / "index.db")
    write(stones, a="πρῶτον", d="νέον")
    (stones / "c.xml").unlink()
    read = updating._read

    def read_while_another_run_does_all(job: tuple[str, str, bytes]) -> object:
        found = read(job)
        monkeypatch.setattr(updating, "_read", read)
        write(stones, b="δεύτερον")
        with ParallelsIndex(index.path) as other:
            update(other, [stones], processes=1)
        return found

    monkeypatch.setattr(updating, "_read", read_while_another_run_does_all)
    update(index, [stones], processes=1)
    assert contents(index) == contents(fresh(stones, tmp_path / "fresh.db"))


def test_an_empty_file_that_a_killed_run_left_becomes_an_index(tmp_path: Path) -> None:
    (tmp_path / "index.db").touch()
    with ParallelsIndex(tmp_path / "index.db", create=True) as index:
        assert update(index, [write(tmp_path / "stones", a="χαῖρε")], processes=1).added == 1


def test_an_index_in_use_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stones = write(tmp_path / "stones", a="χαῖρε")
    busy = fresh(stones, tmp_path / "index.db")
    monkeypatch.setattr(indexes, "_PATIENCE", 0.1)
    with (
        busy.transaction(),
        pytest.raises(CorpusError, match="Another run"),
        ParallelsIndex(busy.path) as index,
    ):
        update(index, [stones], processes=1)


def test_a_full_disk_is_a_sentence_and_what_was_done_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stones = write(tmp_path / "stones", **{f"t{number:03}": "χαῖρε πολλὰ " * 40 for number in range(90)})
    fresh(write(tmp_path / "few", a="χαῖρε"), tmp_path / "index.db").close()
    monkeypatch.setattr(updating, "_GROUP", 8)
    with (
        pytest.raises(CorpusError, match=r"disk is full.*kept"),
        ParallelsIndex(tmp_path / "index.db") as index,
    ):
        index._db.execute("PRAGMA max_page_count = 24")
        update(index, [stones], processes=1)
    with ParallelsIndex(tmp_path / "index.db") as index:
        assert 1 < len(index.files()) < 90
        assert len(search(index, "χαῖρε", 1)) == 1


def test_a_folder_that_was_renamed_is_not_there_twice(tmp_path: Path) -> None:
    stones = write(tmp_path / "stones", a="χαῖρε", b="χαῖρε", c="δῆμος")
    index = fresh(stones, tmp_path / "index.db")
    (stones / "c.xml").rename(tmp_path / "c.xml")
    stones.rename(tmp_path / "inscriptions")
    done = update(index, [tmp_path / "inscriptions"], processes=1)
    assert (done.added, done.removed) == (2, 2)
    assert {parallel.place.path for parallel in search(index, "χαῖρε")} == {
        str(tmp_path / "inscriptions" / name) for name in ("a.xml", "b.xml")
    }
    assert len(search(index, "δῆμος")) == 1  # moved elsewhere, or on a disk that is not there now


def test_a_copy_elsewhere_is_a_file_of_its_own(tmp_path: Path) -> None:
    index = fresh(write(tmp_path / "stones", a="χαῖρε"), tmp_path / "index.db")
    assert update(index, [write(tmp_path / "copies", a="χαῖρε")], processes=1) == Update(added=1)


def test_an_unreadable_file_is_told_and_the_rest_is_indexed(tmp_path: Path) -> None:
    stones = write(tmp_path / "stones", a="χαῖρε")
    (stones / "broken.xml").write_text("<TEI>", "utf-8")
    index = ParallelsIndex(tmp_path / "index.db", create=True)
    (sentence,) = update(index, [stones], processes=1).unreadable
    assert "broken.xml" in sentence and "well-formed" in sentence
    assert search(index, "χαῖρε")


def test_a_killed_run_leaves_a_usable_index_and_the_next_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stones = write(tmp_path / "stones", **{f"t{number:04}": "χαῖρε πολλά" for number in range(400)})
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from pythia_epidoc.parallels import update as updating\n"
        "from pythia_epidoc.parallels.index import ParallelsIndex\n"
        "updating._GROUP = 8\n"
        "read = updating._read\n"
        "updating._read = lambda job: (time.sleep(0.01), read(job))[1]\n"
        "index = ParallelsIndex(Path(sys.argv[1]), create=True)\n"
        "print('ready', flush=True)\n"
        "updating.update(index, [sys.argv[2]], processes=1)\n"
    )
    database = tmp_path / "index.db"
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(database), str(stones)], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with ParallelsIndex(database) as index:
            if len(index.files()) >= 16:
                break
    process.send_signal(signal.SIGKILL)
    process.wait()
    with ParallelsIndex(database) as index:
        kept = len(index.files())
        assert 16 <= kept < 400
        assert len(search(index, "χαῖρε")) == kept
        assert update(index, [stones], processes=1).added == 400 - kept
        assert contents(index) == contents(fresh(stones, tmp_path / "fresh.db"))
