"""The figures are what they say they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from stub_model import StubRestorer

from pythia_epidoc.cli import group
from pythia_epidoc.corpus.build import build
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.errors import CorpusError
from pythia_epidoc.evaluation.items import Item, fold_item_text, read_items, sample_items
from pythia_epidoc.evaluation.measure import Answer, answer, calibration_error, figures
from pythia_epidoc.evaluation.unseen import context_of, unseen
from pythia_epidoc.restoration import Hypothesis, Query

TEXT = "εδοξεν τηι βουληι και τωι δημωι επειδη --- ανηρ αγαθοσ εστιν περι τον δημον και τασ θυσιασ τωι θεωι"


def answered(gold: str, *texts: str, probability: float = 0.5) -> Answer:
    hypotheses = tuple(Hypothesis(text, 0.0, probability) for text in texts)
    return Answer(Item("", "", len(gold), gold), hypotheses)


def test_the_three_error_rates_differ_as_they_should() -> None:
    found = figures([answered("αβ", "αβ"), answered("γδεζηθικλμ", "γδεζηθικνν")])
    assert found is not None
    assert found.cer_mean == pytest.approx((0 + 0.2) / 2)
    assert found.cer_pooled == pytest.approx(2 / 12)
    assert found.cer_concatenated == pytest.approx(2 / 12)


def test_a_concatenation_may_be_nearer_than_its_parts() -> None:
    found = figures([answered("αβ", "α"), answered("γ", "βγ")])
    assert found is not None
    assert found.cer_pooled == pytest.approx(2 / 3)
    assert found.cer_concatenated == 0.0


def test_top_figures_count_ranks() -> None:
    texts = [f"{letter}α" for letter in "βγδεζηθικλμνξοπρστυφ"]
    found = figures(
        [answered("βα", *texts), answered("ζα", *texts), answered("φα", *texts), answered("ψα", *texts)]
    )
    assert found is not None
    assert (found.top1, found.top5, found.top20) == (0.25, 0.5, 0.75)


def test_no_answer_is_wrong_not_an_error() -> None:
    found = figures([answered("αβ")])
    assert found is not None
    assert found.cer_pooled == 1.0
    assert found.top20 == 0.0


def test_a_calibrated_model_has_no_calibration_error() -> None:
    right = [answered("α", "α", probability=0.75) for _ in range(3)]
    wrong = [answered("α", "β", probability=0.75)]
    assert calibration_error(right + wrong) == pytest.approx(0.0)
    assert calibration_error(wrong) == pytest.approx(0.75)


def test_items_are_the_same_in_every_run_and_hold_what_was_hidden() -> None:
    records = [Record("iaph", str(number), TEXT, "0" * len(TEXT)) for number in range(3)]
    items = sample_items(records, 40, seed=5)
    assert items == sample_items(list(reversed(records)), 40, seed=5)
    for item in items:
        assert item.before + item.gold + item.after == TEXT
        assert len(item.gold) == item.length
        assert "-" not in item.gold
    assert [item.length for item in items[:10]] == list(range(1, 11))


def test_in_letter_counting_mode_length_counts_letters() -> None:
    records = [Record("iaph", "1", TEXT, "0" * len(TEXT))]
    for item in sample_items(records, 30, seed=5, by_character=False):
        assert len(item.gold.replace(" ", "")) == item.length
        assert item.gold == item.gold.strip()


def test_a_length_that_is_not_told_may_be_any() -> None:
    asked: list[tuple[int, ...]] = []

    class Listener(StubRestorer):
        def answer(self, query: Query, top: int) -> tuple[Hypothesis, ...]:
            asked.append(query.lengths)
            return super().answer(query, top)

    items = [Item("και ο ", " ο", 5, "δημοσ")]
    answer(Listener(), items, by_character=False)
    answer(Listener(), items, by_character=False, lengths=range(1, 21))
    assert asked == [(5,), tuple(range(1, 21))]


def test_supplied_letters_are_told_from_preserved_ones() -> None:
    record = Record("iaph", "1", TEXT, "2" * len(TEXT))
    assert not any(item.preserved for item in sample_items([record], 10))


def test_outside_items_are_folded_like_our_own(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    line = {"before": "Ἔδοξεν τῆι ", "after": " καὶ τῶι δήμωι· --", "length": 6, "gold": "βουλῆι"}
    path.write_text(json.dumps(line) + "\n\n", "utf-8")
    [item] = read_items(path, by_character=True)
    assert (item.before, item.gold, item.after) == ("εδοξεν τηι ", "βουληι", " και τωι δημωι --")
    assert item.length == 6


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"before": "\xce\xb1"}\n', "items.jsonl:1: This line is not {"),
        (b"\n[1]\n", "items.jsonl:2: This line is not {"),
        (
            b'{"before": "", "after": "", "length": "x", "gold": "\xce\xb1"}',
            "items.jsonl:1: This line is not {",
        ),
        (b'{"before": "', "items.jsonl:1: This line is not JSON: Unterminated string"),
        (
            b'{"before": "", "after": "", "length": 0, "gold": ""}',
            "items.jsonl:1: The gold has no Greek letter",
        ),
        (b'{"before": "", "after": "", "length": 3, "gold": "..."}', "items.jsonl:1: The gold has no Greek"),
        (b"", "items.jsonl: There is no item in this file."),
        (b"\xff\xfe", "items.jsonl: This file is not in UTF-8"),
    ],
)
@pytest.mark.parametrize("by_character", [True, False])
def test_what_is_no_item_is_named(tmp_path: Path, content: bytes, told: str, by_character: bool) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(content)
    with pytest.raises(CorpusError) as caught:
        read_items(path, by_character)
    assert told in str(caught.value)
    with pytest.raises(CorpusError, match="cannot be read"):
        read_items(tmp_path, by_character)


def test_items_may_begin_with_a_byte_order_mark_and_need_no_length(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"before": "", "after": "", "gold": "ος και"}\r\n', "utf-8-sig")
    assert read_items(path, by_character=True)[0].length == 6
    assert read_items(path, by_character=False)[0].length == 5


@pytest.mark.parametrize(("length", "is_told"), [(5, False), (6, False), (0, False), (4, True)])
def test_a_length_that_is_not_that_of_the_gold_is_told(tmp_path: Path, length: int, is_told: bool) -> None:
    path = tmp_path / "items.jsonl"
    line = json.dumps({"before": "α", "after": "β", "length": length, "gold": "ος και"})
    path.write_text(f"{line}\n", "utf-8")
    told: list[str] = []
    assert read_items(path, by_character=True, report=told.append)[0].length == 6
    assert bool(told) == is_told


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Ὁ δῆμος", "ο δημοσ"),
        (" καὶ ", " και "),
        ("α--β", "α--β"),
        ("#α 0", "#α 0"),
        ("α??", "α--"),
        (" ", " "),
        ("", ""),
        ("τὸν hιερὸν", "τον hιερον"),
        ("h", "h"),
        ("δῆμoς hic", "δημοσ "),
        ("[ἔδοξεν τ]ῆι [---]", "εδοξεν τηι ---"),
    ],
)
def test_item_text_is_model_text(written: str, folded: str) -> None:
    assert fold_item_text(written) == folded


def test_seen_and_unseen_contexts_are_told_apart_across_word_division() -> None:
    items = sample_items([Record("iaph", "1", TEXT, "0" * len(TEXT))], 20, seed=2)
    letters = "ξξξ" + "".join(symbol for symbol in TEXT if symbol.isalpha()) + "ψψψ"
    assert unseen(items, [letters]) == [False] * len(items)
    assert unseen(items, [letters.replace("δ", "τ"), "α"]) == ["δ" in context_of(item) for item in items]


@pytest.mark.parametrize("figure", [["--context-lengths"], ["--ablation", "systems"]])
def test_the_papers_figures_count_characters(figure: list[str]) -> None:
    result = CliRunner().invoke(group, ["evaluate", "--data", "corpus", "--mode", "letters", *figure])
    assert result.exit_code == 2
    assert "count characters" in result.output


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus with a collection that has a test text and one that has none."""
    texts = {"stones/t.xml": f"<ab>{TEXT}</ab>", "others/a.xml": f"<ab>{TEXT[::-1]}</ab>"}
    for name, text in texts.items():
        file = tmp_path / name
        file.parent.mkdir()
        file.write_text(
            f'<TEI><text><body><div type="edition" xml:lang="grc">{text}</div></body></text></TEI>', "utf-8"
        )
    build([tmp_path / "stones", tmp_path / "others"], tmp_path / "corpus", processes=1)
    path = tmp_path / "corpus/manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["splits"] = {"stones/stones/t": "test", "others/others/a": "train"}
    manifest["statistics"]["stones"] = {"train": [0, 0, 0], "validation": [0, 0, 0], "test": [1, 16, 99]}
    manifest["statistics"]["others"] = {"train": [1, 16, 99], "validation": [0, 0, 0], "test": [0, 0, 0]}
    path.write_text(json.dumps(manifest), "utf-8")
    return tmp_path / "corpus"


