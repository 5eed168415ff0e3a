"""What a scholar sees without asking the model: lenses, symbols, the tree of lacunae, diagnostics."""

from __future__ import annotations

from typing import Any

from editor_client import GAP, Editor, StartEditor, capabilities, edition, until
from lsprotocol import types

TWO_LINES = edition(
    f'<lb n="1"/>ἔδοξεν τῶι {GAP}·', '<lb n="2"/>καὶ τῆι <supplied reason="lost">βουλῆι</supplied>'
)


async def lenses(editor: Editor) -> list[types.CodeLens]:
    params = types.CodeLensParams(text_document=editor.document)
    return list(await editor.client.text_document_code_lens_async(params) or [])


async def lacunae(editor: Editor) -> Any:
    params = {"textDocument": {"uri": editor.uri}}
    return await editor.client.protocol.send_request_async("pythia/lacunae", params)


async def test_a_lens_offers_to_restore_a_gap_and_says_how_long_it_is(start: StartEditor) -> None:
    editor = await start(TWO_LINES)
    (lens,) = await lenses(editor)
    assert lens.command is not None
    assert lens.command.title == "Restore (5 letters)"
    assert lens.command.command == "pythia.showRestoration"
    assert lens.range.start == editor.at("<gap")


async def test_lenses_can_be_turned_off(start: StartEditor) -> None:
    assert await lenses(await start(TWO_LINES, codeLens=False)) == []


async def test_symbols_list_the_lacunae_under_their_edition(start: StartEditor) -> None:
    editor = await start(TWO_LINES)
    params = types.DocumentSymbolParams(text_document=editor.document)
    (symbol,) = await editor.client.text_document_document_symbol_async(params) or []
    assert isinstance(symbol, types.DocumentSymbol)
    assert (symbol.name, symbol.detail) == ("Edition", "2 lacunae")
    children = symbol.children or []
    assert [child.detail for child in children] == ["line 1, 5 letters", "line 2, 6 letters"]
    assert children[0].name.startswith("ἔδοξεν τῶι [·····]")


async def test_the_tree_tells_the_state_of_each_lacuna(start: StartEditor) -> None:
    editor = await start(TWO_LINES)
    answer = await lacunae(editor)
    rows = [(row.state, row.extent, row.line, row.text) for row in answer.lacunae]
    assert answer.tei
    assert rows == [("open", "5 letters", "1", "[·····]"), ("conjecture", "6 letters", "2", "[βουλῆι]")]


async def test_states_change_with_decisions(start: StartEditor) -> None:
    editor = await start(TWO_LINES)
    position = editor.at("<gap")
    await editor.execute("insert", position=position)
    assert (await lacunae(editor)).lacunae[0].state == "pending"
    await editor.execute("acceptPending", position=editor.at("<gap"), rank=1)
    assert (await lacunae(editor)).lacunae[0].state == "restored"


async def test_other_xml_gets_no_answers(start: StartEditor) -> None:
    text = f"<project><target>{GAP}</target></project>"
    editor = await start(text, uri="file:///inscriptions/build.xml")
    assert not (await lacunae(editor)).tei
    assert await lenses(editor) == []
    assert await editor.complete(editor.at("<gap", 5)) == []
    assert await editor.hover(editor.at("<gap", 5)) is None
    assert await editor.actions(editor.at("<gap", 5)) == []


async def test_broken_xml_is_reported_and_its_lacunae_are_still_found(start: StartEditor) -> None:
    text = TWO_LINES.replace("</supplied>", "")
    editor = await start(text)
    assert [lens.command.title for lens in await lenses(editor) if lens.command] == ["Restore (5 letters)"]
    report = await pull(editor)
    assert any(found.code == "xml" and "Not well-formed" in found.message for found in report)
    assert (await editor.complete(editor.at("<gap", 5)))[0].label == "δήμωι"


async def pull(editor: Editor) -> list[types.Diagnostic]:
    params = types.DocumentDiagnosticParams(text_document=editor.document)
    report = await editor.client.text_document_diagnostic_async(params)
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    return list(report.items)


DOUBTFUL = edition('<lb n="1"/>ἔδοξεν τῶι <gap reason="lost" quantity="5" unit="charcter"/>')


async def test_lint_findings_are_pulled(start: StartEditor) -> None:
    editor = await start(DOUBTFUL)
    (finding,) = await pull(editor)
    assert finding.source == "pythia"
    assert "charcter" in editor.text.splitlines()[finding.range.start.line]


async def test_lint_findings_are_pushed_to_clients_that_cannot_pull(start: StartEditor) -> None:
    editor = await start(DOUBTFUL, client_caps=capabilities(text_document__diagnostic=None))
    await until(lambda: bool(editor.client.diagnostics.get(editor.uri)))
    editor.replace_all(DOUBTFUL.replace("charcter", "character"))
    await until(lambda: not editor.client.diagnostics[editor.uri])


async def test_diagnostics_can_be_left_to_another_extension(start: StartEditor) -> None:
    assert await pull(await start(DOUBTFUL, diagnostics=False)) == []


async def test_a_lint_fix_is_a_code_action(start: StartEditor) -> None:
    editor = await start(DOUBTFUL)
    found = await editor.actions(editor.at("charcter"), only=[types.CodeActionKind.QuickFix])
    assert found and found[0].edit is not None
    edits = (found[0].edit.document_changes or [])[0].edits  # type: ignore[union-attr]
    assert any("character" in edit.new_text for edit in edits if isinstance(edit, types.TextEdit))


async def test_the_editor_is_told_when_lacunae_may_have_changed(start: StartEditor) -> None:
    editor = await start(TWO_LINES)
    await until(lambda: [name for name, _ in editor.client.custom].count("pythia/lacunaeChanged") == 1)
    editor.replace_all(TWO_LINES.replace(GAP, "δήμωι"))
    await until(lambda: [name for name, _ in editor.client.custom].count("pythia/lacunaeChanged") == 2)
