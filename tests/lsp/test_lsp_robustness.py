"""What must not go wrong: encodings, odd characters, cancellation, failing models, bad settings, load."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from editor_client import GAP, Editor, StartEditor, capabilities, edition, until
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound
from pygls.workspace import PositionCodec
from pytest_lsp import LanguageClient
from pythia_epidoc_lsp.convert import Positions
from pythia_epidoc_lsp.texts import ProtocolText

LINE = f'<lb n="1"/>ἔδοξεν τῶι {GAP}·'
TEXT = edition(LINE)

# -- positions ------------------------------------------------------------------------------------

ASTRAL = "\U00010143"
"""An acrophonic numeral: outside the basic plane, two units in UTF-16."""
UNITS = {
    "utf-8": lambda text: len(text.encode()),
    "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
    "utf-32": len,
}


@pytest.mark.parametrize("encoding", UNITS)
@pytest.mark.parametrize(
    "before",
    ["", f"{ASTRAL} ", "α\u0323\u0301ω ", "δή\u2028", "\u0085", "a\x0cb"],
    ids=["plain", "astral", "combining", "U+2028", "U+0085", "form feed"],
)
async def test_positions_count_in_the_units_of_the_client(
    start: StartEditor, encoding: str, before: str
) -> None:
    caps = capabilities(general__position_encodings=[types.PositionEncodingKind(encoding)])
    editor = await start(edition(f"<lb n='1'/>{before}ἔδοξεν τῶι {GAP}"), client_caps=caps)
    line = f"<lb n='1'/>{before}ἔδοξεν τῶι "
    position = types.Position(line=4, character=UNITS[encoding](line) + 3)
    (item, *_) = await editor.complete(position)
    assert item.text_edit.range.start == types.Position(line=4, character=UNITS[encoding](line))
    assert item.text_edit.range.end.character == UNITS[encoding](line + GAP)


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\x0b"], ids=["U+2028", "U+0085", "vertical tab"])
async def test_changes_after_odd_line_separators_land_in_the_right_place(
    start: StartEditor, separator: str
) -> None:
    editor = await start(edition(f"<!-- a{separator}b -->", LINE))
    gap = types.Position(line=5, character=LINE.index("<gap"))
    end = types.Position(line=5, character=LINE.index("<gap") + len(GAP))
    editor.change(gap, end, '<gap reason="lost" quantity="6" unit="character"/>')
    params = types.CodeLensParams(text_document=editor.document)
    (lens,) = await editor.client.text_document_code_lens_async(params) or []
    assert lens.command is not None and lens.command.title == "Restore (6 letters)"


@pytest.mark.parametrize("line_end", ["\r\n", "\r"], ids=["CRLF", "CR"])
async def test_other_line_ends_are_kept(start: StartEditor, line_end: str) -> None:
    text = TEXT.replace("\n", line_end)
    editor = await start(text)
    (item, *_) = await editor.complete(types.Position(line=4, character=LINE.index("<gap") + 4))
    positions = Positions(text)
    start_offset, end_offset = positions.offsets(item.text_edit.range)
    assert text[start_offset:end_offset] == GAP
    for extra in item.additional_text_edits:
        bare = extra.new_text.replace(line_end, "")
        assert "\n" not in bare and "\r" not in bare


def _edits() -> st.SearchStrategy[list[tuple[types.Range, str]]]:
    pieces = st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "\u2028", ASTRAL, "α\u0301"]), max_size=6)
    places = st.builds(types.Position, line=st.integers(0, 6), character=st.integers(0, 8))
    spans = st.lists(places, min_size=2, max_size=2).map(sorted).map(lambda ends: types.Range(*ends))
    return st.lists(st.tuples(spans, pieces.map("".join)), min_size=1, max_size=5)


@pytest.mark.parametrize("encoding", UNITS)
@given(edits=_edits())
def test_many_changes_at_once_are_the_same_as_one_by_one(
    encoding: str, edits: list[tuple[types.Range, str]]
) -> None:
    kind = types.PositionEncodingKind(encoding)
    text, expected = ProtocolText("file:///a.xml", "", 0, position_codec=PositionCodec(kind)), ""
    for span, new in edits:
        begin, end = Positions(expected, kind).offsets(span)
        expected = expected[:begin] + new + expected[end:]
        text.apply_change(types.TextDocumentContentChangePartial(range=span, text=new))
    assert text.source == expected


# -- cancellation ---------------------------------------------------------------------------------


async def hover_request(editor: Editor) -> tuple[asyncio.Future[Any], str]:
    params = types.HoverParams(text_document=editor.document, position=editor.at("<gap", 3))
    identifier = f"hover-{time.monotonic_ns()}"
    future = asyncio.wrap_future(
        editor.client.protocol.send_request(types.TEXT_DOCUMENT_HOVER, params, msg_id=identifier)
    )
    return future, identifier


async def busy(editor: Editor) -> None:
    await until(
        lambda: any(name == "pythia/status" and news.state == "busy" for name, news in editor.client.custom)
    )


async def test_a_cancelled_request_stops_the_model(start: StartEditor) -> None:
    editor = await start(TEXT, model="stuck")
    future, identifier = await hover_request(editor)
    await busy(editor)
    editor.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(id=identifier))
    with pytest.raises(JsonRpcException):
        await asyncio.wait_for(future, 10)
    await until(lambda: editor.client.custom[-1][1].state == "idle")


async def test_typing_cancels_what_was_asked_about_the_old_text(start: StartEditor) -> None:
    editor = await start(TEXT, model="stuck")
    future, _ = await hover_request(editor)
    await busy(editor)
    editor.replace_all(TEXT.replace("ἔδοξεν", "ἔδοξε"))
    with pytest.raises(JsonRpcException):
        await asyncio.wait_for(future, 10)


async def test_a_newer_question_replaces_the_older(start: StartEditor) -> None:
    editor = await start(TEXT, model="stuck")
    first, _ = await hover_request(editor)
    await busy(editor)
    second, identifier = await hover_request(editor)
    with pytest.raises(JsonRpcException):
        await asyncio.wait_for(first, 10)
    editor.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(id=identifier))
    with pytest.raises(JsonRpcException):
        await asyncio.wait_for(second, 10)


async def test_everything_else_is_answered_while_the_model_computes(start: StartEditor) -> None:
    editor = await start(TEXT, model="stuck")
    future, identifier = await hover_request(editor)
    await busy(editor)
    params = types.CodeLensParams(text_document=editor.document)
    lenses = await asyncio.wait_for(editor.client.text_document_code_lens_async(params), 10)
    assert lenses and not future.done()
    editor.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(id=identifier))
    with pytest.raises(JsonRpcException):
        await future


@pytest.mark.parametrize("way", ["progress", "request"])
async def test_a_command_shows_progress_and_can_be_stopped(start: StartEditor, decree: str, way: str) -> None:
    editor = await start(decree, model="stuck")
    params = types.ExecuteCommandParams(
        command="pythia.server.restoreDocument", arguments=[{"uri": editor.uri}]
    )
    identifier = f"restore-{way}"
    future = asyncio.wrap_future(
        editor.client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id=identifier)
    )
    await busy(editor)
    token, (begin, *_) = next(
        (token, reports)
        for token, reports in reversed(editor.client.progress_reports.items())
        if reports[0].title == "Restoring 3 lacunae"
    )
    assert begin.cancellable
    if way == "progress":
        editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=token))
        await asyncio.wait_for(future, 10)
    else:
        editor.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(id=identifier))
        with pytest.raises(JsonRpcException):
            await asyncio.wait_for(future, 10)
    await until(lambda: any("nothing was changed" in message.message for message in editor.client.messages))
    assert editor.client.edits == []
    assert editor.client.progress_reports[token][-1].kind == "end"


# -- a failing model --------------------------------------------------------------------------------


def model_processes(editor: Editor) -> list[int]:
    """The process ids of the models that this editor's server has started."""
    proc = Path("/proc")
    if not proc.is_dir():
        pytest.skip("needs /proc to find the model's process")
    found = []
    for folder in proc.iterdir():
        if folder.name.isdigit() and is_running(int(folder.name)):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if (
                parent == editor.client._server.pid
                and b"pythia_epidoc_lsp.worker" in (folder / "cmdline").read_bytes()
            ):
                found.append(int(folder.name))
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_a_killed_model_process_is_started_again(start: StartEditor) -> None:
    editor = await start(TEXT, beam=99)
    assert await editor.hover(editor.at("<gap", 3))
    (process,) = model_processes(editor)
    os.kill(process, signal.SIGKILL)
    editor.replace_all(TEXT.replace("ἔδοξεν", "ἔδοξε"))
    assert await editor.hover(editor.at("<gap", 3))


