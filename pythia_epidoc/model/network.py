"""The Pythia network, to be held against the paper (Assael, Sommerschield & Prag 2019).

    text, words → encoder (two bidirectional LSTM layers) → states of every character
    states      → decoder (LSTM with attention over the text) → one output symbol per missing character

Beside the text a decoder may read what the counts expect in each slot (`expecting`): it then has to learn
only what counting cannot know.

What differs from the paper are options of `NetworkConfig`; `SYSTEMS` names the configurations of the
paper's table. Shapes are in comments: B texts, L characters, N lacunae, T slots, H hidden units.

Not for searching (see `beam`) or training (see `pythia_epidoc.training`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from pythia_epidoc.model.alphabet import INPUTS, OUTPUTS, START

MAX_LENGTH_CLASS = 21
"""Lengths 1 … 20, and 0 for longer, that the length head tells apart."""

DecoderState = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class NetworkConfig:
    """Everything needed to build the network again; travels in the checkpoint."""

    system: str = "pythia-bi-word"
    hidden: int = 320
    decoder_hidden: int = 320
    decoder_layers: int = 1
    character_size: int = 64
    word_size: int = 64
    word_count: int = 2
    bidirectional: bool = True
    words: bool = True
    words_at_layer: int = 2
    """1 as in the paper; 2 lets the first layer be trained as a language model as well."""
    aligned: bool = True
    """Each decoder step also reads the encoder's state at the slot it fills."""
    expecting: bool = False
    """Each decoder step also reads what the counts expect in its slot (see `expectations`)."""
    sees_after: bool = True
    """Attention and the text after the lacuna; without them it is a language model of what comes next."""
    dropout: float = 0.1


SYSTEMS = {
    "pythia-uni": NetworkConfig("pythia-uni", bidirectional=False, words=False),
    "pythia-bi": NetworkConfig("pythia-bi", words=False),
    "pythia-bi-word": NetworkConfig("pythia-bi-word"),
    "lm": NetworkConfig("lm", bidirectional=False, words=False, aligned=False, sees_after=False),
    "paper": NetworkConfig(
        "paper",
        hidden=512,
        decoder_hidden=512,
        decoder_layers=2,
        character_size=128,
        word_size=128,
        words_at_layer=1,
        aligned=False,
        dropout=0.2,
    ),
}


@dataclass(frozen=True)
class Encoded:
    """What the encoder says of B texts."""

    states: Tensor  # B L S
    keys: Tensor  # B L D
    padding: Tensor  # B L, True where there is no text
    first_layer: Tensor  # B L F, for the language-model loss

    def only(self, text: int) -> Encoded:
        """What it says of one of the texts."""
        one = slice(text, text + 1)
        return Encoded(self.states[one], self.keys[one], self.padding[one], self.first_layer[one])


@dataclass(frozen=True)
class Prepared:
    """Encoded texts, ready for decoding step by step."""

    encoded: Encoded
    values: Tensor  # B L D: the states as they enter the mix when attended to
    gates: Tensor  # O+1 4D: what each symbol before a slot gives to the decoder's gates


