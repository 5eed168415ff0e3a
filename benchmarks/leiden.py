"""How the conversion of PHI text behaves: time per length, and random input.

python benchmarks/leiden.py            # ratio of 1 MB to 100 kB, target ≤ 12 (linear is 10)
python benchmarks/leiden.py --fuzz N   # N random inputs: no exception but the documented error, no hang
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from pythia_epidoc.errors import ConversionError
from pythia_epidoc.leiden import Format, convert_text

TARGET = 12.0
ROUNDS, ENOUGH = 9, 5.0
"""A sample is measured so many times, or until so many seconds have been spent on it."""
SLOW = 2.0
"""Seconds; no short input may take longer."""

SAMPLES = {
    "restorations": "[ἔδοξεν τῆι] βουλῆ̣[ι καὶ τῶι] δήμωι· Αὐρ(ήλιος) ․․5․․ καὶ [— — —]ος βʹ ",
    "one word": "α",
    "open brackets": "[α",
    "closed brackets": "α]",
    "double brackets": "[[α]] ",
    "parentheses": "α(β",
    "crossing": "(α [β) γ] ",
    "dashes": "— ",
    "hyphens": "- ",
    "dots": "․",
    "full stops": "[.",
    "metre": "⏑ – ",
    "long": "– ",
    "codes": "α {²⁶β}²⁶ ",
    "open codes": "{²⁷α ",
    "substitutions": "<α=Λ>",
    "open substitutions": "<α=",
    "doubts": "[α(?) ",
    "underdots": "α̣β",
    "spaces": "     ",
    "wide spaces": "α" + " " * 999,
    "anceps": "× ",
    "papyrus dots": "\u00a0\u00a0\u0323",
    "crosses": "+ ",
    "verses": "α / ",
    "bars": "α|",
    "vacats": "vac. 3 ",
    "capitals": "ΩΝ ",
    "numerals": "βʹ ",
    "unexpanded": "α( ) ",
    "Latin": "vel v ",
    "marks": "\u0323",
}

_SIGLA = """
[ ] [[ ]] 〚 〛 ⟦ ⟧ < > ‹ › ⟨ ⟩ { } {² }² {²⁶ }²⁶ {²⁷ }²⁷ {⁴³ }⁴³ ( ) (?) (*) (!) (_) (( )) ‵ ′ ` ´ \\ /
† ⸢ ⸣ « » ⸤ ⸥ | ‖ || — —— ― - -- --- ․ ․․ ․․5․․ ․c.4․ [․․8-9․․] … . .. · ·· : ∶ ⋮ ∙ ⁙ ❦ + +_+ # #⁷ #⁵⁶
% %⁸¹ ʹ ͵ 𐅄 𐅵 𐆖 vac. vacat v vv vac.3 spat.vac. ⏑ – ⏓ ⏕ × = ; , ? ! * ~ 5 12 c.5 ca.9 (hand2) (vel_sim.)
m² ← → α ά\u0323 β ΩΝ Μ ℎ ε͂ a MI χίωνοs Αὐρ δῆμος \u0323 \u0332 \u0361 \ufeff \x00 \ud800 col._II fr._a A
5_ 1. === PH12 Att._—_Athens_—_s._II_a. vestigia
"""
SIGLA = [siglum.replace("_", " ") for siglum in _SIGLA.split()]


def ratio(unit: str) -> tuple[float, float]:
    """Seconds for 100 kB, and how much longer 1 MB takes."""
    text = unit * (1 + 1_000_000 // len(unit.encode()))
    size = len(unit) * (1_000_000 // len(unit.encode()))
    rounds: list[tuple[float, float]] = []
    spent = 0.0
    while len(rounds) < ROUNDS and spent < ENOUGH:
        # Short ones before and after the long one: a machine that slows down meanwhile slows both.
        short = [_seconds(text[: size // 10]) for _ in range(3)]
        long = _seconds(text[:size])
        short += [_seconds(text[: size // 10]) for _ in range(3)]
        rounds.append((statistics.mean(short), long))
        spent += long + sum(short)
    return min(short for short, _ in rounds), statistics.median(long / short for short, long in rounds)


def _seconds(text: str) -> float:
    """Processor time: what else the machine does must not show in the ratio."""
    start = time.process_time()
    convert_text(text)
    return time.process_time() - start


def random_input(chance: random.Random) -> str:
    """Random sigla, random characters, or random bytes."""
    kind = chance.random()
    if kind < 0.7:
        parts = [chance.choice(SIGLA) for _ in range(chance.randrange(1, 40))]
        return chance.choice(["", " "]).join(part + chance.choice(["", "", "", " ", "\n"]) for part in parts)
    if kind < 0.85:
        return "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randrange(60)))
    return chance.randbytes(chance.randrange(120)).decode("latin-1")


def fuzz(count: int, seed: int = 6) -> int:
    """Convert random inputs; the number that ended in the documented error is returned."""
    chance = random.Random(seed)
    refused = 0
    formats: tuple[Format, ...] = ("phi", "phi", "phi", "leiden", "auto", "iphi", "phi-html")
    for number in range(count):
        text = random_input(chance)
        source = chance.choice(formats)
        start = time.process_time()
        try:
            convert_text(text, source)
        except ConversionError:
            refused += 1
        except Exception as error:
            raise SystemExit(f"input {number} ({source}): {text!r}: {error!r}") from error
        seconds = time.process_time() - start
        if seconds > SLOW:
            raise SystemExit(f"input {number} ({source}) took {seconds:.1f} s: {text!r}")
    return refused


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--fuzz", type=int, metavar="N")
    arguments.add_argument("--seed", type=int, default=6)
    arguments.add_argument("--only", action="append", choices=list(SAMPLES), help="one sample instead of all")
    chosen = arguments.parse_args()
    if chosen.fuzz:
        refused = fuzz(chosen.fuzz, chosen.seed)
        print(f"{chosen.fuzz:,} random inputs: {refused:,} refused with the documented error, none failed.")
        return
    worst = 0.0
    print(f"{'sample':<20}{'100 kB':>10}{'1 MB / 100 kB':>16}")
    for name in chosen.only or SAMPLES:
        seconds, factor = ratio(SAMPLES[name])
        worst = max(worst, factor)
        print(f"{name:<20}{seconds:>8.2f} s{factor:>16.1f}", flush=True)
    print(f"worst ratio {worst:.1f}, target ≤ {TARGET:.0f}")


if __name__ == "__main__":
    main()
