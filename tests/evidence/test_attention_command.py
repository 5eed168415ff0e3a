"""The `attention` command: what it refuses, in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pythia_epidoc.cli import group
from pythia_epidoc.errors import ConfigError

GAP = '<gap reason="lost" quantity="5" unit="character"/>'


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--lacuna", "l.1"), "several lacunae: choose one of 1, 2"),
        (("--lacuna", "1", "--text", "δῆμος καὶ"), "given: 8; 5 would fit"),
        (("--lacuna", "3", "--text", "α"), "given: 1; 2 to 4 would fit"),
        (("--lacuna", "1", "--text", "abc"), "no Greek letter"),
        (("--lacuna", "4"), "no lacuna number 4"),
    ],
)
def test_what_cannot_be_shown_is_told(tmp_path: Path, options: tuple[str, ...], sentence: str) -> None:
    about = '<gap reason="lost" atLeast="2" atMost="4" unit="character"/>'
    file = tmp_path / "decree.xml"
    file.write_text(
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><div type="edition" xml:lang="grc"><ab>'
        f'<lb n="1"/>τῶι {GAP} καὶ {GAP} <lb n="2"/>τῆι {about}</ab></div></body></text></TEI>',
        "utf-8",
    )
    with pytest.raises(ConfigError, match=sentence):
        CliRunner().invoke(group, ["attention", str(file), *options], catch_exceptions=False)
