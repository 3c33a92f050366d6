"""Cases of `ops/convolution_3d.yaml`: a convolution, and with its output's shape the gradients of input and filter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.samples import FLOATING, sample

Sizes = tuple[int, ...]

MISSING: Final = "TensorFlow's kernel for the CPU supports neither NCDHW nor dilations nor groups."


def three(
    dtype: str,
    volume: Sizes,
    kernel: Sizes,
    strides: Sizes = (1, 1, 1),
    padding: str = "VALID",
    dilations: Sizes = (1, 1, 1),
    data_format: str = "NDHWC",
) -> Iterator[Case]:
    """Forward and both gradients for a volume [batch, planes, rows, columns, channels]."""
    is_first = data_format == "NCDHW"

    def spatial(sizes: Sizes) -> list[int]:
        return [1, 1, *sizes] if is_first else [1, *sizes, 1]

    def formatted(shape: Sizes) -> Sizes:
        return (shape[0], shape[4], *shape[1:4]) if is_first else shape

    attrs: dict[str, Any] = {"strides": spatial(strides), "padding": padding, "data_format": data_format}
    if dilations != (1, 1, 1):
        attrs["dilations"] = spatial(dilations)
    positions = [
        -(-size // stride) if padding == "SAME" else (size - dilation * (window - 1) - 1) // stride + 1
        for size, window, stride, dilation in zip(volume[1:4], kernel[:3], strides, dilations, strict=True)
    ]
    x, filters = sample(dtype, formatted(volume), -2, 2), sample(dtype, kernel, -2, 2, seed=1)
    grad = sample(dtype, formatted((volume[0], *positions, kernel[4])), -2, 2, seed=2)
    differs = MISSING if is_first or "dilations" in attrs or kernel[3] != volume[4] else ""
    yield Case("Conv3D", (x, filters), attrs, differs=differs)
    sizes = np.array(x.shape, np.int64 if dtype == "float" else np.int32)
    yield Case("Conv3DBackpropInputV2", (sizes, filters, grad), attrs, differs=differs)
    yield Case("Conv3DBackpropFilterV2", (x, np.array(kernel, np.int32), grad), attrs, differs=differs)


def windows() -> Iterator[Case]:
    """Windows that overlap, lie apart, reach over the edges; formats, dilations, groups; nothing at all."""
    for padding in ("VALID", "SAME"):
        yield from three("double", (2, 3, 3, 2, 2), (2, 2, 1, 2, 3), padding=padding)
        yield from three("double", (1, 4, 3, 5, 1), (3, 1, 2, 1, 1), (2, 1, 3), padding)
        yield from three("double", (1, 5, 2, 4, 2), (2, 1, 2, 2, 2), (1, 1, 1), padding, (3, 1, 2))
    yield from three("double", (1, 2, 2, 2, 1), (3, 3, 3, 1, 1), padding="SAME")
    yield from three("double", (1, 3, 2, 3, 2), (2, 1, 2, 2, 1), (2, 1, 1), "SAME", (1, 1, 1), "NCDHW")
    yield from three("double", (1, 2, 2, 2, 4), (2, 1, 2, 2, 2))
    yield from three("double", (1, 2, 2, 2, 2), (2, 1, 2, 1, 4))
    yield from three("double", (0, 2, 2, 2, 1), (1, 1, 1, 1, 2))
    for dtype in FLOATING:
        yield from three(dtype, (1, 3, 2, 2, 2), (2, 2, 2, 2, 2), padding="SAME")


def refused() -> Iterator[Case]:
    """Ranks, sizes and attributes that do not fit."""
    x, filters, grad = (sample("float", shape) for shape in ((1, 3, 3, 3, 2), (2, 2, 2, 2, 1), (1, 2, 2, 2, 1)))
    good: dict[str, Any] = {"strides": [1, 1, 1, 1, 1], "padding": "VALID"}
    sizes = np.array(x.shape, np.int32)
    for inputs, attrs in (
        ((x[0], filters), {}),
        ((x, filters[0]), {}),
        ((x, filters[:, :, :, :0]), {}),
        ((x, filters[:0]), {}),
        ((x, filters[..., :0]), {}),
        ((x, sample("float", (4, 2, 2, 2, 1))), {}),
        ((x, sample("float", (2, 2, 2, 3, 1))), {}),
        ((x, filters), {"strides": [1, 1, 1, 1]}),
        ((x, filters), {"strides": [1, 0, 1, 1, 1]}),
        ((x, filters), {"strides": [2, 1, 1, 1, 1]}),
        ((x, filters), {"dilations": [1, 1, 1, 1, 2]}),
        ((x, filters), {"dilations": [1, 0, 1, 1, 1]}),
    ):
        yield Case("Conv3D", inputs, {**good, **attrs}, fails=True)
    for input_sizes, out_grad in ((sizes[1:4], grad), (sizes, grad[:, :1]), (sizes, grad[0])):
        yield Case("Conv3DBackpropInputV2", (input_sizes, filters, out_grad), good, fails=True)
    kernel = np.array(filters.shape, np.int32)
    for filter_sizes, out_grad in ((kernel[:4], grad), (kernel, grad[:, :1]), (kernel + 1, grad)):
        yield Case("Conv3DBackpropFilterV2", (x, filter_sizes, out_grad), good, fails=True)


CASES: list[Case] = [*windows(), *refused()]
