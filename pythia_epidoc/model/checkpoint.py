"""A checkpoint: networks, their words, counts, accents and training card in one safetensors file.

Loading runs no code from the file; a damaged or foreign file is a `ModelError`. Weights are kept as small
integers with a scale per row (or as 16-bit floats), counts as three planes (see `linking`), all compressed.

Not for training state: see `pythia_epidoc.training.loop`.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import zstandard
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file
from torch import nn
from torch.overrides import TorchFunctionMode

from pythia_epidoc.errors import ModelError
from pythia_epidoc.model.accents import Accents
from pythia_epidoc.model.accents.network import AccentConfig, AccentNetwork
from pythia_epidoc.model.accents.table import Table
from pythia_epidoc.model.alphabet import INPUTS, OUTPUTS, Vocabulary
from pythia_epidoc.model.candidates import Judges, Searched, Weights
from pythia_epidoc.model.counts import SIZE, Counts, Trust
from pythia_epidoc.model.jury import Jury
from pythia_epidoc.model.lengths import LengthWeights
from pythia_epidoc.model.linking import packed, unpacked
from pythia_epidoc.model.local_counts import CountModel, Pooling
from pythia_epidoc.model.network import NetworkConfig, Pythia, build_network
from pythia_epidoc.model.trie import Codes
from pythia_epidoc.model.word_judge import WordJudge
from pythia_epidoc.model.words import Lexicon, WordConfig, WordNetwork

_NEXT = "copy or train it again, or leave out --model to use the one that comes with the package"
_ABOUT = "pythia-epidoc"
_FORMATS = "pythia-epidoc checkpoint "
FORMAT = f"{_FORMATS}8"
DEFAULT = Path(__file__).parent / "data" / "default.safetensors"
_ALPHABET = hashlib.sha256(repr((INPUTS, OUTPUTS)).encode()).hexdigest()[:16]
_PLANES = ("symbols", "children", "drops")
_LARGEST, _LARGEST_EMBEDDED = 127, 31
"""Integers that stand for the largest weight of a row. Embeddings, above all those of words, are most of what
there is to keep, and can do with less precision."""
_LEAST_SCALE = 1e-6
"""A row of zeros has a scale, too, and one that 16 bits can hold."""
_SHARES = 10
"""Logarithms of shares are kept in parts of so many to one."""
_MOST = 1 << 28
"""Bytes that a plane may have: a foreign file must not fill the memory."""
Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Calibration:
    """What validation data say of scores: how its judges combine, how sure to be, and who knows lengths."""

    weights: Weights = field(default_factory=Weights)
    temperature: float = 1.0
    lengths: LengthWeights = field(default_factory=LengthWeights)

    def describe(self) -> str:
        """The numbers in a line."""
        weights, lengths = (
            ", ".join(f"{name} × {weight}" for name, weight in vars(each).items() if weight)
            for each in (self.weights, self.lengths)
        )
        return f"{weights}, temperature {self.temperature}; of lengths: {lengths}"


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Everything a restorer needs."""

    network: Pythia | None
    vocabulary: Vocabulary
    counts: CountModel | None
    accents: Accents | None
    calibration: Calibration
    card: dict[str, Any]
    """Name, version, corpora, training, figures: what `model info` prints."""
    words: WordJudge | None = None
    digest: str = ""
    jury: Jury | None = None

    @property
    def judges(self) -> Judges:
        return Judges(self.network, self.vocabulary, self.counts, self.words)

    def logs(self, searched: Searched) -> npt.NDArray[np.float64]:
        """log p of each candidate of a query, calibrated."""
        weights, temperature = self.calibration.weights, self.calibration.temperature
        if self.jury is not None:
            return self.jury.logs(searched, weights).astype(np.float64)
        logs = [np.zeros(0)]
        for task, candidates in searched.answers:
            scores = np.array([candidate.score(weights) for candidate in candidates]) / temperature
            logs.append(scores - np.logaddexp.reduce(scores) + searched.lengths[task.length])
        return np.concatenate(logs)


