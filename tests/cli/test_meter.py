"""What long commands say of how far they are: one line on a terminal, some in a log, nothing if short."""

from __future__ import annotations

import sys

import pytest

from pythia_epidoc.cli import meter
from pythia_epidoc.cli.meter import Meter, duration


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(meter.time, "monotonic", lambda: now[0])
    return now


def told(clock: list[float], capsys: pytest.CaptureFixture[str], seconds: float) -> str:
    """What is said of a hundred files that take so long, forty of which were done before."""
    say = Meter("files", "stones")
    for done in range(40, 101):
        clock[0] = (done - 40) / 60 * seconds
        say(done, 100)
    return capsys.readouterr().err


def test_what_is_soon_done_says_nothing(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    assert told(clock, capsys, seconds=9) == ""


def test_a_log_has_a_line_now_and_then(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(clock, capsys, seconds=30).splitlines()
    assert lines[0] == "stones: 60/100 files (2.0 files/s, 0:20 left)"
    assert len(lines) == 3


def test_a_terminal_has_one_line_that_is_gone_in_the_end(
    clock: list[float], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    said = told(clock, capsys, seconds=30)
    assert "\n" not in said and said.count("\r\x1b[Kstones: ") == 60
    assert said.endswith("\r\x1b[K")


def test_a_line_is_never_longer_than_the_terminal_is_wide(
    clock: list[float], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    said = told(clock, capsys, seconds=30).split("\r\x1b[K")
    assert max(map(len, said)) == 19 and "stones: 41/100 file" in said


@pytest.mark.parametrize(("seconds", "text"), [(7, "0:07"), (65.4, "1:05"), (3_725, "1:02:05")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
