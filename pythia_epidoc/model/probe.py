"""Trial runs of torch and of a model, in a process of its own: `python -m pythia_epidoc.model.probe NAME`.

Some virtual machines advertise instructions that kill the process which uses them. Whoever wants to know
runs this module as a subprocess and looks at how it ended; see `pythia_epidoc.doctor`. The result is one
JSON object on standard output.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from pythia_epidoc.errors import PythiaError
from pythia_epidoc.model.device import choose_device
from pythia_epidoc.restoration import Query, dress

FORMULA = Query("αυτοκρατοροσ ", "αροσ σεβαστου", (4,))
"""The titles of an emperor, which inscriptions and papyri repeat by the thousand."""
BEFORE, EXPECTED, AFTER = "αὐτοκράτορος ", "καισ", "αρος Σεβαστοῦ"


def main(arguments: list[str]) -> None:
    """Run one trial and print what came of it."""
    name, *rest = arguments
    try:
        result = _TRIALS[name](*rest)
    except PythiaError as error:
        result = {"error": error.message}
    print(json.dumps(result))


def _float32() -> dict[str, Any]:
    _compute(torch.float32)
    return {
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "device": str(choose_device()),
        "capability": torch.backends.cpu.get_cpu_capability(),
    }


def _bfloat16() -> dict[str, Any]:
    _compute(torch.bfloat16)
    return {}


@torch.inference_mode()
def _compute(kind: torch.dtype) -> None:
    """The operations a restoration consists of, large enough for the library's fastest kernels."""
    torch.manual_seed(0)
    layer = torch.nn.LSTM(64, 64, bidirectional=True, batch_first=True).to(kind)
    states, _ = layer(torch.randn(4, 64, 64, dtype=kind))
    product = states @ torch.randn(128, 128, dtype=kind)
    if not torch.isfinite(product).all():
        raise PythiaError("The results are not numbers.")


def _model(device: str, path: str = "") -> dict[str, Any]:
    from pythia_epidoc.model.restorer import load_restorer

    restorer = load_restorer(Path(path) if path else None, device)
    [found] = restorer.hypotheses([FORMULA], top=1)
    best = dress(found, BEFORE, AFTER, (), restorer, plain_letters=False)
    identity = restorer.identity
    return {
        "name": identity.name,
        "version": identity.version,
        "digest": identity.digest,
        "is_expected": bool(best) and best[0].text == EXPECTED,
        "phrase": f"{BEFORE}[{best[0].polytonic if best else '----'}]{AFTER}",
    }


_TRIALS: dict[str, Callable[..., dict[str, Any]]] = {
    "float32": _float32,
    "bfloat16": _bfloat16,
    "model": _model,
}

if __name__ == "__main__":
    main(sys.argv[1:])