@pytest.fixture
def _stubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Whole(StubRestorer):
        def only(self, part: str) -> Whole:
            return self

    monkeypatch.setattr("pythia_epidoc.model.restorer.load_restorer", lambda path, device: Whole())
    monkeypatch.setattr("pythia_epidoc.parallels.restorer.attesting", lambda model, index: model)


def evaluate(*arguments: object) -> Result:
    return CliRunner().invoke(group, ["evaluate", *map(str, arguments)])


@pytest.mark.usefixtures("_stubbed")
def test_a_collection_without_test_texts_does_not_stop_the_others(corpus: Path, tmp_path: Path) -> None:
    figures_file = tmp_path / "figures.json"
    assert evaluate("--data", corpus, "--samples", 10, "--json", figures_file).exit_code == 0
    found = json.loads(figures_file.read_text("utf-8"))
    assert found["overall"]["n"] == 10
    assert list(found["groups"]) == ["inscriptions", "stones"]
    asked = evaluate("--data", corpus, "--corpus", "others").exception
    assert isinstance(asked, CorpusError) and "test split of 'others'" in asked.message
    none = evaluate("--data", corpus, "--split", "validation").exception
    assert isinstance(none, CorpusError) and "in its validation split" in none.message


@pytest.mark.usefixtures("_stubbed")
def test_a_whole_text_gives_its_figures_as_json_too(tmp_path: Path, samples_dir: Path) -> None:
    figures_file = tmp_path / "figures.json"
    result = evaluate("--full-text", samples_dir / "dedication.xml", "--json", figures_file)
    assert result.exit_code == 0, result.exception
    found = json.loads(figures_file.read_text("utf-8"))
    assert found["letters"] == sum(len(each["edition"].replace(" ", "")) for each in found["lacunae"]) == 5
    assert f"{found['right']} of 5 supplied letters" in result.stdout


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--json", "FOLDER/none/f.json"], "a folder that exists"),
        (["--json", "FOLDER"], "a folder that exists"),
        (["--context-lengths", "--picture", "FOLDER/f.foo"], "end in one of"),
        (["--picture", "FOLDER/f.png"], "give both"),
        (["--samples", "0"], "--samples"),
        (["--beam", "0"], "--beam"),
    ],
)
def test_what_cannot_be_done_is_said_before_hours_of_measuring(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], told: str
) -> None:
    monkeypatch.delattr("pythia_epidoc.model.restorer.load_restorer")
    result = evaluate("--data", corpus, *(option.replace("FOLDER", str(tmp_path)) for option in options))
    assert result.exit_code != 0
    assert told in f"{result.exception}{result.stderr}"
