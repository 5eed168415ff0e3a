"""Search: what a query finds, what it is shown with, and that it finds what a plain scan finds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from stones import indexed

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.epidoc.reading import State
from pythia_epidoc.errors import ConfigError, CorpusError
from pythia_epidoc.greek import LETTERS
from pythia_epidoc.parallels.attest import Collection
from pythia_epidoc.parallels.codes import to_greek
from pythia_epidoc.parallels.index import OVERLAP, PASSAGE, ParallelsIndex
from pythia_epidoc.parallels.query import Pattern, Wild, parse
from pythia_epidoc.parallels.search import matches, search
from pythia_epidoc.parallels.update import update_from_records
from pythia_epidoc.restoration import Query

DECREE = '<lb n="1"/>Ἔδοξεν τῆι βουλῆι <lb n="2"/>καὶ τῶι δή<lb n="3" break="no"/>μωι'
DAMAGED = '<lb n="1"/>ἔδοξεν τῆι <gap reason="lost" quantity="6" unit="character"/> καὶ τῶι'
CONJECTURE = '<lb n="1"/>ἔδοξεν <supplied reason="lost">τῆι βουλῆι</supplied> καὶ'
OPEN = 'ἔδοξεν <gap reason="lost" extent="unknown" unit="character"/> καὶ'


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ἔδοξεν τῆι βουλῆι", ["conjecture", "decree"]),
        ("ΕΔΟΞΕΝ ΤΗΙ", ["conjecture", "damaged", "decree"]),
        ("εδοξεντηιβουληι", ["conjecture", "decree"]),
        ("βουλῆι καὶ", ["conjecture", "decree"]),
        ("δήμωι", ["decree"]),
        ("ἔδοξεν τῆι [6] καὶ", ["conjecture", "damaged", "decree"]),
        ("ἔδοξεν τῆι [......] καὶ", ["conjecture", "damaged", "decree"]),
        ("ἔδοξεν τῆι [5] καὶ", []),
        ("ἔδοξεν τῆι [4-7] καὶ", ["conjecture", "damaged", "decree"]),
        ("ἔδοξεν [9] καὶ", ["conjecture", "damaged", "decree", "open"]),
        ("βουλ?ι", ["conjecture", "decree"]),
        ("β?υ?η", ["conjecture", "decree"]),
        ("ἔδοξεν τῆι [βουλῆι]", ["conjecture", "decree"]),
        ("ἔδοξεν [τῆι [6] καὶ]", ["conjecture", "damaged", "decree"]),
        ("ἔδοξεν [[τῆι]] (βουλῆι] ⟨καὶ", ["conjecture", "decree"]),
        ("δ[2]ω", ["decree"]),
        ("ω", ["damaged", "decree", "decree"]),
        ("βουλεύω", []),
    ],
)
def test_a_query_finds(tmp_path: Path, query: str, found: list[str]) -> None:
    index = indexed(tmp_path / "stones", decree=DECREE, damaged=DAMAGED, conjecture=CONJECTURE, open=OPEN)
    assert [parallel.place.document for parallel in search(index, query)] == found


@pytest.mark.parametrize(
    "query",
    ["", "?", "[5]", "hello", "[300] καὶ"]
    + [
        f"ἔδοξεν {unknown} καὶ"
        for unknown in ("[---]", "[- - -]", "[c. 5]", "[3,6]", "[ ]", "[3-]", "12", "10")
    ],
)
def test_a_query_without_greek_too_wide_or_not_understood_is_refused(query: str) -> None:
    with pytest.raises(ConfigError):
        parse(query)


def test_kinds_of_sigma_and_lookalikes_are_one_letter(tmp_path: Path) -> None:
    index = indexed(tmp_path / "stones", a="ὁ δῆμοϲ", b="ὁ δῆμος", c="ὁ δῆμοs")
    assert len(search(index, "δημοσ")) == len(search(index, "δῆμος")) == 3


def test_a_parallel_tells_its_line_in_the_edition_and_in_the_file(tmp_path: Path) -> None:
    index = indexed(tmp_path / "stones", decree=DECREE.replace('<lb n="2"/>', '\n<lb n="2"/>'))
    (parallel,) = search(index, "τῶι δήμωι")
    assert (parallel.line, parallel.source_line) == ("2", 2)
    assert parallel.place.path == str(tmp_path / "stones" / "decree.xml")


def test_a_parallel_is_shown_as_the_edition_writes_it_with_its_lines(tmp_path: Path) -> None:
    index = indexed(tmp_path / "stones", decree=DECREE)
    (parallel,) = search(index, "και τωι δημωι")
    assert parallel.snippet.before == "Ἔδοξεν τῆι βουλῆι | "
    assert parallel.snippet.match == "καὶ τῶι δή|μωι"


def test_a_parallel_that_is_somebodys_conjecture_says_so_letter_by_letter(tmp_path: Path) -> None:
    text = "τῆι <supplied reason='lost'>βου</supplied>λ<unclear>ῆ</unclear>ι κ<ex>αὶ</ex>"
    index = indexed(tmp_path / "stones", a=text)
    (parallel,) = search(index, "βουληι και")
    expected = [State.SUPPLIED] * 3 + [State.PRESERVED, State.UNCLEAR, State.PRESERVED]
    assert list(parallel.states) == [*expected, State.PRESERVED, State.UNDERSTOOD, State.UNDERSTOOD]
    assert parallel.snippet.text == "τῆι [βου]λῆ̣ι κ(αὶ)"
    assert parallel.to_dict()["supplied"] == 5


def test_a_missing_or_foreign_index_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no such index"):
        ParallelsIndex(tmp_path / "none.db")
    (tmp_path / "foreign.db").write_bytes(b"This is not SQLite." * 100)
    with pytest.raises(CorpusError, match="not an index"):
        ParallelsIndex(tmp_path / "foreign.db")


def test_a_damaged_index_is_a_sentence(tmp_path: Path) -> None:
    index = indexed(tmp_path / "stones", **{f"t{number}": DECREE for number in range(40)})
    index.close()
    data = index.path.read_bytes()
    index.path.write_bytes(data[:4096] + bytes(255 for _ in data[4096:]))
    with pytest.raises(CorpusError, match="damaged"), ParallelsIndex(index.path) as damaged:
        search(damaged, "ἔδοξεν")
    with pytest.raises(CorpusError, match="damaged"):
        Collection(ParallelsIndex(index.path)).attest(Query("εδοξεν τηι ", " και", (6,)))


def test_a_text_is_unpacked_once_for_all_its_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = indexed(tmp_path / "stones", decree=DECREE, conjecture=CONJECTURE)
    unpacked: list[int] = []
    text = index.text
    monkeypatch.setattr(index, "text", lambda number: unpacked.append(number) or text(number))
    assert len(search(index, "η")) > len(unpacked) == 2


# -- the same as a plain scan -------------------------------------------------------------------------


def record(number: int, text: str) -> Record:
    return Record("test", f"{number:03}", text, "0" * len(text))


def scan(records: list[Record], pattern: Pattern) -> list[tuple[str, int]]:
    """Document and place of every match, found by reading all texts with their spaces."""
    expression = regex.compile(" ?".join(_piece(part) for part in pattern.parts))
    return [
        (each.key, len(each.text[: match.start()].replace(" ", "")))
        for each in records
        for match in expression.finditer(each.text, overlapped=True)
        if match.group()[0] != " "
    ]


def _piece(part: str | Wild) -> str:
    if isinstance(part, Wild):
        some = f"(?:[^# ] ?){{{part.least - 1},{part.most - 1}}}?[^# ]" if part.most > 1 else "[^ ]"
        return f"(?:{some}|#)"
    return regex.escape(to_greek(part))


def found(index: ParallelsIndex, pattern: Pattern) -> list[tuple[str, int]]:
    paths: dict[int, str] = {}
    places = []
    for match in matches(index, pattern):
        if match.text not in paths:
            paths[match.text] = index.place(match.text).path
        places.append((paths[match.text], match.start))
    return places


def random_texts(chance: random.Random) -> list[Record]:
    """Texts of a few letters, so that chance makes parallels; one of them longer than two passages."""
    symbols = "αβγδεηικνοσ" * 3 + "   " + "-#0"
    lengths = [chance.randrange(1, 400) for _ in range(60)] + [2 * PASSAGE + OVERLAP + 77, PASSAGE]
    texts = []
    for length in lengths:
        text = " ".join("".join(chance.choices(symbols, k=length)).split())
        texts.append(text or "α")
    return [record(number, text) for number, text in enumerate(texts)]


def random_query(chance: random.Random, records: list[Record]) -> str:
    """Part of a text, or any letters, with some of them replaced by wildcards."""
    text = chance.choice(records).text
    start = chance.randrange(len(text))
    length = chance.choice([1, 2, 3, 4, 6, 8, 12, 20, 40, 200])
    query = text[start : start + length].replace("#", "?").replace("-", "?")
    if chance.random() < 0.5:
        place = chance.randrange(len(query) + 1)
        wild = chance.choice(["?", "??", "[3]", "[2-5]", "[1]", "[12]"])
        query = f"{query[:place]}{wild}{query[place + chance.randrange(4) :]}"
    return query


def test_search_equals_a_plain_scan_on_a_thousand_random_queries(tmp_path: Path) -> None:
    chance = random.Random(7)
    records = random_texts(chance)
    index = ParallelsIndex(tmp_path / "index.db", create=True)
    update_from_records(index, records)
    asked = hits = 0
    while asked < 1000:
        query = random_query(chance, records)
        try:
            pattern = parse(query)
        except ConfigError:
            continue
        expected = scan(records, pattern)
        assert found(index, pattern) == expected, query
        asked += 1
        hits += len(expected)
    assert hits > 2_000


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=LETTERS + " -0", min_size=1, max_size=60).filter(lambda text: text.strip(" -")))
def test_every_part_of_a_text_is_found_in_it(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    text = " ".join(text.split())
    index = ParallelsIndex(tmp_path_factory.mktemp("index") / "index.db", create=True)
    update_from_records(index, [record(1, text)])
    query = text.replace("-", "?").replace("h", "ͱ")
    assert ("test/001", 0) in found(index, parse(query))
    index.close()
