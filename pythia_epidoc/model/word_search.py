"""Texts that known words suggest for lacunae: up to three of them that fit the letters on either side.

    … γνωμ[η πρυταν]εων …    a word with this beginning, (one between,) a word with this ending

The counts write letter after letter and see sixteen characters at a time: where two words are damaged, or the
words beside a lacuna are rare, they may never write what the words around it would lead one to expect. Here
each word is one that the network of words expects in its place; of its neighbours in the lacuna it sees only
the letters that are left.

Not for how well the texts fit in the end: see `word_judge`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from pythia_epidoc.greek import LOST, SPACE
from pythia_epidoc.model.network import lstm_step
from pythia_epidoc.model.tasks import Task
from pythia_epidoc.model.trie import DEAD, FloatArray, IntArray, compiled
from pythia_epidoc.model.word_judge import Place, Surroundings, WordJudge
from pythia_epidoc.model.word_shelf import Shelf, Shelves
from pythia_epidoc.model.words import is_whole

_OF_TWO = 24
"""So many words that add as many letters are tried as the first and as the last of two …"""
_OF_THREE = 8
"""… or as the first, second and last of three."""
_TRIED = 4
"""So many times as many texts as are wanted are looked at: some may break a constraint."""

_Texts = tuple[FloatArray, Callable[[int], str]]
"""log p of each of some texts, and how the one of a number reads."""


@dataclass(frozen=True, eq=False)
class _Options:
    """Words that may stand somewhere, by how many letters they add to those that are known, the likeliest
    first."""

    shelf: Shelf
    known: int
    numbers: IntArray
    """N+1 K"""
    scores: FloatArray
    """N+1 K: log p; -inf where there is no word."""

    @property
    def letters(self) -> IntArray:
        """How many letters may be added."""
        return np.flatnonzero(self.scores[:, 0] > -np.inf)

    def best(self, width: int) -> _Options:
        """The best of each number of letters."""
        return _Options(self.shelf, self.known, self.numbers[:, :width], self.scores[:, :width])

    def added(self, letters: int, rank: int) -> str:
        """What a word adds; none of the letters if it was whole."""
        return self.shelf.words[self.numbers[letters, rank]][self.known :] if letters else ""


def suggested(tasks: Sequence[Task], judge: WordJudge, around: Surroundings, width: int) -> list[list[str]]:
    """For each task the `width` likeliest texts that fit it, or as many as there are."""
    longest = np.zeros(len(around.places), dtype=np.int64)
    np.maximum.at(longest, around.of_tasks, [task.length for task in tasks])
    lattices = _lattices(judge, around, longest.tolist())
    return [
        list(islice(lattices[number].fitting(task, _TRIED * width), width))
        for task, number in zip(tasks, around.of_tasks, strict=True)
    ]


@torch.inference_mode()
def _lattices(judge: WordJudge, around: Surroundings, most: Sequence[int]) -> list[_Lattice]:
    """The words that may stand in each place; most: how many letters they may add there together."""
    expected, shelves, places = _expected(judge, around), judge.shelves, around.places
    left, right = [place.left for place in places], [place.right for place in places]
    of_first, of_second, of_last = expected[1:3], expected[3:4], expected[4:6]
    first_of_two, first = _options(shelves.from_left, left, of_first, most, _whole(judge, left, of_first))
    [second] = _options(shelves.from_left, [""] * len(places), of_second, most)
    inwards = [letters[::-1] for letters in right]
    last_of_two, last = _options(shelves.from_right, inwards, of_last, most, _whole(judge, right, of_last))
    return [
        _Lattice(
            shelves,
            place,
            expected[0, number],
            (first_of_two[number], last_of_two[number]),
            [each[number].best(_OF_THREE) for each in (first, second, last)],
        )
        for number, place in enumerate(places)
    ]


def _expected(judge: WordJudge, around: Surroundings) -> Tensor:
    """What is expected in each place: as the only word; as the first of two, the first of three, the second
    of three; as the last of two, the last of three: 6 B S."""
    network, places = judge.network, around.places
    from_left, from_right = [around.before.state], [around.after.state]
    for left, right in (
        ([f"{place.left}{LOST}" for place in places], [f"{LOST}{place.right}" for place in places]),
        ([LOST] * len(places), [LOST] * len(places)),
    ):
        from_left.append(_read_on(network.before, from_left[-1], judge.vectors(left)[1]))
        from_right.append(_read_on(network.after, from_right[-1], judge.vectors(right)[1]))
    sides = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (2, 0))
    before = torch.stack([from_left[side][0] for side, _ in sides])
    after = torch.stack([from_right[side][0] for _, side in sides])
    return network.between(before, after)


def _read_on(layer: nn.LSTM, state: tuple[Tensor, Tensor], vectors: Tensor) -> tuple[Tensor, Tensor]:
    """States after one more word each."""
    from_input, from_hidden, *biases = layer.all_weights[0]
    gates = linear(vectors, from_input, biases[0] + biases[1]) + linear(state[0], from_hidden)
    return lstm_step(gates, state[1])


def _whole(judge: WordJudge, letters: Sequence[str], expected: Tensor) -> FloatArray:
    """log p of the letters beside each place as a word, where this is expected: R B S → R B. Nothing is said
    of a damaged one, and there is none where there are no letters."""
    numbers, vectors = judge.vectors(letters)
    logs = judge.network.fit(expected, vectors, numbers).float().cpu().numpy()
    for number, each in enumerate(letters):
        if not is_whole(each):
            logs[:, number] = 0 if each else -np.inf
    return np.asarray(logs)


def _options(
    shelf: Shelf,
    letters: Sequence[str],
    expected: Tensor,
    most: Sequence[int],
    whole: FloatArray | None = None,
) -> list[list[_Options]]:
    """Of the words with these letters, the likeliest that add one letter, two, … up to `most`; or none, if
    the letters are a whole word.

    expected R B S: several expectations of B places → R B
    """
    tried = shelf.by_letters
    without = [number for number, each in enumerate(letters) if not each]
    of_frequent = tried[0].fits(expected[:, without], slice(None))
    options: list[list[_Options]] = [[] for _ in expected]
    for number, each in enumerate(letters):
        if each:
            here = tried[min(len(each), len(tried) - 1)]
            among = here.beginning_with(each)
            fits = here.fits(expected[:, number], among)
        else:
            here, among, fits = tried[0], slice(0, None), of_frequent[:, without.index(number)]
        added = here.lengths[among] - len(each)
        for role, of_role in enumerate(fits):
            numbers, scores = _best_of_each(of_role, added, most[number], _OF_TWO)
            if whole is not None:
                scores[0, 0] = whole[role, number]
            options[role].append(_Options(here, len(each), numbers + among.start, scores))
    return options


@dataclass(frozen=True, eq=False)
class _Lattice:
    """The words that may stand in one place."""

    shelves: Shelves
    place: Place
    alone: Tensor
    """S: what is expected of a word that fills it."""
    two: Sequence[_Options]
    three: Sequence[_Options]

    def fitting(self, task: Task, tried: int) -> Iterator[str]:
        """Of so many texts those that fit a task, the likeliest first."""
        kinds = [self._single(task.length)]
        for words in (self.two, self.three):
            spaces = len(words) - 1 if task.by_character else 0
            kinds.append(_joined(words, task.length - spaces))
        scores = np.concatenate([logs for logs, _ in kinds])
        starts = np.cumsum([0, *(len(logs) for logs, _ in kinds)])
        best = np.argpartition(-scores, tried)[:tried] if len(scores) > tried else np.arange(len(scores))
        seen: set[str] = set()
        for number in best[np.argsort(-scores[best], kind="stable")].tolist():
            if scores[number] == -np.inf:
                return
            kind = int(np.searchsorted(starts, number, side="right")) - 1
            text = kinds[kind][1](number - int(starts[kind]))
            if text not in seen and task.admits(text):
                yield text
            seen.add(text)

    def _single(self, length: int) -> _Texts:
        """Words that fill the lacuna by themselves."""
        left, right = self.place.left, self.place.right
        backwards = len(right) > len(left)
        shelf, begins, ends = self.shelves.from_left, left, right
        if backwards:
            shelf, begins, ends = self.shelves.from_right, right[::-1], left[::-1]
        if not begins:
            shelf = shelf.by_letters[1]
        among = shelf.beginning_with(begins)
        numbers = among.start + np.flatnonzero(shelf.lengths[among] == len(left) + length + len(right))
        if ends:
            numbers = numbers[[shelf.words[number].endswith(ends) for number in numbers.tolist()]]

        def text(number: int) -> str:
            word: str = shelf.words[numbers[number]]
            return (word[::-1] if backwards else word)[len(left) : len(left) + length]

        return shelf.fits(self.alone, torch.from_numpy(numbers).to(self.alone.device)), text


@compiled
def _best_of_each(fits: FloatArray, added: IntArray, most: int, width: int) -> tuple[IntArray, FloatArray]:
    """The `width` best for each number of letters added, from one to `most`: N+1 K."""
    numbers = np.full((most + 1, width), DEAD, dtype=np.int64)
    scores = np.full((most + 1, width), -np.inf, dtype=np.float32)
    for number in range(len(fits)):
        row, fit = added[number], fits[number]
        if row < 1 or row > most or fit <= scores[row, -1]:
            continue
        place = width - 1
        while place and scores[row, place - 1] < fit:
            numbers[row, place], scores[row, place] = numbers[row, place - 1], scores[row, place - 1]
            place -= 1
        numbers[row, place], scores[row, place] = number, fit
    return numbers, scores


def _joined(words: Sequence[_Options], letters: int) -> _Texts:
    """All texts of two or three words that add so many letters together."""
    first, *between, last = words
    starts, ends = (each.ravel() for each in np.meshgrid(first.letters, last.letters))
    middles = letters - starts - ends
    possible = np.isin(middles, between[0].letters if between else 0)
    starts, middles, ends = starts[possible], middles[possible], ends[possible]
    scores = first.scores[starts][:, :, None, None] + last.scores[ends][:, None, None, :]
    if between:
        scores = scores + between[0].scores[middles][:, None, :, None]

    def text(number: int) -> str:
        row, start, middle, end = map(int, np.unravel_index(number, scores.shape))
        parts = [first.added(starts[row], start), *(each.added(middles[row], middle) for each in between)]
        return SPACE.join([*parts, last.added(ends[row], end)[::-1]])

    return scores.reshape(-1), text
