"""`pythia-epidoc doctor`: check the installation and print a report to paste into an issue."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pythia_epidoc.doctor import Check

_EXAMPLES = """\b
Examples:
  pythia-epidoc doctor                    a report on the screen
  pythia-epidoc doctor --json > report    the same for a program

Exit code 0: all is well; 1: something is wrong, and the report says what to do."""

_MARKS = {"fine": ("✓", "green"), "note": ("i", "yellow"), "wrong": ("✗", "red")}


@click.command("doctor", epilog=_EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(as_json: bool) -> None:
    """Check the installation and print a report.

    Looks at Python, the libraries, the processor, the model, the settings, the index of parallels and the
    editors. The report can be pasted into an issue: it names no user and no folder of yours.
    """
    from pythia_epidoc.doctor import WRONG, examine, headline

    checks: list[Check] = []
    if not as_json:
        click.echo(headline())
    for check in examine():
        checks.append(check)
        if not as_json:
            _print(check)
    wrong = sum(check.status == WRONG for check in checks)
    if as_json:
        report = {
            "report": headline(),
            "fine": not wrong,
            "checks": [dataclasses.asdict(check) for check in checks],
        }
        click.echo(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        things = "1 thing is wrong" if wrong == 1 else f"{wrong} things are wrong"
        click.echo(f"{things}; what to do stands after each →." if wrong else "All is well.")
    raise SystemExit(1 if wrong else 0)


def _print(check: Check) -> None:
    mark, colour = _MARKS[check.status]
    click.echo(f"{click.style(mark, fg=colour)} {check.name:<16} {check.finding}")
    if check.advice:
        click.echo(f"  {'':<16} → {check.advice}")
