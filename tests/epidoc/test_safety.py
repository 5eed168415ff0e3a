"""A file from a stranger cannot read other files, hang, fill the memory or crash the program."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pythia_epidoc.epidoc import source
from pythia_epidoc.epidoc.document import MAX_TAGS, Document
from pythia_epidoc.epidoc.tokens import MAX_DEPTH, tokenise_broken
from pythia_epidoc.errors import DocumentError
from pythia_epidoc.lint import lint

EDITION = '<div type="edition" xml:lang="grc"><ab>{}</ab></div>'


def declared(entities: str, content: str = "&a;") -> bytes:
    return f"<!DOCTYPE div [\n{entities}\n]>\n{EDITION.format(content)}".encode()


LAUGHS = "\n".join(['<!ENTITY a0 "lol">', *(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))])

# name, bytes, line that the error names, words that it holds
DANGERS = [
    ("external entity", declared('<!ENTITY a SYSTEM "file:///etc/passwd">'), 2, "another file"),
    ("public entity", declared('<!ENTITY a PUBLIC "x" "http://example.org/a">'), 2, "another file"),
    ("parameter entity", declared("<!ENTITY % a \"<!ENTITY b 'x'>\"> %a;", "&b;"), 2, "parameter entity"),
    ("external parameter entity", declared('<!ENTITY % a SYSTEM "a.dtd"> %a;', ""), 2, "another file"),
    ("exponential entities", declared(LAUGHS, "&a11;"), None, "expands to more than"),
    (
        "one long entity, often",
        declared(f'<!ENTITY a "{"α" * 9000}">', "&a;" * 1000),
        4,
        "entities stand for",
    ),
    ("markup in an entity", declared('<!ENTITY a "<gap/>">'), 2, "markup"),
    ("deep nesting", b"<a>" * 100_000 + b"</a>" * 100_000, 1, f"more than {MAX_DEPTH} deep"),
    ("NUL", EDITION.format("δῆ\0μος").encode(), 1, "NUL"),
    ("NUL far down", EDITION.format("\n\nδῆ\0μος").encode(), 3, "NUL"),
    ("empty", b"", 1, "empty"),
    ("only blanks", b" \n\t ", 1, "empty"),
    ("a picture", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe", 1, ""),
    ("no markup", "ἔδοξεν".encode(), 1, "Not well-formed"),
    ("unclosed", b"<div>\n<ab>", 2, "Not well-formed"),
    (
        "a merge conflict",
        b"<div>\n<<<<<<< HEAD\n<ab/>\n=======\n>>>>>>> mine\n</div>",
        2,
        "conflict of versions",
    ),
    ("a control character", EDITION.format("\x0b").encode(), 1, "control character (number 11)"),
    ("a long text", EDITION.format("α" * 11_000_000).encode(), 1, "ten million"),
    ("-- in a comment", EDITION.format("<!-- a -- b -->").encode(), 1, "a comment holds --"),
    ("a second declaration", b'\n<?xml version="1.0"?><a/>', 2, "may only begin a file"),
    ("stray entity", EDITION.format("&nbsp;").encode(), 1, "nbsp"),
    ("Latin-1 bytes in UTF-8", EDITION.format("\ncaf").encode() + b"\xe9", 2, "UTF-8"),
    (
        "UTF-16 declared, UTF-8 written",
        b'<?xml version="1.0" encoding="UTF-16"?><a/>',
        1,
        "not written in it",
    ),
    (
        "Latin-1 declared, UTF-8 written",
        f'<?xml version="1.0" encoding="ISO-8859-1"?>{EDITION.format("δῆμος")}'.encode(),
        1,
        "but is written in UTF-8",
    ),
    ("unknown encoding", b'<?xml version="1.0" encoding="klingon"?><a/>', 1, "unknown encoding"),
    ("an encoding that is none", b'<?xml version="1.0" encoding="hex"?><a/>', 1, "not a text encoding"),
    ("an encoding of names", b'<?xml version="1.0" encoding="idna"?><a>' + b"a" * 99 + b"</a>", 1, "save"),
    ("a stateful encoding", b'<?xml version="1.0" encoding="utf-7"?><a>+A7E-</a>', 1, "save"),
]


@pytest.mark.parametrize(("name", "data", "line", "words"), DANGERS, ids=[row[0] for row in DANGERS])
def test_a_dangerous_file_is_one_clear_error(
    name: str, data: bytes, line: int | None, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "danger.xml"
    file.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        Document.open(file)
    assert words in str(caught.value)
    assert str(file) in str(caught.value)
    assert caught.value.line is not None
    assert line in (None, caught.value.line)
    assert file.read_bytes() == data
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="folder"):
        Document.open(tmp_path)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="no such file"):
        Document.open(tmp_path / "missing.xml")


def test_no_permission_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret.xml"
    file.write_bytes(b"<a/>")

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(DocumentError, match="No permission"):
        Document.open(file)


def test_a_file_of_200_megabytes_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "huge.xml"
    with file.open("wb") as stream:
        stream.truncate(200_000_000)
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail("it was read"))
    with pytest.raises(DocumentError, match="200 MB"):
        Document.open(file)


def test_a_device_or_pipe_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="not a regular file"):
        Document.open("/dev/zero")


def test_too_many_tags_are_refused() -> None:
    data = b"<a>" + b"<b/>" * (MAX_TAGS + 1) + b"</a>"
    with pytest.raises(DocumentError, match="tags"):
        Document.from_bytes(data)
    assert len(data) < source.MAX_BYTES


def test_an_external_dtd_is_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "tei.dtd").write_text('<!ENTITY demos "δῆμος">')
    file = tmp_path / "p4.xml"
    file.write_text(
        '<!DOCTYPE TEI.2 SYSTEM "tei.dtd"><TEI.2><text><body><p>ὁ &demos;</p></body></text></TEI.2>'
    )
    assert Document.open(file).editions[0].reading.letters == "ο"


def test_a_text_being_typed_may_hold_any_danger() -> None:
    for _, data, _, _ in DANGERS:
        document = Document.from_text(data.decode("latin-1"))
        for edition in document.editions:
            assert edition.reading is not None
        assert document.lacunae is not None


def _work(action: Callable[[], object]) -> int:
    """Lines of Python executed and objects made: a measure that does not depend on the machine's load."""
    steps = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal steps
        steps += 1
        return trace

    gc.collect()
    before = len(gc.get_objects())
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        result = action()
    finally:
        sys.settrace(None)
    steps += len(gc.get_objects()) - before
    del result
    return steps


