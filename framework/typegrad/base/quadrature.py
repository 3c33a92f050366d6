"""Nodes and weights for integrals from 0 on, over functions that decrease exponentially or faster.

Source: Takahasi and Mori, Double exponential formulas for numerical integration, 1974.
"""

from __future__ import annotations

import math
from typing import Final

__all__ = ["NODES", "WEIGHTS"]

_STEP: Final = 0.05
_TIMES: Final = [_STEP * number for number in range(-69, 77)]
NODES: Final = [math.exp(t - math.exp(-t)) for t in _TIMES]
WEIGHTS: Final = [_STEP * node * (1 + math.exp(-t)) for t, node in zip(_TIMES, NODES, strict=True)]
