"""What the counts expect in the hidden slots of training windows, as the network will be told in use.

Not for the expectations of a search: see `pythia_epidoc.model.expectations`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pythia_epidoc.model.alphabet import OUTPUTS, PREDICT_CHARACTER
from pythia_epidoc.model.expectations import expected_outputs
from pythia_epidoc.model.local_counts import CountModel, LocalCounts
from pythia_epidoc.training.windows import Window


def expected_in(windows: Sequence[Window], model: CountModel) -> npt.NDArray[np.float32]:
    """log p of each output in each slot, given the true symbols before it: B N T O, as in `Batch`."""
    spans = max(len(window.spans) for window in windows)
    steps = max(len(span.slots) for window in windows for span in window.spans)
    expected = np.zeros((len(windows), spans, steps, len(OUTPUTS)), dtype=np.float32)
    places: list[tuple[int, int, int]] = []
    before: list[str] = []
    by_character: list[bool] = []
    at_end: list[bool] = []
    for row, window in enumerate(windows):
        for column, span in enumerate(window.longest_first):
            first = span.slots[0]
            read = f"{window.around[0]}{window.text[:first]}"
            characters = window.text[first : first + 1] == PREDICT_CHARACTER
            for step, target in enumerate(span.targets):
                places.append((row, column, step))
                before.append(read)
                by_character.append(characters)
                at_end.append(not characters and step == len(span.targets) - 1)
                read += OUTPUTS[target]
    counts = LocalCounts(
        model, [window.around for window in windows], [(window.text, "") for window in windows]
    )
    rows, columns, numbers = np.array(places).T
    states = counts.after_all(before, rows)
    found, _ = expected_outputs(counts, states, np.array(by_character), np.array(at_end))
    expected[rows, columns, numbers] = found
    return expected
