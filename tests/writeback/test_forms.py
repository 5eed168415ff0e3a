"""Write-back in its three forms: what is written for each construct, and that `strip` undoes it exactly."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from lxml import etree

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.edits import Edit, apply_edits
from pythia_epidoc.epidoc.validation import Schema, load_schema, new_errors, own_schema_path
from pythia_epidoc.errors import ConfigError, EditError
from pythia_epidoc.restoration import Hypothesis, ModelIdentity, Restoration, Settings
from pythia_epidoc.writeback import (
    ACCEPT,
    FORMS,
    INLINE,
    STANDOFF,
    WriteOptions,
    accept_hypothesis,
    accept_pending,
    pending,
    reject_pending,
    strip,
    write,
    write_back,
)

MODEL = ModelIdentity("test", "1", "ab" * 32)
GAP = '<gap reason="lost" quantity="3" unit="character"/>'
ILLEGIBLE = '<gap reason="illegible" quantity="2" unit="character"/>'
UNKNOWN = '<gap reason="lost" extent="unknown" unit="character"/>'


def options(form: str = INLINE, **values: object) -> WriteOptions:
    settings = {"form": form, "date": "2025-01-01", "min_probability": 0.0, **values}
    return WriteOptions(**settings)  # type: ignore[arg-type]


def bare(content: str) -> Document:
    return Document.from_bytes(f'<div type="edition" xml:lang="grc"><ab>{content}</ab></div>'.encode())


def restored(document: Document, *texts: str, kinds: tuple[str, ...] = ("gap",)) -> list[Restoration]:
    """The same hypotheses for every restorable lacuna."""
    hypotheses = tuple(
        Hypothesis(text, -1.0, 0.9 / rank, polytonic=text) for rank, text in enumerate(texts, start=1)
    )
    return [
        Restoration(lacuna, hypotheses, MODEL, Settings())
        for lacuna in document.lacunae
        if lacuna.restorable and lacuna.kind in kinds
    ]


def edited(document: Document, edits: list[Edit]) -> Document:
    return Document.from_bytes(apply_edits(document.source, edits), document.path)


def body(document: Document) -> str:
    """The text of the `ab`."""
    text = document.text
    return text[text.index("<ab>") + 4 : text.index("</ab>")]


@pytest.fixture(scope="module")
def ours() -> Schema:
    return load_schema(own_schema_path())


def rdg(rank: int, text: str, degree: str, reason: str = "lost") -> str:
    return (
        f'<rdg n="{rank}" resp="#pythia" cert="low"><supplied reason="{reason}" cert="low">{text}'
        f'<certainty match=".." locus="value" degree="{degree}" resp="#pythia"/></supplied></rdg>'
    )


INLINE_TABLE = {
    "alone": (f"α{GAP}β", f'α<app type="alternative"><lem>{GAP}</lem>{rdg(1, "μην", "0.90")}</app>β'),
    "illegible is neither lost nor read": (
        f"α{ILLEGIBLE}β",
        f'α<app type="alternative"><lem>{ILLEGIBLE}</lem>{rdg(1, "μην", "0.90", "undefined")}</app>β',
    ),
    "two reasons": (
        f"α{GAP}{ILLEGIBLE}β",
        f'α<app type="alternative"><lem>{GAP}{ILLEGIBLE}</lem>{rdg(1, "μην", "0.90", "undefined")}</app>β',
    ),
    "across a line break": (
        f'α{GAP}\n<lb n="2" break="no"/>{GAP}β',
        f'α<app type="alternative"><lem>{GAP}\n<lb n="2" break="no"/>{GAP}</lem>'
        f"{rdg(1, 'μην', '0.90')}</app>β",
    ),
    "in unclear, which holds letters only": (
        f'<unclear reason="damage">α{GAP}β</unclear>',
        '<unclear reason="damage">α</unclear><?pythia-epidoc split?>'
        f'<app type="alternative"><lem>{GAP}</lem>{rdg(1, "μην", "0.90")}</app>'
        '<?pythia-epidoc split?><unclear reason="damage">β</unclear>',
    ),
}


@pytest.mark.parametrize(("before", "after"), INLINE_TABLE.values(), ids=list(INLINE_TABLE))
def test_pending_alternatives(before: str, after: str) -> None:
    document = bare(before)
    assert body(edited(document, write_back(document, restored(document, "μην"), options()))) == after


def accepted(text: str, original: str, reason: str = "lost") -> str:
    note = f"<?pythia-epidoc instead of {original}?>"
    return f'<supplied reason="{reason}" cert="low" resp="#pythia">{text}{note}</supplied>'


ACCEPT_TABLE = {
    "alone": (f"α{GAP}β", "μην", f"α{accepted('μην', GAP)}β"),
    "word division at both edges": (f"α{GAP}β", " μην ", f"α{accepted(' μην ', GAP)}β"),
    "illegible": (f"α{ILLEGIBLE}β", "μη", f"α{accepted('μη', ILLEGIBLE, 'undefined')}β"),
    "in supplied": (
        f'<supplied reason="lost">α{GAP}β</supplied>',
        "μην",
        f'<supplied reason="lost">α{accepted("μην", GAP)}β</supplied>',
    ),
    "cut by a line break as the gap was": (
        f'α{GAP}\n<lb n="2" break="no"/>{ILLEGIBLE}β',
        "μῆν τέ",
        f'α{accepted("μῆν ", GAP)}\n<lb n="2" break="no"/>{accepted("τέ", ILLEGIBLE, "undefined")}β',
    ),
    "several gaps with nothing between": (
        f"α{GAP}{ILLEGIBLE}β",
        "μηντε",
        f"α{accepted('μηντε', GAP + ILLEGIBLE, 'undefined')}β",
    ),
    "a note that would end the instruction": (
        'α<gap reason="lost" quantity="1" unit="character"><desc>a<?b?>&amp;</desc></gap>β',
        "μ",
        'α<supplied reason="lost" cert="low" resp="#pythia">μ<?pythia-epidoc instead of <gap reason="lost" '
        'quantity="1" unit="character"><desc>a<?b?&gt;&amp;amp;</desc></gap>?></supplied>β',
    ),
}


@pytest.mark.parametrize(("before", "text", "after"), ACCEPT_TABLE.values(), ids=list(ACCEPT_TABLE))
def test_accepted(before: str, text: str, after: str) -> None:
    document = bare(before)
    result = edited(document, write_back(document, restored(document, text), options(ACCEPT)))
    assert body(result) == after
    assert apply_edits(result.source, strip(result)) == document.source.data


def test_an_editors_line_breaks_survive_a_second_opinion() -> None:
    document = bare('α<supplied reason="lost">βγ\n<lb n="2" break="no"/>δε</supplied>')
    result = edited(
        document, write_back(document, restored(document, "μῆντέ", kinds=("supplied",)), options(ACCEPT))
    )
    assert '>μῆ\n<lb n="2" break="no"/>ντέ<?' in body(result)


CONSTRUCTS = [
    f"{GAP}",
    f"{GAP} {GAP}",
    f"{GAP}{UNKNOWN}",
    f"α o{GAP}Ε <orig>AA</orig>{UNKNOWN} β",
    f'<supplied reason="lost">α{GAP}</supplied>',
    f'<supplied reason="lost">{GAP}</supplied>',
    f"<w>α{GAP}</w>{GAP}<w>β</w>",
    f'<w part="I">α{GAP}</w><lb n="2" break="no"/><w part="F">{GAP}β</w>',
    f"<name>{GAP}</name><persName><name>{GAP}ρέου</name></persName>",
    f'<hi rend="supraline">{GAP}</hi>',
    f'<del rend="erasure">α{GAP}</del>{GAP}',
    f'<app type="editorial"><lem>α{GAP}</lem><rdg resp="#x">β{GAP}</rdg></app>{GAP}',
    f'<app type="alternative"><lem>{GAP}</lem><rdg>αβγ</rdg></app>{GAP}',
    f"<choice><reg>α{GAP}</reg><orig>β{GAP}</orig></choice>",
    f"<unclear>α{GAP}β</unclear>",
    f"<expan>α{GAP}<ex>β</ex></expan><abbr>{GAP}</abbr>",
    f"α<!-- a -->{GAP}<!-- b -->{GAP}<?x y?>β",
    'α<gap xml:id="mine" reason="lost" quantity="3" unit="character"><desc>x</desc></gap>β',
    "α<gap\n  reason='lost'\n  extent='unknown'\n  unit='character' />β",
]
DOCUMENTS = {
    "bare div": '<div xmlns="http://www.tei-c.org/ns/1.0" type="edition" xml:lang="grc"><ab>{}</ab></div>',
    "no namespace": '<?xml version="1.0"?>\r\n<!-- x --><div type="edition" xml:lang="grc">\r\n'
    "<ab>{}</ab>\r\n</div>\r\n",
    "whole": """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>
  <fileDesc><titleStmt><title>t</title></titleStmt><publicationStmt><p/></publicationStmt>
  <sourceDesc><p/></sourceDesc></fileDesc>
  <revisionDesc>
    <!-- newest first -->
    <change when="2020-01-01">x</change></revisionDesc>
