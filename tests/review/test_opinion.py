"""Review: where an editor's text stands, in which order it is reported, and that no file changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner
from stub_model import StubRestorer

from pythia_epidoc.cli import group
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import CorpusError, ModelError
from pythia_epidoc.parallels.attest import Collection
from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.restorer import AttestingRestorer
from pythia_epidoc.parallels.update import update
from pythia_epidoc.restoration import Hypothesis, Query
from pythia_epidoc.review.opinion import conjectures, passed_over, review_document
from pythia_epidoc.review.report import Reviewed, as_html, as_text, in_words

TEI = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc">'
    "<ab>{}</ab></div></body></text></TEI>"
)
LOST = '<supplied reason="lost">{}</supplied>'
TEXT = TEI.format(f"τῆι {LOST.format('βουλῆι')} καὶ τῶι {LOST.format('δράκι')} καὶ {LOST.format('ψψψ')}")


class KnowingRestorer(StubRestorer):
    """Knows a few texts by their length."""

    known: ClassVar = {
        6: (Hypothesis("βουληι", -0.1, 0.9), Hypothesis("αγοραι", -3.0, 0.05)),
        5: (
            Hypothesis("δημωι", -0.2, 0.8),
            Hypothesis("θεατρ", -3.0, 0.05),
            Hypothesis("δρακι", -7.0, 0.001),
        ),
        3: (Hypothesis("τοι", -1.0, 0.3),),
    }

    def answer(self, query: Query, top: int) -> tuple[Hypothesis, ...]:
        return self.known[query.lengths[0]][:top]

    def polytonic(self, texts: Sequence[str], left: str, right: str, forms: Sequence[str] = ()) -> list[str]:
        return list(texts)


def test_opinions_come_with_the_most_surprising_first() -> None:
    opinions = review_document(Document.from_text(TEXT), KnowingRestorer())
    assert [opinion.text for opinion in opinions] == ["ψψψ", "δράκι", "βουλῆι"]
    assert [opinion.rank for opinion in opinions] == [None, 3, 1]
    assert opinions[1].surprise == pytest.approx(6.8)
    assert [rival.text for rival in opinions[1].rivals] == ["δημωι", "θεατρ"]
    assert opinions[2].surprise == 0
    assert opinions[2].rivals == ()


@pytest.mark.parametrize(
    "markup",
    [
        '<gap reason="lost" quantity="3" unit="character"/>',
        '<supplied reason="omitted">α</supplied>',
        '<supplied reason="lost"><num value="12">ιβ</num></supplied>',
        '<supplied reason="lost">— —</supplied>',
    ],
)
def test_nothing_is_said_about(markup: str) -> None:
    assert conjectures(Document.from_text(TEI.format(f"τῆι {markup} καὶ"))) == []


def test_what_is_not_judged_is_counted_by_its_reason() -> None:
    numeral = '<supplied reason="lost"><num value="12">ιβ</num></supplied>'
    nested = '<supplied reason="lost">βου<gap reason="lost" quantity="2" unit="character"/></supplied>'
    omitted = '<supplied reason="omitted">α</supplied>'
    reasons = passed_over(
        Document.from_text(TEI.format(f"τῆι {numeral} {LOST.format('βουλῆι')} {nested} {numeral} {omitted}"))
    )
    assert sorted((reason.split()[1], times) for reason, times in reasons.items()) == [("a", 1), ("a", 2)]


def test_this_tool_gives_no_second_opinion_on_its_own_restorations() -> None:
    restored = '<supplied reason="lost" cert="low" resp="#pythia">βουλῆι</supplied>'
    document = Document.from_text(TEI.format(f"τῆι {restored} καὶ τῶι {LOST.format('δήμωι')}"))
    assert [lacuna.conjecture for lacuna in conjectures(document)] == ["δημωι"]
    assert list(passed_over(document)) == ["is a restoration by this tool, which would agree with itself"]


def test_a_restoration_longer_than_its_line_or_its_stated_length_is_told() -> None:
    lines = "".join(f'<lb n="{n}"/>αβγδεζηθικ' for n in range(1, 6))
    long = f'{lines}<lb n="6"/>αβγδεζη{LOST.format("βουληι")}<lb n="7"/>α'
    (opinion,) = review_document(Document.from_text(TEI.format(long)), KnowingRestorer())
    assert opinion.excess == 3
    assert "3 letters too long for its line (10 letters" in in_words(opinion)
    stated = 'α<supplied reason="lost" quantity="4" unit="character">βουληι</supplied>β'
    (opinion,) = review_document(Document.from_text(TEI.format(stated)), KnowingRestorer())
    assert opinion.excess == 2
    assert "2 letters too long for the length that the edition states" in in_words(opinion)


def test_parallels_speak_for_a_restoration_but_its_own_text_does_not(tmp_path: Path) -> None:
    (tmp_path / "own.xml").write_text(TEXT, "utf-8")
    (tmp_path / "other.xml").write_text(TEI.format("ἔδοξεν τῆι βουλῆι καὶ τῶι δήμωι"), "utf-8")
    index = ParallelsIndex(tmp_path / "index.db", create=True)
    update(index, [tmp_path], processes=1)
    restorer = AttestingRestorer(KnowingRestorer(), Collection(index))
    opinions = {opinion.text: opinion for opinion in review_document(Document.from_text(TEXT), restorer)}
    assert opinions["βουλῆι"].attestations == 1
    assert [parallel.place.document for parallel in opinions["βουλῆι"].parallels] == ["other"]
    assert opinions["ψψψ"].attestations == 0
    assert "Not attested" in in_words(opinions["ψψψ"])


def test_reports_show_every_opinion() -> None:
    document = Document.from_text(TEXT)
    found = [Reviewed(Path("a.xml"), each) for each in review_document(document, KnowingRestorer())]
    assert as_text(found).count("a.xml:1") == 3
    page = as_html(found)
    assert page.count("<tr>") == 4
    assert "http" not in page.replace("http-equiv", "")


def test_the_text_around_a_restoration_has_its_final_sigmas() -> None:
    text = f"τῆς πόλεως {LOST.format('βουλῆι')} ἄνδρας προσ{LOST.format('δράκι')}σα τῆς"
    document = Document.from_text(TEI.format(text))
    report = as_text([Reviewed(Path("a.xml"), each) for each in review_document(document, KnowingRestorer())])
    assert "της πολεως [βουλῆι] ανδρας προσδρακι" in report
    assert "ανδρας προσ[δράκι]σα της" in report


def test_the_command_prints_json_and_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "decree.xml"
    file.write_text(TEXT, "utf-8")
    monkeypatch.setattr(
        "pythia_epidoc.model.restorer.load_restorer", lambda path=None, device="auto": KnowingRestorer()
    )
    result = CliRunner().invoke(group, ["review", str(file), "--format", "json", "--no-parallels"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.output)
    assert [row["text"] for row in rows] == ["ψψψ", "δράκι", "βουλῆι"]
    assert file.read_text("utf-8") == TEXT


def test_the_command_tells_what_it_left_out_and_what_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "decree.xml"
    file.write_text(TEI.format(f"τῆι {LOST.format('βουλῆι')} {LOST.format('— —')}"), "utf-8")
    monkeypatch.setattr(
        "pythia_epidoc.model.restorer.load_restorer", lambda path=None, device="auto": KnowingRestorer()
    )
    result = CliRunner().invoke(group, ["review", str(file), "--misfits", "--no-parallels"])
    assert result.exit_code == 0, result.output
    assert "Every restoration fits" in result.output
    assert "not judged (1×)" in result.output


@pytest.mark.parametrize("option", ["--model", "--parallels"])
def test_without_its_model_or_index_the_command_stops_at_once(tmp_path: Path, option: str) -> None:
    for name in ("a.xml", "b.xml"):
        (tmp_path / name).write_text(TEXT, "utf-8")
    result = CliRunner().invoke(group, ["review", str(tmp_path), option, str(tmp_path / "none")])
    assert isinstance(result.exception, (ModelError, CorpusError))
    assert result.stdout == ""
