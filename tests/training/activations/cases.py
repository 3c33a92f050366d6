"""Cases of the activation functions."""

from __future__ import annotations

from typing import Final

import numpy as np

from record_keras import Case

_X: Final = np.array([[-20.0, -4.0, -3.0, -1.5, -0.5, -0.0], [0.0, 0.25, 1.0, 2.5, 3.5, 90.0]], np.float32)
_CUBE: Final = np.linspace(-3, 4, 24).reshape(2, 3, 4)
_CALLS: Final = [(_X,), (_CUBE,)]

_NAMES: Final = (
    "elu", "exponential", "gelu", "hard_sigmoid", "linear", "relu", "selu", "sigmoid", "softmax", "softplus",
    "softsign", "tanh",
)  # fmt: skip

_RELU: Final = (
    {"negative_slope": 0.25},
    {"max_value": 6.0},
    {"max_value": 2.0},
    {"threshold": 1.0},
    {"threshold": -1.0},
    {"threshold": -1.0, "max_value": 2.0},
    {"negative_slope": 0.25, "max_value": 2.0},
    {"negative_slope": 0.25, "threshold": 1.0},
    {"negative_slope": 0.25, "max_value": 2.0, "threshold": 0.5},
)

CASES: Final = [
    *(Case(name, {}, _CALLS) for name in _NAMES),
    *(Case("relu", options, _CALLS) for options in _RELU),
    Case("silu", {}, _CALLS),
    Case("elu", {"alpha": 0.5}, _CALLS),
    Case("gelu", {"approximate": True}, _CALLS),
    *(Case("softmax", {"axis": axis}, [(_CUBE,)]) for axis in (0, 1, -2, 2)),
]
