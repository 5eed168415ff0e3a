"""Line lengths: when the intact lines tell how many letters a lacuna has room for, and when not."""

from __future__ import annotations

import pytest

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.restoration import query_for
from pythia_epidoc.review.lines import fitted, line_length, room

TEI = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc">'
    "<ab>{}</ab></div></body></text></TEI>"
)
TEN = ["αβγδεζηθικ", "λμνξοπρστυ", "αβγδε ζηθικ", "αβ γδε ζηθικ", "λμνξοπ ρστυ"]


def document(*lines: str) -> Document:
    return Document.from_text(
        TEI.format("".join(f'<lb n="{n}"/>{line}\n' for n, line in enumerate(lines, 1)))
    )


def gap(letters: int) -> str:
    return f'<gap reason="lost" quantity="{letters}" unit="character"/>'


def test_lines_of_the_same_length_are_stoichedon() -> None:
    found = line_length(document(*TEN, "αβγ").editions[0].reading)
    assert found is not None
    assert (found.expected, found.is_stoichedon, found.intact_lines) == (10, True, 5)


def test_lines_of_nearly_the_same_length_are_regular() -> None:
    lines = ["α" * count for count in (20, 21, 19, 20, 22, 20, 5)]
    found = line_length(document(*lines).editions[0].reading)
    assert found is not None
    assert not found.is_stoichedon
    assert found.least < 20 < found.most


@pytest.mark.parametrize(
    "lines",
    [
        TEN[:3],
        ["α" * count for count in (10, 25, 7, 18, 30, 12)],
        [f"{line}{gap(2)}" for line in TEN],
        [f"<supplied reason='lost'>α</supplied>{line}" for line in TEN],
    ],
    ids=["too few", "irregular", "lost", "supplied"],
)
def test_nothing_is_concluded_from(lines: list[str]) -> None:
    assert line_length(document(*lines, "α").editions[0].reading) is None


@pytest.mark.parametrize(
    ("line", "least", "most"),
    [
        (f"αβγ{gap(3)}δε", 5, 5),
        (f"αβγ {gap(3)} δε", 5, 5),
        ('αβγ<gap reason="lost" extent="unknown" unit="character"/>', 7, 7),
        (f"αβ<ex>γδε</ex>{gap(3)}", 8, 8),
    ],
)
def test_a_lacuna_has_room_for_what_is_missing_in_its_line(line: str, least: int, most: int) -> None:
    found = room(document(*TEN, line, "αβγ").lacunae[0])
    assert found is not None
    assert (found.least, found.most) == (least, most)


def test_the_last_line_may_be_shorter_but_not_longer() -> None:
    found = room(document(*TEN, f"αβγ{gap(3)}").lacunae[0])
    assert found is not None
    assert [found.excess(letters) for letters in (1, 7, 9)] == [0, 0, 2]


def test_too_few_letters_are_a_negative_excess() -> None:
    found = room(document(*TEN, f"αβγ{gap(3)}", "α").lacunae[0])
    assert found is not None
    assert found.excess(4) == -3


@pytest.mark.parametrize(
    "line",
    [
        f'αβγ{gap(2)}δ<gap reason="lost" extent="unknown" unit="character"/>',
        f"αβγ{gap(2)}<num value='12'>ιβ</num>",
    ],
)
def test_where_the_rest_of_the_line_is_not_known_there_is_no_room(line: str) -> None:
    assert room(document(*TEN, line, "α").lacunae[0]) is None


def test_only_what_its_line_has_room_for_is_asked_for() -> None:
    unknown = '<gap reason="lost" extent="unknown" unit="character"/>'
    lacuna = document(*TEN, f"αβγ{unknown}", "αβγ").lacunae[0]
    assert fitted(lacuna, query_for(lacuna)).lengths == (7,)


def test_where_no_stated_length_fits_the_line_the_editor_is_believed() -> None:
    lacuna = document(*TEN, f"αβγ{gap(3)}", "αβγ").lacunae[0]
    assert fitted(lacuna, query_for(lacuna)).lengths == (3,)
