"""Cases of `ops/convolution.yaml`.

A convolution comes in threes: forward, and with its output's shape, the gradients of input and filter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.samples import FLOATING, sample

Sizes = tuple[int, ...]

UNDEFINED: Final = "TensorFlow's gradient of filters without a position is whatever the memory held."
IN_HALF: Final = "TensorFlow's kernel sums in half."

DENSE: Final = ("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter")
DEPTHWISE: Final = (
    "DepthwiseConv2dNative",
    "DepthwiseConv2dNativeBackpropInput",
    "DepthwiseConv2dNativeBackpropFilter",
)


def slide(
    strides: Sizes = (1, 1), padding: str | Sizes = "VALID", dilations: Sizes = (1, 1), data_format: str = "NHWC"
) -> dict[str, Any]:
    """The attributes, where strides, dilations and explicit paddings are for rows and columns."""

    def spatial(pair: Sizes, rest: Sizes) -> list[int]:
        return [*rest, *rest, *pair] if data_format == "NCHW" else [*rest, *pair, *rest]

    attrs: dict[str, Any] = {"strides": spatial(strides, (1,)), "padding": padding, "data_format": data_format}
    if dilations != (1, 1):
        attrs["dilations"] = spatial(dilations, (1,))
    if not isinstance(padding, str):
        attrs |= {"padding": "EXPLICIT", "explicit_paddings": spatial(padding, (0, 0))}
    return attrs


def places(size: int, window: int, stride: int, padding: str | Sizes, dilation: int) -> int:
    """How many places a window has along one dimension, where it has any."""
    if padding == "SAME":
        return -(-size // stride)
    added = 0 if isinstance(padding, str) else sum(padding)
    return (size + added - dilation * (window - 1) - 1) // stride + 1


def three(
    ops: tuple[str, str, str],
    dtype: str,
    image: Sizes,
    kernel: Sizes,
    strides: Sizes = (1, 1),
    padding: str | Sizes = "VALID",
    dilations: Sizes = (1, 1),
    data_format: str = "NHWC",
) -> Iterator[Case]:
    """Forward and both gradients for an image [batch, rows, columns, channels]."""
    attrs = slide(strides, padding, dilations, data_format)
    edges = (padding, padding) if isinstance(padding, str) else (padding[:2], padding[2:])
    rows, columns = (places(image[i + 1], kernel[i], strides[i], edges[i], dilations[i]) for i in (0, 1))
    channels = kernel[2] * kernel[3] if ops is DEPTHWISE else kernel[3]

    def formatted(shape: Sizes) -> Sizes:
        return (shape[0], shape[3], shape[1], shape[2]) if data_format == "NCHW" else shape

    x, filters = sample(dtype, formatted(image), -2, 2), sample(dtype, kernel, -2, 2, seed=1)
    grad = sample(dtype, formatted((image[0], rows, columns, channels)), -2, 2, seed=2)
    inputs = (x, filters), (np.array(x.shape, np.int32), filters, grad), (x, np.array(kernel, np.int32), grad)
    nothing = UNDEFINED if (ops is DEPTHWISE and image[0] == 0) or image[1] == 0 else ""
    for op, arguments in zip(ops, inputs, strict=True):
        if dtype != "int32" or op != "Conv2DBackpropFilter":
            differs = missing(op, attrs, groups=image[3] // max(kernel[2], 1))
            if op.endswith("Filter"):
                differs = differs or nothing
            yield Case(op, arguments, attrs, differs=differs, gradient_differs=nothing)


def missing(op: str, attrs: dict[str, Any], *, groups: int = 1) -> str:
    """What TensorFlow's kernel for the CPU does not know, and says in other words than that it is not implemented."""
    if op in DEPTHWISE and sorted(attrs["strides"])[2] != max(attrs["strides"]):
        return "TensorFlow's kernel takes equal strides only."
    if op in (DENSE[0], DEPTHWISE[0]):
        return ""
    if "dilations" in attrs:
        return "TensorFlow's kernel has no dilations: it refuses them, or leaves them out."
    if op in DENSE and attrs["data_format"] == "NCHW":
        return "TensorFlow's kernel for the CPU takes NHWC only."
    return "TensorFlow's kernel for the CPU takes no groups." if op in DENSE and groups > 1 else ""


