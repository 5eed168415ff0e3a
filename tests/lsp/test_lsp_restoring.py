"""What the model says, and how it gets into the text: completion, hover, actions, commands, panel."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from editor_client import GAP, Editor, StartEditor, apply_item, capabilities, edition, until
from lsprotocol import types
from lxml import etree
from pygls.exceptions import JsonRpcException

from pythia_epidoc.epidoc.document import Document

LINE = f'<lb n="1"/>ἔδοξεν τῶι {GAP}· Χρεμωνίδης εἶπεν'
TEXT = edition(LINE)
CUT = (
    '<lb n="1"/>ἔδοξεν τῶι <gap reason="lost" quantity="3" unit="character"/>',
    '<lb n="2" break="no"/><gap reason="lost" quantity="2" unit="character"/>·',
)
"""One lacuna of five letters on two lines."""
WORDS = [f"{first}{second}" for first in "αβγδ" for second in "αβγδε"]


def well_formed(text: str) -> bool:
    etree.fromstring(text.encode())
    return True


def restored(text: str, word: str) -> bool:
    """The word stands in a `supplied` that says it is uncertain and whose it is."""
    document = Document.from_text(text)
    return any(
        element.get("cert") == "low"
        and element.get("resp").startswith("#")
        and text[element.open_end :].startswith(word)
        for element in document.tree.root.iter("supplied")
    )


# -- completion ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shift", [1, 5, len(GAP) - 1, len(GAP)], ids=["tag", "attributes", "end", "right after"]
)
async def test_hypotheses_complete_a_gap(start: StartEditor, shift: int) -> None:
    editor = await start(TEXT)
    items = await editor.complete(editor.at(GAP, shift))
    best = items[0]
    assert [item.label for item in items[:2]] == ["δήμωι", "δῆμος"]
    assert best.label_details is not None and best.label_details.description == "70 %"
    assert best.filter_text == GAP
    after = apply_item(TEXT, best)
    assert well_formed(after) and restored(after, "δήμωι")
    assert 'xml:id="pythia"' in after, "the model is registered in the header"


@pytest.mark.parametrize(
    "place", ["ἔδοξεν", "<lb", "εἶπεν", "<title"], ids=["text", "line break", "after", "header"]
)
async def test_nothing_completes_elsewhere(start: StartEditor, place: str) -> None:
    editor = await start(TEXT)
    assert await editor.complete(editor.at(place, 1)) == []


async def test_no_character_triggers_completion(start: StartEditor) -> None:
    editor = await start(TEXT)
    capabilities = editor.client.init_result.capabilities
    assert not capabilities.completion_provider.trigger_characters


async def test_a_tag_being_typed_is_left_to_other_completions(start: StartEditor) -> None:
    editor = await start(edition('<lb n="1"/>ἔδοξεν τῶι <gap reason="lost" quanti'))
    assert await editor.complete(editor.at("quanti", 6)) == []


async def test_letters_typed_in_a_supplied_are_kept(start: StartEditor) -> None:
    editor = await start(edition('<lb n="1"/>ἔδοξεν τῶι <supplied reason="lost">δημ</supplied>·'))
    items = await editor.complete(editor.at("</supplied>"))
    assert [item.label for item in items] == ["δήμωι", "δῆμος"]
    assert restored(apply_item(editor.text, items[0]), "δήμωι")


async def test_markup_over_several_lines_is_replaced_as_a_whole(start: StartEditor) -> None:
    gap = '<gap reason="lost"\n     quantity="5"\n     unit="character"/>'
    editor = await start(edition(f'<lb n="1"/>ἔδοξεν τῶι {gap}·'))
    item = (await editor.complete(editor.at("quantity")))[0]
    assert isinstance(item.text_edit, types.TextEdit)
    span = item.text_edit.range
    assert span.start.line == span.end.line, "editors refuse completions over several lines"
    after = apply_item(editor.text, item)
    assert well_formed(after) and restored(after, "δήμωι")


async def test_between_the_parts_of_a_lacuna_nothing_completes(start: StartEditor) -> None:
    editor = await start(edition(*CUT))
    for shift in (2, 5):
        assert await asyncio.wait_for(editor.complete(editor.at('<lb n="2"', shift)), 20) == []
    assert await editor.complete(editor.at("·"))


async def test_resolving_shows_the_line_in_leiden_notation(start: StartEditor) -> None:
    editor = await start(TEXT)
    item = (await editor.complete(editor.at(GAP, 5)))[1]
    resolved = await editor.client.completion_item_resolve_async(item)
    assert isinstance(resolved.documentation, types.MarkupContent)
    shown = resolved.documentation.value
    assert "ἔδοξεν τῶι \\[**δῆμος**\\]· Χρεμωνίδης εἶπεν" in shown
    assert "21 %" in shown
    assert "δημοσ" in shown


async def test_completion_can_be_turned_off(start: StartEditor) -> None:
    editor = await start(TEXT, completion=False)
    assert await editor.complete(editor.at(GAP, 5)) == []


async def test_accents_can_be_left_off(start: StartEditor) -> None:
    editor = await start(TEXT, accents=False)
    assert [item.label for item in await editor.complete(editor.at(GAP, 5))][:2] == ["δημωι", "δημος"]


# -- hover --------------------------------------------------------------------------------------


async def test_hover_on_a_gap_shows_a_table_of_hypotheses(start: StartEditor) -> None:
    editor = await start(TEXT)
    text = await editor.hover(editor.at("<gap", 3))
    assert text is not None
    assert "**line 1, 5 letters**" in text
    assert "τῶι \\[**δήμωι**\\]·" in text
    assert "| 1 | **δήμωι** | 70 % |" in text
    assert "Pythia (test)" in text


async def test_hover_on_a_supplied_ranks_the_conjecture_and_names_rivals(start: StartEditor) -> None:
    editor = await start(edition('<lb n="1"/>ἔδοξεν τῶι <supplied reason="lost">θεοῖς</supplied>·'))
    text = await editor.hover(editor.at("θεοῖς", 2))
    assert text is not None
    assert "**θεοῖς** is no. 5 (0.6 %); better: δήμωι, δῆμος, οντος." in text


async def test_hover_agrees_with_a_conjecture_that_ranks_first(start: StartEditor) -> None:
    editor = await start(edition('<lb n="1"/>ἔδοξεν τῶι <supplied reason="lost">δήμωι</supplied>·'))
    text = await editor.hover(editor.at("δήμωι", 2))
    assert text is not None and "**δήμωι** is no. 1 (70 %): the model agrees." in text


async def test_hover_elsewhere_says_nothing(start: StartEditor) -> None:
    editor = await start(TEXT)
    assert await editor.hover(editor.at("ἔδοξεν", 2)) is None


# -- code actions and commands --------------------------------------------------------------------


async def titles(editor: Editor, place: str) -> list[str]:
    return [action.title for action in await editor.actions(editor.at(place, 2))]


async def test_actions_name_the_hypotheses_and_the_forms(start: StartEditor) -> None:
    editor = await start(TEXT)
    assert await titles(editor, "<gap") == [
        "Pythia: Accept “δήμωι” (70 %)",
        "Pythia: Accept “δῆμος” (21 %)",
        "Pythia: Accept “οντος” (6.3 %)",
        "Pythia: Accept “ουλευ” (1.9 %)",
        "Pythia: Accept “θεοῖς” (0.6 %)",
        "Pythia: Insert alternatives",
        "Pythia: Insert alternatives in an apparatus",
        "Pythia: Restore the whole document",
    ]


async def test_actions_asked_for_by_a_moving_cursor_do_not_trouble_the_model(start: StartEditor) -> None:
    editor = await start(TEXT, model="deaf")
    context = types.CodeActionContext(diagnostics=[], trigger_kind=types.CodeActionTriggerKind.Automatic)
    span = types.Range(start=editor.at("<gap"), end=editor.at("<gap"))
    params = types.CodeActionParams(text_document=editor.document, range=span, context=context)
    found = await editor.client.text_document_code_action_async(params) or []
    assert found[0].title == "Pythia: Accept the best restoration"


async def test_accepting_writes_the_hypothesis_of_that_rank(start: StartEditor) -> None:
    editor = await start(TEXT)
    after = await editor.execute("accept", position=editor.at("<gap"), rank=2)
    assert well_formed(after) and restored(after, "δῆμος")


@pytest.mark.parametrize("command", ["accept", "acceptPending"])
async def test_what_was_suggested_for_another_text_is_not_accepted(start: StartEditor, command: str) -> None:
    editor = await start(TEXT)
    if command == "acceptPending":
        await editor.execute("insert", position=editor.at("<gap"))
    before = editor.text
    place = editor.at("<gap")
    assert await editor.execute(command, position=place, rank=1, text="δῆμος") == before
    await until(lambda: bool(editor.client.messages))
    assert "no. 1 is not “δῆμος” any more" in editor.client.messages[-1].message
    assert restored(await editor.execute(command, position=place, rank=2, text="δῆμος"), "δῆμος")


async def test_nothing_is_written_into_a_text_that_was_changed_meanwhile(start: StartEditor) -> None:
    editor = await start(edition(*(f"ἔδοξεν {word} {GAP}" for word in WORDS)), model="slow")
    restoring = asyncio.ensure_future(editor.execute("restoreDocument"))
    await until(lambda: any(getattr(news, "state", "") == "busy" for _, news in editor.client.custom))
    editor.change(editor.at("ἔδοξεν"), editor.at("ἔδοξεν"), "καὶ ")
    await restoring
    await until(lambda: bool(editor.client.messages))
    assert "changed meanwhile" in editor.client.messages[-1].message
    assert editor.client.edits == []


async def test_alternatives_leave_the_gap_and_can_be_decided_on(start: StartEditor) -> None:
    editor = await start(TEXT, alternatives=2)
    after = await editor.execute("insert", position=editor.at("<gap"))
    assert well_formed(after) and GAP in after and after.count("<rdg") == 2
    assert await titles(editor, "<gap") == [
        "Pythia: Accept “δήμωι” (70 %)",
        "Pythia: Accept “δῆμος” (21 %)",
        "Pythia: Reject the suggestions",
        "Pythia: Remove machine suggestions",
    ]
    assert await editor.execute("rejectPending", position=editor.at("<gap")) == TEXT


async def test_alternatives_can_stand_in_an_apparatus(start: StartEditor) -> None:
    editor = await start(TEXT)
    after = await editor.execute("insert", position=editor.at("<gap"), form="standoff")
    assert well_formed(after) and '<div type="apparatus" subtype="machine">' in after


@pytest.mark.parametrize("form", ["inline", "standoff"])
async def test_a_restored_document_is_stripped_to_the_very_same_text(
    start: StartEditor, decree: str, form: str
) -> None:
    editor = await start(decree, form=form)
    after = await editor.execute("restoreDocument")
    assert well_formed(after) and after != decree
    assert await editor.execute("strip") == decree


async def test_an_accepted_restoration_can_be_taken_back(start: StartEditor) -> None:
    editor = await start(TEXT)
    await editor.execute("accept", position=editor.at("<gap"), rank=1)
    assert await editor.execute("strip") == TEXT


async def test_restoring_a_folder_changes_files_on_disk_and_open_ones_in_the_editor(
    start: StartEditor, tmp_path: Any
) -> None:
    (tmp_path / "a.xml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "open.xml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "other.xml").write_text("<project/>", encoding="utf-8")
    (tmp_path / "broken.xml").write_text("<TEI", encoding="utf-8")
    (tmp_path / ".history").mkdir()
    (tmp_path / ".history" / "a.xml").write_text(TEXT, encoding="utf-8")
    editor = await start(TEXT, uri=(tmp_path / "open.xml").as_uri().replace("open", "%6Fpen"))
    editor.uri, open_uri = tmp_path.as_uri(), editor.uri
    await editor.client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="pythia.server.restoreFolder", arguments=[{"uri": editor.uri}])
    )
    editor.uri = open_uri
    assert "<rdg" in (tmp_path / "a.xml").read_text(encoding="utf-8")
    assert (tmp_path / "open.xml").read_text(encoding="utf-8") == TEXT
    assert (tmp_path / ".history" / "a.xml").read_text(encoding="utf-8") == TEXT
    assert len(editor.client.edits) == 1
    assert (tmp_path / "other.xml").read_text(encoding="utf-8") == "<project/>"
    await until(lambda: bool(editor.client.messages))
    assert "2 of 4 files were given suggestions; 1 could not be read" in editor.client.messages[-1].message


async def test_a_folder_that_is_stopped_says_how_many_files_were_changed(
    start: StartEditor, tmp_path: Any
) -> None:
    for number in range(30):
        text = TEXT.replace("Χρεμωνίδης", "α" * (number + 1))
        (tmp_path / f"{number:02}.xml").write_text(text, encoding="utf-8")
    editor = await start(TEXT, model="slow")
    params = types.ExecuteCommandParams(
        command="pythia.server.restoreFolder", arguments=[{"uri": tmp_path.as_uri()}]
    )
    restoring = asyncio.wrap_future(
        editor.client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="folder")
    )
    await until(lambda: "<rdg" in (tmp_path / "02.xml").read_text(encoding="utf-8"))
    editor.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(id="folder"))
    with pytest.raises(JsonRpcException):
        await restoring
    await until(lambda: bool(editor.client.messages))
    changed = sum("<rdg" in path.read_text(encoding="utf-8") for path in tmp_path.iterdir())
    assert [message.message for message in editor.client.messages] == [
        f"Stopped; {changed} of 30 files were given suggestions."
    ]


# -- the panel ------------------------------------------------------------------------------------


async def panel(editor: Editor, method: str, place: str, **more: Any) -> Any:
    position = editor.at(place)
    params = {
        "textDocument": {"uri": editor.uri},
        "position": {"line": position.line, "character": position.character},
        **more,
    }
    return await editor.client.protocol.send_request_async(method, params)


async def test_the_panel_gets_hypotheses_and_a_weight_for_every_sign(start: StartEditor) -> None:
    editor = await start(TEXT)
    answer = await panel(editor, "pythia/restoration", "<gap")
    assert [row.text for row in answer.hypotheses[:2]] == ["δήμωι", "δῆμος"]
    assert (answer.leiden.before, answer.leiden.after) == ("ἔδοξεν τῶι [", "]· Χρεμωνίδης εἶπεν")
    evidence = answer.evidence
    assert len(evidence.signs) == len(evidence.weights)
    assert "".join(evidence.signs[evidence.lacunaStart : evidence.lacunaEnd]) == "δήμωι"
    assert answer.parallels is None


async def test_the_panel_asks_again_for_another_hypothesis(start: StartEditor) -> None:
    editor = await start(TEXT)
    answer = await panel(editor, "pythia/evidence", "<gap", rank=2)
    evidence = answer.evidence
    assert "".join(evidence.signs[evidence.lacunaStart : evidence.lacunaEnd]) == "δῆμος"


async def test_the_panel_is_told_when_there_is_nothing_to_restore(start: StartEditor) -> None:
    editor = await start(TEXT)
    assert await panel(editor, "pythia/restoration", "ἔδοξεν") is None


# -- off by default -------------------------------------------------------------------------------


async def hints(editor: Editor) -> list[types.InlayHint]:
    span = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=50, character=0))
    params = types.InlayHintParams(text_document=editor.document, range=span)
    return list(await editor.client.text_document_inlay_hint_async(params) or [])


async def test_inlay_hints_show_what_is_known_and_compute_nothing(start: StartEditor) -> None:
    refreshes = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    editor = await start(TEXT, inlayHints=True, client_caps=capabilities(workspace__inlay_hint=refreshes))
    assert await hints(editor) == []
    refreshed = editor.client.inlay_hint_refresh_count
    await editor.hover(editor.at("<gap", 3))
    await until(lambda: editor.client.inlay_hint_refresh_count > refreshed)
    (hint,) = await hints(editor)
    assert hint.label == "δήμωι 70 %"


async def test_inlay_hints_are_off_by_default(start: StartEditor) -> None:
    editor = await start(TEXT)
    await editor.hover(editor.at("<gap", 3))
    assert await hints(editor) == []


async def ghost(editor: Editor, position: types.Position | None = None) -> types.InlineCompletionItem | None:
    context = types.InlineCompletionContext(trigger_kind=types.InlineCompletionTriggerKind.Automatic)
    params = types.InlineCompletionParams(
        text_document=editor.document, position=position or editor.at(GAP, len(GAP)), context=context
    )
    found = await editor.client.text_document_inline_completion_async(params)
    return found.items[0] if isinstance(found, types.InlineCompletionList) else None


async def test_ghost_text_becomes_the_same_as_an_accepted_restoration(start: StartEditor) -> None:
    editor = await start(TEXT, ghostText=True)
    item = await ghost(editor)
    assert item is not None and item.command is not None
    position = editor.at(GAP)
    editor.replace_all(TEXT.replace(GAP, GAP + str(item.insert_text)))
    inserted = item.command.arguments[0]["inserted"]
    after = await editor.execute("finishGhost", position=position, inserted=inserted)
    assert GAP not in after.replace(f"instead of {GAP}", "")
    assert well_formed(after) and restored(after, "δήμωι")
    assert await editor.execute("strip") == TEXT


async def test_a_lacuna_cut_by_a_line_break_has_no_ghost_text(start: StartEditor) -> None:
    editor = await start(edition(*CUT), ghostText=True)
    for place in ('\n<lb n="2"', "·"):
        assert await ghost(editor, editor.at(place)) is None


async def test_a_gap_without_its_ghost_text_behind_it_stays(start: StartEditor) -> None:
    editor = await start(TEXT, ghostText=True)
    item = await ghost(editor)
    assert item is not None and item.command is not None
    inserted = str(item.insert_text)
    assert await editor.execute("finishGhost", position=editor.at(GAP), inserted=inserted) == TEXT
    assert editor.client.edits == []


async def test_ghost_text_is_off_by_default(start: StartEditor) -> None:
    assert await ghost(await start(TEXT)) is None
