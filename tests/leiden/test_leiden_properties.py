"""Whatever is written in the notation: no letter, accent, dot or line is lost, and the file is valid."""

from __future__ import annotations

import re
import unicodedata

from edition import convert_one, greek_letters, leiden, signs_of
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import etree

from pythia_epidoc.leiden import convert_text

relaxed = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

_letters = st.sampled_from("αβγδεζηθικλμνξοπρστυφχψωάέήίόύώὰὲὴᾶῆῶᾳῃῳϊΐἀἁἄἅ")
_letter = st.builds(lambda letter, dot: letter + dot, _letters, st.sampled_from(["", "", "", "\u0323"]))
_word = st.lists(_letter, min_size=2, max_size=8).map("".join)
_plain = st.text(_letters, min_size=2, max_size=6)
_words = st.lists(_word, min_size=1, max_size=3).map(" ".join)
_number = st.integers(5, 40)

_piece = st.one_of(
    _word,
    _words.map(lambda words: f"[{words}]"),
    st.builds(lambda a, b: f"{a}[{b}]", _word, _words),
    st.builds(lambda a, b, c: f"{a}[{b}]{c}", _word, _word, _word),
    st.builds(lambda a, b: f"{a}({b})", _word, _plain),
    _plain.map(lambda word: f"({word})"),
    st.builds(lambda a, n: f"{a}[{'․' * n}]", _word, st.integers(1, 4)),
    st.builds(lambda a, n: f"{a}{'․' * n}", _word, st.integers(1, 4)),
    _number.map(lambda n: f"[․․{n}․․]"),
    _number.map(lambda n: f"[․․c.{n}․․]"),
    st.builds(lambda a, b: f"[․․{a}-{a + b}․․]", _number, st.integers(1, 9)),
    st.sampled_from(
        ["[— — —]", "[— ? —]", "v", "vv", "vac.", "vac. 3", "∙", "❦", "βʹ", "͵βφʹ", "𐆖", "#⁵⁶", "ΩΝΕΥ"]
    ),
    st.builds(lambda a, b: f"{a}<{b}>", _word, _plain),
    st.builds(lambda a, b, c: f"{a}<{b}={c}>", _word, _plain, _plain),
    _words.map(lambda words: f"{{{words}}}"),
    _words.map(lambda words: f"〚{words}〛"),
    _word.map(lambda word: f"〚[{word}]〛"),
    st.builds(lambda a, b: f"{a}‵{b}′", _word, _word),
    st.builds(lambda a, b: f"{a} {{²⁶{b}}}²⁶", _word, _plain),
    st.builds(lambda a, b: f"{a} {{²⁷{b}}}²⁷", _word, _plain),
    _word.map(lambda word: f"{word}(?)"),
    _words.map(lambda words: f"[{words}(?)]"),
    _word.map(lambda word: f"{word} (vel sim.)"),
)
_row = st.lists(_piece, min_size=1, max_size=6).map(" ".join)
_broken_row = st.builds(lambda row, word: f"{row} {word}-", _row, _word)
balanced = st.builds(
    lambda rows, last: "\n".join([*rows, last]),
    st.lists(_row | _broken_row, max_size=5),
    st.builds("{} {}".format, _row, _word),
)

_SIGLA = """
[ ] [[ ]] 〚 〛 ⟦ ⟧ < > ‹ › { } ( ) {² }² {²⁶ }²⁶ {²⁷ }²⁷ ‵ ′ \\ / † ⸢ ⸣ « » ⸤ ⸥ | ‖ — ․ ․․ ․․7․․ v vac.
(?) ( ) βʹ ʹ ∙ : · #⁷ + - ΩΝ Μ Αὐρ = ; ⏑ –
"""
_token = st.one_of(_word, st.sampled_from(_SIGLA.split()), st.just(" "))
unbalanced = st.lists(_token | st.just("\n"), max_size=40).map("".join)


def normalised(text: str) -> str:
    """What the way back is allowed to change: normal form, an empty row, and brackets that meet are one."""
    text = re.sub(r"^vac\.$", "vacat", unicodedata.normalize("NFC", text), flags=re.MULTILINE)
    before = ""
    while before != text:
        before = text
        for opened, closed in ("[]", "{}", "〚〛", "<>"):
            text = re.sub(rf"{re.escape(closed)}( ?){re.escape(opened)}", r"\1", text)
    return text


@relaxed
@given(balanced)
def test_letters_accents_dots_and_lines_survive(text: str) -> None:
    rows = [sign for row in text.split("\n") for sign in ("\n", *greek_letters(row))]
    assert signs_of(convert_one(text).xml) == rows


@relaxed
@given(balanced)
@example("vac.\nβουλή")
def test_well_formed_notation_is_understood_and_reads_back(text: str) -> None:
    converted = convert_one(text)
    assert [finding for finding in converted.findings if finding.is_strict] == []
    assert normalised(leiden(converted.xml)) == normalised(text)


@relaxed
@given(balanced)
def test_well_formed_notation_gives_valid_epidoc(schema: etree.RelaxNG, text: str) -> None:
    assert schema.validate(etree.fromstring(convert_one(text).xml.encode())), schema.error_log


@relaxed
@given(unbalanced)
@example("[[/αα")
@example("α/·")
def test_crossing_and_unbalanced_brackets_lose_no_letter(schema: etree.RelaxNG, text: str) -> None:
    for converted in convert_text(text):
        assert signs_of(converted.xml, breaks=False) == greek_letters(text)
        assert schema.validate(etree.fromstring(converted.xml.encode())), schema.error_log


@relaxed
@given(unbalanced)
def test_what_was_mended_once_needs_no_mending_of_letters_again(text: str) -> None:
    for converted in convert_text(text):
        back = leiden(converted.xml)
        for again in convert_text(back):
            assert signs_of(again.xml, breaks=False) == signs_of(converted.xml, breaks=False)
