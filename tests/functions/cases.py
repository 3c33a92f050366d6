"""Calls of functions, by TensorFlow's names too: `tests/record_functions.py` records its answers to them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from record_keras import Array, Case

__all__ = ["CASES", "SAMPLED"]

RNG: Final = np.random.default_rng(7)
X: Final = RNG.normal(size=(2, 3, 4))
LARGE: Final = np.array([[1000.0, 1001.0, 999.0], [-1000.0, -2000.0, -1500.0]])
INFINITE: Final = np.array([[-np.inf, -np.inf], [np.inf, 1.0], [-np.inf, 2.0]])
LOGITS: Final = np.array([-1000.0, -20.0, -1.5, 0.0, 0.5, 20.0, 1000.0])


def _floats(dtype: Any) -> Array:
    return np.linspace(-3, 3, 24).reshape(2, 3, 4).astype(dtype)


def _sampled() -> tuple[Any, ...]:
    """Weights, biases, labels of two right classes, inputs; and what was drawn, with two accidental hits."""
    labels = np.array([[1, 4], [0, 6], [3, 2]])
    drawn = np.array([4, 7, 0, 5])
    expected = RNG.uniform(0.1, 2.0, labels.shape).astype(np.float32), RNG.uniform(0.1, 2.0, 4).astype(np.float32)
    return RNG.normal(size=(8, 5)), RNG.normal(size=8), labels, RNG.normal(size=(3, 5)), 4, 8, (drawn, *expected)


SAMPLED: Final = _sampled()
_ONE_TRUE: Final = (
    *SAMPLED[:2],
    SAMPLED[2][:, :1],
    *SAMPLED[3:6],
    (SAMPLED[6][0], SAMPLED[6][1][:, :1], SAMPLED[6][2]),
)

CASES: Final = [
    *(Case("zeros", {"dtype": dtype}, [((2, 3),)]) for dtype in ("float32", "int8", "bool", "complex64")),
    *(Case("ones", {"dtype": dtype}, [((2, 3),), ((),)]) for dtype in ("float64", "uint16", "bool", "complex128")),
    Case("zeros", {}, [((4,),)]),
    Case("eye", {}, [(3,), (2, 4), (4, 2), (0,)]),
    Case("eye", {"batch_shape": (2, 1), "dtype": "int32"}, [(2, 3)]),
    Case("one_hot", {}, [(np.array([[0, 2], [-1, 3]]), 3)]),
    *(Case("one_hot", {"axis": axis, "dtype": "int32"}, [(np.array([[0, 2], [1, 3]]), 4)]) for axis in (0, 1, 2, -1)),
    Case("one_hot", {"on_value": 5.0, "off_value": -1.0}, [(np.array([1, 0]), 2)]),
    Case("one_hot", {"on_value": True, "off_value": False}, [(np.array([1, 0]), 2)]),
    Case("one_hot", {"on_value": 3}, [(np.array(1), 2)]),
    *(Case("logsumexp", {"axis": axis}, [(X,)]) for axis in (0, -1, (0, 2), None, ())),
    Case("logsumexp", {"axis": (1, -1), "keepdims": True}, [(X,)]),
    Case("logsumexp", {"axis": 1}, [(LARGE,), (INFINITE,), (_floats(np.float32)[0],)]),
    *(Case("moments", {"axes": axes}, [(X,)]) for axes in ([0], [0, 1], [-1], [0, 1, 2])),
    Case("moments", {"axes": [0, 2], "keepdims": True}, [(X,)]),
    *(Case("moments", {"axes": [1]}, [(_floats(dtype),)], dtype) for dtype in ("float16", "float32")),
    *(Case(name, {"axis": axis}, [(X,)]) for name in ("softmax", "log_softmax") for axis in (0, 1, -1, -2)),
    Case("softmax", {"axis": 0}, [(LARGE,)], "large"),
    *(
        Case("sigmoid_cross_entropy", {}, [(np.full(LOGITS.shape, label), LOGITS)], str(label))
        for label in (0.0, 0.3, 1.0)
    ),
    Case("sigmoid_cross_entropy", {}, [(_floats("float32") / 6 + 0.5, _floats("float32"))], "float32"),
    Case("global_norm", {}, [([X, LARGE, np.float64(2.0)],), ([LARGE, None],)]),
    *(
        Case(name, {"num_true": true, "remove_accidental_hits": remove}, [_ONE_TRUE if true == 1 else SAMPLED])
        for name in ("sampled_softmax_loss", "nce_loss")
        for true in (1, 2)
        for remove in (True, False)
    ),
    Case("jacobian", {}, [(X[0], X[1, :2])]),
    Case("hessian", {}, [(X[0], X[1, :2])]),
]
