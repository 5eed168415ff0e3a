"""Weights as single characters, so that tables of them stay small.

Not for anything that must come back exactly.
"""

from __future__ import annotations

import math

_ZERO = 48
_LOG_STEP = 0.2
_COUNT_STEP = 0.25
_MOST = 6.2


def pack_log(value: float) -> str:
    """A logarithm between -6.2 and 6.2 in steps of 0.2."""
    bounded = min(_MOST, max(-_MOST, value))
    return chr(_ZERO + round(bounded / _LOG_STEP) + 32)


def unpack_log(symbol: str) -> float:
    return (ord(symbol) - _ZERO - 32) * _LOG_STEP


def pack_count(value: float) -> str:
    """A positive number, to within a tenth, as the step of its logarithm."""
    return chr(_ZERO + min(77, max(0, round(math.log(max(value, 1e-3)) / _COUNT_STEP) + 20)))


def unpack_count(symbol: str) -> float:
    return math.exp((ord(symbol) - _ZERO - 20) * _COUNT_STEP)
