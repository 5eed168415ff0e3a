"""Building a corpus: what becomes a record, which split it goes to, what a second build does again."""

from __future__ import annotations

import io
import json
import random
import tarfile
from pathlib import Path

import pytest

from pythia_epidoc.corpus.build import build, load
from pythia_epidoc.corpus.records import SPLITS
from pythia_epidoc.corpus.split import share_out, split_of
from pythia_epidoc.errors import CorpusError
from pythia_epidoc.greek import letters

TEI = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc">'
    "<ab>{}</ab></div></body></text></TEI>"
)
TEXT = "ἔδοξεν τῇ βουλῇ καὶ τῷ δήμῳ"


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.xml").write_text(TEI.format(text), "utf-8")
    return folder


def build_one(*inputs: Path, output: Path, min_length: int = 5) -> dict[str, object]:
    return build(inputs, output, min_length=min_length, processes=1)


def all_records(output: Path) -> list[tuple[str, str]]:
    return [(record.id, split) for split in SPLITS for record in load(output, split)]


def test_a_record_has_the_model_text_its_states_and_the_words_as_written(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "stones",
        a='τῷ δή<supplied reason="lost">μῳ</supplied> Ἀλε<gap reason="lost" quantity="2" unit="character"/>',
    )
    build_one(folder, output=tmp_path / "out")
    (record,) = [record for split in SPLITS for record in load(tmp_path / "out", split)]
    assert record.text == "τω δημω αλε--"
    assert record.states == "00000" + "22" + "0000" + "33"
    assert record.written == "τῷ δήμῳ αλε--"


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("χαῖρε πόλις φίλη", "χαῖρε πόλις φίλη"),
        ("χα&#x1FD6;ρε πόλις φίλη", "χαῖρε πόλις φίλη"),
        ("χαῖρε̣ πόλις φίλη", "χαῖρε πόλις φίλη"),
        ("χαῖρε πόλιs φίλη", "χαῖρε πόλισ φίλη"),
        ("χα\u03b9\u0342ρε <num>ε</num> φίλη", "χαῖρε 0 φίλη"),
        ('χαῖ<lb n="2" break="no"/>ρε πόλιϲ φίλη', "χαῖρε πόλιϲ φίλη"),
        ("χαῖρε, πόλις· φίλη", "χαῖρε πόλις φίλη"),
    ],
)
def test_written_words_are_those_of_the_edition(tmp_path: Path, markup: str, written: str) -> None:
    build_one(write(tmp_path / "in", a=markup), output=tmp_path / "out")
    (record,) = [record for split in SPLITS for record in load(tmp_path / "out", split)]
    assert record.written == written
    assert len(record.written.split(" ")) == len(record.text.split(" "))


def test_an_archive_gives_the_same_records_as_its_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "stones", a=TEXT, b="ὁ δῆμος ἐτίμησεν Ἀπολλώνιον")
    archive = tmp_path / "packed" / "stones.tar.xz"
    archive.parent.mkdir()
    with tarfile.open(archive, "w:xz") as packed:
        for file in sorted(folder.iterdir()):
            packed.add(file, f"stones/{file.name}")
    build_one(folder, output=tmp_path / "one")
    build_one(archive, output=tmp_path / "two")
    assert (tmp_path / "one/stones.jsonl").read_bytes() == (tmp_path / "two/stones.jsonl").read_bytes()


def test_texts_below_the_minimum_are_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path / "stones", short="ὁ δῆμος", long=TEXT)
    build_one(folder, output=tmp_path / "out", min_length=20)
    assert [identifier for identifier, _ in all_records(tmp_path / "out")] == ["stones/long"]


def test_an_unreadable_file_is_reported_with_its_reason_and_the_rest_is_built(tmp_path: Path) -> None:
    folder = write(tmp_path / "stones", good=TEXT)
    (folder / "bad.xml").write_text("<TEI><text>", "utf-8")
    manifest = build([folder], tmp_path / "out", min_length=5, processes=1)
    (sentence,) = manifest["corpora"]["stones"]["unreadable"]
    assert sentence.startswith("stones/bad:") and "Not well-formed" in sentence
    assert manifest["corpora"]["stones"]["records"] == 1


def test_two_texts_with_the_same_letters_count_once(tmp_path: Path) -> None:
    folder = write(tmp_path / "stones", a=TEXT, b=TEXT.capitalize(), c=letters(TEXT))
    manifest = build([folder], tmp_path / "out", min_length=5, processes=1)
    assert manifest["duplicates"] == 2
    assert len(all_records(tmp_path / "out")) == 1