def alike() -> Iterator[Case]:
    """What both kinds of convolution do: paddings, strides, dilations, data formats, odd sizes."""
    for ops in (DENSE, DEPTHWISE):
        for padding in ("VALID", "SAME", (1, 0, 2, 1)):
            yield from three(ops, "double", (2, 4, 5, 2), (2, 3, 2, 2), padding=padding)
            yield from three(ops, "double", (1, 5, 4, 1), (3, 2, 1, 2), (2, 2), padding)
            yield from three(ops, "double", (1, 5, 6, 2), (2, 2, 2, 1), padding=padding, dilations=(2, 2))
            yield from three(ops, "double", (1, 3, 4, 2), (2, 2, 2, 3), padding=padding, data_format="NCHW")
        yield from three(ops, "double", (1, 5, 5, 1), (2, 2, 1, 1), (2, 1))
        yield from three(ops, "double", (1, 6, 5, 1), (2, 1, 1, 1), (1, 1), dilations=(3, 1))
        yield from three(ops, "double", (1, 4, 4, 1), (1, 1, 1, 1), (3, 3), "SAME")
        yield from three(ops, "double", (1, 2, 2, 1), (3, 4, 1, 1), padding="SAME")
        yield from three(ops, "double", (1, 3, 3, 5), (2, 2, 5, 1))
        yield from three(ops, "double", (0, 3, 3, 2), (2, 2, 2, 2))
        yield from three(ops, "double", (1, 0, 3, 2), (2, 2, 2, 2), padding="SAME")
        yield from three(ops, "double", (1, 5, 5, 1), (2, 2, 1, 1), (2, 2), (1, 1, 0, 0), (2, 1), "NCHW")
        for dtype in FLOATING:
            yield from three(ops, dtype, (2, 4, 4, 3), (3, 3, 3, 2), padding="SAME")


def accumulated() -> Iterator[Case]:
    """Sums over many elements of half precision."""
    inputs = sample("half", (1, 40, 40, 1), -2, 2), sample("half", (40, 40, 1, 1), -2, 2, seed=1)
    yield Case("Conv2D", inputs, slide())
    yield Case("DepthwiseConv2dNative", inputs, slide(), differs=IN_HALF)


def only_dense() -> Iterator[Case]:
    """Integers, groups, sizes of height and width alone."""
    yield from three(DENSE, "int32", (1, 3, 4, 2), (2, 2, 2, 3))
    yield from three(DENSE, "double", (2, 4, 4, 4), (2, 2, 2, 6))
    yield from three(DENSE, "double", (1, 3, 3, 6), (2, 2, 1, 6), padding="SAME")
    yield from three(DENSE, "double", (1, 3, 3, 4), (2, 2, 2, 2), data_format="NCHW")
    yield from three(DENSE, "double", (1, 3, 3, 2), (2, 2, 2, 0))
    yield from three(DENSE, "half", (2, 7, 8, 1), (1, 1, 1, 0))
    big = np.full((1, 2, 2, 1), 2**30, np.int32)
    yield Case("Conv2D", (big, np.full((2, 2, 1, 1), 3, np.int32)), slide())
    yield Case("Conv2D", (big, np.full((2, 2, 1, 1), 3, np.int32)), {**slide(), "use_cudnn_on_gpu": False})
    filters, grad = sample("double", (2, 2, 3, 2)), sample("double", (2, 3, 3, 2), seed=1)
    yield Case("Conv2DBackpropInput", (np.array((4, 4), np.int32), filters, grad), slide())
    yield Case(
        "Conv2DBackpropInput",
        (np.array((4, 4), np.int32), filters, grad.transpose(0, 3, 1, 2).copy()),
        slide(data_format="NCHW"),
        differs=missing("Conv2DBackpropInput", slide(data_format="NCHW")),
    )


