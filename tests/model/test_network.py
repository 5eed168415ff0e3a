"""The network alone: what it says of a text depends on that text only."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from pythia_epidoc.model.alphabet import OUTPUTS
from pythia_epidoc.model.network import SYSTEMS, build_network


def test_a_text_is_encoded_the_same_in_whatever_company() -> None:
    torch.manual_seed(0)
    network = build_network(SYSTEMS["pythia-bi-word"], word_count=50).eval()
    short, long = torch.randint(1, 20, (12,)), torch.randint(1, 20, (40,))
    together = torch.nn.utils.rnn.pad_sequence([short, long], batch_first=True)
    with torch.inference_mode():
        alone = network.encode(short[None], short[None])
        both = network.encode(together, together)
    assert torch.allclose(alone.states[0], both.states[0, : len(short)], atol=1e-6)
    assert both.padding[0, len(short) :].all()


def test_a_sign_of_another_alphabet_does_not_end_a_text() -> None:
    torch.manual_seed(0)
    network = build_network(SYSTEMS["pythia-bi-word"], word_count=50).eval()
    text = torch.randint(1, 20, (2, 12))
    text[0, 5] = 0
    with torch.inference_mode():
        assert network.encode(text, text).states[0, -1].abs().sum() > 0


def test_a_network_that_is_told_nothing_says_what_it_says_alone() -> None:
    torch.manual_seed(0)
    network = build_network(replace(SYSTEMS["pythia-bi-word"], expecting=True), word_count=50).eval()
    for weights in network.parameters():
        torch.nn.init.normal_(weights, std=0.1)
    characters, slots = torch.randint(1, 20, (1, 30)), torch.tensor([[[4, 5, 6]]])
    told = torch.randn(1, 1, 3, len(OUTPUTS))
    with torch.inference_mode():
        encoded = network.encode(characters, characters)
        state = network.start(encoded, slots[:, :, 0] - 1, slots[:, :, -1] + 1)
        alone, nothing, something = (
            network.decode(encoded, slots, slots, state, expected)[0]
            for expected in (None, torch.zeros_like(told), told)
        )
    assert torch.allclose(alone, nothing, atol=1e-6)
    assert not torch.allclose(alone, something, atol=0.1)


@pytest.mark.parametrize("expecting", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_step_by_step_the_decoder_says_what_it_says_at_once(system: str, expecting: bool) -> None:
    torch.manual_seed(0)
    network = build_network(replace(SYSTEMS[system], expecting=expecting), word_count=50).eval()
    texts, hypotheses, steps = [0, 1, 1, 2], 4, 5  # two lacunae are of one text
    characters = torch.randint(1, 20, (3, 30))
    characters[0, 25:] = 0
    slots = torch.tensor([4, 3, 10, 17])[:, None] + torch.arange(steps)  # N T
    previous = torch.randint(0, 20, (len(texts), hypotheses, steps))
    told = torch.randn(len(texts), hypotheses, steps, len(OUTPUTS)) if expecting else None
    with torch.inference_mode():
        read = network.encode(characters, characters)
        encoded = network.encode(characters[texts], characters[texts])
        edges = slots[:, :1] - 1, slots[:, -1:] + 1
        hidden, cell = network.start(encoded, *edges)
        for part, same in zip(network.start(read, *edges, torch.tensor(texts)), (hidden, cell), strict=True):
            assert torch.allclose(part, same, atol=1e-5)
        start = hidden.repeat_interleave(hypotheses, dim=1), cell.repeat_interleave(hypotheses, dim=1)
        expected, _, _ = network.decode(encoded, slots[:, None].expand_as(previous), previous, start, told)
        prepared, state = network.prepare(read), start
        for step in range(steps):
            of_step = told[:, :, step].flatten(0, 1) if told is not None else None
            counts = [hypotheses] * len(texts)
            logits, state = network.step(
                prepared, texts, slots[:, step], counts, previous[:, :, step].flatten(), state, of_step
            )
            assert torch.allclose(logits, expected[:, :, step].flatten(0, 1), atol=1e-5)