async def test_a_model_that_keeps_dying_is_one_message(start: StartEditor) -> None:
    editor = await start(TEXT, model="dies")
    assert await editor.hover(editor.at("<gap", 3)) is None
    assert await editor.hover(editor.at("<gap", 3)) is None
    assert [message.message for message in editor.client.messages] == [
        "The model is not available: The model’s process ended twice in a row; see the log."
    ]
    params = types.CodeLensParams(text_document=editor.document)
    assert await editor.client.text_document_code_lens_async(params)


async def test_a_damaged_checkpoint_is_one_message(start: StartEditor) -> None:
    editor = await start(TEXT, model="damaged")
    assert await editor.complete(editor.at("<gap", 3)) == []
    assert await editor.hover(editor.at("<gap", 3)) is None
    assert [message.message for message in editor.client.messages] == [
        "The model is not available: pythia.safetensors: The checkpoint is damaged."
    ]


async def test_the_model_does_not_outlive_the_server(start: StartEditor, clients: dict[str, Any]) -> None:
    editor = await start(TEXT, beam=98)
    await editor.hover(editor.at("<gap", 3))
    (process,) = model_processes(editor)
    os.kill(editor.client._server.pid, signal.SIGKILL)
    await until(lambda: not is_running(process))
    clients.pop(next(key for key, client in clients.items() if client is editor.client))
    editor.close = lambda: None  # type: ignore[method-assign]


