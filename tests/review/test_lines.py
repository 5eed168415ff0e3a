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


def test_where_some_lines_of_a_stoichedon_text_differ_one_letter_more_or_fewer_fits() -> None:
    found = line_length(document(*TEN, TEN[0][:9], "αβγ").editions[0].reading)
    assert found is not None and found.is_stoichedon
    assert (found.least, found.expected, found.most) == (9, 10, 11)


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


def test_a_heading_is_no_measure_of_the_lines_below_it_and_need_not_fill_its_own() -> None:
    found = line_length(document("θεοι", *TEN, "αβγ").editions[0].reading)
    assert found is not None
    assert (found.expected, found.intact_lines) == (10, 5)
    restored = room(document("<supplied reason='lost'>θε</supplied>οι", *TEN, "αβγ").lacunae[0])
    assert restored is not None
    assert (restored.least, restored.most) == (0, 8)


def test_three_lines_of_one_length_do_not_make_a_text_stoichedon() -> None:
    found = line_length(document(*TEN[:3], TEN[0][:9], "αβγ").editions[0].reading)
    assert found is not None
    assert not found.is_stoichedon
    assert found.least < 9 and found.most > 10


def test_few_lines_tell_the_range_of_all_less_closely_than_many() -> None:
    lengths = (20, 21, 19, 20, 21, 19)
    few, many = (document(*("α" * count for count in lengths * times), "α") for times in (1, 5))
    wide, narrow = line_length(few.editions[0].reading), line_length(many.editions[0].reading)
    assert wide is not None and narrow is not None
    assert wide.most - wide.least > narrow.most - narrow.least


def test_a_line_that_is_partly_left_blank_is_no_measure_and_need_not_be_full() -> None:
    blank = '<space quantity="4" unit="character"/>'
    found = line_length(document(*TEN, f"αβγ{blank}δεζ", f"αβγδε{blank}", "α").editions[0].reading)
    assert found is not None
    assert found.intact_lines == 5
    for line in (f"αβ{gap(2)}{blank}γ", f"αβγ{gap(2)}{blank}"):
        restored = room(document(*TEN, line, TEN[0], "αβγ").lacunae[0])
        assert restored is not None
        assert restored.least == 0


def test_a_line_with_nothing_in_it_leaves_the_next_one_its_room() -> None:
    found = room(document(*TEN, "", f"αβγ{gap(3)}", "α").lacunae[0])
    assert found is not None
    assert (found.least, found.most) == (7, 7)


def test_what_is_preserved_of_a_line_may_show_that_it_is_none_of_the_expected_length() -> None:
    assert room(document(*TEN, f"αβγδεζ{gap(2)}ηθικλμ", "α").lacunae[0]) is None


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
