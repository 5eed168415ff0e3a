"""A run of the network of words learns which words go together, resumes exactly, and stays on its device."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch

from pythia_epidoc.corpus.records import Record
from pythia_epidoc.errors import CorpusError, ModelError
from pythia_epidoc.model.alphabet import Vocabulary
from pythia_epidoc.model.checkpoint import Calibration, Checkpoint
from pythia_epidoc.model.tasks import Task, tasks_for
from pythia_epidoc.model.word_judge import FITS, WordJudge
from pythia_epidoc.model.words import FIRST_WORD, UNKNOWN_WORD, Lexicon
from pythia_epidoc.restoration import Query
from pythia_epidoc.training.config import WordTrainingConfig, config_from_dict
from pythia_epidoc.training.pack import trained, trained_words
from pythia_epidoc.training.word_run import Stretches, WordLosses, WordRun, _chances, frequent_words

PAIRS = [("θεοσ", "αγαθοσ"), ("πολισ", "μεγαλη"), ("δημοσ", "σοφοσ"), ("βουλη", "καλη")]
BETWEEN = ["και", "τε", "γαρ", "δε", "μεν", "αν"]


def texts(seed: int) -> list[str]:
    """The first word of a sentence tells its last, whatever stands between."""
    chance = random.Random(seed)
    sentences = [[first, *chance.choices(BETWEEN, k=2), last] for first, last in chance.choices(PAIRS, k=480)]
    return [
        " ".join(word for sentence in sentences[at : at + 4] for word in sentence) for at in range(0, 480, 4)
    ]


RECORDS = [Record("iaph", str(n), text, "0" * len(text)) for n, text in enumerate(texts(1))]
TINY = {
    "batch": 8,
    "steps": 300,
    "learning_rate": 0.01,
    "warmup": 10,
    "average": 0.9,
    "stretch": 12,
    "others": 12,
    "vocabulary": 13,
    "kinds": {"inscriptions": 1.0},
    "network": {"size": 16, "hidden": 24, "dropout": 0.0},
}


def config(**changes: object) -> WordTrainingConfig:
    made = config_from_dict({**TINY, **changes}, "words")
    assert isinstance(made, WordTrainingConfig)
    return made


def run(folder: Path, **changes: object) -> WordRun:
    return WordRun(folder, config(**changes), RECORDS, RECORDS, "cpu")


def task(before: str, after: str, length: int) -> Task:
    return tasks_for(0, Query(before, after, (length,)))[0]


def test_it_learns_what_a_word_far_away_demands(tmp_path: Path) -> None:
    run(tmp_path).train(validate_every=150)
    judge, card = trained_words(tmp_path)
    asked = task("θεοσ γαρ δε ", " πολισ", 6)
    [fits] = judge.judge(judge.surroundings([asked]), [["αγαθοσ", "μεγαλη", "δημοσε"]])
    assert fits[0, :2].sum() > max(fits[1, :2].sum(), fits[2, :2].sum()) + 1
    assert fits[:, 2:4].tolist() == [[1, 0], [1, 0], [1, 1]]
    assert card["steps"] == 300 and card["config"]["network"]["system"] == "words"


def test_a_stopped_run_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    whole.train(steps=14, validate_every=5)
    run(tmp_path / "halves").train(steps=7, validate_every=5)
    resumed = run(tmp_path / "halves")
    assert resumed.progress.step == 7
    resumed.train(steps=14, validate_every=5)
    for name, value in whole.network.state_dict().items():
        assert torch.equal(value, resumed.network.state_dict()[name]), name
    for name, value in whole.average.items():
        assert torch.equal(value, resumed.average[name]), name


def test_a_run_begins_with_the_weights_of_a_checkpoint(tmp_path: Path) -> None:
    run(tmp_path / "first").train(steps=3, validate_every=10)
    judge, card = trained_words(tmp_path / "first")
    start = Checkpoint(None, Vocabulary([]), None, None, Calibration(), {"words": card}, judge)
    second = WordRun(tmp_path / "second", config(), RECORDS, RECORDS, "cpu", start=start)
    for name, value in judge.network.state_dict().items():
        assert torch.equal(value, second.network.state_dict()[name]), name
    second.train(steps=2, validate_every=10)
    assert trained_words(tmp_path / "second")[1]["steps"] == 5
    empty = Checkpoint(None, Vocabulary([]), None, None, Calibration(), {})
    with pytest.raises(ModelError, match="no such network"):
        WordRun(tmp_path / "third", config(), RECORDS, RECORDS, "cpu", start=empty)


def test_a_wider_network_begins_with_what_a_narrower_one_knows(tmp_path: Path) -> None:
    run(tmp_path / "first").train(steps=30, validate_every=100)
    judge, card = trained_words(tmp_path / "first")
    start = Checkpoint(None, Vocabulary([]), None, None, Calibration(), {"words": card}, judge)
    wider = config(network={**TINY["network"], "hidden": 40})
    wide = WordRun(tmp_path / "wide", wider, RECORDS, RECORDS, "cpu", start=start)
    assert wide.network.config.hidden == 40
    asked, given = task("θεοσ γαρ δε ", " πολισ", 6), [["αγαθοσ", "μεγαλη"]]
    [said], [says] = (
        each.judge(each.surroundings([asked]), given)
        for each in (judge, WordJudge(wide.network.eval(), wide.lexicon))
    )
    assert says == pytest.approx(said, abs=1e-5)
    wide.train(steps=20, validate_every=100)
    assert not torch.equal(wide.network.expected.weight[:, 24:40], torch.zeros(16, 16))


def test_a_run_learns_words_that_were_unknown_to_the_network_it_begins_with(tmp_path: Path) -> None:
    run(tmp_path / "first", vocabulary=8).train(steps=30, validate_every=100)
    judge, card = trained_words(tmp_path / "first")
    start = Checkpoint(None, Vocabulary([]), None, None, Calibration(), {"words": card}, judge)
    larger = WordRun(tmp_path / "larger", config(), RECORDS, RECORDS, "cpu", start=start)
    assert larger.lexicon.words[:8] == judge.lexicon.words
    assert set(larger.lexicon.words) == set(frequent_words(RECORDS, 13))
    late = larger.lexicon.words[-1]
    assert (judge.lexicon.number(late), larger.lexicon.number(late)) == (UNKNOWN_WORD, FIRST_WORD + 12)
    asked, given = task("θεοσ γαρ δε ", " πολισ", len(late)), [[late]]
    [[said]], [[says]] = (
        each.judge(each.surroundings([asked]), given)
        for each in (judge, WordJudge(larger.network.eval(), larger.lexicon))
    )
    assert says[:2] == pytest.approx(said[:2], abs=1e-5)
    assert (said[3], says[3]) == (1, 0)
    larger.train(steps=20, validate_every=100)
    weights = larger.network.words.weight
    assert not torch.equal(weights[-1], weights[UNKNOWN_WORD])
    smaller = WordRun(tmp_path / "smaller", config(vocabulary=5), RECORDS, RECORDS, "cpu", start=start)
    assert smaller.lexicon.words == judge.lexicon.words


def test_runs_are_not_mistaken_for_one_another(tmp_path: Path) -> None:
    run(tmp_path).train(steps=1)
    with pytest.raises(ModelError, match="--words"):
        trained(tmp_path)


def test_the_frequent_words_are_whole_and_weighed_by_kind() -> None:
    records = [
        Record("papyri", "1", "αβγ αβγ αβγ δεζ ηθ--", "0" * 20),
        Record("iaph", "1", "κλμ κλμ", "0" * 7),
    ]
    assert frequent_words(records, 3) == ["κλμ", "αβγ", "δεζ"]


def test_words_are_learned_in_both_spellings() -> None:
    record = Record("lit-perseus", "1", "τω θεω και τω θεω", "0" * 17, "τῷ θεῷ καὶ τῷ θεῷ")
    words = frequent_words([record], 5)
    assert words == ["θεω", "θεωι", "και", "τω", "τωι"]
    stretches = Stretches([record], Lexicon(words), config(stretch=4, kinds={"literary": 1.0}))
    batch, _ = stretches.batch(40, "seed", stretches)
    drawn = {
        words[number - FIRST_WORD] for number in batch["numbers"].flatten().tolist() if number >= FIRST_WORD
    }
    assert drawn == set(words)
    assert stretches.frequency[FIRST_WORD:].tolist() == pytest.approx([0.2] * 5)


def test_others_are_taken_as_often_as_was_wished() -> None:
    frequency = np.array([0.0, 0.5, 0.25, 0.125, 0.0625, 0.0625])
    chances = _chances(frequency, 3)
    assert chances.sum() == pytest.approx(3, abs=0.01)
    assert chances[0] == 0 and chances[1] == 1
    assert (np.diff(chances[1:]) <= 0).all()


def test_what_it_says_is_close_to_log_p(tmp_path: Path) -> None:
    """All words together have about a probability of one, though nothing was divided."""
    made = run(tmp_path, others=40, balance_weight=1.0)
    made.train(validate_every=1000)
    judge, _ = trained_words(tmp_path)
    words = [*["θεοσ", "και", "τε", "αγαθοσ", "πολισ"]]
    numbers, pieces = (torch.from_numpy(array) for array in judge.lexicon.encode(words))
    every, of_every = (torch.from_numpy(array) for array in judge.lexicon.encode(judge.lexicon.words))
    with torch.inference_mode():
        expected = judge.network(judge.network.embed(numbers, pieces)[None])[0, 3]
        fits = judge.network.fit(expected, judge.network.embed(every, of_every), every)
    assert 0.5 < float(fits.exp().sum()) < 2


def test_too_few_words_are_an_error(tmp_path: Path) -> None:
    short = [Record("iaph", "1", "θεοσ και", "0" * 8)]
    with pytest.raises(CorpusError, match="too few words"):
        WordRun(tmp_path, config(), short, short, "cpu")


@pytest.mark.parametrize("where", ["meta", "cpu"])
def test_losses_stay_on_the_networks_device(tmp_path: Path, where: str) -> None:
    """On a device without memory everything that is computed must be there too, whatever the default is."""
    made = run(tmp_path)
    device, other = torch.device(where), torch.device("meta" if where == "cpu" else "cpu")
    batch, characters = made.texts.batch(2, "1", made.texts)
    tensors = {name: array.to(device) for name, array in batch.items()}
    losses = WordLosses(made.network.to(device), 0.1)
    with other:
        if where == "meta":  # how many there are to ask about cannot be told without memory
            assert made.network(made.network.embed(tensors["shown"], tensors["pieces"])).device == device
        else:
            assert torch.isfinite(losses(tensors)[0])
    assert characters > 2 * 12


def test_a_word_is_not_compared_with_itself(tmp_path: Path) -> None:
    made = run(tmp_path)
    batch, _ = made.texts.batch(8, "1", made.texts)
    numbers, places = batch["numbers"], batch["among_others"]
    found = places >= 0
    assert found.any()
    assert torch.equal(batch["other_numbers"][places[found]], numbers[found])
    assert (numbers[found] >= FIRST_WORD).all()
    assert (batch["other_numbers"] >= UNKNOWN_WORD).all()


def test_a_judge_reads_words_as_in_training(tmp_path: Path) -> None:
    """The words around a lacuna are read once; what is said is the same as of each whole text."""
    run(tmp_path).train(steps=20)
    trained, _ = trained_words(tmp_path)
    network, lexicon = trained.network, Lexicon(trained.lexicon.words, {"αθοσ": -2.0, "γαρκαιτδε": -3.0})
    judge = WordJudge(network, lexicon)
    queries = [
        ("θεοσ και τε γα", "δε σοφοσ και", 5),
        ("", " και", 4),
        ("δημοσ δε ", "", 7),
        ("πολισ κ--ε ", " τε", 4),
    ]
    tasks = [tasks_for(n, Query(b, a, (length,)))[0] for n, (b, a, length) in enumerate(queries)]
    given = [["ρ αν ", "ρκαιτ"], ["θεοσ"], ["τε αγαθοσ", "αγ αθοσ"], ["μεγα", "με γα"]]
    judged = judge.judge(judge.surroundings(tasks), given)
    for (before, after, _), texts_of, fits in zip(queries, given, judged, strict=True):
        for text, row in zip(texts_of, fits.tolist(), strict=True):
            own, beside, made, unknown, least, left, often, shortest, recurring, unseen = row
            words = ["", *f"{before}{text}{after}".split(), ""]
            numbers, pieces = (torch.from_numpy(array) for array in lexicon.encode(words))
            with torch.inference_mode():
                vectors = network.embed(numbers, pieces)
                said = network.affinity(network(vectors[None])[0], vectors)
            said = said * ((numbers >= FIRST_WORD) | (numbers == UNKNOWN_WORD))
            first = len(before[: before.rfind(" ") + 1].split()) + 1
            last = len(words) - 1 - (len(after[after.find(" ") :].split()) if " " in after else 0)
            assert own == pytest.approx(float(said[first:last].sum()), abs=1e-4)
            assert made == last - first
            assert unknown == (numbers[first:last] == UNKNOWN_WORD).sum()
            assert beside == pytest.approx(float(said[first - 1] + said[last]), abs=1e-4)
            assert least == pytest.approx(float(said[first:last].min()), abs=1e-4)
            assert left == pytest.approx(float(said[first - 1]), abs=1e-4)
            of_unknown = lexicon.shares(words[first:last]).sum()
            frequency = network.frequency(numbers[first:last]).sum().item()
            assert often == pytest.approx(frequency + of_unknown, abs=1e-4)
            assert unseen == sum(map(lexicon.is_unseen, words[first:last]))
            assert shortest == min(map(len, words[first:last]))
            assert recurring == sum(word in (*words[:first], *words[last:]) for word in words[first:last])


def test_a_judge_does_not_rely_on_the_default_device(tmp_path: Path) -> None:
    made = run(tmp_path)
    judge = WordJudge(made.network.eval(), made.lexicon)
    asked = [task("και ", " τε", 4), task("θεοσ και", "", 3)]
    with torch.device("meta"):
        fits = judge.judge(judge.surroundings(asked), [["θεοσ"], [" τε"]])
    assert all(np.isfinite(each).all() for each in fits)


def test_a_judge_of_nothing_says_nothing(tmp_path: Path) -> None:
    made = run(tmp_path)
    judge = WordJudge(made.network.eval(), made.lexicon)
    [fits] = judge.judge(judge.surroundings([task("και ", " τε", 3)]), [[]])
    assert fits.shape == (0, len(FITS))