def refused(ops: tuple[str, str, str]) -> Iterator[Case]:
    """Ranks, channels, sizes and attributes that do not fit."""
    forward, backprop_input, backprop_filter = ops
    x, filters, grad = (np.ones(shape, np.float32) for shape in ((1, 4, 4, 2), (2, 2, 2, 1), (1, 3, 3, 1)))
    if ops is DEPTHWISE:
        grad = np.ones((1, 3, 3, 2), np.float32)
    x_sizes, filter_sizes = np.array(x.shape, np.int32), np.array(filters.shape, np.int32)
    shapes: tuple[tuple[Sizes, Sizes], ...] = (
        ((4, 4, 2), (2, 2, 2, 1)),
        ((1, 4, 4, 2), (2, 2, 2)),
        ((1, 4, 4, 2), (2, 2, 3, 1)),
        ((1, 4, 4, 2), (5, 2, 2, 1)),
        ((1, 4, 4, 2), (2, 2, 0, 1)),
        ((1, 0, 4, 2), (2, 2, 2, 1)),
        ((1, 4, 4, 2), (0, 2, 2, 1)),
        ((1, 4, 4, 0), (2, 2, 2, 1)),
        ((1, 4, 4, 4), (2, 2, 2, 3)),
    )
    for image, kernel in shapes:
        differs = "TensorFlow takes filters without elements." if ops is DEPTHWISE and kernel[0] == 0 else ""
        inputs = np.ones(image, np.float32), np.ones(kernel, np.float32)
        yield Case(forward, inputs, slide(), fails=True, differs=differs)
    for attrs in bad_attrs():
        for op, arguments in zip(ops, ((x, filters), (x_sizes, filters, grad), (x, filter_sizes, grad)), strict=True):
            yield Case(op, arguments, attrs, fails=True, differs=missing(op, attrs) if ops is DEPTHWISE else "")
    for wrong in (grad[0], grad[:, :2], np.ones((1, 3, 3, 5), np.float32), np.ones((2, 3, 3, 1), np.float32)):
        yield Case(backprop_input, (x_sizes, filters, wrong), slide(), fails=True)
        yield Case(backprop_filter, (x, filter_sizes, wrong), slide(), fails=True)
    for sizes in ((4,), (1, 4, 4), (1, 4, 4, 2, 1), (1, 4, 4, -2), (1, 4, 4, 3), (1, 5, 4, 2), (2, 4, 4, 2)):
        yield Case(backprop_input, (np.array(sizes, np.int32), filters, grad), slide(), fails=True)
    for sizes in ((2, 2, 2), (2, 2, -2, 1), (2, 2, 3, 1), (3, 2, 2, 1), (2, 2, 2, 4)):
        yield Case(backprop_filter, (x, np.array(sizes, np.int32), grad), slide(), fails=True)


def bad_attrs() -> Iterator[dict[str, Any]]:
    """Attributes that no shapes fit."""
    yield {**slide(), "strides": [1, 1, 1]}
    yield {**slide(), "strides": [1, 0, 1, 1]}
    yield {**slide(), "strides": [2, 1, 1, 1]}
    yield {**slide(), "strides": [1, 1, 1, 2]}
    yield {**slide(), "dilations": [1, 1]}
    yield {**slide(), "dilations": [1, 0, 1, 1]}
    yield {**slide(), "dilations": [1, 1, 1, 2]}
    yield {**slide(), "explicit_paddings": [0, 0, 1, 1, 1, 1, 0, 0]}
    yield {**slide(), "padding": "EXPLICIT"}
    yield {**slide(), "padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 1]}
    yield {**slide(), "padding": "EXPLICIT", "explicit_paddings": [0, 0, -1, 1, 0, 0, 0, 0]}
    yield {**slide(), "padding": "EXPLICIT", "explicit_paddings": [0, 0, 0, 0, 0, 0, 1, 0]}


def only_depthwise() -> Iterator[Case]:
    """No channels, and sizes of height and width alone, which these operations do not take."""
    filters, grad = np.ones((2, 2, 3, 1), np.float32), np.ones((2, 3, 3, 3), np.float32)
    yield Case(DEPTHWISE[1], (np.array((4, 4), np.int32), filters, grad), slide(), fails=True)
    for channels, multiplier in ((0, 2), (2, 0)):
        yield from three(DEPTHWISE, "double", (1, 3, 3, channels), (2, 2, channels, multiplier))


CASES: list[Case] = [*alike(), *accumulated(), *only_dense(), *only_depthwise(), *refused(DENSE), *refused(DEPTHWISE)]
