"""`pythia-epidoc convert`: PHI or Leiden text in, one EpiDoc file per text out."""

from __future__ import annotations

import codecs
import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, get_args

import click

from pythia_epidoc.epidoc.edits import write_atomically
from pythia_epidoc.errors import ConversionError, PythiaError
from pythia_epidoc.leiden.convert import Format, convert_stream
from pythia_epidoc.leiden.model import ConvertedText, Finding, Options

_EPILOG = """\b
Examples:
  pythia-epidoc convert pasted.txt --from phi -o inscriptions/
  pythia-epidoc convert saved-pages/*.html -o inscriptions/
  pythia-epidoc convert iphi.json --from iphi -o iphi/ --report report.json
  pythia-epidoc convert papyrus.txt --from leiden > papyrus.xml

\b
Exit codes: 0 converted, 2 an input cannot be converted or a file is in the way (the others are done).
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
    failed: list[dict[str, str]] = field(default_factory=list)

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

    def fail(self, error: PythiaError) -> None:
        """Tell what went wrong with an input or a file; the others are still converted."""
        click.echo(f"pythia-epidoc: {error}", err=True)
        self.failed.append({"file": str(error.path or "-"), "message": error.message})

    def report(self) -> str:
        data = {
            "texts": self.texts,
            "without_text": self.without_text,
            "counts": dict(sorted(self.counts.items())),
            "files": self.files,
            "failed": self.failed,
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
@click.option("--overwrite", is_flag=True, help="Replace files that are there already and differ.")
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
    overwrite: bool,
    report: Path | None,
    quiet: bool,
) -> None:
    """Turn PHI or Leiden text into EpiDoc.

    INPUT is a file, a folder, or - for standard input; one input may hold many texts, divided by a line of
    ===. Nothing is lost: what is not understood is kept as text and reported with its place. A file that is
    there already is never changed, unless with --overwrite.
    """
    options = Options(angle=angle, capitals=capitals, bars=bars)  # type: ignore[arg-type]
    files = _files(inputs)
    summary = Summary()
    results = _Results(files, output, overwrite, quiet, summary)
    taken: set[str] = set()
    try:
        with _watching(files, show_progress=not quiet) as watched:
            for path in files:
                try:
                    with _binary(path) as data:
                        stream = _decoded(watched(data))
                        texts = convert_stream(stream, source, options, path=path, strict=strict, taken=taken)
                        results.write(_guarded(texts, path, data), path)
                except PythiaError as error:
                    if strict or len(files) == 1:
                        raise
                    summary.fail(error)
    except KeyboardInterrupt:
        click.echo(f"pythia-epidoc: Stopped; {summary.texts} texts were converted.", err=True)
        sys.exit(130)
    if report is not None:
        _refuse_input(report, files)
        _put(report, summary.report())
    if not quiet:
        _print_summary(summary)
    if summary.failed:
        sys.exit(2)


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


@contextmanager
def _watching(
    files: list[Path | None], show_progress: bool
) -> Iterator[Callable[[BinaryIO], BinaryIO | io.RawIOBase]]:
    """A progress bar over all inputs when somebody is looking: how to watch one of them."""
    total = sum(path.stat().st_size for path in files if path is not None)
    if not (show_progress and sys.stderr.isatty() and total > 200_000):
        yield lambda data: data
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Converting", total=total)
        yield lambda data: _Watched(data, lambda size: progress.advance(task, size))


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


def _guarded(texts: Iterator[ConvertedText], path: Path | None, data: BinaryIO) -> Iterator[ConvertedText]:
    try:
        yield from texts
    except UnicodeDecodeError as error:
        raise ConversionError(
            f"The bytes here are not {error.encoding.upper()}; save the file as UTF-8.",
            path=path,
            line=_undecodable_line(data, error.encoding),
        ) from None


def _undecodable_line(data: BinaryIO, encoding: str) -> int | None:
    """The error itself knows its place in the last piece read only."""
    data.seek(0)
    whole = data.read()
    try:
        whole.decode(encoding)
    except UnicodeDecodeError as error:
        return whole.count(b"\n", 0, error.start) + 1
    return None


@dataclass
class _Results:
    """Where the texts go: standard output, one file, or a folder."""

    files: list[Path | None]
    output: Path | None
    overwrite: bool
    quiet: bool
    summary: Summary

    def __post_init__(self) -> None:
        if len(self.files) > 1 and not self.is_folder:
            raise ConversionError("Several inputs give several files; give a folder with -o.")

    @property
    def is_folder(self) -> bool:
        return self.output is not None and self.output.suffix != ".xml"

    def write(self, texts: Iterator[ConvertedText], path: Path | None) -> None:
        """Write the texts of an input."""
        found = list(islice(texts, 2))
        if not found:
            raise ConversionError("The input holds no text.", path=path)
        if self.output is not None and self.is_folder:
            for text in chain(found, texts):
                self._write_file(text, path, self.output / f"{text.name}.xml", among_others=True)
        elif len(found) > 1:
            raise ConversionError("The input holds several texts; give a folder with -o.", path=path)
        elif self.output is not None:
            self._write_file(found[0], path, self.output)
        else:
            click.echo(found[0].xml, nl=False)
            self._tell(found[0], path, None)

    def _write_file(
        self, text: ConvertedText, path: Path | None, target: Path, among_others: bool = False
    ) -> None:
        _refuse_input(target, self.files)
        if not self.overwrite and _is_in_the_way(target, text):
            error = ConversionError(
                "The file is there already and differs; it was left as it is. Choose another name or folder, "
                "or --overwrite.",
                path=target,
            )
            if not among_others:
                raise error
            self.summary.fail(error)
            return
        _put(target, text.xml)
        self._tell(text, path, target)

    def _tell(self, text: ConvertedText, path: Path | None, target: Path | None) -> None:
        if not self.quiet:
            for finding in text.findings:
                click.echo(_line(finding, path), err=True)
        self.summary.add(text, str(path or "-"), target)


def _is_in_the_way(target: Path, text: ConvertedText) -> bool:
    """Whether somebody may have worked on the file since it was converted."""
    try:
        return target.is_file() and target.read_bytes() != text.xml.encode()
    except OSError:
        return True


def _put(target: Path, text: str) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConversionError(f"The folder cannot be made: {error.strerror}.", path=target.parent) from None
    write_atomically(target, text.encode())


def _refuse_input(target: Path, files: list[Path | None]) -> None:
    if any(path is not None and target.exists() and target.samefile(path) for path in files):
        raise ConversionError("The output would overwrite an input; choose another name.", path=target)


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
