"""What the counts expect in the hidden slots of training windows, as the network will be told in use.

Not for how they come to expect it: see `pythia_epidoc.model.expectations`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pythia_epidoc.model.alphabet import OUTPUTS, PREDICT_CHARACTER
from pythia_epidoc.model.count_search import proposed
from pythia_epidoc.model.expectations import Expectations
from pythia_epidoc.model.local_counts import CountModel
from pythia_epidoc.model.tasks import tasks_for
from pythia_epidoc.restoration import Query
from pythia_epidoc.training.windows import Span, Window

_WIDTH, _BREADTH = 24, 2
"""Fewer texts are proposed than in use: the unlikely ones weigh little, and take time."""


def expected_in(windows: Sequence[Window], model: CountModel, longest: int) -> npt.NDArray[np.float32]:
    """log p of each output in each slot, given the true symbols before it: B N T O, as in `Batch`. Nothing is
    expected in spans of more than `longest` letters."""
    columns = max(len(window.spans) for window in windows)
    steps = max(len(span.slots) for window in windows for span in window.spans)
    expected = np.zeros((len(windows), columns, steps, len(OUTPUTS)), dtype=np.float32)
    spans = [
        (row, column, span)
        for row, window in enumerate(windows)
        for column, span in enumerate(window.longest_first)
        if len(span.slots) <= longest + 1
    ]
    tasks = [tasks_for(number, _query(windows[row], span))[0] for number, (row, _, span) in enumerate(spans)]
    if not tasks:
        return expected
    expectations = Expectations(tasks, proposed(tasks, model.local(tasks), _WIDTH, breadth=_BREADTH))
    for number, (row, column, span) in enumerate(spans):
        node = np.array(number)
        for step, target in enumerate(span.targets):
            expected[row, column, step] = expectations.at(node)
            node = expectations.advance(node, np.array(target))
    return expected


def _query(window: Window, span: Span) -> Query:
    """The question that a hidden span is."""
    first = span.slots[0]
    by_character = window.text[first : first + 1] == PREDICT_CHARACTER
    before, after = window.text[:first], window.text[span.after :]
    return Query(
        f"{window.around[0]}{before}",
        f"{after}{window.around[1]}",
        (len(span.targets) - (not by_character),),
        by_character=by_character,
    )
