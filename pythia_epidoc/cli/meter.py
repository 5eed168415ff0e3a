"""How far something long is: one line on the error stream, renewed on a terminal, now and then in a log.

What is soon done shows nothing.
"""

from __future__ import annotations

import shutil
import sys
import time

import click

_RENEWED = 0.2
_REPEATED = 10.0
"""Seconds between two lines on a terminal, and in a log."""


class Line:
    """A line that may be shown as often as one likes."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self.shown = time.monotonic()

    def show(self, text: str) -> None:
        now = time.monotonic()
        if now - self.shown < (_RENEWED if self.is_terminal else _REPEATED):
            return
        self.shown = now
        if self.is_terminal:  # what does not fit would stay there as a line of its own
            text = f"\r\x1b[K{text[: shutil.get_terminal_size().columns - 1]}"
        click.echo(text, nl=not self.is_terminal, err=True)

    def clear(self) -> None:
        """Make room on a terminal for what is said next."""
        if self.is_terminal:
            click.echo("\r\x1b[K", nl=False, err=True)


class Meter(Line):
    """So many of so many, how fast, and the time that is left."""

    def __init__(self, unit: str, about: str = "") -> None:
        super().__init__()
        self.unit = unit
        self.about = f"{about}: " if about else ""
        self.began = time.monotonic()
        self.first = -1

    def __call__(self, done: int, total: int) -> None:
        if self.first < 0:
            self.first = done
        rate = (done - self.first) / max(time.monotonic() - self.began, 1e-6)
        speed = ""
        if rate > 0:
            left = duration((total - done) / rate)
            speed = f" ({rate:,.{0 if rate >= 10 else 1}f} {self.unit}/s, {left} left)"
        self.show(f"{self.about}{done:,}/{total:,} {self.unit}{speed}")
        if done == total:
            self.clear()


def duration(seconds: float) -> str:
    """In hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
