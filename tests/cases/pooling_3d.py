"""Cases of `ops/pooling_3d.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import numpy_type, sample

Sizes = tuple[int, ...]

MISSING: Final = "TensorFlow's kernel for the CPU takes NDHWC only."
MIXED: Final = "TensorFlow's kernels take one type only."
EMPTY: Final = "TensorFlow refuses an empty batch."
UNCHECKED: Final = "TensorFlow does not check that the gradient has the shape that pooling gives."


def pool(ksize: Sizes, strides: Sizes, padding: str = "VALID", data_format: str = "NDHWC") -> dict[str, Any]:
    """What the window does along planes, rows and columns."""

    def spatial(sizes: Sizes) -> list[int]:
        return [1, 1, *sizes] if data_format == "NCDHW" else [1, *sizes, 1]

    return {"ksize": spatial(ksize), "strides": spatial(strides), "padding": padding, "data_format": data_format}


def distinct(shape: Sizes) -> Array:
    """Numbers that are all different, far enough apart for large finite differences."""
    count = int(np.prod(shape))
    return np.asarray(np.random.default_rng(0).permutation(count).reshape(shape) / 4 - count / 8)


def largest(x: Array, ksize: Sizes, strides: Sizes, padding: str) -> Array:
    """The maxima of [batch, planes, rows, columns, channels]."""
    edges = []
    for length, window, stride in zip(x.shape[1:4], ksize, strides, strict=True):
        beyond = max((-(-length // stride) - 1) * stride + window - length, 0) if padding == "SAME" else 0
        edges.append((beyond // 2, beyond - beyond // 2))
    padded = np.pad(x, ((0, 0), *edges, (0, 0)), constant_values=x.min(initial=0))
    view = np.lib.stride_tricks.sliding_window_view(padded, ksize, axis=(1, 2, 3))
    planes, rows, columns = strides
    return np.asarray(view[:, ::planes, ::rows, ::columns].max(axis=(-3, -2, -1)))


def pools(
    dtype: str, shape: Sizes, ksize: Sizes, strides: Sizes, padding: str = "VALID", data_format: str = "NDHWC"
) -> Iterator[Case]:
    """Maxima and means with their derivatives, for volumes [batch, planes, rows, columns, channels]."""
    attrs = pool(ksize, strides, padding, data_format)
    x = distinct(shape)
    y = largest(x, ksize, strides, padding)
    grad, direction = sample("double", y.shape), sample("double", shape, seed=1)
    is_first = data_format == "NCDHW"
    x, y, grad, direction = (
        (np.ascontiguousarray(np.moveaxis(each, -1, 1)) if is_first else each).astype(numpy_type(dtype))
        for each in (x, y, grad, direction)
    )
    differs = MISSING if is_first else ""
    if dtype != "double":
        yield Case("MaxPool3D", (x,), attrs, differs=differs)
        yield Case("MaxPool3DGrad", (x, y, grad), attrs, differs=differs)
    if dtype == "float" and padding == "SAME":
        for wide, narrow in (("float", "half"), ("half", "bfloat16"), ("bfloat16", "float")):
            of_wide = (each.astype(numpy_type(wide)) for each in (x, y))
            yield Case("MaxPool3DGrad", (*of_wide, grad.astype(numpy_type(narrow))), attrs, differs=MIXED)
    again = differs or (EMPTY if x.size == 0 else "")
    yield Case("MaxPool3DGradGrad", (x, y, direction), attrs, smooth=dtype != "double", differs=again)
    yield Case("AvgPool3D", (x,), attrs, differs=differs)
    yield Case("AvgPool3DGrad", (np.array(x.shape, np.int32), grad), attrs, differs=differs)


def windows() -> Iterator[Case]:
    """Windows that overlap, lie apart, reach over the edges; formats and types."""
    for padding in ("VALID", "SAME"):
        for dtype in ("float", "double"):
            yield from pools(dtype, (2, 3, 2, 3, 2), (2, 1, 2), (1, 2, 2), padding)
        yield from pools("float", (1, 4, 3, 2, 2), (2, 2, 2), (2, 1, 2), padding, "NCDHW")
    yield from pools("float", (1, 2, 2, 2, 1), (3, 2, 3), (1, 1, 1), "SAME")
    yield from pools("float", (0, 2, 2, 2, 1), (2, 2, 2), (2, 2, 2))
    for dtype in ("bfloat16", "half"):
        yield from pools(dtype, (1, 3, 3, 2, 2), (2, 2, 2), (1, 1, 1), "SAME")
    x, attrs = np.arange(8).reshape(1, 2, 2, 2, 1), pool((2, 2, 2), (1, 1, 1))
    integers = (x, x[:, :1, :1, :1] + 7, x * 3)
    yield Case("MaxPool3DGradGrad", tuple(each.astype(np.int8) for each in integers), attrs)


def in_ties() -> Iterator[Case]:
    """What counts as the largest."""
    attrs = pool((1, 1, 3), (1, 1, 3))
    x = np.array(((1, 1, 0), (0, 1, 1), (-1, -0.0, 0.0), (2, 3, np.inf)), np.float32).reshape(-1, 1, 1, 3, 1)
    y = np.array((1, 1, 0, 3), np.float32).reshape(-1, 1, 1, 1, 1)
    yield Case("MaxPool3D", (x[:3],), attrs, smooth=False)
    yield Case("MaxPool3DGrad", (x, y, sample("float", y.shape)), attrs, smooth=False)
    yield Case("MaxPool3DGradGrad", (x, y, sample("float", x.shape)), attrs, smooth=False)
    near = np.array((1, 1 - 2e-6, 0), np.float32).reshape(1, 1, 1, 3, 1)
    both = "TensorFlow takes both elements for the maximum."
    yield Case("MaxPool3DGrad", (near, y[:1], y[:1]), attrs, smooth=False, differs=both)


def refused() -> Iterator[Case]:
    """Ranks, sizes and attributes that do not fit."""
    x, y, good = np.ones((1, 4, 4, 4, 1), np.float32), np.ones((1, 2, 2, 2, 1), np.float32), pool((2,) * 3, (2,) * 3)
    for attrs in (
        {**good, "ksize": [1, 0, 2, 2, 1]},
        {**good, "strides": [1, 0, 2, 2, 1]},
        {**good, "ksize": [1, 5, 2, 2, 1]},
        {**good, "ksize": [1, 2, 2, 2]},
        {**good, "ksize": [1, 2, 2, 2, 1, 1]},
    ):
        yield from (Case(op, (x,), attrs, fails=True) for op in ("MaxPool3D", "AvgPool3D"))
        yield Case("MaxPool3DGrad", (x, y, y), attrs, fails=True)
    yield from (Case(op, (x[0],), good, fails=True) for op in ("MaxPool3D", "AvgPool3D"))
    yield Case("MaxPool3DGrad", (x, y, y[:, :1]), good, fails=True)
    yield Case("MaxPool3DGrad", (x, y[:, :1], y), good, fails=True)
    yield Case("MaxPool3DGradGrad", (x, y, x[:, :1]), good, fails=True)
    yield Case("AvgPool3DGrad", (np.array(x.shape[1:], np.int32), y), good, fails=True)
    yield Case("AvgPool3DGrad", (np.array(x.shape, np.int32), y[:, :1]), good, fails=True, differs=UNCHECKED)


CASES: list[Case] = [*windows(), *in_ties(), *refused()]
