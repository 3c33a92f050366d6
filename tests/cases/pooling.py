"""Cases of `ops/pooling.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import FLOATING, REAL, numpy_type, sample

Sizes = tuple[int, ...]

MISSING: Final = "TensorFlow's kernel for the CPU takes NHWC only."
UNCHECKED: Final = "TensorFlow does not check that the gradient has the shape that pooling gives."
ROWS: Final = (
    (1, 1, 0),
    (0, 1, 1),
    (1, 0, 1),
    (np.nan, 1, 2),
    (1, np.nan, 2),
    (2, np.nan, 1),
    (1, 2, np.nan),
    (np.nan,) * 3,
    (-np.inf,) * 3,
    (-np.inf, np.nan, -np.inf),
    (np.inf, np.nan, np.inf),
    (0.0, -0.0, -1.0),
)
"""Ties, and numbers that are not finite."""


def pool(ksize: Sizes, strides: Sizes, padding: str = "VALID", data_format: str = "NHWC") -> dict[str, Any]:
    """How average pooling is told what the window does along rows and columns: by attributes."""

    def spatial(pair: Sizes) -> list[int]:
        return [1, 1, *pair] if data_format == "NCHW" else [1, *pair, 1]

    return {"ksize": spatial(ksize), "strides": spatial(strides), "data_format": data_format, "padding": padding}


def maximum(op: str, inputs: tuple[Array, ...], attrs: dict[str, Any], **options: Any) -> Case:
    """The same for max pooling: the window and its steps are inputs."""
    rest = dict(attrs)
    window = tuple(np.array(rest.pop(name), np.int32) for name in ("ksize", "strides"))
    return Case(op, (*inputs, *window), rest, **options)


def distinct(dtype: str, shape: Sizes) -> Array:
    """Numbers from -4 up, all different where the type has fractions, far enough apart for finite differences."""
    result: Array = np.random.default_rng(0).permutation(int(np.prod(shape))).reshape(shape) / 4 - 4
    return np.abs(result).astype(numpy_type(dtype)) if dtype.startswith("u") else result.astype(numpy_type(dtype))


def largest(x: Array, ksize: Sizes, strides: Sizes, padding: str) -> Array:
    """What pooling gives for numbers that are finite."""
    edges = [
        around(length, window, stride, padding)
        for length, window, stride in zip(x.shape[1:3], ksize, strides, strict=True)
    ]
    padded = np.pad(x, ((0, 0), *edges, (0, 0)), constant_values=x.min(initial=0))
    view = np.lib.stride_tricks.sliding_window_view(padded, ksize, axis=(1, 2))
    return np.asarray(view[:, :: strides[0], :: strides[1]].max(axis=(-2, -1)))


def around(length: int, window: int, stride: int, padding: str) -> tuple[int, int]:
    """How far a window reaches over the edges of one dimension."""
    beyond = max((-(-length // stride) - 1) * stride + window - length, 0) if padding == "SAME" else 0
    return beyond // 2, beyond - beyond // 2


def maxima(
    dtype: str,
    shape: Sizes,
    ksize: Sizes,
    strides: Sizes,
    padding: str = "VALID",
    data_format: str = "NHWC",
    differs: str = "",
) -> Iterator[Case]:
    """MaxPool and its derivatives, for images [batch, rows, columns, channels]."""
    attrs = pool(ksize, strides, padding, data_format)
    x = distinct(dtype, shape)
    y = largest(x, ksize, strides, padding)
    grad, direction = sample(dtype, y.shape), sample(dtype, shape, seed=1)
    x, y, grad, direction = (formatted(array, data_format) for array in (x, y, grad, direction))
    if dtype not in ("uint32", "uint64"):
        yield maximum("MaxPoolV2", (x,), attrs, differs=differs)
    yield maximum("MaxPoolGradV2", (x, y, grad), attrs, differs=differs)
    yield maximum("MaxPoolGradGradV2", (x, y, direction), attrs, differs=differs)


def means(
    dtype: str,
    shape: Sizes,
    ksize: Sizes,
    strides: Sizes,
    padding: str = "VALID",
    data_format: str = "NHWC",
    differs: str = "",
) -> Iterator[Case]:
    """AvgPool and its derivative, for images [batch, rows, columns, channels]."""
    attrs = pool(ksize, strides, padding, data_format)
    x = formatted(sample(dtype, shape), data_format)
    grad = formatted(sample(dtype, largest(np.zeros(shape), ksize, strides, padding).shape), data_format)
    yield Case("AvgPool", (x,), attrs, differs=differs)
    yield Case("AvgPoolGrad", (np.array(x.shape, np.int32), grad), attrs, differs=differs)


def formatted(x: Array, data_format: str) -> Array:
    """[batch, rows, columns, channels] in a data format."""
    return x.transpose(0, 3, 1, 2).copy() if data_format == "NCHW" else x


def windows() -> Iterator[Case]:
    """Windows of all kinds: overlapping, apart, over the edges, larger than the image."""
    for both in (maxima, means):
        for padding in ("VALID", "SAME"):
            yield from both("double", (2, 4, 5, 2), (2, 2), (2, 2), padding)
            yield from both("double", (1, 5, 4, 1), (3, 2), (1, 2), padding)
            yield from both("double", (1, 5, 5, 1), (1, 2), (2, 3), padding)
            yield from both("double", (1, 4, 4, 2), (2, 2), (2, 1), padding, "NCHW", differs=MISSING)
        yield from both("double", (1, 2, 3, 1), (4, 3), (1, 1), "SAME")
        yield from both("double", (1, 3, 3, 1), (1, 1), (1, 1))
        yield from both("double", (1, 3, 3, 1), (1, 1), (2, 2), "SAME")
        yield from both("double", (0, 4, 4, 2), (2, 2), (2, 2))
        yield from both("double", (1, 4, 4, 0), (2, 2), (2, 2), "SAME")
    for dtype in REAL:
        yield from maxima(dtype, (1, 4, 3, 2), (2, 2), (1, 1), "SAME")
    for dtype in FLOATING:
        yield from means(dtype, (1, 4, 3, 2), (3, 3), (1, 1), "SAME")
    for empty in ((1, 0, 3, 2), (1, 3, 0, 1)):
        yield Case("AvgPool", (sample("double", empty),), pool((2, 2), (1, 1), "SAME"))
        yield Case("AvgPool", (sample("double", empty),), pool((1, 1), (1, 1)), differs="TensorFlow refuses it.")
    many = sample("half", (1, 60, 60, 1))
    yield Case("AvgPool", (many,), pool((60, 60), (1, 1)), differs="TensorFlow's kernel sums in half.")


def in_ties() -> Iterator[Case]:
    """What counts as the largest."""
    attrs = pool((1, 3), (1, 3))
    x = np.array(ROWS, np.float32).reshape(-1, 1, 3, 1)
    y, grad = np.full((len(ROWS), 1, 1, 1), 2, np.float32), sample("float", (len(ROWS), 1, 1, 1))
    direction = sample("float", x.shape, seed=1)
    yield maximum("MaxPoolV2", (x,), attrs, smooth=False)
    yield from (
        maximum("MaxPoolV2", (x.astype(numpy_type(dtype)),), attrs, smooth=False) for dtype in ("half", "bfloat16")
    )
    other = "TensorFlow's gradient takes `orig_output`, which is 2 here, for the maxima."
    yield maximum("MaxPoolGradV2", (x, y, grad), attrs, smooth=False, gradient_differs=other)
    yield maximum("MaxPoolGradGradV2", (x, y, direction), attrs, smooth=False)
    ties = np.random.default_rng(0).integers(0, 3, (2, 5, 5, 1)).astype(np.float64)
    for padding in ("SAME", "VALID"):
        tied = pool((3, 3), (2, 2), padding)
        y = largest(ties, (3, 3), (2, 2), padding)
        yield maximum("MaxPoolV2", (ties,), tied, smooth=False)
        yield maximum("MaxPoolGradV2", (ties, y, sample("double", y.shape)), tied)
        yield maximum("MaxPoolGradGradV2", (ties, y, sample("double", ties.shape)), tied)
    yield Case("AvgPool", (x[3:6],), attrs, smooth=False)
    apart = {**pool((2, 2), (1, 1)), "strides": [1, 1, 1, 2]}
    yield Case("AvgPool", (distinct("float", (1, 3, 3, 4)),), apart, differs="TensorFlow ignores the last stride.")
    yield maximum("MaxPoolV2", (np.full((1, 2, 2, 1), -128, np.int8),), pool((2, 2), (1, 1), "SAME"))


def over_channels() -> Iterator[Case]:
    """Windows that extend over channels or batches."""
    x = distinct("double", (2, 2, 2, 4))
    for ksize, strides in (((1, 1, 1, 2), (1, 1, 1, 2)), ((1, 2, 1, 2), (1, 1, 1, 1)), ((2, 1, 1, 1), (1, 1, 1, 1))):
        attrs = {"ksize": ksize, "strides": strides, "padding": "VALID"}
        yield maximum("MaxPoolV2", (x,), attrs)
        yield Case("AvgPool", (x,), attrs)


def with_indices() -> Iterator[Case]:
    """Maxima with their indices, in images and in the batch; ties and nan; indices that are outside."""
    for dtype in ("double", "float", "half", "int8"):
        for padding, in_batch in (("VALID", False), ("SAME", True)):
            attrs: dict[str, Any] = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 1, 1], "padding": padding}
            attrs["include_batch_in_index"] = in_batch
            x = distinct(dtype, (2, 3, 3, 2))
            yield Case("MaxPoolWithArgmax", (x,), {**attrs, "Targmax": "int32" if in_batch else "int64"})
            y = largest(x, (2, 2), (2, 1), padding)
            argmax = np.random.default_rng(0).integers(0, 36 if in_batch else 18, y.shape)
            yield Case("MaxPoolGradWithArgmax", (x, sample(dtype, y.shape), argmax), attrs)
            yield Case("MaxPoolGradGradWithArgmax", (x, sample(dtype, x.shape), argmax.astype(np.int32)), attrs)
    attrs = {"ksize": [1, 1, 3, 1], "strides": [1, 1, 3, 1], "padding": "VALID"}
    x = np.array(ROWS, np.float32).reshape(-1, 1, 3, 1)
    yield Case("MaxPoolWithArgmax", (x,), attrs, smooth=False)
    grad, argmax = x[:1, :, :1], np.zeros((1, 1, 1, 1), np.int64)
    yield Case("MaxPoolGradWithArgmax", (x[:1], grad, argmax + 3), attrs, fails=True, differs="TensorFlow aborts.")
    yield Case("MaxPoolGradWithArgmax", (x[:1], x[:1], argmax), attrs, fails=True)
    yield Case("MaxPoolGradWithArgmax", (x[:1], grad, argmax[0]), attrs, fails=True)
    yield Case("MaxPoolWithArgmax", (x[0],), attrs, fails=True)
    yield Case("MaxPoolWithArgmax", (x,), {**attrs, "ksize": [1, 2, 1, 1]}, fails=True)


def refused() -> Iterator[Case]:
    """Ranks, sizes and attributes that do not fit."""
    x, y, good = np.ones((1, 4, 4, 1), np.float32), np.ones((1, 2, 2, 1), np.float32), pool((2, 2), (2, 2))
    shape = np.array(x.shape, np.int32)
    for attrs in (
        {**good, "ksize": [1, 0, 2, 1]},
        {**good, "strides": [1, 0, 2, 1]},
        {**good, "ksize": [1, 2, 2, 1, 1]},
        {**good, "strides": [1, 2, 2, 1, 1]},
        {**good, "ksize": [1, 5, 2, 1]},
        {**good, "ksize": [1, 2, 2]},
    ):
        yield from (
            maximum("MaxPoolV2", (x,), attrs, fails=True),
            maximum("MaxPoolGradV2", (x, y, y), attrs, fails=True),
        )
        yield from (
            maximum("MaxPoolGradGradV2", (x, y, x), attrs, fails=True),
            Case("AvgPool", (x,), attrs, fails=True),
        )
        unchecked = UNCHECKED if attrs["ksize"] in ([1, 0, 2, 1], [1, 5, 2, 1]) else ""
        yield Case("AvgPoolGrad", (shape, y), attrs, fails=True, differs=unchecked)
    yield maximum("MaxPoolV2", (x,), {**good, "data_format": "NCHW_VECT_C"}, fails=True)
    yield maximum("MaxPoolV2", (x[0],), good, fails=True)
    yield Case("AvgPool", (x[0],), good, fails=True)
    for op, inputs in (
        ("MaxPoolGradV2", (x, y, y[:, :1])),
        ("MaxPoolGradV2", (x, y[:, :1], y)),
        ("MaxPoolGradV2", (x[0], y, y)),
        ("MaxPoolGradGradV2", (x, y, x[:, :1])),
        ("MaxPoolGradGradV2", (x, y[:, :1], x)),
        ("AvgPoolGrad", (shape[:3], y)),
        ("AvgPoolGrad", (shape, y[0])),
        ("AvgPoolGrad", (np.array((1, -4, 4, 1), np.int32), y)),
    ):
        make = maximum if op.startswith("Max") else Case
        yield make(op, inputs, good, fails=True)
    yield Case("AvgPoolGrad", (shape, y[:, :1]), good, fails=True, differs=UNCHECKED)


CASES: list[Case] = [*windows(), *in_ties(), *over_channels(), *with_indices(), *refused()]
