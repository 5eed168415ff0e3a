"""How fast the language server is, measured by a client over stdio; ratios hold on any machine.

    python benchmarks/lsp.py [--runs 20] [--model CHECKPOINT]

| figure | what is divided by what | at most |
|---|---|---|
| warm completion | a completion in a 1,000-character text ÷ the bare model call on the same reading | 1.3 |
| second request | the same completion on an unchanged reading ÷ the first | 0.05 |
| initialize | start to answer of `initialize` ÷ that of an empty pygls server | 1.5 |
| diagnostics | keystroke to diagnostics in a 1 MB file ÷ a full parse of it | 2.0 |
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from pythia_epidoc.epidoc.document import Document
from pythia_epidoc.lint import lint
from pythia_epidoc.restoration import Restorer, Settings, restore

SAMPLE = Path(__file__).parent.parent / "samples" / "decree.xml"
SERVER = [sys.executable, "-m", "pythia_epidoc", "lsp"]
BARE_SERVER = """
from pygls.lsp.server import LanguageServer
LanguageServer("bare", "0").start_io()
"""
LENGTH = 1000
BEAM = 100


class Client:
    """Just enough of an editor."""

    def __init__(self) -> None:
        self.client = LanguageClient("benchmark", "0")
        self.diagnosed: dict[str, asyncio.Event] = {}

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def diagnostics(params: types.PublishDiagnosticsParams) -> None:
            self.diagnosed.setdefault(params.uri, asyncio.Event()).set()

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            print(f"server: {params.message}", file=sys.stderr)

    async def start(self, command: Sequence[str], model: str = "") -> None:
        await self.client.start_io(command[0], *command[1:])
        params = types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            initialization_options={"pythia": {"model": model, "beam": BEAM}},
        )
        await self.client.initialize_async(params)

    def ready(self) -> None:
        self.client.initialized(types.InitializedParams())

    def open(self, uri: str, text: str) -> None:
        item = types.TextDocumentItem(uri=uri, language_id="xml", version=0, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    def type_letter(self, uri: str, version: int, position: types.Position, letter: str) -> None:
        span = types.Range(start=position, end=position)
        change = types.TextDocumentContentChangePartial(range=span, text=letter)
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(text_document=document, content_changes=[change])
        )

    async def complete(self, uri: str, position: types.Position) -> int:
        document = types.TextDocumentIdentifier(uri=uri)
        params = types.CompletionParams(text_document=document, position=position)
        found = await self.client.text_document_completion_async(params)
        return len(found.items) if isinstance(found, types.CompletionList) else 0

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


async def milliseconds(work: Callable[[], Awaitable[object]]) -> float:
    start = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - start)


def report(name: str, times: Sequence[float]) -> float:
    """Print median and 95th percentile; give back the median."""
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    middle = statistics.median(ordered)
    print(f"{name:<44} p50 {middle:>9.1f} ms   p95 {p95:>9.1f} ms   ({len(ordered)} runs)")
    return middle


def text_of_length(length: int, variant: int) -> str:
    """The decree, its edition cut to about so many letters; each variant is another reading."""
    text = SAMPLE.read_text(encoding="utf-8")
    start, end = text.index("<ab>") + 4, text.index("</ab>")
    lines = text[start:end].split("\n")
    kept: list[str] = [f'<lb n="0"/>{"αβγδεζηθικ"[variant % 10] * (1 + variant // 10)} ']
    while lines and len(Document.from_text(_edition(kept)).editions[0].reading) < length:
        kept.append(lines.pop(0))
    return _edition(kept)


def _edition(lines: Sequence[str]) -> str:
    body = "\n".join(lines)
    return (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Benchmark</title>'
        "</titleStmt></fileDesc></teiHeader><text><body>"
        f'<div type="edition" xml:lang="grc"><ab>{body}</ab></div></body></text></TEI>'
    )


def gap_position(text: str) -> types.Position:
    offset = text.index("τῶι <gap") + 6
    line = text.count("\n", 0, offset)
    return types.Position(line=line, character=offset - text.rfind("\n", 0, offset) - 1)


def bare_call(restorer: Restorer, text: str) -> float:
    """The model called directly on the same lacuna; milliseconds."""
    document = Document.from_text(text)
    offset = text.index("τῶι <gap") + 4
    lacuna = next(lacuna for lacuna in document.lacunae if lacuna.start == offset)
    start = time.perf_counter()
    restore(document, restorer, [lacuna], Settings(top=BEAM, beam=BEAM))
    return 1000 * (time.perf_counter() - start)


async def completions(
    model: str, restorer: Restorer, texts: Sequence[str]
) -> tuple[list[float], list[float], list[float]]:
    """For each text in turn: the bare call, the first completion and the second, all being warm."""
    client = Client()
    await client.start(SERVER, model)
    client.ready()
    bare, first, second = [], [], []
    for number, text in enumerate([texts[0].replace("θεοί", "θεαί"), *texts]):
        uri, position = f"file:///benchmark/{number}.xml", gap_position(text)
        client.open(uri, text)
        called = bare_call(restorer, text)
        taken = await milliseconds(lambda uri=uri, position=position: client.complete(uri, position))
        again = await milliseconds(lambda uri=uri, position=position: client.complete(uri, position))
        if number > 0:  # the very first request also loads the model
            bare.append(called)
            first.append(taken)
            second.append(again)
    await client.stop()
    return bare, first, second


async def initialization(runs: int) -> tuple[list[float], list[float]]:
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bare_server.py"
        script.write_text(BARE_SERVER)
        for _ in range(runs):
            for command, times in ((SERVER, ours), ([sys.executable, str(script)], bare)):
                client = Client()
                times.append(await milliseconds(lambda client=client, command=command: client.start(command)))
                await client.stop()
    return ours, bare


def megabyte() -> str:
    text = SAMPLE.read_text(encoding="utf-8")
    start, end = text.index("<ab>") + 4, text.index("</ab>")
    repeats = 1 + 1_000_000 // len(text[start:end].encode())
    return text[:start] + text[start:end] * repeats + text[end:]


async def diagnostics(runs: int) -> tuple[list[float], list[float], list[float]]:
    """Keystroke to diagnostics; a full parse (well-formedness, tree, reading, lacunae); the lint after it."""
    text, uri = megabyte(), "file:///benchmark/large.xml"
    parses, lints = [], []
    for _ in range(runs):
        start = time.perf_counter()
        document = Document.from_text(text)
        _ = document.error, document.root, document.lacunae
        parsed = time.perf_counter()
        list(lint(document))
        parses.append(1000 * (parsed - start))
        lints.append(1000 * (time.perf_counter() - parsed))
    client = Client()
    await client.start(SERVER)
    client.ready()
    client.open(uri, text)
    seen = client.diagnosed.setdefault(uri, asyncio.Event())
    await seen.wait()
    position = types.Position(line=text[: text.index("οί.")].count("\n"), character=10)
    times = []
    for version in range(1, runs + 1):
        seen.clear()

        async def keystroke(version: int = version) -> None:
            client.type_letter(uri, version, position, " ")
            await seen.wait()

        times.append(await milliseconds(keystroke))
    await client.stop()
    return times, parses, lints


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--model", default="", help="a checkpoint; without it, the one of the package")
    options = parser.parse_args()
    from pythia_epidoc.model.restorer import load_restorer

    texts = [text_of_length(LENGTH, variant) for variant in range(1, options.runs + 1)]
    restorer = load_restorer(Path(options.model) if options.model else None)
    called, first, second = asyncio.run(completions(options.model, restorer, texts))
    bare, warm = report("bare model call", called), report("warm completion", first)
    again = report("second request", second)
    ours, empty = asyncio.run(initialization(max(3, options.runs // 4)))
    ours_p50, empty_p50 = report("initialize", ours), report("initialize, empty pygls server", empty)
    typed, parses, lints = asyncio.run(diagnostics(max(3, options.runs // 4)))
    typed_p50, parse_p50 = report("keystroke to diagnostics, 1 MB", typed), report("full parse, 1 MB", parses)
    report("lint after it, 1 MB", lints)
    ratios = [
        ("warm completion ÷ bare model call", warm / bare, 1.3),
        ("second request ÷ first", again / warm, 0.05),
        ("initialize ÷ empty pygls server", ours_p50 / empty_p50, 1.5),
        ("keystroke to diagnostics ÷ full parse", typed_p50 / parse_p50, 2.0),
    ]
    print()
    for name, ratio, limit in ratios:
        print(f"{name:<44} {ratio:>6.3f}   (at most {limit})   {'ok' if ratio <= limit else 'TOO SLOW'}")
    return 0 if all(ratio <= limit for _, ratio, limit in ratios) else 1


if __name__ == "__main__":
    sys.exit(main())
