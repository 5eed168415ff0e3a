"""Training the network of accents: windows of texts → losses.

Of some words of a window, or of parts of them, the signs are hidden and have to be told from the letters and
from the words around them, whose signs are shown.

Not for how a run goes on: see `loop`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from pythia_epidoc.corpus.attributions import by_kind
from pythia_epidoc.corpus.records import Record
from pythia_epidoc.greek import SPACE, UNKNOWN
from pythia_epidoc.model.accents.marks import NO_SIGNS, NOT_KNOWN, decode, sign_numbers, without_second_accent
from pythia_epidoc.model.accents.network import AccentNetwork
from pythia_epidoc.model.accents.style import SAMPLE, is_accented
from pythia_epidoc.model.alphabet import INPUTS, encode
from pythia_epidoc.model.checkpoint import Checkpoint
from pythia_epidoc.training.config import AccentTrainingConfig
from pythia_epidoc.training.counted import Report
from pythia_epidoc.training.loop import Loop
from pythia_epidoc.training.streams import Streams

VALIDATION_WINDOWS = 512
_SPACE = INPUTS.index(SPACE)
_LONGEST_PART = 8

Codes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Batch = dict[str, Tensor]


class AccentRun(Loop):
    """A training run of the network of accents."""

    network: AccentNetwork

    def __init__(
        self,
        folder: Path,
        config: AccentTrainingConfig,
        train: Sequence[Record],
        validation: Sequence[Record],
        device: str = "auto",
        *,
        start: Checkpoint | None = None,
        report: Report = lambda message: None,
    ) -> None:
        """`start`: a checkpoint whose weights a new run begins with."""
        super().__init__(folder, config, train, validation, device)
        self.config = config
        report("Reading accents …")
        self.texts = Windows(train, config)
        self.validation = Windows(validation, config)
        self.network = AccentNetwork(config.network).to(self.device)
        if start is not None and not self.resumes:
            known = None if start.accents is None else start.accents.network
            self.take_over(known, start.card.get("accents", {}))
        self.begin(_Losses(self.network))

    def _next_losses(self, seed: str) -> tuple[Tensor, Tensor, int]:
        batch = self.texts.batch(self.config.batch, seed)
        loss, _ = self.trainable({name: array.to(self.device) for name, array in batch.items()})
        return loss, loss.detach(), batch["letters"].numel()

    @torch.no_grad()
    def validate(self) -> None:
        """Loss of the averaged weights on fixed windows, and how often the signs of a letter are right."""
        network = AccentNetwork(self.config.network).to(self.device)
        network.load_state_dict(self.average)
        losses = _Losses(network).eval()
        found = []
        for start in range(0, VALIDATION_WINDOWS, self.config.batch):
            batch = self.validation.batch(self.config.batch, f"validation/{start}")
            found.append([float(each) for each in losses({k: v.to(self.device) for k, v in batch.items()})])
        self.progress.validation_loss, self.progress.validation_accuracy = np.mean(found, axis=0).tolist()


class Windows:
    """Draws windows of texts: the same ones for the same seed."""

    def __init__(self, records: Sequence[Record], config: AccentTrainingConfig) -> None:
        self.config = config
        texts = by_kind(records)
        kinds = [(_stream(texts[kind]), share) for kind, share in config.kinds if share and kind in texts]
        self.streams = Streams(kinds, config.window, "accented texts")

    def batch(self, count: int, seed: str) -> Batch:
        """Windows, some of whose signs are hidden."""
        chance = np.random.default_rng(random.Random(seed).getrandbits(64))
        letters, signs = self.streams.drawn(count, chance).swapaxes(0, 1)
        asked = self._asked(letters == _SPACE, chance) & (signs != NOT_KNOWN)
        arrays = {
            "letters": np.ascontiguousarray(letters),
            "signs": np.where(asked, NOT_KNOWN, signs),
            "asked": asked,
            "targets": signs[asked] - 1,
        }
        return {name: torch.from_numpy(array) for name, array in arrays.items()}

    def _asked(self, spaces: Flags, chance: np.random.Generator) -> Flags:
        """Letters whose signs are to be told: of whole words, of words side by side, of parts of words."""
        config, shape = self.config, spaces.shape
        words = np.cumsum(spaces, axis=1)  # the number of the word that each letter belongs to
        chosen = chance.random(shape) < config.asked_share
        chosen[:, 1:] |= chosen[:, :-1] & (chance.random((shape[0], shape[1] - 1)) < config.asked_together)
        part, cut = chance.random(shape), chance.integers(1, _LONGEST_PART, shape)
        rows = np.arange(shape[0])[:, None]
        chosen, part, cut = chosen[rows, words], part[rows, words], cut[rows, words]
        places = np.arange(shape[1])
        in_word = places - np.maximum.accumulate(np.where(spaces, places, -1), axis=1) - 1
        shown = (part < config.part_share / 2) & (in_word < cut)
        shown |= (part > 1 - config.part_share / 2) & (in_word >= cut)
        return np.asarray(chosen & ~shown & ~spaces)


def _stream(records: Iterable[Record]) -> Codes:
    """All accented texts one after another: the letters, and the signs of those that are known."""
    known: dict[str, tuple[str, bytes, str]] = {}
    letters: list[str] = []
    signs: list[bytes] = []
    for record in records:
        texts, forms = record.text.split(SPACE), record.written.split(SPACE)
        if len(texts) != len(forms):
            continue
        for form in forms:
            if form not in known:
                known[form] = _taken_apart(form)
        if not is_accented(code for whole, _, code in (known[form] for form in forms[:SAMPLE]) if whole):
            continue
        for text, form in zip(texts, forms, strict=True):
            whole, numbers, _ = known[form]
            letters.append(text)
            signs.append(numbers if whole == text else bytes(len(text)))
        letters.append(UNKNOWN)
        signs.append(bytes(1))
    codes = encode(SPACE.join(letters))
    return np.stack((codes, np.frombuffer(bytes((NO_SIGNS,)).join(signs), dtype=np.uint8)))


def _taken_apart(form: str) -> tuple[str, bytes, str]:
    """The letters of a written word, the numbers of what they carry, and the code of it; nothing of one that
    is damaged."""
    decoded = decode(form)
    if decoded is None:
        return "", b"", ""
    letters, code = decoded
    return letters, bytes(sign_numbers(len(letters), without_second_accent(letters, code))), code


class _Losses(nn.Module):
    """The network with its loss, as one module that can be copied to several GPUs."""

    def __init__(self, network: AccentNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The loss, and the share of letters whose signs are right."""
        logits = self.network(batch["letters"], batch["signs"], batch["asked"])
        targets = batch["targets"]
        return cross_entropy(logits, targets), (logits.argmax(dim=-1) == targets).float().mean()