class Encoder(nn.Module):
    """Characters and the words they belong to → a state per character."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        directions = 2 if config.bidirectional else 1
        self.characters = nn.Embedding(len(INPUTS), config.character_size, padding_idx=0)
        word_size = config.word_size if config.words else 0
        self.words = nn.Embedding(config.word_count, word_size, padding_idx=0) if word_size else None
        first_words, second_words = (word_size, 0) if config.words_at_layer == 1 else (0, word_size)
        self.layer1 = nn.LSTM(
            config.character_size + first_words,
            config.hidden,
            batch_first=True,
            bidirectional=config.bidirectional,
        )
        self.layer2 = nn.LSTM(
            config.hidden * directions + second_words,
            config.hidden,
            batch_first=True,
            bidirectional=config.bidirectional,
        )
        self.dropout = nn.Dropout(config.dropout)
        self.size = config.hidden * directions

    def forward(self, characters: Tensor, words: Tensor) -> tuple[Tensor, Tensor]:
        """characters B L, words B L → states of both layers, B L S each."""
        # Up to the last character: padding stands at the end, a sign of another alphabet anywhere.
        lengths = None if self.training else (characters != 0).cumsum(dim=1).argmax(dim=1) + 1
        embedded = self.characters(characters)
        known_words = self.words(words) if self.words is not None else None
        if known_words is not None and self.config.words_at_layer == 1:
            embedded = torch.cat((embedded, known_words), dim=-1)
        first = _states(self.layer1, self.dropout(embedded), lengths)
        between = first
        if known_words is not None and self.config.words_at_layer == 2:
            between = torch.cat((first, known_words), dim=-1)
        return first, _states(self.layer2, self.dropout(between), lengths)


def _states(layer: nn.LSTM, inputs: Tensor, lengths: Tensor | None) -> Tensor:
    """The states of a layer. With lengths, padding is not read: it would cost time, and what is said of a
    text would depend on the texts it is encoded with."""
    longest = inputs.shape[1]
    if lengths is None or bool((lengths == longest).all()):
        states: Tensor = layer(inputs)[0]
        return states
    packed = pack_padded_sequence(inputs, lengths.cpu(), batch_first=True, enforce_sorted=False)
    padded: Tensor = pad_packed_sequence(layer(packed)[0], batch_first=True, total_length=longest)[0]
    return padded


def lstm_step(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """The state of an LSTM layer after one more step, hidden and cell: … 4H, … H → … H each."""
    come_in, keep, new, go_out = gates.chunk(4, dim=-1)
    cell = keep.sigmoid() * cell + come_in.sigmoid() * new.tanh()
    return go_out.sigmoid() * cell.tanh(), cell


class Pythia(nn.Module):
    """Encoder, attention and decoder."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config)
        size, decoder = self.encoder.size, config.decoder_hidden
        self.symbols = nn.Embedding(START + 1, config.character_size)
        self.decoder = nn.LSTM(
            config.character_size + (size if config.aligned else 0),
            decoder,
            num_layers=config.decoder_layers,
            batch_first=True,
            dropout=config.dropout if config.decoder_layers > 1 else 0.0,
        )
        self.start_hidden = nn.Linear(2 * size, config.decoder_layers * decoder)
        self.start_cell = nn.Linear(2 * size, config.decoder_layers * decoder)
        self.keys = nn.Linear(size, decoder, bias=False)
        self.mix = nn.Linear(decoder + size + (size if config.aligned else 0), decoder)
        self.expectations = (
            _silent(nn.Linear(len(OUTPUTS), decoder, bias=False)) if config.expecting else None
        )
        self.reliance = _silent(nn.Linear(decoder, 1)) if config.expecting else None
        self.output = nn.Linear(decoder, len(OUTPUTS))
        self.slot_output = nn.Linear(size, len(OUTPUTS))
        self.length_output = nn.Linear(size, MAX_LENGTH_CLASS)
        self.next_output = nn.Linear(config.hidden, len(INPUTS))
        self.previous_output = nn.Linear(config.hidden, len(INPUTS)) if config.bidirectional else None
        self.dropout = nn.Dropout(config.dropout)

    @property
    def device(self) -> torch.device:
        return self.output.weight.device

    def encode(self, characters: Tensor, words: Tensor) -> Encoded:
        """characters B L, words B L."""
        first, second = self.encoder(characters, words)
        states = self.dropout(second)
        return Encoded(states, self.keys(states), characters == 0, first)

    def start(
        self, encoded: Encoded, before: Tensor, after: Tensor, texts: Tensor | None = None
    ) -> DecoderState:
        """The decoder's first state for S lacunae of each text, or of each of these texts, from the states at
        the characters before and after them: before B S, after B S."""
        texts = torch.arange(len(before), device=before.device) if texts is None else texts
        after = after if self.config.sees_after else before
        edges = torch.cat(
            [encoded.states[texts.unsqueeze(1), places] for places in (before, after)], dim=-1
        )  # B S 2S
        shape = (before.numel(), self.config.decoder_layers, self.config.decoder_hidden)
        hidden = torch.tanh(self.start_hidden(edges)).view(shape).transpose(0, 1).contiguous()
        cell = torch.tanh(self.start_cell(edges)).view(shape).transpose(0, 1).contiguous()
        return hidden, cell

    def decode(
        self,
        encoded: Encoded,
        slots: Tensor,
        previous: Tensor,
        state: DecoderState,
        expected: Tensor | None = None,
    ) -> tuple[Tensor, DecoderState, Tensor]:
        """Run T decoder steps for N lacunae (or N hypotheses) of each of B texts.

        slots B N T (where each slot stands in its text), previous B N T (the symbol before it), expected
        B N T O (log p of the counts; None if they are not asked)
        → logits B N T O, the decoder's state, attention B N T L.
        """
        texts, lacunae, steps = slots.shape
        inputs = self.symbols(previous)  # B N T E
        number = torch.arange(texts, device=slots.device).view(-1, 1, 1)
        aligned = encoded.states[number, slots]  # B N T S
        if self.config.aligned:
            inputs = torch.cat((inputs, aligned), dim=-1)
        hidden, last = self.decoder(self.dropout(inputs).flatten(0, 1), state)  # BN T D
        queries = hidden.reshape(texts, lacunae * steps, -1)
        scores = torch.bmm(queries, encoded.keys.transpose(1, 2))  # B NT L
        scores = scores.masked_fill(encoded.padding.unsqueeze(1), float("-inf"))
        attention = scores.softmax(dim=-1)
        context = torch.bmm(attention, encoded.states).view(texts, lacunae, steps, -1)
        if not self.config.sees_after:
            context = torch.zeros_like(context)
        hidden = hidden.view(texts, lacunae, steps, -1)
        parts = (hidden, context, aligned) if self.config.aligned else (hidden, context)
        mixed = self.mix(torch.cat(parts, dim=-1))
        return self._outputs(mixed, expected), last, attention.view(texts, lacunae, steps, -1)

    def _outputs(self, mixed: Tensor, expected: Tensor | None) -> Tensor:
        """Logits from what the decoder knows and what the counts expect: … D, … O → … O."""
        if self.expectations is None or self.reliance is None or expected is None:
            known, heard = mixed.tanh(), torch.zeros_like(mixed[..., :1])
        else:
            known = (mixed + self.expectations(expected)).tanh()
            heard = 2 * self.reliance(known).sigmoid() * expected
        logits: Tensor = self.output(self.dropout(known))
        return logits + heard

    def prepare(self, encoded: Encoded) -> Prepared:
        """What steps need of the texts and can be computed once for all of them."""
        decoder, size = self.config.decoder_hidden, self.encoder.size
        from_input, _, *biases = self.decoder.all_weights[0]
        from_symbol = from_input[:, : self.config.character_size]
        return Prepared(
            encoded,
            linear(encoded.states, self.mix.weight[:, decoder : decoder + size]),
            linear(self.symbols.weight, from_symbol, biases[0] + biases[1]),
        )

    def step(
        self,
        prepared: Prepared,
        texts: Sequence[int],
        slots: Tensor,
        hypotheses: Sequence[int],
        previous: Tensor,
        state: DecoderState,
        expected: Tensor | None = None,
    ) -> tuple[Tensor, DecoderState]:
        """One decoder step for the hypotheses of each of N lacunae, H in all, that fill the same slot: what
        `decode` gives, but what does not depend on the hypothesis is computed once for all of a lacuna.

        texts N: the text of each lacuna; slots N, hypotheses N: how many, previous H, expected H O → logits
        H O, the decoder's state.
        """
        encoded, config = prepared.encoded, self.config
        device = slots.device
        if config.decoder_layers > 1:
            return self._step_of_layers(encoded, texts, slots, hypotheses, previous, state, expected)
        lacunae = torch.arange(len(slots), device=device)
        owners = lacunae.repeat_interleave(torch.tensor(hypotheses, device=device))
        decoder = config.decoder_hidden
        from_input, from_hidden, *_ = self.decoder.all_weights[0]
        aligned = encoded.states[torch.tensor(texts, device=device), slots]  # N S
        gates = prepared.gates[previous] + linear(state[0][0], from_hidden)
        if config.aligned:
            gates += linear(aligned, from_input[:, config.character_size :])[owners]
        hidden, cell = lstm_step(gates, state[1][0])  # H D
        mixed = linear(hidden, self.mix.weight[:, :decoder], self.mix.bias)
        if config.sees_after:
            mixed += torch.cat(
                [
                    (part @ encoded.keys[text].T)
                    .masked_fill(encoded.padding[text], float("-inf"))
                    .softmax(-1)
                    @ prepared.values[text]
                    for text, part in _by_text(texts, hypotheses, hidden)
                ]
            )
        if config.aligned:
            mixed += linear(aligned, self.mix.weight[:, decoder + self.encoder.size :])[owners]
        return self._outputs(mixed, expected), (hidden.unsqueeze(0), cell.unsqueeze(0))

    def _step_of_layers(
        self,
        encoded: Encoded,
        texts: Sequence[int],
        slots: Tensor,
        hypotheses: Sequence[int],
        previous: Tensor,
        state: DecoderState,
        expected: Tensor | None,
    ) -> tuple[Tensor, DecoderState]:
        """The same with a decoder of several layers, lacuna by lacuna."""
        logits: list[Tensor] = []
        states: list[DecoderState] = []
        ends = np.cumsum(hypotheses).tolist()
        for text, slot, count, end in zip(texts, slots, hypotheses, ends, strict=True):
            own = slice(end - count, end)
            places = slot.expand(1, count, 1)
            told = None if expected is None else expected[None, own, None]
            before = (state[0][:, own].contiguous(), state[1][:, own].contiguous())
            of_text, after, _ = self.decode(
                encoded.only(text), places, previous[None, own, None], before, told
            )
            logits.append(of_text[0, :, 0])
            states.append(after)
        hidden, cell = (torch.cat(parts, dim=1) for parts in zip(*states, strict=True))
        return torch.cat(logits), (hidden, cell)

    def neighbours(self, encoded: Encoded) -> tuple[Tensor, Tensor | None]:
        """What the first layer expects after and before each character, B L I each."""
        hidden = self.config.hidden
        following = self.next_output(encoded.first_layer[..., :hidden])
        if self.previous_output is None:
            return following, None
        return following, self.previous_output(encoded.first_layer[..., hidden:])


def _by_text(texts: Sequence[int], hypotheses: Sequence[int], rows: Tensor) -> Iterator[tuple[int, Tensor]]:
    """The rows of each text: those of neighbouring lacunae of one text together."""
    start = 0
    for text, lacunae in groupby(zip(texts, hypotheses, strict=True), key=itemgetter(0)):
        count = sum(number for _, number in lacunae)
        yield text, rows[start : start + count]
        start += count


def _silent(layer: nn.Linear) -> nn.Linear:
    """A layer that has nothing to say until it has learned something."""
    nn.init.zeros_(layer.weight)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
    return layer


def build_network(config: NetworkConfig, word_count: int) -> Pythia:
    """A network with fresh weights for a vocabulary of this size."""
    return Pythia(replace(config, word_count=word_count))


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Mean over targets; a target of -1 does not count, and with none at all it is 0."""
    total = nn.functional.cross_entropy(
        logits.flatten(0, -2), targets.flatten(), ignore_index=-1, reduction="sum"
    )
    return total / (targets >= 0).sum().clamp(min=1)
