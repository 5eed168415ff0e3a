"""The network alone: what it says of a text depends on that text only."""

from __future__ import annotations

import torch

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