# -- settings ---------------------------------------------------------------------------------------


async def test_bad_settings_are_reported_and_replaced_by_defaults(start: StartEditor) -> None:
    editor = await start(TEXT, top="many", form="poem")
    items = await editor.complete(editor.at("<gap", 3))
    assert len(items) == 8
    said = {message.message for message in editor.client.messages}
    assert said <= {
        "pythia.top should be a whole number from 1 to 100, not 'many'; 20 is used.",
        "pythia.form should be one of inline, standoff, accept, not 'poem'; 'inline' is used.",
    }


async def test_changed_settings_take_effect_at_once(start: StartEditor) -> None:
    editor = await start(TEXT, beam=97)
    assert len(await editor.complete(editor.at("<gap", 3))) == 8
    editor.client.set_configuration({"pythia": {"top": 2, "beam": 97}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))

    async def count() -> int:
        return len(await editor.complete(editor.at("<gap", 3)))

    for _ in range(50):
        if await count() == 2:
            return
    pytest.fail("the new settings were not used")


async def test_a_client_that_refuses_to_tell_its_settings_gets_the_defaults_at_once(
    start: StartEditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise JsonRpcMethodNotFound

    monkeypatch.setattr(LanguageClient, "get_configuration", refuse)
    editor = await start(TEXT, beam=96)
    await answered_within(4, editor)
    assert len(await editor.complete(editor.at("<gap", 3))) == 8
    assert editor.client.messages == []


async def test_changed_settings_clear_diagnostics_under_the_uri_of_the_client(start: StartEditor) -> None:
    uri = "file:///inscriptions/%CE%B1%20(1).xml"
    doubtful = TEXT.replace(' unit="character"', "")
    pushing = capabilities(text_document__diagnostic=None)
    editor = await start(doubtful, uri=uri, beam=95, client_caps=pushing)
    await until(lambda: bool(editor.client.diagnostics.get(uri)))
    editor.client.set_configuration({"pythia": {"diagnostics": False, "beam": 95}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await until(lambda: not editor.client.diagnostics[uri], seconds=10)


async def test_the_server_starts_without_torch(start: StartEditor) -> None:
    editor = await start(TEXT)
    maps = Path(f"/proc/{editor.client._server.pid}/maps")
    if not maps.exists():
        pytest.skip("needs /proc")
    assert "torch" not in maps.read_text()


# -- beginning and end -------------------------------------------------------------------------------


async def test_a_document_that_is_closed_at_once_leaves_nothing_behind(
    start: StartEditor, tmp_path: Path
) -> None:
    pushing = capabilities(text_document__diagnostic=None)
    (tmp_path / "saved.xml").write_text(TEXT.replace(' unit="character"', ""), encoding="utf-8")
    uris = [(tmp_path / "saved.xml").as_uri(), "untitled:Untitled-1", "file:///nowhere/unsaved.xml"]
    editor = await start(TEXT, client_caps=pushing)
    for uri in uris:
        brief = Editor(editor.client, uri)
        brief.open(TEXT.replace(' unit="character"', ""))
        brief.close()
        assert await brief.hover(types.Position(line=0, character=0)) is None
    assert not any(editor.client.diagnostics.get(uri) for uri in uris)
    assert editor.client.messages == []


@pytest.mark.parametrize("messages", [("shutdown", "exit"), ("exit",)], ids=" and ".join)
def test_the_exit_code_tells_whether_the_end_was_asked_for(messages: tuple[str, ...]) -> None:
    requests = {
        "initialize": {"id": 1, "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        "shutdown": {"id": 2},
        "exit": {},
    }
    sent = b""
    for method in ("initialize", *messages):
        content = json.dumps({"jsonrpc": "2.0", "method": method, **requests[method]}).encode()
        sent += b"Content-Length: %d\r\n\r\n%b" % (len(content), content)
    command = [sys.executable, "-m", "pythia_epidoc", "lsp"]
    done = subprocess.run(command, input=sent, capture_output=True, timeout=60)
    assert done.returncode == (0 if "shutdown" in messages else 1)


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = [sys.executable, "-m", "pythia_epidoc", "lsp", "--tcp", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert f"Port {port} is in use" in done.stderr and "Traceback" not in done.stderr


# -- load ---------------------------------------------------------------------------------------------


def large(lines: int) -> str:
    return edition(
        *(f'<lb n="{n}"/>ἔδοξεν τῶι {GAP}· Χρεμωνίδης Ἐτεοκλέους Αἰθαλίδης εἶπεν' for n in range(lines))
    )


async def answered_within(seconds: float, editor: Editor) -> None:
    started = time.monotonic()
    assert await editor.hover(editor.at("ἔδοξεν", 1)) is None
    assert time.monotonic() - started < seconds


async def test_a_thousand_lacunae_are_listed(start: StartEditor) -> None:
    editor = await start(large(1000))
    params = types.CodeLensParams(text_document=editor.document)
    assert len(await editor.client.text_document_code_lens_async(params) or []) == 1000


async def test_a_large_document_does_not_hold_up_a_small_one(start: StartEditor) -> None:
    big = await start(large(40_000))
    assert len(big.text.encode()) > 5_000_000
    small = await start(TEXT)
    await answered_within(60, small)
    big.change(types.Position(line=4, character=0), types.Position(line=4, character=0), " ")
    await answered_within(60, small)


async def test_a_word_replaced_everywhere_is_no_long_wait(start: StartEditor) -> None:
    editor = await start(large(3000))
    await answered_within(60, editor)
    changes = [
        types.TextDocumentContentChangePartial(
            range=types.Range(start=types.Position(line, 3), end=types.Position(line, 4)), text="N"
        )
        for line in reversed(range(4, 3004))
    ]
    document = types.VersionedTextDocumentIdentifier(uri=editor.uri, version=1)
    editor.client.text_document_did_change(
        types.DidChangeTextDocumentParams(text_document=document, content_changes=changes)
    )
    await answered_within(4, editor)


async def test_lenses_of_a_large_document_do_not_hold_up_a_small_one(start: StartEditor) -> None:
    big, small = await start(large(10_000)), await start(TEXT)
    await answered_within(60, big)
    await answered_within(60, small)
    params = types.CodeLensParams(text_document=big.document)
    lenses = asyncio.ensure_future(big.client.text_document_code_lens_async(params))
    await asyncio.sleep(0)
    await answered_within(60, small)
    assert not lenses.done()
    await lenses


async def test_fifty_open_documents_are_all_answered(start: StartEditor) -> None:
    editors = [await start(TEXT) for _ in range(50)]
    hovers = await asyncio.gather(*(editor.hover(editor.at("<gap", 3)) for editor in editors))
    assert all(hovers)
