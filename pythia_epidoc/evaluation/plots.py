"""Pictures of figures, for the documentation. Needs the `figures` extra (matplotlib)."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pythia_epidoc.errors import ConfigError
from pythia_epidoc.evaluation.measure import Figures

_COLOUR = "#8c3b2e"
_SECOND = "#2e5f8c"


def _axes(title: str, across: str, up: str) -> tuple[Any, Any]:
    try:
        import matplotlib
    except ImportError:
        raise ConfigError("Pictures need matplotlib; install it with `pip install matplotlib`.") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2), dpi=130)
    axes.set_title(title, loc="left")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(path)


def check_picture(path: Path) -> None:
    """Say at once what would otherwise be said when everything has been measured."""
    figure, _ = _axes("", "", "")
    known = figure.canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in known:
        raise ConfigError(
            f"No picture of this kind can be drawn; let its name end in one of .{', .'.join(known)}.",
            path=path,
        )


def plot_context(found: Mapping[int, Figures], path: Path) -> None:
    """Top-1 and Top-20 against the length of the context."""
    figure, axes = _axes("Restoration and context", "characters of text around the lacuna", "per cent")
    lengths = list(found)
    axes.plot(lengths, [100 * found[length].top20 for length in lengths], "o-", color=_COLOUR, label="Top-20")
    axes.plot(lengths, [100 * found[length].top1 for length in lengths], "s-", color=_SECOND, label="Top-1")
    axes.legend(frameon=False)
    _save(figure, path)


def plot_training(log: Path, path: Path) -> None:
    """Training and validation loss against characters seen."""
    figure, axes = _axes("Training", "million characters seen", "nats per letter")
    with log.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    seen = [int(row["characters"]) / 1e6 for row in rows]
    axes.plot(seen, [float(row["loss"]) for row in rows], color=_SECOND, label="training")
    axes.plot(seen, [float(row["validation_loss"]) for row in rows], color=_COLOUR, label="validation")
    axes.legend(frameon=False)
    _save(figure, path)
