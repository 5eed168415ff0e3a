"""`pythia-epidoc convert`: PHI or Leiden text in, one EpiDoc file per text out."""

from __future__ import annotations

import codecs
import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO, get_args

import click

from pythia_epidoc.epidoc.edits import write_atomically
from pythia_epidoc.errors import ConversionError
from pythia_epidoc.leiden.convert import Format, convert_stream
from pythia_epidoc.leiden.model import ConvertedText, Finding, Options

_EPILOG = """\b
Examples:
  pythia-epidoc convert pasted.txt --from phi -o inscriptions/
  pythia-epidoc convert saved-pages/*.html -o inscriptions/
  pythia-epidoc convert iphi.json --from iphi -o iphi/ --report report.json
  pythia-epidoc convert papyrus.txt --from leiden > papyrus.xml

\b
Exit codes: 0 converted, 2 an input cannot be converted.
Every siglum and what becomes of it is listed in docs/phi.md."""

_SUFFIXES = (".txt", ".html", ".htm", ".json", ".jsonl")


@dataclass
class Summary:
    """What a run did: for the last lines on screen and the report."""

    texts: int = 0
    without_text: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    files: list[dict[str, object]] = field(default_factory=list)
    findings: int = 0

    def add(self, text: ConvertedText, source: str, target: Path | None) -> None:
        self.texts += 1
        self.without_text += not text.has_text
        self.counts.update(text.counts)
        self.findings += len(text.findings)
        self.files.append(
            {
                "input": source,
                "output": None if target is None else str(target),
                "title": text.metadata.title,
                "phi": text.metadata.phi_id,
                "counts": dict(text.counts),
                "findings": [asdict(finding) | {"message": finding.message} for finding in text.findings],
            }
        )

    def report(self) -> str:
        data = {
            "texts": self.texts,
            "without_text": self.without_text,
            "counts": dict(sorted(self.counts.items())),
            "files": self.files,
        }
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


@click.command(name="convert", epilog=_EPILOG)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "--from",
    "source",
    type=click.Choice(get_args(Format)),
    default="auto",
    show_default=True,
    help="phi: text pasted from PHI; phi-html: saved pages; iphi: I.PHI JSON; leiden: plain text, numbered.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="A folder, or a .xml file for one text."
)
@click.option("--strict", is_flag=True, help="Stop at anything that is not understood.")
@click.option(
    "--angle",
    type=click.Choice(["omitted", "corrected"]),
    default="omitted",
    show_default=True,
    help="Whether <abc> stands for letters the cutter left out or letters the editor put right.",
)
@click.option(
    "--capitals",
    type=click.Choice(["orig", "text"]),
    default="orig",
    show_default=True,
    help="Whether words in bare capitals are uninterpreted letters or plain text.",
)
@click.option(
    "--bars",
    type=click.Choice(["auto", "line", "block"]),
    default="auto",
    show_default=True,
    help="Whether | divides lines or blocks; auto: lines, in a text printed as one row.",
)
@click.option("--report", type=click.Path(path_type=Path), help="Write a report as JSON to this file.")
@click.option("-q", "--quiet", is_flag=True, help="Print no findings, no progress and no summary.")
def command(
    inputs: tuple[str, ...],
    source: Format,
    output: Path | None,
    strict: bool,
    angle: str,
    capitals: str,
    bars: str,
    report: Path | None,
    quiet: bool,
) -> None:
    """Turn PHI or Leiden text into EpiDoc.

    INPUT is a file, a folder, or - for standard input; one input may hold many texts, divided by a line of
    ===. Nothing is lost: what is not understood is kept as text and reported with its place.
    """
    options = Options(angle=angle, capitals=capitals, bars=bars)  # type: ignore[arg-type]
    files = _files(inputs)
    summary = Summary()
    taken: set[str] = set()
    try:
        for path, stream in _open_all(files, show_progress=not quiet):
            texts = convert_stream(stream, source, options, path=path, strict=strict, taken=taken)
            if output is None or output.suffix == ".xml":
                _write_one(_guarded(texts, path), path, output, files, summary, quiet)
            else:
                for text in _guarded(texts, path):
                    target = output / f"{text.name}.xml"
                    _write(text, target, files)
                    _tell(text, path, quiet)
                    summary.add(text, str(path or "-"), target)
    except KeyboardInterrupt:
        click.echo(f"pythia-epidoc: Stopped; {summary.texts} texts were converted.", err=True)
        sys.exit(130)
    if report is not None:
        _refuse_input(report, files)
        write_atomically(report, summary.report().encode())
    if not quiet:
        _print_summary(summary)


