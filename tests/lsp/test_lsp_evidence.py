"""What the server shows of the user's own collection, and its opinion of an editor's restorations."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from editor_client import GAP, StartEditor, edition
from lsprotocol import types

from pythia_epidoc.parallels.index import ParallelsIndex
from pythia_epidoc.parallels.update import update

TEXT = edition(f'<lb n="1"/>ἔδοξεν τῆι βουλῆι καὶ τῶι {GAP} ἐπειδὴ Διονύσιος')
PARALLEL = edition("", '<lb n="7"/>ἔδοξεν τῆι βουλῆι καὶ τῶι δήμωι ἐπειδὴ Ἀπολλώνιος')


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of one decree."""
    folder = tmp_path_factory.mktemp("collection")
    (folder / "other.xml").write_text(PARALLEL, encoding="utf-8")
    with ParallelsIndex(folder / "index.db", create=True) as index:
        update(index, [folder], processes=1)
    return folder / "index.db"


async def test_hover_says_how_often_a_hypothesis_is_attested_and_links_to_the_passage(
    start: StartEditor, collection: Path
) -> None:
    editor = await start(TEXT, parallelsIndex=str(collection))
    shown = await editor.hover(editor.at("<gap", 2))
    assert shown is not None
    assert "1× attested" in shown
    assert "δήμωι" in shown and "other, line 7" in shown
    assert "other.xml#L6" in shown


async def test_resolving_a_completion_says_so_too(start: StartEditor, collection: Path) -> None:
    editor = await start(TEXT, parallelsIndex=str(collection))
    item = (await editor.complete(editor.at("<gap", 5)))[0]
    resolved = await editor.client.completion_item_resolve_async(item)
    assert isinstance(resolved.documentation, types.MarkupContent)
    shown = resolved.documentation.value
    assert "Attested 1× in this context" in shown
    assert "other, line 7" in shown and "other.xml#L6" in shown


async def test_the_panel_gets_the_passage_with_its_file_and_line(
    start: StartEditor, collection: Path
) -> None:
    editor = await start(TEXT, parallelsIndex=str(collection))
    position = editor.at("<gap")
    params = {
        "textDocument": {"uri": editor.uri},
        "position": {"line": position.line, "character": position.character},
    }
    answer = await editor.client.protocol.send_request_async("pythia/restoration", params)
    (parallel,) = answer.parallels
    assert parallel.match.strip().endswith("ἐπειδὴ") or "δήμωι" in parallel.match
    assert parallel.uri.endswith("other.xml") and parallel.line == 5
    assert parallel.conjecture is False
    assert answer.hypotheses[0].attestations == 1


async def test_hints_on_implausible_restorations_are_given_only_if_asked_for(start: StartEditor) -> None:
    text = edition('<lb n="1"/>ἔδοξεν τῶι <supplied reason="lost">ξξξξξ</supplied> ἐπειδὴ')

    async def hints(**options: bool) -> list[types.Diagnostic]:
        editor = await start(text, **options)
        for _ in range(100):
            await asyncio.sleep(0.1)
            found = [d for d in editor.client.diagnostics.get(editor.uri, []) if d.code == "conjecture"]
            if found or not options:
                return found
        return []

    assert await hints() == []
    (hint,) = await hints(reviewConjectures=True)
    assert hint.severity == types.DiagnosticSeverity.Hint
    assert "ξξξξξ is not among the hypotheses" in hint.message