def save_checkpoint(checkpoint: Checkpoint, path: Path, *, bits: int = 8) -> str:
    """Write a checkpoint, and its SHA-256 beside it; gives the digest."""
    arrays: Arrays = {"vocabulary": _packed_words(checkpoint.vocabulary.words)}
    about: dict[str, Any] = {
        "format": FORMAT,
        "alphabet": _ALPHABET,
        "card": checkpoint.card,
        "calibration": dataclasses.asdict(checkpoint.calibration),
    }
    if checkpoint.network is not None:
        about["network"] = dataclasses.asdict(checkpoint.network.config)
        arrays |= _weights_of(checkpoint.network, "network", bits)
    if checkpoint.words is not None:
        about["words"] = dataclasses.asdict(checkpoint.words.network.config)
        arrays |= _packed_lexicon(checkpoint.words.lexicon)
        arrays |= _weights_of(checkpoint.words.network, "words", bits)
    if checkpoint.jury is not None:
        arrays |= _weights_of(checkpoint.jury, "jury", 32)
    if checkpoint.counts is not None:
        model = checkpoint.counts
        for name, counts in (("corpus", model.corpus), ("inscriptions", model.inscriptions)):
            planes = packed(counts.nodes, counts.roots)
            arrays |= {
                f"counts.{name}:{plane}": _packed(each.tobytes())
                for plane, each in zip(_PLANES, planes, strict=True)
            }
            arrays[f"counts.{name}:trust"] = _table(counts.trust)
        arrays["counts.own:trust"] = _table(model.own_trust)
        arrays["counts.pooling"] = _table(model.pooling)
    if checkpoint.accents is not None:
        arrays["accents"] = np.frombuffer(checkpoint.accents.table.to_bytes(), dtype=np.uint8)
        if checkpoint.accents.network is not None:
            about["accents"] = dataclasses.asdict(checkpoint.accents.network.config)
            arrays |= _weights_of(checkpoint.accents.network, "accents", bits)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    # One entry only: safetensors writes several in no fixed order, and the digest would change.
    save_file(arrays, part, {_ABOUT: json.dumps(about, ensure_ascii=False, sort_keys=True)})
    part.chmod(0o644)  # safetensors makes files for the owner only
    part.replace(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".sha256").write_text(f"{digest}  {path.name}\n", "ascii")
    return digest


def _table(tables: Trust | Pooling) -> npt.NDArray[np.float32]:
    return np.stack((tables.after, tables.before))


