"""The four kinds of input, what they tell besides the text, and the commands."""

from __future__ import annotations

import gc
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from edition import convert_one, fragment

from pythia_epidoc.cli import group
from pythia_epidoc.cli.convert import command as convert_command
from pythia_epidoc.cli.leiden import command as leiden_command
from pythia_epidoc.corpus.build import build, load
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.errors import ConversionError
from pythia_epidoc.leiden import convert_stream, convert_text
from pythia_epidoc.leiden.dates import parse_date
from pythia_epidoc.leiden.information import parse_information

PASTED = """IGTest I² 5
Thrace — Kallatis — 222-235 AD — stoich. 28 — IGTest I 3 — SEG 99, 345
PH123456
1   [ὑπὲρ τῆ]ς τοῦ κυ[ρίου]
    τύχης καὶ νεί-
    κης
    vac.
5   ὁ δῆμος.
"""

PAGE = """<html><head><title>IGTest 1 - PHI Greek Inscriptions</title></head><body>
<div class="hdr1"><a href="/">Regions</a><a href="/regions/3">Attica</a></div>
<div class="hdr2"><span class="fullref"><a>IGTest</a> <span>1</span></span></div>
<span class="ti">Att. — Athens — s. II a. — IGTest 1</span>
<table class="grk"><tr><td class="id">1</td><td>δῆ<span class="r">[μος]</span> <em>v</em> ἐτεί-</td></tr>
<tr><td class="id"></td><td>μησεν Χρύσιπον {<sup>26</sup>Χρύσιππον}<sup>26</sup></td></tr></table>
<div class="docref">PH77</div></body></html>"""


def test_pasted_text_brings_its_header() -> None:
    converted = convert_one(PASTED)
    metadata = converted.metadata
    assert (metadata.title, metadata.phi_id, metadata.region, metadata.place) == (
        "IGTest I² 5",
        "123456",
        "Thrace",
        "Kallatis",
    )
    assert metadata.layout == "stoich. 28"
    assert metadata.bibliography == ("IGTest I 3", "SEG 99, 345")
    for expected in (
        '<idno type="PHI">123456</idno>',
        "https://inscriptions.packhum.org/text/123456",
        '<origDate notBefore="0222" notAfter="0235">222-235 AD</origDate>',
        '<layout style="stoichedon">stoich. 28</layout>',
        "<licence>",
        "<bibl>SEG 99, 345</bibl>",
    ):
        assert expected in converted.xml
    assert converted.name == "phi123456"
    assert '<lb n="3" break="no"/>κης\n<lb n="4"/><space' in converted.xml


@pytest.mark.parametrize(
    "row",
    [
        "5\tτόν",
        "\t5\tτόν",
        "5 τόν",
        "5. τόν",
        "(5) τόν",
        "5) τόν",
        "5\u00a0τόν",
        "\u00a05\u00a0\u00a0τόν",
        "5\u2003τόν",
        "τόν\t5",
        "τόν   5",
        "5\nτόν",
    ],
)
def test_a_line_number_is_known_however_it_was_pasted(row: str) -> None:
    converted = convert_one(row)
    assert '<lb n="5"/>τόν\n' in converted.xml and not converted.findings


def test_a_dot_of_papyrologists_after_a_line_number_is_no_margin() -> None:
    converted = convert_one("5. \u00a0\u00a0\u0323ος", source="leiden")
    assert '<lb n="5"/><gap reason="illegible" quantity="1" unit="character"/>ος' in converted.xml


def test_an_empty_dataset_is_no_lacuna(tmp_path: Path) -> None:
    (tmp_path / "iphi.json").write_text("[]", "utf-8")
    result = CliRunner().invoke(convert_command, [str(tmp_path / "iphi.json")])
    assert isinstance(result.exception, ConversionError) and "no text" in result.exception.message


def test_lines_that_are_gone_have_no_number() -> None:
    converted = convert_one("-- -- -- -- --\n1. καὶ\n-- -- -- -- --", source="leiden")
    assert not converted.findings
    assert fragment(converted.xml).count("<lb/><gap") == 2 and '<lb n="1"/>καὶ' in converted.xml


def test_one_input_holds_many_texts() -> None:
    texts = convert_text(f"{PASTED}===\nβουλή\n\n{PASTED.replace('123456', '77')}")
    assert [text.name for text in texts] == ["phi123456", "text-2", "phi77"]