</teiHeader><text><body><div type="edition" xml:lang="grc"><ab>{}</ab></div>
<div type="translation"><p>x</p></div></body></text></TEI>""",
    "no revisionDesc": """<TEI xmlns="http://www.tei-c.org/ns/1.0">
  <teiHeader>
    <fileDesc>
      <titleStmt>
        <title>t</title>
      </titleStmt>
      <publicationStmt><p/></publicationStmt><sourceDesc><p/></sourceDesc>
    </fileDesc>
  </teiHeader>
  <text><body><div type="edition" xml:lang="grc">
     <ab>{}</ab>
  </div></body></text>
</TEI>""",
    "listChange": '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>'
    "<titleStmt><title>t</title></titleStmt><publicationStmt><p/></publicationStmt><sourceDesc><p/></sourceDesc></fileDesc>"
    '<revisionDesc status="x"><listChange><change when="2020">x</change></listChange></revisionDesc>'
    "</teiHeader>"
    '<text><body><div type="edition" xml:lang="grc"><ab>{}</ab></div></body></text></TEI>',
    "no edition div": '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>'
    "<titleStmt><title/></titleStmt><publicationStmt><p/></publicationStmt><sourceDesc><p/></sourceDesc></fileDesc></teiHeader>"
    '<text xml:lang="grc"><body><div><ab>{}</ab></div></body></text></TEI>',
    "P4": "<TEI.2><teiHeader><fileDesc><titleStmt><title>t</title></titleStmt></fileDesc></teiHeader>"
    '<text><body><div type="edition" lang="grc"><ab>{}</ab></div></body></text></TEI.2>',
}


def prefixed(text: str) -> str:
    """The same document with `tei:` before every element of ours."""
    text = re.sub(r"<(/?)(?=[A-Za-z])", r"<\1tei:", text)
    return text.replace('xmlns="http', 'xmlns:tei="http')


def forms_of(document: str) -> list[bytes]:
    sources = [document.encode(), b"\xef\xbb\xbf" + document.encode(), document.encode("utf-16")]
    if not document.startswith("<?xml"):
        latin = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + document
        sources.append(latin.encode("iso-8859-1", "xmlcharrefreplace"))
        sources.append(document.replace("\n", "\r\n").encode())
    if 'xmlns="http' in document:
        sources.append(prefixed(document).encode())
    return sources


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", DOCUMENTS)
def test_every_construct_in_every_document_is_reversible_and_adds_no_fault(
    shape: str, form: str, ours: Schema
) -> None:
    for construct in CONSTRUCTS:
        for data in forms_of(DOCUMENTS[shape].replace("{}", construct)):
            document = Document.from_bytes(data)
            result = write(document, restored(document, "μὴν ", "δεκατῶι"), options(form))
            after = edited(document, result.edits)
            assert (
                etree.fromstring(after.text.encode("utf-8", "surrogatepass").split(b"?>\n", 1)[-1])
                is not None
            )
            assert apply_edits(after.source, strip(after)) == data, (construct, after.text)
            assert new_errors(document, after, ours) == [], (construct, after.text)
            if form != ACCEPT:
                assert after.editions[0].reading.letters == document.editions[0].reading.letters
                assert [lacuna.number for lacuna in after.lacunae] == [
                    lacuna.number for lacuna in document.lacunae
                ]
                assert [waiting.number for waiting in pending(after)] == sorted(result.lacunae)
                again = write(after, restored(after, "μὴν ", "δεκατῶι"), options(form))
                assert apply_edits(after.source, again.edits) == after.source.data, construct


@pytest.mark.parametrize("form", [INLINE, STANDOFF])
@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_accepting_or_rejecting_everything_leaves_no_alternatives(form: str, construct: str) -> None:
    source = DOCUMENTS["whole"].replace("{}", construct)
    document = Document.from_bytes(source.encode())
    after = edited(document, write_back(document, restored(document, "μὴν ", "δεκατῶι"), options(form)))
    rejected = chosen = after
    for _ in pending(after):
        rejected = edited(rejected, reject_pending(rejected, pending(rejected)[0]))
        chosen = edited(chosen, accept_pending(chosen, pending(chosen)[-1], 2))
    assert rejected.source.data == document.source.data
    assert not pending(chosen) and "<rdg n=" not in chosen.text
    assert chosen.text.count('cert="low" resp="#pythia"') == chosen.text.count("chosen instead of")
    assert apply_edits(chosen.source, strip(chosen)) == document.source.data
    assert apply_edits(chosen.source, strip(chosen, keep_chosen=True)) == chosen.source.data


QUOTED = """<unclear reason='a"b' cert="a>b&amp;c" xml:id="u">α{}</unclear>"""


@pytest.mark.parametrize("unclear", [f"<unclear>α{GAP}β</unclear>", QUOTED.replace("{}", GAP)])
@pytest.mark.parametrize("form", [INLINE, STANDOFF])
def test_an_alternative_is_accepted_as_the_best_one_would_be(form: str, unclear: str) -> None:
    document = bare(unclear)
    after = edited(document, write_back(document, restored(document, "μην"), options(form)))
    chosen = edited(after, accept_pending(after, pending(after)[0]))
    at_once = edited(document, accept_hypothesis(document, restored(document, "μην")[0], 1, options()))
    assert chosen.text == at_once.text and "</unclear><?pythia-epidoc split?><supplied" in chosen.text
    assert apply_edits(chosen.source, strip(chosen)) == document.source.data


def test_an_alternative_is_not_accepted_where_text_may_not_stand() -> None:
    document = Document.from_bytes(
        f'<div type="edition" xml:lang="grc"><ab>α</ab>{GAP}<ab>β</ab></div>'.encode()
    )
    after = edited(document, write_back(document, restored(document, "μην"), options(INLINE)))
    with pytest.raises(EditError, match="where text may not stand"):
        accept_pending(after, pending(after)[0])


@pytest.mark.parametrize("around", ["{}", '<supplied reason="lost">αβ{}</supplied>'])
@pytest.mark.parametrize("form", FORMS)
def test_what_this_tool_restored_is_no_conjecture_of_an_editor(form: str, around: str) -> None:
    document = bare(around.replace("{}", GAP))
    accepted = edited(document, write_back(document, restored(document, "μην"), options(ACCEPT)))
    opinions = restored(accepted, "τον", kinds=("supplied",))
    result = write(accepted, opinions, options(form))
    assert result.edits == [] and "was restored by this tool before" in result.left_out[1]


def test_another_choice_replaces_the_first_and_remembers_the_gap() -> None:
    document = bare(GAP)
    first = edited(document, accept_hypothesis(document, restored(document, "μην")[0], 1, options()))
    again = accept_hypothesis(first, restored(first, "τον", kinds=("supplied",))[0], 1, options())
    second = edited(first, again)
    assert ">τον<?" in second.text and 'be checked: 1 lacuna restored."' in second.text
    assert apply_edits(second.source, strip(second)) == document.source.data


def test_alternatives_that_go_without_others_in_their_place_are_no_longer_counted() -> None:
    document = bare(f"{GAP} α {GAP}")
    after = edited(document, write_back(document, restored(document, "μην"), options()))
    one = edited(after, write_back(after, restored(after, "μην")[:1], options(min_probability=0.99)))
    assert 'be checked: alternatives for 1 lacuna."' in one.text
    none = write_back(one, restored(one, "μην")[1:], options(min_probability=0.99))
    assert edited(one, none).text == document.text


def test_all_models_that_spoke_before_a_root_tell_the_same() -> None:
    document = bare(f"{GAP} α {GAP}")
    after = edited(document, write_back(document, restored(document, "μην")[:1], options()))
    other = replace(restored(after, "μην")[1], model=replace(MODEL, digest="cd" * 32))
    both = edited(after, write_back(after, [other], options(date="2025-02-02")))
    states = re.findall(r'when="([-0-9]+)" state="[^"]*: (.*?)\."', both.text)
    assert sorted(states) == [(date, "alternatives for 2 lacunae") for date in ("2025-01-01", "2025-02-02")]


def test_the_header_says_who_when_and_how_much() -> None:
    document = Document.from_bytes(DOCUMENTS["whole"].replace("{}", f"{GAP} {GAP}").encode())
    after = edited(document, write_back(document, restored(document, "μην"), options()))
    assert (
        '<title>t</title><respStmt xml:id="pythia"><resp>machine restoration of lacunae</resp>'
        f'<name type="software">Pythia-EpiDoc 0.1.0; model test 1; checkpoint sha256 {"ab" * 32}</name>'
        "</respStmt></titleStmt>"
    ) in after.text
    assert (
        '<revisionDesc>\n    <change when="2025-01-01" who="#pythia">Machine restorations, to be checked: '
        "alternatives for 2 lacunae.</change>\n    <!-- newest first -->"
    ) in after.text


def test_a_document_without_header_tells_before_its_root() -> None:
    document = bare(GAP)
    after = edited(document, write_back(document, restored(document, "μην"), options()))
    assert after.text.startswith('<?pythia-epidoc resp="pythia" by="Pythia-EpiDoc 0.1.0; model test 1;')


def test_an_identifier_in_use_is_not_taken() -> None:
    document = Document.from_bytes(
        DOCUMENTS["whole"].replace("{}", GAP).replace("<title>", '<title xml:id="pythia">').encode()
    )
    after = edited(document, write_back(document, restored(document, "μην"), options()))
    assert 'respStmt xml:id="pythia-2"' in after.text and 'resp="#pythia-2"' in after.text
    assert apply_edits(after.source, strip(after)) == document.source.data


def test_alternatives_of_an_editor_are_nobody_elses() -> None:
    theirs = f'<app type="alternative"><lem>{GAP}</lem><rdg n="1" resp="#jb" cert="low">αβγ</rdg></app>'
    document = Document.from_bytes(DOCUMENTS["whole"].replace("{}", theirs).encode())
    assert pending(document) == [] and strip(document) == []


def test_a_reading_that_somebody_added_stays() -> None:
    document = bare(GAP)
    after = edited(document, write_back(document, restored(document, "μην"), options()))
    mixed = Document.from_bytes(after.text.replace("</app>", '<rdg resp="#jb">νυν</rdg></app>').encode())
    assert body(edited(mixed, strip(mixed))) == (
        f'<app type="alternative"><lem>{GAP}</lem><rdg resp="#jb">νυν</rdg></app>'
    )


def test_a_gap_keeps_the_identifier_that_a_reading_of_somebody_points_to() -> None:
    document = Document.from_bytes(DOCUMENTS["whole"].replace("{}", GAP).encode())
    after = edited(document, write_back(document, restored(document, "μην"), options(STANDOFF)))
    mixed = Document.from_bytes(after.text.replace("</app>", '<rdg resp="#jb">νυν</rdg></app>').encode())
    for edits in (strip(mixed), reject_pending(mixed, pending(mixed)[0])):
        left = edited(mixed, edits).text
        assert 'xml:id="pythia-lacuna-1"' in left and 'from="#pythia-lacuna-1"' in left


def indented(text: str) -> str:
    """As another program may indent what this one wrote."""
    text = re.sub(r"(<(?:lem|rdg[^>]*)>)", r"\n      \1\n        ", text)
    text = re.sub(r"(</(?:lem|rdg|supplied)>)", r"\n        \1", text)
    return text.replace("<certainty", "\n  <certainty").replace("; checkpoint", ";\n    checkpoint")


@pytest.mark.parametrize("form", FORMS)
def test_what_another_program_indented_is_still_known(form: str) -> None:
    document = Document.from_bytes(DOCUMENTS["whole"].replace("{}", f"αβ{GAP}γ {GAP}").encode())
    after = edited(document, write_back(document, restored(document, " μὴν "), options(form)))
    moved = Document.from_bytes(indented(after.text).encode())
    assert [waiting.alternatives for waiting in pending(moved)] == [
        waiting.alternatives for waiting in pending(after)
    ]
    if form == STANDOFF:
        assert body(edited(moved, strip(moved))) == body(document)
    else:
        assert edited(moved, strip(moved)).text == document.text
    again = write(moved, restored(moved, "τον")[:1], options(form))
    assert 'xml:id="pythia-2"' not in edited(moved, again.edits).text


def test_what_a_person_chose_outlives_the_next_restore() -> None:
    document = bare(f"{GAP} α {GAP}")
    restorations = restored(document, "μην", "νυν")
    chosen = edited(document, accept_hypothesis(document, restorations[0], 2, options()))
    assert "chosen instead of" in chosen.text and ">νυν<?" in chosen.text
    again = edited(chosen, write_back(chosen, restored(chosen, "αβγ"), options()))
    assert ">νυν<?" in again.text and 'state="Machine restorations, to be checked: ' in again.text
    assert "alternatives for 1 lacuna, 1 lacuna restored" in again.text


def test_final_acceptance_keeps_no_record_but_stays_registered() -> None:
    document = bare(GAP)
    after = edited(
        document, accept_hypothesis(document, restored(document, "μην")[0], 1, options(final=True))
    )
    assert body(after) == '<supplied reason="lost" cert="low" resp="#pythia">μην</supplied>'
    assert strip(after) == [] or "pythia-epidoc resp" in edited(after, strip(after)).text


def test_a_gap_where_text_may_not_stand_is_only_offered() -> None:
    document = Document.from_bytes(
        f'<div type="edition" xml:lang="grc"><ab>α</ab>{GAP}<ab>β</ab></div>'.encode()
    )
    result = write(document, restored(document, "μην"), options(ACCEPT))
    assert result.edits == [] and "text may not stand" in result.left_out[1]
    assert write(document, restored(document, "μην"), options(INLINE)).edits


@pytest.mark.parametrize("date", ["20250101", "2025-W01-1", "1.1.2025", "2025-02-30"])
def test_a_date_is_one_that_the_schema_knows(date: str) -> None:
    with pytest.raises(ConfigError, match="is not a date such as 2025-12-31"):
        options(date=date)


def test_below_the_threshold_nothing_is_accepted() -> None:
    document = bare(GAP)
    result = write(document, restored(document, "μην"), options(ACCEPT, min_probability=0.95))
    assert result.edits == [] and result.left_out == {1: "has no hypothesis of probability 0.95 or more"}