FLOODS = {
    "unclosed comments": "<!--",
    "unclosed CDATA": "<![CDATA[",
    "unclosed instructions": "<?x ",
    "unclosed attribute values": '<a "',
    "unclosed tags": "<a b='c' ",
    "lone brackets": "< ",
    "unclosed elements": "<a>",
    "stray end tags": "</a>",
    "elements closed by others": "<a><b></a>",
    "stray end tags in deep elements": "<a></b>",
    "doctypes": "<!DOCTYPE a [ <!-- ",
    "references": "&a",
    "gaps": "<gap reason='lost' extent='unknown'/>",
    "gaps with lines": "<gap reason='lost' extent='unknown'/><lb n='1' break='no'/>",
    "lines of a word": "α<lb n='1'/>",
    "numerals with lines": "<num>ι<lb n='1' break='no'/>β</num>",
    "glyphs": "<g/>",
    "look-alikes": "o<unclear>o</unclear>",
    "combining marks": "α\u0323",
}


@pytest.mark.parametrize("name", FLOODS)
def test_work_on_a_broken_text_grows_no_faster_than_the_text(name: str) -> None:
    def read(count: int) -> Callable[[], object]:
        def action() -> object:
            document = Document.from_text('<div type="edition"><ab>' + FLOODS[name] * count)
            return [edition.reading.starts for edition in document.editions], document.lacunae

        return action

    read(10)()
    small, large = _work(read(400)), _work(read(1600))
    assert large < 6 * small + 2000


@pytest.mark.parametrize("name", FLOODS)
def test_lint_of_a_broken_text_grows_no_faster_than_the_text(name: str) -> None:
    def check(count: int) -> Callable[[], object]:
        return lambda: lint(Document.from_text('<div type="edition"><ab><w>' + FLOODS[name] * count))

    check(10)()
    small, large = _work(check(100)), _work(check(400))
    assert large < 6 * small + 2000


@pytest.mark.parametrize("name", FLOODS)
def test_a_long_broken_text_is_cut_without_backtracking(name: str) -> None:
    tokens = tokenise_broken("<!DOCTYPE a [" + FLOODS[name] * 100_000)
    assert tokens.offsets[-1] == len("<!DOCTYPE a [" + FLOODS[name] * 100_000)


@pytest.mark.parametrize("name", [name for name in FLOODS if name.startswith("unclosed")])
def test_a_long_broken_file_is_refused_without_backtracking(name: str) -> None:
    with pytest.raises(DocumentError, match="Not well-formed"):
        Document.from_bytes(b"<a>" + FLOODS[name].encode() * 100_000)


@pytest.mark.parametrize("prolog", ["<!-- -", "<?a ?", " ", "<!DOCTYPE", "<?a?><!---->"])
def test_a_long_prolog_is_cut_without_backtracking(prolog: str) -> None:
    text = prolog * 50_000 + "<a/>"
    assert tokenise_broken(text).offsets[-1] == len(text)


def test_a_huge_attribute_is_read() -> None:
    document = Document.from_text(f'<ab n="{"x" * 1_000_000}">δῆμος</ab>')
    assert document.editions[0].reading.letters == "δημοσ"


def test_deep_nesting_being_typed_is_kept_flat() -> None:
    document = Document.from_text("<ab>" + "<seg>" * 100_000 + "δῆμος" + "</seg>" * 100_000 + "καί</ab>")
    assert document.editions[0].reading.letters == "δημοσκαι"
    assert document.tree.root.end == len(document.text)
