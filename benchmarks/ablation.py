"""Train the rows of the paper's table on our corpora, each for the same number of steps.

python benchmarks/ablation.py --data CORPUS -o SYSTEMS [--steps 3000] [--hidden 192]
pythia-epidoc evaluate --data CORPUS --ablation SYSTEMS
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pythia_epidoc.evaluation.ablation import SYSTEMS, train_systems


def main() -> None:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--hidden", type=int, default=192)
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=tuple(SYSTEMS))
    options = parser.parse_args()
    train_systems(
        options.data,
        options.output,
        hidden=options.hidden,
        steps=options.steps,
        names=options.systems,
        report=print,
    )


if __name__ == "__main__":
    main()