def test_saved_page() -> None:
    (converted,) = convert_text(PAGE, "auto")
    assert converted.name == "phi77"
    assert converted.metadata.title == "IGTest 1"
    assert converted.metadata.region == "Attica"
    assert converted.metadata.date is not None and converted.metadata.date.not_before == -200
    assert "<reg>Χρύσιππον</reg>" in converted.xml
    assert '<space quantity="1" unit="character"/>' in converted.xml


@pytest.mark.parametrize(
    ("cells", "edition"),
    [
        ("<td class=id>1</td><td>δῆ-<br>μος<br/>καὶ</td>", 'δῆ\n<lb n="2" break="no"/>μος\n<lb n="3"/>καὶ'),
        ("<td class=id>1<td>δῆ<wbr>μος<tr><td class=id><td>καὶ", 'δῆμος\n<lb n="2"/>καὶ'),
        ("<td class=id>1</td><td><table><tr><td>δῆμος</td></tr></table></td>", "δῆμος"),
    ],
)
def test_no_line_of_a_page_is_lost_or_read_twice(cells: str, edition: str) -> None:
    page = f"<html><body><table class=grk><tr>{cells}</tr></table></body></html>"
    assert fragment(convert_one(page, source="phi-html").xml) == edition


def test_a_page_without_text_is_refused() -> None:
    with pytest.raises(ConversionError, match="no text"):
        convert_text("<html><body>nothing</body></html>", "phi-html")


@pytest.mark.parametrize("row", ["Traces 2 lines", "traces 1 line", "vac. 3 lines", "Iulia Augusta"])
@pytest.mark.parametrize("number", ["", "2. ", "2 "])
def test_a_row_of_a_papyrus_is_no_heading_because_it_is_latin(row: str, number: str) -> None:
    if number or row != "Iulia Augusta":
        converted = convert_one(f"1. καὶ\n{number}{row}\n3. τόν\n4. τῆς", source="leiden")
        assert "textpart" not in converted.xml
        assert '<lb n="2"/>' in converted.xml or not number


def test_parts_of_a_papyrus_are_named_between_its_rows() -> None:
    converted = convert_one("FrA,1\n1. καὶ\nFrB\n1. τόν", source="leiden")
    assert converted.xml.count('type="textpart"') == 2 and 'n="FrA,1"' in converted.xml


def test_iphi_machine_text() -> None:
    entries = [
        {
            "id": 5,
            "text": "δημος και --- # του 0.",
            "metadata": "Att. — Athens — 403/2 a.",
            "region_main": "Attica",
            "date_min": "-403",
            "date_max": "-402",
        },
        {"id": 6, "text": "[δῆ]μος"},
    ]
    first, second = convert_text(json.dumps(entries), "iphi")
    assert fragment(first.xml) == (
        'δημος και <gap reason="lost" quantity="3" unit="character"/> '
        '<gap reason="lost" extent="unknown" unit="character"/> του <num>0</num>.'
    )
    assert 'notBefore="-0403" notAfter="-0402"' in first.xml
    assert fragment(second.xml) == '<supplied reason="lost">δῆ</supplied>μος'


def test_iphi_by_id() -> None:
    entries = {"5": {"text": "0 δραχμας"}, "7": {"id": "7", "text": "[δῆ]μος"}}
    first, second = convert_text(json.dumps(entries), "iphi")
    assert (first.name, second.name) == ("phi5", "phi7")
    assert fragment(first.xml) == "<num>0</num> δραχμας"


def test_iphi_keeps_the_date_as_printed() -> None:
    entry = {"id": 5, "text": "δημος", "metadata": "Att. — Ath. — s. I a.", "date_min": -100, "date_max": -1}
    assert (
        '<origDate notBefore="-0100" notAfter="-0001">s. I a.</origDate>'
        in convert_one(json.dumps([entry]), source="iphi").xml
    )


def test_iphi_is_streamed() -> None:
    class Counting(io.StringIO):
        asked = 0

        def read(self, size: int | None = -1, /) -> str:
            assert size is not None and size > 0, "the whole file was read at once"
            self.asked += 1
            return super().read(size)

    stream = Counting(json.dumps([{"id": n, "text": "δημος " * 2000} for n in range(300)]))
    texts = convert_stream(stream, "iphi")
    next(texts)
    assert stream.asked < 3