def _files(inputs: tuple[str, ...]) -> list[Path | None]:
    files: list[Path | None] = []
    for name in inputs:
        path = Path(name)
        if name == "-":
            files.append(None)
        elif path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in _SUFFIXES and p.is_file())
            if not inside:
                raise ConversionError(f"No {', '.join(_SUFFIXES)} file in this folder.", path=path)
            files.extend(inside)
        elif not path.is_file():
            raise ConversionError("There is no such file; check the name.", path=path)
        else:
            files.append(path)
    return files


def _open_all(files: list[Path | None], show_progress: bool) -> Iterator[tuple[Path | None, io.TextIOBase]]:
    """The inputs as text, one after another, with a progress bar when somebody is looking."""
    total = sum(path.stat().st_size for path in files if path is not None)
    if not (show_progress and sys.stderr.isatty() and total > 200_000):
        for path in files:
            with _binary(path) as data:
                yield path, _decoded(data)
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Converting", total=total)
        for path in files:
            with _binary(path) as data:
                yield path, _decoded(_Watched(data, lambda size: progress.advance(task, size)))


class _Watched(io.RawIOBase):
    """A binary stream that tells how much was read."""

    def __init__(self, data: BinaryIO, advance: Callable[[int], None]) -> None:
        self._data = data
        self._advance = advance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        chunk = self._data.read(len(buffer))
        buffer[: len(chunk)] = chunk
        self._advance(len(chunk))
        return len(chunk)


def _binary(path: Path | None) -> BinaryIO:
    if path is None:
        return io.BytesIO(sys.stdin.buffer.read())
    try:
        return path.open("rb")
    except OSError as error:
        raise ConversionError(f"The file cannot be read: {error.strerror}.", path=path) from None


def _decoded(data: BinaryIO | io.RawIOBase) -> io.TextIOBase:
    buffered = io.BufferedReader(data)  # type: ignore[type-var]
    start = buffered.peek(4)[:4]
    encoding = "utf-16" if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    return io.TextIOWrapper(buffered, encoding=encoding, newline="")


def _guarded(texts: Iterator[ConvertedText], path: Path | None) -> Iterator[ConvertedText]:
    try:
        yield from texts
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConversionError(
            f"The bytes here are not {error.encoding.upper()}; save the file as UTF-8.", path=path, line=line
        ) from None


def _write_one(
    texts: Iterator[ConvertedText],
    path: Path | None,
    output: Path | None,
    files: list[Path | None],
    summary: Summary,
    quiet: bool,
) -> None:
    """Without a folder to write to, there must be exactly one text."""
    found = list(islice(texts, 2))
    if summary.texts + len(found) > 1:
        raise ConversionError("The input holds several texts; give a folder with -o.", path=path)
    if not found:
        raise ConversionError("The input holds no text.", path=path)
    (text,) = found
    if output is None:
        click.echo(text.xml, nl=False)
    else:
        _write(text, output, files)
    _tell(text, path, quiet)
    summary.add(text, str(path or "-"), output)


def _write(text: ConvertedText, target: Path, files: list[Path | None]) -> None:
    _refuse_input(target, files)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConversionError(f"The folder cannot be made: {error.strerror}.", path=target.parent) from None
    write_atomically(target, text.xml.encode())


def _refuse_input(target: Path, files: list[Path | None]) -> None:
    if any(path is not None and target.exists() and target.samefile(path) for path in files):
        raise ConversionError("The output would overwrite an input; choose another name.", path=target)


def _tell(text: ConvertedText, path: Path | None, quiet: bool) -> None:
    if not quiet:
        for finding in text.findings:
            click.echo(_line(finding, path), err=True)


def _line(finding: Finding, path: Path | None) -> str:
    return f"{path or '-'}:{finding.line}:{finding.column} {finding.code} {finding.message}"


def _print_summary(summary: Summary) -> None:
    sigla = ", ".join(f"{name} {count}" for name, count in summary.counts.most_common())
    texts = "1 text" if summary.texts == 1 else f"{summary.texts:,} texts"
    findings = "1 finding" if summary.findings == 1 else f"{summary.findings:,} findings"
    empty = f", {summary.without_text} of them only a remark" if summary.without_text else ""
    click.echo(f"{texts}{empty}; {findings}.", err=True)
    if sigla:
        click.echo(f"Sigla: {sigla}.", err=True)
