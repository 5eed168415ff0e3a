"""What is asked about the lacunae of long texts: no more of the text than the model sees."""

from __future__ import annotations

from dataclasses import replace

import pytest
from stub_model import StubRestorer

from pythia_epidoc.asking import answer, questions_about
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.restoration import CUT, REACH, query_for

GAP = '<gap reason="lost" quantity="3" unit="character"/>'
LONG = "ἔδοξεν τῆι βουλῆι καὶ τῶι δήμωι " * 80 + GAP


@pytest.fixture
def document() -> Document:
    text = f"α {GAP} {LONG} {GAP} καὶ {LONG} {LONG}"
    return Document.from_bytes(f'<div type="edition" xml:lang="grc"><ab>{text}</ab></div>'.encode())


def test_a_query_holds_what_the_model_sees(document: Document) -> None:
    for question, lacuna in zip(
        questions_about(document, document.lacunae, plain=True).questions, document.lacunae, strict=True
    ):
        letters = lacuna.edition.reading.letters
        before, after = letters[: lacuna.first], letters[lacuna.stop :]
        assert before.endswith(question.query.before) and question.query.after == after[:REACH]
        assert min(len(before), REACH) <= len(question.query.before) <= REACH + CUT
        assert len(before) - len(question.query.before) == question.begin


def test_the_windows_of_the_model_stay_where_they_were() -> None:
    tasks = pytest.importorskip("pythia_epidoc.model.tasks")
    assert CUT % tasks._GRID == 0


def test_what_was_decided_stands_in_the_next_queries_as_in_the_whole_text(document: Document) -> None:
    questions = questions_about(document, document.lacunae, plain=True)
    whole = replace(
        questions,
        questions=tuple(
            replace(question, query=query_for(lacuna), begin=0)
            for question, lacuna in zip(questions.questions, document.lacunae, strict=True)
        ),
    )
    assert any(question.begin for question in questions.questions)
    answers, expected, apart = (
        answer(each, StubRestorer(), top=1, beam=1, plain=True, iterative=iterative)
        for each, iterative in ((questions, True), (whole, True), (questions, False))
    )
    assert answers == expected != apart
