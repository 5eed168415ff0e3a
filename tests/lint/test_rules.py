"""Each lint rule as a table: markup that it finds, the fix it makes, and markup that it leaves alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import apply_edits
from pythia_epidoc.lint import RULES, Finding, lint, safely_mendable

HEADER = '<teiHeader><fileDesc><titleStmt><respStmt xml:id="ed"/></titleStmt></fileDesc></teiHeader>'
BEFORE = (
    f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{HEADER}<text><body><div type="edition" xml:lang="grc"><ab>'
)
AFTER = "</ab></div></body></text></TEI>"


def findings(markup: str) -> tuple[Document, list[Finding]]:
    document = Document.from_bytes(f"{BEFORE}{markup}{AFTER}".encode())
    return document, lint(document)


def codes(markup: str) -> list[str]:
    return [finding.code for finding in findings(markup)[1]]


def fixed(markup: str) -> str:
    document, found = findings(markup)
    edits = [edit for _, fix in safely_mendable(found) for edit in fix.edits]
    return apply_edits(document.source, edits).decode()[len(BEFORE) : -len(AFTER)]


FOUND = [
    ("PY101", '<supplied reason="lost">α<gap reason="lost" extent="unknown"/></supplied>'),
    ("PY101", '<supplied reason="lost"><num><gap reason="lost" extent="unknown"/></num></supplied>'),
    ("PY102", '<gap reason="lost" quantity="5"/>'),
    ("PY102", '<space quantity="2"/>'),
    ("PY103", '<gap reason="lost" quantity="5" extent="unknown" unit="character"/>'),
    ("PY104", '<gap reason="lost" quantity="5" unit="furlong"/>'),
    ("PY105", '<gap reason="lost" extent="insaph" unit="line"/>'),
    ("PY109", '<gap reason="lost" atLeast="22" atMost="14" unit="character"/>'),
    ("PY110", '<gap reason="lost"/>'),
    ("PY111", '<supplied reason="lost"/>'),
    ("PY111", '<supplied reason="lost">  </supplied>'),
    ("PY111", '<supplied reason="lost">— — —</supplied>'),
    ("PY111", '<supplied reason="lost" quantity="1" unit="line"/>'),
    ("PY112", '<gap extent="unknown"/>'),
    ("PY112", "<supplied>α</supplied>"),
    ("PY112", '<gap reason="rats" extent="unknown"/>'),
    ("PY201", "χίωνοs"),
    ("PY201", "δεδωκέναιv"),
    ("PY201", "κα<unclear>ὶ</unclear>sic"),
    ("PY302", 'τύχηι·<lb n="2" break="no"/>ἔδοξεν'),
    ("PY302", 'Φρύνιος\n<lb n="2" break="no"/>λοιπὸν'),
    ("PY302", 'Καλεδίαν <lb n="2" break="no"/>ἀπὸ'),
    ("PY302", '<w>ἰκόνι</w> <lb n="2" break="no"/><w>χαλκέᾳ</w>'),
    ("PY303", '<w>τέσσε<lb n="5"/>ρες</w>'),
    ("PY401", '<supplied reason="lost" resp="#nobody">α</supplied>'),
]

LENGTHS_MENDED = [
    ("PY103", 'quantity="5" extent="5" unit="line"', 'quantity="5" unit="line"'),
    ("PY104", 'quantity="5" unit="charcter"', 'quantity="5" unit="character"'),
    ("PY104", "quantity='5' unit='chars'", "quantity='5' unit='character'"),
    ("PY104", 'quantity="5" unit="lines"', 'quantity="5" unit="line"'),
    ("PY105", 'extent="unkown" unit="line"', 'extent="unknown" unit="line"'),
    ("PY105", 'extent="10-15" unit="line"', 'atLeast="10" atMost="15" unit="line"'),
    ("PY105", 'extent="8/9" unit="line"', 'atLeast="8" atMost="9" unit="line"'),
    ("PY105", 'extent="ca. 5" unit="line"', 'quantity="5" precision="low" unit="line"'),
    ("PY105", 'extent="c. 3 letters"', 'quantity="3" unit="character" precision="low"'),
    ("PY105", 'extent="5-6?" unit="character"', 'atLeast="5" atMost="6" precision="low" unit="character"'),
    ("PY105", 'extent="5?" unit="line" precision="low"', 'quantity="5" unit="line" precision="low"'),
    ("PY105", 'extent="1 line"', 'quantity="1" unit="line"'),
    ("PY105", 'extent="2 pages"', 'quantity="2" unit="page"'),
    ("PY106", 'extent="5" unit="line"', 'quantity="5" unit="line"'),
    ("PY107", 'quantity="5 " unit="line"', 'quantity="5" unit="line"'),
    ("PY107", 'quantity="5-7" unit="line"', 'atLeast="5" atMost="7" unit="line"'),
    ("PY108", 'quantity="3" unit="line" precision="circa"', 'quantity="3" unit="line" precision="low"'),
]
MENDED = [
    *(
        (code, f'<gap reason="lost" {old}/>', f'<gap reason="lost" {new}/>')
        for code, old, new in LENGTHS_MENDED
    ),
    ("PY112", '<gap reason="losr" extent="unknown"/>', '<gap reason="lost" extent="unknown"/>'),
    ("PY201", "<w>β<unclear>oυ</unclear>λῆι</w>", "<w>β<unclear>ου</unclear>λῆι</w>"),
    ("PY201", "Ἀρτέµων", "Ἀρτέμων"),
    ("PY201", "Мαρκος", "Μαρκος"),
    ("PY201", "Гάϊος", "Γάϊος"),
    ("PY202", "λ\u1f79γος", "λόγος"),
    ("PY202", "λο\u0301γος", "λόγος"),
    ("PY301", 'δή<lb n="2" break="No"/>μωι', 'δή<lb n="2" break="no"/>μωι'),
    ("PY401", '<unclear resp="ed">α</unclear>', '<unclear resp="#ed">α</unclear>'),
]

LEFT_ALONE = [
    '<supplied reason="undefined">α<gap reason="lost" extent="unknown"/></supplied>',
    '<supplied reason="lost">α<gap reason="ellipsis"/></supplied>',
    '<gap reason="lost" extent="unknown" unit="line"/>',
    '<gap reason="lost" quantity="1.5" unit="cm"/>',
    '<gap reason="lost" atLeast="3" unit="character"/>',
    '<supplied reason="lost"><g type="cross"/></supplied>',
    '<supplied reason="lost"><handShift new="m2"/></supplied>',
    '<supplied reason="lost">.</supplied>',
    '<supplied reason="lost"> <num value="2"/> </supplied>',
    '<supplied reason="lost"><milestone rend="paragraphos" unit="undefined"/></supplied>',
    "hυιὸς hο δᾶμος",
    "vacat ἔδοξεν v",
    "VΓΟΩΔ",
    "\u2329ἔδοξεν\u232a",
    '<foreign xml:lang="la">Marcus</foreign> Μᾶρκος',
    "<note>sic</note>καὶ",
    "ἔδοξεν&#x1F71; &amp;καὶ",
    'δή\n          <lb n="2" break="no"/>μωι',
    'κ<lb n="2" break="no"/>ἀγώ',
    '<w>προς<lb n="2" break="no"/>ηνέα</w>',
    '<num value="6870">ς<lb n="2" break="no"/>ωο</num>',
    'προστεί<lb n="2" break="no"/><w>μοις</w>',
    '<w part="I">δή</w><lb n="2" break="no"/><w part="F">μωι</w>',
    'δῆμος<lb n="2"/>καὶ',
    '<w>δῆμος<lb n="2"/></w>',
    '<app><lem resp="#ed">α</lem><rdg resp="ed. pr.">β</rdg></app>',
]


@pytest.mark.parametrize(("code", "markup"), FOUND)
def test_finds(code: str, markup: str) -> None:
    assert codes(markup) == [code]


@pytest.mark.parametrize(("code", "markup", "expected"), MENDED)
def test_mends(code: str, markup: str, expected: str) -> None:
    assert codes(markup) == [code]
    assert fixed(markup) == expected
    assert codes(expected) == []


@pytest.mark.parametrize("markup", LEFT_ALONE)
def test_leaves_alone(markup: str) -> None:
    assert codes(markup) == []


@pytest.mark.parametrize(
    "markup",
    [
        '<gap reason="lost" quantity="5"/>',
        '<w>τέσσε<lb n="5"/>ρες</w>',
        "δεδωκέναιv",
        "ΣTΟ",
        '<gap reason="lost" atLeast="22" atMost="14" unit="character"/>',
    ],
)
def test_offers_but_does_not_make_a_fix_that_needs_judgement(markup: str) -> None:
    document, [finding] = findings(markup)
    assert finding.fix is not None
    assert not finding.fix.safe
    assert fixed(markup) == markup
    mended = Document.from_bytes(apply_edits(document.source, finding.fix.edits))
    assert lint(mended) == []


@pytest.mark.parametrize("extent", ["5", "10-15"])
def test_a_number_without_unit_is_not_made_a_quantity_that_needs_one(extent: str) -> None:
    markup = f'<space extent="{extent}"/>'
    assert fixed(markup) == markup


def test_a_unit_that_contradicts_the_extent_is_left_to_the_editor() -> None:
    markup = '<gap reason="lost" extent="1 line" unit="character"/>'
    assert codes(markup) == ["PY105"]
    assert fixed(markup) == markup


def test_a_latin_s_at_the_end_of_a_word_stands_for_a_final_sigma() -> None:
    _, [finding] = findings("χίωνοs")
    assert finding.fix is not None
    assert finding.fix.edits[0].text == "ς"


def test_a_bare_edition_has_its_names_elsewhere() -> None:
    document = Document.from_bytes(b'<div type="edition"><ab><w resp="#x">a</w></ab></div>')
    assert lint(document) == []


def test_every_edition_is_checked_also_those_that_are_not_read() -> None:
    gap = '<gap extent="unknown"/>'
    editions = f'<div type="edition">{gap}</div><div type="edition" subtype="diplomatic">{gap}</div>'
    assert len(lint(Document.from_bytes(f"<body>{editions}</body>".encode()))) == 2


def test_findings_come_in_the_order_of_the_source() -> None:
    _, found = findings('<lb break="n"/>χίωνοs<gap reason="lost"/>')
    assert [finding.code for finding in found] == ["PY301", "PY201", "PY110"]


def test_two_fixes_of_one_place_are_not_made_at_once() -> None:
    markup = '<gap reason="lost" quantity="5 " extent="5" unit="line"/>'
    assert fixed(markup) == '<gap reason="lost" quantity="5" unit="line"/>'


def test_codes_are_unique_and_the_documentation_lists_them(repository: Path) -> None:
    rows = re.findall(
        r"^\| (PY\d+) \| ([\w-]+) \| (\w+) \| (.+?) \|",
        (repository / "docs/lint.md").read_text("utf-8"),
        re.M,
    )
    assert rows == [(rule.code, rule.name, rule.level.value, rule.summary) for rule in RULES]
    assert len({rule.code for rule in RULES}) == len(RULES)


def test_every_rule_is_shown_at_work_here() -> None:
    assert {code for code, *_ in (*FOUND, *MENDED)} == {rule.code for rule in RULES}


@pytest.mark.parametrize("name", ["broken.xml", "lacunae.xml"])
def test_a_text_in_the_middle_of_being_typed_raises_nothing(samples_dir: Path, name: str) -> None:
    text = (samples_dir / name).read_text("utf-8")
    lint(Document.from_text(text))
    for end in range(text.index("<body>"), len(text), 97):
        lint(Document.from_text(text[:end]))
        lint(Document.from_text(text[:end] + text[end + 5 :]))


@pytest.mark.parametrize("markup", [markup for _, markup, _ in MENDED if "<gap" in markup])
def test_a_length_that_is_mended_was_understood_before(markup: str) -> None:
    def lacunae(markup: str) -> list[tuple[str, str]]:
        return [(str(lacuna.extent), lacuna.obstacle) for lacuna in findings(markup)[0].lacunae]

    assert lacunae(fixed(markup)) == lacunae(markup)