@pytest.mark.parametrize(
    "text",
    ["[1, 2]", '{"id": ', "[[[[", '"text"', '{"data": [{"id": 1, "text": "δημος"}]}', "[" * 100_000 + "{"],
)
def test_json_that_is_not_iphi_is_refused(text: str) -> None:
    with pytest.raises(ConversionError):
        convert_text(text + "x", "iphi")


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("2nd c. BC", -200, -101),
        ("ca. 150-200 AD", 150, 200),
        ("347/6 a.", -347, -346),
        ("s. VI a.", -600, -501),
        ("init. s. VI a.", -600, -551),
        ("fin. s. VI/init. s. V a.", -550, -451),
        ("430/410 a.", -430, -410),
        ("AD 43", 43, 43),
        ("50 BC-50 AD", -50, 50),
        ("117-38 AD", 117, 138),
        ("post 450 a.", -450, None),
        ("ante 450 a.", None, -450),
        ("med. s. II p.", 126, 175),
        ("1st half 2nd c. AD", 101, 150),
        ("reign of Hadrian", 117, 138),
        ("Hellenistic period", -323, -31),
        ("undated", None, None),
        ("1st third of the 4th c. BC", -400, -367),
        ("last third 4th c. BC", -333, -301),
        ("2. Jh. v. Chr.", -200, -101),
        ("2 c. AD", 101, 200),
        ("15 Nov. 212 AD", 212, 212),
        ("Aug. 29, 212 AD", 212, 212),
        ("196 AD [set up 205]", 196, 196),
        ("not before 212 AD", 212, None),
        ("not after 212 AD", None, 212),
        ("after 212 and before 230 AD", 212, 230),
        ("21 AD or sh. later", 21, None),
        ("Trajan or Hadrian", 98, 138),
        ("aet. imp. Rom.", -27, 284),
        ("Hell.", -323, -31),
    ],
)
def test_date_in_years(text: str, low: int | None, high: int | None) -> None:
    date = parse_date(text)
    assert (date.not_before, date.not_after) == (low, high)


@pytest.mark.parametrize(
    ("text", "circa"), [("c. AD 150", True), ("ca. 150 AD", True), ("2nd c. AD", False), ("2nd c. a.", False)]
)
def test_circa_is_told_from_a_century(text: str, circa: bool) -> None:
    assert parse_date(text).circa is circa


@pytest.mark.parametrize(
    ("line", "place", "bibliography"),
    [
        ("Att. — Ath.: Agora — 367/6 a. — Agora 19 P5", "Ath.: Agora", ("Agora 19 P5",)),
        ("Att. — Ath.: Agora — Hell. — Agora XV 12", "Ath.: Agora", ("Agora XV 12",)),
        ("Karia — Halikarnassos — Imp. — IK 1", "Halikarnassos", ("IK 1",)),
    ],
)
def test_information_line_with_place(line: str, place: str, bibliography: tuple[str, ...]) -> None:
    metadata = parse_information(line)
    assert (metadata.place, metadata.bibliography) == (place, bibliography)


@pytest.mark.parametrize(
    "header", ["stoich. 28", "~ Att. — Ath. — 450 a.\n~ stoich. 28", "Att. — Ath. — 450 a.\nstoich. 28"]
)
def test_layout_on_a_line_of_its_own_belongs_to_the_header(header: str) -> None:
    converted = convert_one(f"IGTest 5\n{header}\n1 ἔδοξεν\nstoich. 30\nβουλή")
    assert (converted.metadata.title, converted.metadata.layout) == ("IGTest 5", "stoich. 28")
    assert fragment(converted.xml) == 'ἔδοξεν<note>stoich. 30</note>\n<lb n="2"/>βουλή'


def test_information_line_without_place() -> None:
    metadata = parse_information("Att. — [pottery] — c. 2nd a.")
    assert (metadata.region, metadata.place, metadata.object_type) == ("Att.", "", "pottery")
    assert metadata.date is not None and metadata.date.circa


def test_a_cross_reference_is_no_text() -> None:
    converted = convert_one("{²See IGTest I 51.}²")
    assert not converted.has_text
    assert [finding.code for finding in converted.findings] == ["no-text"]


