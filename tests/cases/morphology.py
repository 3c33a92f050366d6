"""Cases of `ops/morphology.yaml`: a dilation, and with its output's shape the gradients of input and filter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import REAL, numpy_type, sample

Sizes = tuple[int, ...]

UNCHECKED: Final = "TensorFlow accepts rates of 0."
EMPTY: Final = "TensorFlow takes the maximum of nothing."
OPS: Final = ("Dilation2D", "Dilation2DBackpropInput", "Dilation2DBackpropFilter")


def three(x: Array, kernel: Array, strides: Sizes, rates: Sizes, padding: str, **options: Any) -> Iterator[Case]:
    """The dilation and both gradients."""
    attrs = {"strides": [1, *strides, 1], "rates": [1, *rates, 1], "padding": padding}
    positions = [
        -(-size // stride) if padding == "SAME" else (size - rate * (window - 1) - 1) // stride + 1
        for size, window, stride, rate in zip(x.shape[1:3], kernel.shape, strides, rates, strict=False)
    ]
    grad = sample("double", (len(x), *positions, x.shape[3]), seed=2).astype(x.dtype)
    for op, inputs in zip(OPS, ((x, kernel), (x, kernel, grad), (x, kernel, grad)), strict=True):
        yield Case(op, inputs, attrs, **options)


def windows() -> Iterator[Case]:
    """Windows that overlap, lie apart, are spread, reach over the edges; every type; nothing at all."""
    for padding in ("VALID", "SAME"):
        for window, strides, rates in (((2, 3), (1, 1), (1, 1)), ((2, 1), (2, 3), (1, 1)), ((2, 2), (1, 2), (3, 2))):
            x, kernel = sample("double", (2, 4, 5, 2)), sample("double", (*window, 2), seed=1)
            yield from three(x, kernel, strides, rates, padding)
    for dtype in REAL:
        x, kernel = sample(dtype, (1, 3, 3, 2)), sample(dtype, (2, 2, 2), -2, 2, seed=1)
        yield from three(x, kernel, (1, 1), (1, 1), "SAME", smooth=dtype == "double")
    for shape in ((0, 3, 3, 2), (1, 3, 3, 0)):
        yield from three(sample("double", shape), sample("double", (2, 2, shape[3])), (1, 1), (1, 1), "VALID")
    yield from three(sample("double", (1, 2, 1, 1)), sample("double", (4, 3, 1)), (1, 1), (1, 1), "SAME")
    yield from three(
        sample("double", (2, 1, 5, 2)), sample("double", (2, 2, 2), seed=1), (1, 2), (2, 2), "SAME", smooth=False
    )
    for length in (2, 1):
        yield from three(sample("float", (1, length, 3, 1)), sample("float", (3, 2, 1)), (2, 1), (1, 1), "VALID")


def edges() -> Iterator[Case]:
    """Ties, numbers that are not finite, sums that wrap around."""
    rng = np.random.default_rng(0)
    tied = rng.integers(0, 2, (1, 4, 4, 2)).astype(np.float32)
    yield from three(tied, np.zeros((2, 2, 2), np.float32), (1, 1), (1, 1), "SAME", smooth=False)
    for values in ((np.nan, 1, -np.inf, 2), (np.nan,), (-np.inf,), (np.inf, np.nan)):
        x = np.resize(np.array(values, np.float32), (1, 3, 3, 1))
        for padding in ("VALID", "SAME"):
            yield from three(x, np.zeros((3, 2, 1), np.float32), (1, 1), (1, 1), padding, smooth=False)
    for dtype, number in (("uint8", 200), ("int8", -100)):
        x, kernel = (np.full(shape, number, numpy_type(dtype)) for shape in ((1, 2, 2, 1), (1, 1, 1)))
        yield from three(x, kernel, (1, 1), (1, 1), "VALID")


def refused() -> Iterator[Case]:
    """Ranks, sizes and attributes that do not fit."""
    x, kernel, grad = (sample("float", shape) for shape in ((1, 4, 4, 1), (2, 2, 1), (1, 3, 3, 1)))
    good: dict[str, Any] = {"strides": [1, 1, 1, 1], "rates": [1, 1, 1, 1], "padding": "VALID"}
    for attrs in (
        {"strides": [2, 1, 1, 1]},
        {"strides": [1, 0, 1, 1]},
        {"strides": [1, 1, 1]},
        {"rates": [1, 1, 1, 2]},
        {"rates": [1, 1, 0, 1]},
        {"rates": [1, 5, 1, 1]},
    ):
        for op, inputs in zip(OPS, ((x, kernel), (x, kernel, grad), (x, kernel, grad)), strict=True):
            unchecked = UNCHECKED if attrs.get("rates") == [1, 1, 0, 1] else ""
            yield Case(op, inputs, {**good, **attrs}, fails=True, differs=unchecked)
    for inputs in ((x[0], kernel), (x, kernel[None]), (x, np.zeros((2, 2, 2), np.float32))):
        yield Case("Dilation2D", inputs, good, fails=True)
    yield Case("Dilation2D", (x, kernel[:0]), good, fails=True, differs=EMPTY)
    for op in OPS[1:]:
        for wrong in (grad[:, :2], grad[0]):
            yield Case(op, (x, kernel, wrong), good, fails=True)


CASES: list[Case] = [*windows(), *edges(), *refused()]
