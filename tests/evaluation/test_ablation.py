"""The paper's table has the rows that a corpus has texts for."""

from __future__ import annotations

from pathlib import Path

import pytest

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.evaluation import ablation

TEXT = "εδοξεν τηι βουληι και τωι δημωι αγαθηι τυχηι"


def test_a_row_without_texts_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [Record("iaph", str(number), TEXT, "0" * len(TEXT)) for number in range(4)]
    monkeypatch.setattr(ablation, "load", lambda data, split: records)
    said: list[str] = []
    names = ("lm-philology", "lm-epigraphy")
    ablation.train_systems(tmp_path, tmp_path, hidden=8, steps=1, names=names, report=said.append)
    assert said[0] == "lm-philology: left out, because this corpus has no texts for it"
    assert said[1].startswith("lm-epigraphy: step 1, ")
    assert [run.name for run in tmp_path.iterdir()] == ["lm-epigraphy"]