def test_strict_names_the_place() -> None:
    with pytest.raises(ConversionError) as raised:
        convert_text("βουλή\n  δῆμος $", "phi", strict=True)
    assert (raised.value.line, raised.value.column) == (2, 9)


def test_command_writes_one_file_per_text_and_a_report(tmp_path: Path) -> None:
    source = tmp_path / "pasted.txt"
    source.write_text(f"{PASTED}===\nβουλή $\n", encoding="utf-8")
    out = tmp_path / "out"
    result = CliRunner().invoke(
        convert_command, [str(source), "-o", str(out), "--report", str(tmp_path / "report.json")]
    )
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == ["pasted-2.xml", "phi123456.xml"]
    assert f"{source}:10:7 unknown-sign" in result.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["texts"] == 2 and report["counts"]["lost"] == 2
    printed = CliRunner().invoke(leiden_command, [str(out / "phi123456.xml"), "--style", "phi"])
    assert printed.output.splitlines()[0] == "1   [ὑπὲρ τῆ]ς τοῦ κυ[ρίου]"


def test_command_never_overwrites_an_input(tmp_path: Path) -> None:
    source = tmp_path / "text-1.xml"
    source.write_text("βουλή", encoding="utf-8")
    result = CliRunner().invoke(convert_command, [str(source), "--from", "phi", "-o", str(source)])
    assert isinstance(result.exception, ConversionError)
    assert source.read_text(encoding="utf-8") == "βουλή"


def test_command_says_where_bytes_are_no_text(tmp_path: Path) -> None:
    source = tmp_path / "latin1.txt"
    source.write_bytes("βουλή\n".encode() + b"\xe9\n")
    result = CliRunner().invoke(convert_command, [str(source)])
    assert isinstance(result.exception, ConversionError)
    assert result.exception.line == 2


def test_command_says_the_line_of_such_bytes_in_a_long_file(tmp_path: Path) -> None:
    source = tmp_path / "long.txt"
    source.write_bytes("βουλή καὶ δῆμος\n".encode() * 5000 + b"\xe9\n")
    result = CliRunner().invoke(convert_command, [str(source)])
    assert isinstance(result.exception, ConversionError)
    assert result.exception.line == 5001


@pytest.mark.parametrize("target", ["out/text-1.xml", "out"])
def test_command_never_changes_a_file_that_somebody_worked_on(tmp_path: Path, target: str) -> None:
    source, written = tmp_path / "text.txt", tmp_path / "out" / "text-1.xml"
    source.write_text("βουλή", "utf-8")
    command = ["convert", str(source), "-o", str(tmp_path / target)]
    assert CliRunner().invoke(group, command).exit_code == 0
    assert CliRunner().invoke(group, command).exit_code == 0, "the same file again"
    edited = written.read_text("utf-8").replace("βουλή", "βουλαί")
    written.write_text(edited, "utf-8")
    result = CliRunner().invoke(group, command)
    assert result.exit_code and "is there already" in f"{result.stderr} {result.exception}"
    assert written.read_text("utf-8") == edited
    assert CliRunner().invoke(group, [*command, "--overwrite"]).exit_code == 0
    assert "βουλή" in written.read_text("utf-8")


def test_a_broken_input_does_not_keep_the_others_from_being_converted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xe9")
    (tmp_path / "b.txt").write_text(" \n", "utf-8")
    (tmp_path / "c.txt").write_text("βουλή", "utf-8")
    out, report = tmp_path / "out", tmp_path / "reports" / "report.json"
    command = ["convert", str(tmp_path), "-o", str(out), "--report", str(report)]
    result = CliRunner().invoke(group, command)
    assert result.exit_code == 2 and "a.txt:1: The bytes here" in result.stderr
    assert "b.txt: The input holds no text." in result.stderr
    assert [path.name for path in out.iterdir()] == ["c-1.xml"]
    told = json.loads(report.read_text("utf-8"))
    assert told["texts"] == 1 and [Path(each["file"]).name for each in told["failed"]] == ["a.txt", "b.txt"]