def _packed(data: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(zstandard.compress(data, 19), dtype=np.uint8)


def _packed_words(words: Sequence[str]) -> npt.NDArray[np.uint8]:
    return _packed("\n".join(words).encode())


def _unpacked(kept: npt.NDArray[Any]) -> bytes:
    if zstandard.frame_content_size(kept.data) > _MOST:
        raise ValueError("more than a checkpoint can hold")
    return zstandard.decompress(kept.data)


def _unpacked_words(kept: npt.NDArray[Any]) -> list[str]:
    return _unpacked(kept).decode().split("\n")


def _packed_lexicon(lexicon: Lexicon) -> Arrays:
    seen = sorted(lexicon.seen)
    shares = np.round(_SHARES * np.array([-lexicon.seen[word] for word in seen])).clip(0, 255)
    return {
        "lexicon": _packed_words(lexicon.words),
        "lexicon.seen": _packed_words(seen),
        "lexicon.seen:shares": _packed(shares.astype(np.uint8).tobytes()),
    }


def _unpacked_lexicon(arrays: Arrays) -> Lexicon:
    shares = np.frombuffer(_unpacked(arrays["lexicon.seen:shares"]), dtype=np.uint8) / -_SHARES
    seen = _unpacked_words(arrays["lexicon.seen"]) if len(shares) else []
    return Lexicon(_unpacked_words(arrays["lexicon"]), dict(zip(seen, shares.tolist(), strict=True)))


def _weights_of(network: nn.Module, prefix: str, bits: int) -> Arrays:
    arrays: Arrays = {}
    for name, tensor in network.state_dict().items():
        owner = network.get_submodule(name.rpartition(".")[0])
        largest = _LARGEST_EMBEDDED if isinstance(owner, nn.Embedding | nn.EmbeddingBag) else _LARGEST
        arrays |= _compressed(f"{prefix}.{name}", tensor.float().cpu().numpy(), bits, largest)
    return arrays


def _compressed(name: str, values: npt.NDArray[np.float32], bits: int, largest: int) -> Arrays:
    if bits == 8 and values.ndim == 2 and values.shape[1] > 1:
        scale = np.abs(values).max(axis=1, keepdims=True) / largest
        scale = np.maximum(scale, _LEAST_SCALE).astype(np.float16)
        integers = np.clip(np.round(values / scale), -_LARGEST, _LARGEST)
        return {f"{name}:int8": _packed(integers.astype(np.int8).tobytes()), f"{name}:scale": scale}
    return {f"{name}:float": values.astype(np.float16 if bits <= 16 else np.float32)}


def load_checkpoint(path: Path | None = None, device: torch.device | None = None) -> Checkpoint:
    """Read a checkpoint; without a path, the one shipped with the package."""
    if path is not None:
        return _load(path, device)
    try:
        return _load(DEFAULT, device)
    except ModelError:
        raise ModelError(
            "The model that comes with the package is missing or damaged; install the package again.",
            path=DEFAULT,
        ) from None


def _load(path: Path, device: torch.device | None) -> Checkpoint:
    with ThreadPoolExecutor(1) as aside:
        # While it is verified, what it holds is put together; no word of it is believed before.
        verified = aside.submit(_verified_digest, path)
        try:
            checkpoint = _read(path, device or torch.device("cpu"))
        except (OSError, ModelError, SafetensorError, AttributeError, KeyError, ValueError, TypeError,
                RuntimeError, zstandard.ZstdError) as error:  # fmt: skip
            verified.result()  # what is damaged may be foreign, too: say the more certain of both
            if isinstance(error, ModelError):
                raise
            raise ModelError(
                f"The checkpoint is damaged or foreign ({type(error).__name__}); {_NEXT}.", path=path
            ) from None
        return dataclasses.replace(checkpoint, digest=verified.result())


def _read(path: Path, device: torch.device) -> Checkpoint:
    with safe_open(path, framework="numpy") as file:
        about = json.loads((file.metadata() or {}).get(_ABOUT, "{}"))
        made_as = str(about.get("format"))
        if made_as != FORMAT:
            kind = "another version's" if made_as.startswith(_FORMATS) else "not a Pythia-EpiDoc"
            raise ModelError(f"This is {kind} checkpoint; {_NEXT}.", path=path)
        if about.get("alphabet") != _ALPHABET:
            raise ModelError(
                f"This checkpoint was made for another version of the alphabet; {_NEXT}.", path=path
            )
        return _assemble(about, {name: file.get_tensor(name) for name in file.keys()}, device)  # noqa: SIM118


def _verified_digest(path: Path) -> str:
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        raise ModelError("There is no such checkpoint; give --model a file, or none.", path=path) from None
    except OSError as error:
        raise ModelError(f"The checkpoint cannot be read: {error.strerror}; {_NEXT}.", path=path) from None
    beside = path.with_suffix(".sha256")
    if beside.exists() and beside.read_text("ascii", "replace").split()[:1] != [digest]:
        raise ModelError(
            "The checkpoint does not have the SHA-256 written beside it: it was damaged.", path=path
        )
    return digest


_MADE_UP = (nn.init.uniform_, nn.init.normal_, nn.init.kaiming_uniform_, torch.Tensor.normal_)


class _NoNumbers(TorchFunctionMode):
    """Networks whose weights come from a file are built without making up any."""

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if func in _MADE_UP:
            return args[0] if args else kwargs["tensor"]
        return func(*args, **(kwargs or {}))


def _assemble(about: dict[str, Any], arrays: Arrays, device: torch.device) -> Checkpoint:
    with ThreadPoolExecutor() as threads:
        # Linking counts takes longest, and lets others work.
        counts = threads.submit(_count_model, arrays) if "counts.own:trust" in arrays else None
        vocabulary = Vocabulary(_unpacked_words(arrays["vocabulary"]))
        network = words = None
        if "network" in about:
            config = NetworkConfig(**about["network"])
            with _NoNumbers():
                network = build_network(config, len(vocabulary))
            _fill(network, arrays, "network", device)
        if "words" in about:
            lexicon = _unpacked_lexicon(arrays)
            with _NoNumbers():
                of_words = WordNetwork(WordConfig(**about["words"]), len(lexicon))
            _fill(of_words, arrays, "words", device)
            words = WordJudge(of_words, lexicon)
        jury = None
        if any(name.startswith("jury.") for name in arrays):
            jury = Jury()
            _fill(jury, arrays, "jury", torch.device("cpu"))
        accents = _accents(about, arrays, device) if "accents" in arrays else None
        saved = about["calibration"]
        calibration = Calibration(
            Weights(**saved["weights"]), saved["temperature"], LengthWeights(**saved["lengths"])
        )
        counted = None if counts is None else counts.result()
    return Checkpoint(network, vocabulary, counted, accents, calibration, about["card"], words, jury=jury)


def _accents(about: dict[str, Any], arrays: Arrays, device: torch.device) -> Accents:
    table = Table.from_bytes(arrays["accents"].tobytes())
    if "accents" not in about:
        return Accents(table)
    with _NoNumbers():
        network = AccentNetwork(AccentConfig(**about["accents"]))
    _fill(network, arrays, "accents", device)
    return Accents(table, network)


def _fill(network: nn.Module, arrays: Arrays, prefix: str, device: torch.device) -> None:
    """Give a network its weights, ready for use."""
    weights = {
        name: torch.from_numpy(_restored(arrays, f"{prefix}.{name}", tuple(tensor.shape)))
        for name, tensor in network.state_dict().items()
    }
    network.load_state_dict(weights, assign=True)
    network.to(device).eval()


def _restored(arrays: Arrays, name: str, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Weights of this shape, from what `_compressed` keeps of them."""
    if f"{name}:float" in arrays:
        return arrays[f"{name}:float"].astype(np.float32)
    integers = np.frombuffer(_unpacked(arrays[f"{name}:int8"]), dtype=np.int8).reshape(shape)
    return np.multiply(integers, arrays[f"{name}:scale"], dtype=np.float32)


def _count_model(arrays: Arrays) -> CountModel:
    own_trust = Trust(*arrays["counts.own:trust"])
    pooling = Pooling(*arrays["counts.pooling"])
    with ThreadPoolExecutor() as threads:
        inscriptions = threads.submit(_counts, arrays, "inscriptions")
        return CountModel(_counts(arrays, "corpus"), inscriptions.result(), own_trust, pooling)


def _counts(arrays: Arrays, name: str) -> Counts:
    def plane(kind: str) -> Codes:
        return np.frombuffer(_unpacked(arrays[f"counts.{name}:{kind}"]), dtype=np.uint8)

    with ThreadPoolExecutor() as threads:
        symbols, children, drops = threads.map(plane, _PLANES)
    return Counts(unpacked((symbols, children, drops), SIZE), Trust(*arrays[f"counts.{name}:trust"]))
