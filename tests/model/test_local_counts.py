"""The counts of the corpora and of the text itself speak with one voice, whoever asks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.candidates import Judges, Weights, search
from pythia_epidoc.model.counting import count
from pythia_epidoc.model.counts import ORDER, SIZE, encode
from pythia_epidoc.model.local_counts import CountModel, LocalCounts
from pythia_epidoc.model.tasks import Task, tasks_for
from pythia_epidoc.model.trie import DEAD
from pythia_epidoc.restoration import Query
from pythia_epidoc.training import pooling as pooling_module
from pythia_epidoc.training import trust as trust_module
from pythia_epidoc.training.pooling import fit_pooling
from pythia_epidoc.training.trust import fit_trust

DOCUMENTS = ["εδοξεν τηι βουληι και τωι δημωι", "εδοξεν τωι δημωι", "ο δημοσ και η βουλη", "θεοισ και δημωι"]
TEXTS = ["δημωι", "και η βο", "μ"]
NAME = "παυσανιασ μελανθιου ανεθηκεν τοισ θεοισ "


@pytest.fixture(scope="module")
def model() -> CountModel:
    return CountModel(count([(1.0, (text,)) for text in DOCUMENTS], [2] * ORDER))


def task(before: str, after: str, length: int = 5) -> Task:
    [only] = tasks_for(0, Query(before, after, (length,)))
    return only


def score(local: LocalCounts, asked: Task, *texts: str) -> np.ndarray:
    return local.score(asked, [encode(text).tobytes() for text in texts])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("τωι ", " εδοξεν"),
        ("ξ-", "#και"),
        ("δη", "ωι"),
        (NAME * 3 + "τωι ", f"ωι {NAME}"),
    ],
)
def test_texts_score_as_their_characters_one_by_one(model: CountModel, before: str, after: str) -> None:
    """Onwards to the end of what follows, and backwards to the beginning of what precedes."""
    asked = task(before, after)
    local = model.local([asked])
    near_before, near_after = before[-(ORDER - 1) :], after[: ORDER - 1]
    expected = [
        (
            onwards(local, local.after(asked), text + near_after)
            + backwards(local, near_before + text, near_after)
        )
        / 2
        for text in TEXTS
    ]
    assert score(local, asked, *TEXTS) == pytest.approx(expected, rel=1e-4)


def onwards(local: LocalCounts, state: np.ndarray, text: str) -> float:
    total = 0.0
    for code in encode(text).astype(np.int64):
        if code:
            total += float(local.logs_after(state)[0, code - 1])
        state = local.advance(state, np.array([code]))
    return total


def backwards(local: LocalCounts, text: str, after: str) -> float:
    total = 0.0
    codes = encode(text + after).astype(np.int64)
    for place in range(len(text) - 1, -1, -1):
        following = np.zeros((1, ORDER - 1), dtype=np.int64)
        visible = codes[place + 1 : place + ORDER]
        following[0, : len(visible)] = visible
        if codes[place]:
            total += float(local.logs_before(following, np.array([0]))[0, codes[place] - 1])
    return total


@pytest.mark.parametrize(("before", "after"), [("τωι ", " εδοξεν"), (NAME * 3 + "τωι ", f"ωι {NAME}")])
def test_one_character_is_expected_as_among_all_others(model: CountModel, before: str, after: str) -> None:
    asked = task(before, after)
    local = model.local([asked])
    codes = np.arange(1, SIZE + 1)
    states = np.repeat(local.after(asked), SIZE, axis=0)
    assert local.log_after(states, codes) == pytest.approx(local.logs_after(states[:1])[0], rel=1e-5)
    following = np.zeros((SIZE, ORDER - 1), dtype=np.int64)
    visible = encode(after[: ORDER - 1])
    following[:, : len(visible)] = visible
    numbers = np.zeros(SIZE, dtype=np.int64)
    alone = local.log_before(following, codes, numbers)
    assert alone == pytest.approx(local.logs_before(following[:1], numbers[:1])[0], rel=1e-5)


@pytest.mark.parametrize(
    ("before", "after"), [("τωι ", " εδοξεν"), ("ξ-", "#και"), (NAME * 3 + "τωι ", f"ωι {NAME}")]
)
def test_judged_without_pooling_texts_score_as_ever(model: CountModel, before: str, after: str) -> None:
    """But for the steps in which sums are kept."""
    asked = task(before, after)
    local = model.local([asked])
    judged = local.judge(asked, [encode(text).tobytes() for text in TEXTS])
    assert judged == pytest.approx(score(local, asked, *TEXTS), abs=0.3)


def test_contexts_that_are_alike_are_looked_at_once(model: CountModel) -> None:
    """And each place hears what is said of its own."""
    asked = task("τωι ", " εδοξεν")
    local = model.local([asked])
    texts = [encode(text).tobytes() for text in ("δημωι", "δημοι", "μωι", "δημου")]
    onwards, backwards = local.seen(asked, texts)
    assert len(onwards.longest) < len(onwards.codes)
    assert len(backwards.longest) < len(backwards.codes)
    for number, text in enumerate(texts):
        alone = local.seen(asked, [text])
        for together, single in zip((onwards, backwards), alone, strict=True):
            mine = together.rows == number
            assert np.array_equal(together.codes[mine], single.codes)
            assert np.allclose(together.by_length(ORDER)[mine], single.by_length(ORDER))


def test_the_last_column_is_what_all_voices_say(model: CountModel) -> None:
    asked = task("και τωι ", " εδοξεν")
    local = model.local([asked])
    onwards, _ = local.seen(asked, [encode("δημωι").tobytes()])
    assert np.allclose(onwards.by_length(ORDER)[0, -1], local.logs_after(local.after(asked))[0])
    assert onwards.longest[onwards.contexts[0]] == len(" τωι ")  # with και it is in one document only


def test_what_the_longest_string_says_stands_for_longer_ones(model: CountModel) -> None:
    asked = task("τωι ", " εδοξεν")
    local = model.local([asked])
    weights = np.random.default_rng(1).normal(size=(ORDER, ORDER + 1)).astype(np.float32)
    for seen in local.seen(asked, [encode(text).tobytes() for text in TEXTS]):
        longest = seen.longest[seen.contexts]
        logs = seen.by_length(ORDER)
        for place, length in enumerate(longest.tolist()):
            assert (logs[place, length:-1] == logs[place, length]).all()
        together = np.einsum("pk,pks->ps", weights[longest], logs)
        expected = together - np.log(np.exp(together).sum(axis=1, keepdims=True))
        assert seen.pooled(weights) == pytest.approx(
            expected[np.arange(len(longest)), seen.codes - 1], abs=1e-4
        )


def test_of_what_cannot_be_read_nothing_is_said(model: CountModel) -> None:
    asked = task("---", "---")
    local = model.local([asked])
    onwards, backwards = local.seen(asked, [encode("----").tobytes()])
    assert len(onwards.codes) == len(backwards.codes) == len(onwards.longest) == 0
    assert local.judge(asked, [encode("----").tobytes()]).tolist() == [0.0]


def test_a_name_that_stands_elsewhere_in_the_text_is_found(model: CountModel) -> None:
    """No corpus has it."""
    after = "ου ανεθηκεν"
    weights, words = Weights(0.0, 1.0), Vocabulary([])
    [stranger] = search([task("παυσανιασ μελ", after, 4)], Judges(None, words, model), weights, 100)
    [known] = search([task(NAME + "και ο παυσανιασ μελ", after, 4)], Judges(None, words, model), weights, 100)
    assert known[0].text == "ανθι"
    assert stranger[0].text != "ανθι"


def test_the_letters_next_to_a_lacuna_do_not_speak_for_themselves(model: CountModel) -> None:
    """Else the text would say that what follows the lacuna follows itself."""
    asked = task("παυσαν", "μελανθ")
    _, own = model.local([asked]).voices
    assert len(own.counts) == 1


def test_texts_asked_about_together_do_not_hear_one_another(model: CountModel) -> None:
    queries = [Query(NAME + "και ο παυσανιασ μελ", "ου", (4,)), Query("και ο παυσανιασ μελ", "ου", (4,))]
    tasks = [task for number, query in enumerate(queries) for task in tasks_for(number, query)]
    together = model.local(tasks)
    for each in tasks:
        assert score(together, each, "ανθι") == pytest.approx(score(model.local([each]), each, "ανθι"))


def test_inscriptions_speak_only_where_a_text_reads_like_one(model: CountModel) -> None:
    stone = "η βουλη και ο δημοσ ετειμησαν τον δεινα αρετησ ενεκεν και ευνοιασ τησ εισ αυτον "
    letter = "γινωσκε ουν οτι ουπω ελαβον παρα σου επιστολην και θαυμαζω πωσ ημελησασ μου "
    both = [(1.0, (stone,)), (1.0, (letter,))] * 2
    inscriptions = count([(weight if text == (stone,) else 0.0, text) for weight, text in both], [1] * ORDER)
    speaking = CountModel(count(both, [1] * ORDER), inscriptions)
    queries = [Query(stone + "αρετησ ε", "κεν και", (2,)), Query(letter + "επιστο", "ν και", (2,))]
    tasks = [task for number, query in enumerate(queries) for task in tasks_for(number, query)]
    voice, _ = speaking.local(tasks).voices
    assert voice.roots.tolist() == [0, DEAD]
    alone = replace(speaking, inscriptions=model.inscriptions)
    of_stone, of_letter = tasks
    assert score(speaking.local(tasks), of_stone, "νε") > score(alone.local(tasks), of_stone, "νε")
    assert score(speaking.local(tasks), of_letter, "λη") == score(alone.local(tasks), of_letter, "λη")


def test_fitted_trust_makes_texts_likelier(model: CountModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of shares between 0 and 1, under which what it was fitted to is expected better; and then
    weights for pooling, under which it is expected better still."""
    monkeypatch.setattr(trust_module, "_STEPS", 300)
    monkeypatch.setattr(pooling_module, "_SPANS", 100)
    monkeypatch.setattr(pooling_module, "_STEPS", 300)
    texts = [f"{text} {NAME} {text} εδοξεν τηι βουληι {NAME}" for text in DOCUMENTS]
    fitted = fit_trust(model, {"papyri": texts, "inscriptions": texts})
    for trust in (fitted.corpus.trust, fitted.inscriptions.trust, fitted.own_trust):
        assert ((trust.after >= 0) & (trust.after <= 1)).all()

    def likelihood(counts: CountModel) -> float:
        total = 0.0
        for text in texts:
            asked = task(text[:60], text[65:])
            total += float(counts.local([asked]).judge(asked, [encode(text[60:65]).tobytes()])[0])
        return total

    assert likelihood(fitted) > likelihood(model)
    assert likelihood(fit_pooling(fitted, {"papyri": texts, "inscriptions": texts})) > likelihood(fitted)