def test_no_text_has_a_near_duplicate_in_another_split(tmp_path: Path) -> None:
    chance = random.Random(7)
    alphabet = "αβγδεηικλμνοπρστυω"
    texts: dict[str, str] = {}
    families: list[list[str]] = []
    for family in range(120):
        original = "".join(chance.choice(alphabet + "  ") for _ in range(400))
        copies = [original, original[:-20] + "".join(chance.choice(alphabet) for _ in range(20))]
        copies.append(original[30:])
        families.append([f"t{family}x{number}" for number in range(len(copies))])
        texts |= dict(zip(families[-1], copies, strict=True))
    build_one(write(tmp_path / "in", **texts), output=tmp_path / "out")
    split = dict(all_records(tmp_path / "out"))
    assert set(split.values()) == set(SPLITS)
    assert all(len({split[f"in/{name}"] for name in family}) == 1 for family in families)


def test_the_split_does_not_depend_on_other_texts_or_on_their_order(tmp_path: Path) -> None:
    chance = random.Random(1)
    texts = {f"t{number}": "".join(chance.choice("αβγδεικλ") for _ in range(60)) for number in range(60)}
    build_one(write(tmp_path / "a" / "in", **texts), output=tmp_path / "one")
    half = dict(list(texts.items())[:30])
    build_one(write(tmp_path / "b" / "in", **half), output=tmp_path / "two")
    assert dict(all_records(tmp_path / "two")).items() <= dict(all_records(tmp_path / "one")).items()


def test_about_a_twentieth_each_is_for_validation_and_test() -> None:
    shares = [split_of("stones", str(number)) for number in range(4000)]
    assert 0.04 < shares.count("validation") / 4000 < 0.06
    assert 0.04 < shares.count("test") / 4000 < 0.06


@pytest.mark.parametrize(
    ("identifier", "split"),
    [
        ("phi123", "test"),
        ("phi4", "validation"),
        ("phi1230", "train"),
        ("somewhere/PHI3", "test"),
        ("phi124-2", "validation"),
    ],
)
def test_texts_with_a_phi_number_are_split_by_its_last_digit(identifier: str, split: str) -> None:
    assert split_of("iphi", identifier) == split


def test_a_finished_collection_is_not_read_again(tmp_path: Path) -> None:
    one, two = write(tmp_path / "one", a=TEXT), write(tmp_path / "two", b="ὁ δῆμος ἐτίμησεν Ἀπολλώνιον")
    read: list[str] = []
    build([one], tmp_path / "out", min_length=5, processes=1)
    build([one, two], tmp_path / "out", min_length=5, processes=1, progress=lambda name, _: read.append(name))
    assert "one" not in read and "two" in read
    write(one, c="θεοῖς πᾶσι καὶ πάσαις ἀνέθηκεν")
    build([one, two], tmp_path / "out", min_length=5, processes=1)
    assert {identifier for identifier, _ in all_records(tmp_path / "out")} == {"one/a", "one/c", "two/b"}


def test_an_interrupted_build_leaves_no_half_written_file_and_goes_on(tmp_path: Path) -> None:
    one, two = write(tmp_path / "one", a=TEXT), write(tmp_path / "two", b="ὁ δῆμος ἐτίμησεν Ἀπολλώνιον")

    def stop(name: str, files: int) -> None:
        if name == "two":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build([one, two], tmp_path / "out", min_length=5, processes=1, progress=stop)
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["manifest.json", "one.jsonl"]
    with pytest.raises(CorpusError, match="half built"):
        list(load(tmp_path / "out", "train"))
    build_one(one, two, output=tmp_path / "out")
    assert len(all_records(tmp_path / "out")) == 2


def test_several_processes_give_the_same_records_as_one(tmp_path: Path) -> None:
    texts = {f"t{number:02}": f"{TEXT} {'α' * (number % 7)}" for number in range(70)}
    folder = write(tmp_path / "in", **texts)
    build_one(folder, output=tmp_path / "one")
    build([folder], tmp_path / "two", min_length=5, processes=2)
    assert (tmp_path / "one/in.jsonl").read_bytes() == (tmp_path / "two/in.jsonl").read_bytes()