def test_several_inputs_need_a_folder(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("βουλή", "utf-8")
    result = CliRunner().invoke(group, ["convert", str(tmp_path)])
    assert isinstance(result.exception, ConversionError) and "folder" in result.exception.message
    assert result.stdout == ""


@pytest.mark.parametrize("source", ["auto", "phi", "leiden", "phi-html", "iphi"])
@pytest.mark.parametrize(
    "start", ['<?xml version="1.0"?>\n<!-- a -->', "\ufeff \n", "<!DOCTYPE TEI SYSTEM 'tei.dtd'>"]
)
def test_xml_is_refused_in_one_sentence(tmp_path: Path, source: str, start: str) -> None:
    file = tmp_path / "decree.xml"
    file.write_text(f'{start}<TEI xmlns="http://www.tei-c.org/ns/1.0"><text>δῆμος</text></TEI>', "utf-8")
    command = [sys.executable, "-m", "pythia_epidoc", "convert", str(file), "--from", source]
    if source != "auto":
        with pytest.raises(ConversionError, match="XML already"):
            convert_text(file.read_text("utf-8"), source)  # type: ignore[arg-type]
        return
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "This is XML already" in done.stderr


def test_a_page_in_xhtml_is_no_xml_to_refuse() -> None:
    (converted,) = convert_text(f'<?xml version="1.0"?>\n<!DOCTYPE html>\n{PAGE}', "auto")
    assert converted.name == "phi77"


def test_the_model_reads_the_converted_file_as_the_corpus_builder_reads_the_same_text(tmp_path: Path) -> None:
    entries = [
        {"id": 5, "text": PASTED.split("\n", 3)[3]},
        {
            "id": 7,
            "text": "[ἔδοξε]ν τῆι βουλῆ̣[ι κ]αὶ ․․5․․ τῶι δή-\nμωι [— — —] Αὐρ(ήλιος) 〚Γέτα〛 βʹ {²⁶δῆμος}²⁶",
        },
        {"id": 8, "text": "δημος και --- # του 0."},
    ]
    dataset = tmp_path / "iphi.json"
    dataset.write_text(json.dumps(entries), "utf-8")
    build([dataset], tmp_path / "data", min_length=1)
    built = {record.id: record.text for record in load(tmp_path / "data", "train")}
    result = CliRunner().invoke(convert_command, [str(dataset), "-o", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    converted = {
        file.stem: Document.open(file).editions[0].reading.letters for file in (tmp_path / "out").iterdir()
    }
    assert built == converted
    assert converted["phi8"] == "δημοσ και --- # του 0"


def test_a_broken_file_does_not_keep_the_others_from_being_printed(tmp_path: Path) -> None:
    for name, text in (("a", "ἔδοξεν</ab>"), ("b", "τῆι βουλῆι</ab>"), ("c", "καὶ τῶι"), ("d", "δήμωι</ab>")):
        (tmp_path / f"{name}.xml").write_text(
            f'<TEI><text><body><div type="edition" xml:lang="grc"><ab>{text}</div></body></text></TEI>'
        )
    result = CliRunner().invoke(group, ["leiden", str(tmp_path)])
    assert result.exit_code == 2 and "c.xml:1:" in result.stderr
    assert [line for line in result.stdout.splitlines() if "===" not in line] == [
        "    ἔδοξεν",
        "",
        "    τῆι βουλῆι",
        "",
        "    δήμωι",
    ]


def test_a_converted_file_can_be_inspected_and_restored(tmp_path: Path) -> None:
    source, target = tmp_path / "pasted.txt", tmp_path / "decree.xml"
    source.write_text("1   ἔδοξεν τῆι [․․6․․] καὶ τῶι\n    δή[μωι — — —]\n", "utf-8")
    CliRunner().invoke(convert_command, [str(source), "-o", str(target)], catch_exceptions=False)
    inspected = CliRunner().invoke(group, ["inspect", str(target), "--json"], catch_exceptions=False)
    (edition,) = json.loads(inspected.output)["editions"]
    found = [(each["kind"], each["text_line"], each["extent"]["words"]) for each in edition["lacunae"]]
    assert found == [("gap", "1", "6 letters"), ("supplied", "2", "3 letters"), ("gap", "2", "unknown")]
    stub = Path(__file__).parent.parent / "run_with_stub.py"
    command = [sys.executable, str(stub), "restore", str(target), "--in-place", "--no-parallels"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "<rdg" in target.read_text("utf-8")


def test_garbage_is_collected_again_after_a_conversion_that_fails() -> None:
    with pytest.raises(ConversionError):
        convert_text("δῆμος ⌘", strict=True)
    assert gc.isenabled()
