"""How long a lacuna is: every way of saying it, the misspellings of real files, and absurd values."""

from __future__ import annotations

import doctest

import pytest

from pythia_epidoc.epidoc import extent as extents
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.extent import Extent, extent_of

# attributes of the gap, extent in words, least, most, about, lengths tried
EXTENTS = [
    ('quantity="5" unit="character"', "5 letters", 5, 5, (5,)),
    ('quantity="1" unit="character"', "1 letter", 1, 1, (1,)),
    ('quantity="5" unit="character" precision="low"', "about 5 letters", 5, 5, (4, 5, 6)),
    ('quantity="20" unit="character" precision="low"', "about 20 letters", 20, 20, tuple(range(17, 24))),
    ('atLeast="2" atMost="4" unit="character"', "2 to 4 letters", 2, 4, (2, 3, 4)),
    ('atLeast="4" atMost="2" unit="character"', "2 to 4 letters", 2, 4, (2, 3, 4)),
    ('atLeast="3" unit="character"', "at least 3 letters", 3, None, tuple(range(3, 21))),
    ('atMost="3" unit="character"', "at most 3 letters", None, 3, (1, 2, 3)),
    ('extent="unknown" unit="character"', "unknown", None, None, tuple(range(1, 21))),
    ("", "unknown", None, None, tuple(range(1, 21))),
    ('quantity="3" unit="line"', "3 lines", 3, 3, ()),
    ('extent="unknown" unit="line"', "unknown number of lines", None, None, ()),
    ('quantity="12" unit="cm"', "12 cm", 12, 12, ()),
    # seen in the wild
    ('quantity="5" unit="charcter"', "5 letters", 5, 5, (5,)),
    ('quantity="5" unit="characters"', "5 letters", 5, 5, (5,)),
    ('quantity="5" unit="Character"', "5 letters", 5, 5, (5,)),
    ('extent="unkown" unit="character"', "unknown", None, None, tuple(range(1, 21))),
    ('quantity="5 " unit="character"', "5 letters", 5, 5, (5,)),
    ('extent="10-15" unit="character"', "10 to 15 letters", 10, 15, tuple(range(10, 16))),
    ('extent="5" unit="character"', "5 letters", 5, 5, (5,)),
    ('quantity="5"', "5 letters", 5, 5, (5,)),
    ('extent="ca. 5" unit="character"', "about 5 letters", 5, 5, (4, 5, 6)),
    ('extent="5?" unit="character"', "about 5 letters", 5, 5, (4, 5, 6)),
    ('extent="3 lines"', "3 lines", 3, 3, ()),
    ('extent="3-4 characters" unit="character"', "3 to 4 letters", 3, 4, (3, 4)),
    ('quantity="5" unit="char."', "5 letters", 5, 5, (5,)),
    ('quantity="1" unit="chatacter"', "1 letter", 1, 1, (1,)),
    ('extent="unknown" unit="character&gt;"', "unknown", None, None, tuple(range(1, 21))),
    ('extent="8/9" unit="character"', "8 to 9 letters", 8, 9, (8, 9)),
    ('extent="1 line" unit="character"', "1 line", 1, 1, ()),
    ('extent="2 pages"', "2 pages", 2, 2, ()),
    ('quantity="2" unit="leaf"', "2 leaves", 2, 2, ()),
    ('quantity="5" unit="character" precision="circa"', "about 5 letters", 5, 5, (4, 5, 6)),
    ('quantity="2.5" unit="character"', "about 2 to 3 letters", 2, 3, (1, 2, 3, 4)),
]


def gap(attributes: str) -> Extent:
    document = Document.from_text(f"<ab><gap {attributes}/></ab>")
    (element,) = document.tree.root.iter("gap")
    return extent_of(element)


@pytest.mark.parametrize(
    ("attributes", "words", "least", "most", "lengths"), EXTENTS, ids=lambda value: str(value)
)
def test_extent(
    attributes: str, words: str, least: int | None, most: int | None, lengths: tuple[int, ...]
) -> None:
    extent = gap(attributes)
    assert (str(extent), extent.least, extent.most, extent.lengths) == (words, least, most, lengths)


@pytest.mark.parametrize(
    "attributes",
    [
        f'quantity="{"9" * 6000}" unit="character"',
        'quantity="999999999" unit="character" precision="low"',
        'atLeast="1" atMost="999999999" unit="character"',
        'atLeast="999999999" unit="character"',
        'quantity="-5" unit="character"',
        'quantity="0" unit="character"',
        'quantity="٥" unit="character"',
        'quantity="²" unit="character"',
    ],
    ids=lambda value: value[:40],
)
def test_absurd_values_do_no_harm(attributes: str) -> None:
    extent = gap(attributes)
    assert len(extent.lengths) <= 200
    assert str(extent)


def test_the_examples_hold() -> None:
    assert doctest.testmod(extents).failed == 0


def test_adjacent_extents_add_up() -> None:
    assert Extent.exactly(2) + Extent.exactly(3) == Extent.exactly(5)
    assert Extent.exactly(2) + Extent() == Extent(2, None)
    assert Extent(1, 2) + Extent(3, 4, about=True) == Extent(4, 6, about=True)
    assert not (Extent.exactly(2) + Extent(3, 3, unit="line")).in_letters