def test_two_collections_of_one_name_are_refused(tmp_path: Path) -> None:
    one, two = write(tmp_path / "x" / "in", a=TEXT), write(tmp_path / "y" / "in", a=TEXT)
    with pytest.raises(CorpusError, match="called 'in'"):
        build_one(one, two, output=tmp_path / "out")


@pytest.mark.parametrize("name", ["missing.tar.xz", "missing.json", "missing"])
def test_a_missing_input_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match="no such file"):
        build_one(tmp_path / name, output=tmp_path / "out")


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    damaged = tmp_path / "broken.tar.xz"
    damaged.write_bytes(b"\xfd7zXZ\x00 and nothing more")
    with pytest.raises(CorpusError, match="archive cannot be read"):
        build_one(damaged, output=tmp_path / "out")


def iphi(*texts: tuple[int, str]) -> str:
    entries = [
        {"id": number, "text": text, "metadata": "Att. — IG II² 1", "region_main": "Attica"}
        for number, text in texts
    ]
    return json.dumps(entries, ensure_ascii=False)


def test_iphi_texts_become_records_through_the_same_reader(tmp_path: Path) -> None:
    dataset = tmp_path / "iphi.json"
    dataset.write_text(
        iphi(
            (13, "εδοξεν τηι βουληι και τωι δημωι ----- # 0 δραχμας"),
            (14, "ἔδοξεν τῆι βουλῆι κα[ὶ τῶι δήμω]ι"),
        ),
        "utf-8",
    )
    build_one(dataset, output=tmp_path / "out")
    assert dict(all_records(tmp_path / "out")) == {"phi13": "test", "phi14": "validation"}
    (machine,) = load(tmp_path / "out", "test")
    assert machine.text == "εδοξεν τηι βουληι και τωι δημωι ----- # 0 δραχμασ"
    (notation,) = load(tmp_path / "out", "validation")
    assert notation.text == "εδοξεν τηι βουληι και τωι δημωι"
    assert notation.written == "ἔδοξεν τῆι βουλῆι καὶ τῶι δήμωι"
    assert notation.states.count("2") == len("ι τωι δημω")


def test_json_that_is_not_iphi_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[1, 2, 3]", "utf-8")
    with pytest.raises(CorpusError, match=r"not I\.PHI"):
        build_one(tmp_path / "other.json", output=tmp_path / "out")


def test_statistics_count_what_load_gives(tmp_path: Path) -> None:
    texts = {f"t{number}": f"{TEXT} {'αβγδ' * number}" for number in range(1, 30)}
    manifest = build([write(tmp_path / "in", **texts)], tmp_path / "out", min_length=5, processes=1)
    for split in SPLITS:
        records = list(load(tmp_path / "out", split))
        counted = [len(records), sum(len(r.text.split()) for r in records), sum(len(r.text) for r in records)]
        assert manifest["statistics"]["in"][split] == counted


def test_sharing_out_nothing_gives_nothing() -> None:
    assert share_out([]).splits == {}


@pytest.mark.parametrize("name", ["phoros", "ircyr"])
def test_a_real_collection(shared_dir: Path, tmp_path: Path, name: str) -> None:
    archive = shared_dir / "corpora" / f"{name}.tar.xz"
    if not archive.exists():
        pytest.skip(f"needs {archive.name}")
    manifest = build([archive], tmp_path / "out", processes=2)
    assert manifest["corpora"][name]["unreadable"] == []
    records = [record for split in SPLITS for record in load(tmp_path / "out", split)]
    assert records
    for record in records:
        words, forms = record.text.split(" "), record.written.split(" ")
        assert len(words) == len(forms)
        assert len(record.states) == len(record.text)
        assert all(letters(form) == word for word, form in zip(words, forms, strict=True) if word.isalpha())


def test_a_build_reads_archives_as_streams(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as packed:
        data = TEI.format(TEXT).encode()
        for name, kind in (("a.xml", tarfile.REGTYPE), ("link.xml", tarfile.SYMTYPE)):
            member = tarfile.TarInfo(name)
            member.type = kind
            member.linkname = "/etc/passwd"
            member.size = len(data) if kind == tarfile.REGTYPE else 0
            packed.addfile(member, io.BytesIO(data))
    archive = tmp_path / "in.tar.gz"
    archive.write_bytes(stream.getvalue())
    build_one(archive, output=tmp_path / "out")
    assert [identifier for identifier, _ in all_records(tmp_path / "out")] == ["a"]
