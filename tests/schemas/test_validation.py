"""Validation names the element to blame, tells old faults from new ones, and finds the right schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from pythia_epidoc.epidoc import validation
from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.epidoc.validation import Schema, find_schema, load_schema, new_errors, own_schema_path
from pythia_epidoc.errors import ConfigError

GAP = '<gap reason="lost" quantity="5" unit="character"/>'


def edition(text: str, namespace: str = ' xmlns="http://www.tei-c.org/ns/1.0"') -> Document:
    """A bare edition, as some corpora keep them: no header, sometimes no namespace."""
    return Document.from_bytes(f'<div{namespace} type="edition"><ab>\n{text}</ab></div>'.encode())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'α<supplied reason="lost">{GAP}</supplied>', "<gap> may not stand in <supplied>."),
        ('<lb n="1" break="never"/>', 'break="never" on <lb> is not allowed by the schema.'),
        ('<gap reason="lost"/>', "<gap> lacks an attribute, or has a wrong value."),
        ("<choice><reg>α</reg></choice>", "<choice> has content that the schema does not allow."),
        ("<hi><unclear><w>α</w></unclear></hi>", "<w> may not stand in <unclear>."),
    ],
)
def test_names_the_element_to_blame(own_schema: Schema, text: str, message: str) -> None:
    [error] = own_schema.errors(edition(text))
    assert (error.message, error.line) == (message, 2)


def test_finds_every_fault_and_not_only_the_first(own_schema: Schema) -> None:
    text = f'<gap reason="lost"/> <supplied reason="lost">{GAP}</supplied> <lb break="never"/>'
    assert len(own_schema.errors(edition(text))) == 3


def test_an_edition_without_namespace_is_checked_as_tei(own_schema: Schema) -> None:
    assert own_schema.errors(edition(GAP, namespace="")) == []
    assert len(own_schema.errors(edition('<gap reason="lost"/>', namespace=""))) == 1


def test_comments_and_entities_are_no_fault(own_schema: Schema) -> None:
    content = '<!DOCTYPE div [<!ENTITY d "δ">]><div type="edition"><ab><!-- c -->&d;<?x y?></ab></div>'
    assert own_schema.errors(Document.from_bytes(content.encode())) == []


def test_only_new_faults_count(own_schema: Schema) -> None:
    old = '<gap reason="lost"/>'
    spoilt = f'<supplied reason="lost">{GAP}</supplied>'
    assert new_errors(edition(old + GAP), edition(old + "\n\n" + GAP), own_schema) == []
    assert [error.message for error in new_errors(edition(old + GAP), edition(old + spoilt), own_schema)] == [
        "<gap> may not stand in <supplied>."
    ]
    assert len(new_errors(edition(old), edition(old + old), own_schema)) == 1


def test_ours_is_the_last_resort(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(validation, "schema_cache", lambda: tmp_path / "none")
    assert find_schema(edition(GAP)).path == own_schema_path().resolve()


def test_lookup_order_is_explicit_then_document_then_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    grammar = own_schema_path().read_bytes()
    cache = tmp_path / "cache"
    cache.mkdir()
    for name in ("explicit.rng", "own schema.rng", "cache/official.rng"):
        (tmp_path / name).write_bytes(grammar)
    monkeypatch.setattr(validation, "schema_cache", lambda: cache)
    file = tmp_path / "edition.xml"
    file.write_text('<?xml-model href="own%20schema.rng"?><div type="edition"/>', "utf-8")
    document = Document.open(file)
    assert find_schema(document, tmp_path / "explicit.rng").path.name == "explicit.rng"
    assert find_schema(document).path.name == "own schema.rng"
    assert find_schema(edition(GAP)).path.name == "official.rng"


def test_a_remote_schema_is_never_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(validation, "schema_cache", lambda: tmp_path / "none")
    file = tmp_path / "edition.xml"
    file.write_text('<?xml-model href="http://example.org/tei.rng"?><div type="edition"/>', "utf-8")
    assert find_schema(Document.open(file)).path == own_schema_path().resolve()
    remote = tmp_path / "remote.rng"
    remote.write_text(
        '<grammar xmlns="http://relaxng.org/ns/structure/1.0"><include href="http://example.org/tei.rng"/></grammar>',
        "utf-8",
    )
    with pytest.raises(ConfigError, match="save it whole"):
        load_schema(remote)


@pytest.mark.parametrize("content", [None, "<not-well-formed", "<grammar/>"])
def test_a_bad_schema_is_a_clear_error(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "schema.rng"
    if content is not None:
        path.write_text(content, "utf-8")
    with pytest.raises(ConfigError, match="schema"):
        load_schema(path)


def test_the_wheel_carries_our_schema(repository: Path) -> None:
    project = (repository / "pyproject.toml").read_text("utf-8")
    assert '"schemas/pythia-transcription.rng" = "pythia_epidoc/schemas/pythia-transcription.rng"' in project


def test_awkward_editions_raise_nothing(
    own_schema: Schema, official_schema: Schema, shared_dir: Path
) -> None:
    for path in sorted((shared_dir / "fixtures" / "nasty").glob("*.xml")):
        document = Document.open(path)
        for schema in (own_schema, official_schema):
            assert new_errors(document, document, schema) == []
