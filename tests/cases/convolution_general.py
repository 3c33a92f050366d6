"""Cases of `ops/convolution_general.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import sample

MISSING: Final = (
    "TensorFlow's kernel for the CPU has neither groups nor channels first, nor all that it has for images."
)
DROPPED: Final = "Of several batch dimensions without elements, TensorFlow keeps one."


def arrays(dtype: str, x: tuple[int, ...], filters: tuple[int, ...]) -> tuple[Array, Array]:
    """Input and filter."""
    return sample(dtype, x, -2, 2), sample(dtype, filters, -2, 2, seed=1)


def convolutions() -> Iterator[Case]:
    """Images and volumes, batch dimensions from none to three, every padding, what TensorFlow cannot do, every type."""
    image, volume = [1, 1, 1, 1], [1, 1, 1, 1, 1]
    for x, filters, attrs in (
        ((1, 3, 4, 2), (2, 2, 2, 3), {"strides": image, "padding": "VALID"}),
        ((3, 4, 2), (2, 3, 2, 1), {"strides": [1, 2, 1, 1], "padding": "SAME", "batch_dims": 0}),
        ((2, 1, 2, 4, 2), (2, 2, 2, 1), {"strides": [1, 1, 3, 1], "padding": "SAME", "batch_dims": 2}),
        (
            (2, 1, 2, 2, 3, 1),
            (1, 2, 1, 1),
            {"strides": image, "padding": "VALID", "batch_dims": 3, "dilations": [1, 1, 2, 1]},
        ),
        (
            (1, 3, 4, 1),
            (2, 2, 1, 2),
            {"strides": image, "padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 0, 0, 2, 0, 0]},
        ),
        ((1, 2, 3, 2, 2), (2, 2, 1, 2, 2), {"strides": volume, "padding": "VALID"}),
        ((2, 3, 2, 2), (2, 1, 2, 2, 1), {"strides": [1, 2, 1, 1, 1], "padding": "SAME", "batch_dims": 0}),
        ((2, 1, 2, 3, 1, 1), (1, 2, 1, 1, 2), {"strides": volume, "padding": "VALID", "batch_dims": 2}),
    ):
        yield Case("Conv", arrays("double", x, filters), attrs)
    for x, filters, attrs in (
        ((1, 2, 3, 4), (1, 2, 2, 4), {"strides": image, "padding": "VALID", "groups": 2}),
        (
            (2, 3, 2, 3),
            (2, 2, 3, 1),
            {"strides": image, "padding": "VALID", "data_format": "CHANNELS_FIRST", "batch_dims": 1},
        ),
        (
            (3, 2, 3),
            (2, 2, 3, 1),
            {"strides": image, "padding": "SAME", "data_format": "CHANNELS_FIRST", "batch_dims": 0},
        ),
        ((1, 3, 2, 2, 1), (2, 1, 1, 1, 1), {"strides": volume, "padding": "VALID", "dilations": [1, 2, 1, 1, 1]}),
        (
            (2, 1, 1, 2, 2, 2),
            (2, 1, 2, 1, 2),
            {
                "strides": volume,
                "padding": "EXPLICIT",
                "explicit_paddings": [0, 0, 0, 0, 1, 0, 0, 0, 0, 2],
                "batch_dims": 2,
                "data_format": "CHANNELS_FIRST",
            },
        ),
    ):
        yield Case("Conv", arrays("double", x, filters), attrs, differs=MISSING)
    nothing = arrays("double", (0, 2, 3, 2, 1), (1, 2, 1, 1))
    yield Case("Conv", nothing, {"strides": image, "padding": "VALID", "batch_dims": 2}, differs=DROPPED)
    for dtype in ("half", "bfloat16", "float", "int32"):
        yield Case("Conv", arrays(dtype, (1, 2, 3, 2), (2, 2, 2, 2)), {"strides": image, "padding": "SAME"})
        yield Case("Conv", arrays(dtype, (1, 2, 2, 2, 1), (2, 1, 2, 1, 1)), {"strides": volume, "padding": "SAME"})


def refused() -> Iterator[Case]:
    """Ranks, sizes and attributes that do not fit."""
    x, filters = arrays("float", (1, 4, 4, 2), (2, 2, 2, 3))
    good: dict[str, Any] = {"strides": [1, 1, 1, 1], "padding": "VALID"}
    for inputs, attrs in (
        ((x[0], filters), {}),
        ((x, filters[0]), {}),
        ((x, filters[:, :, :1]), {}),
        ((x, filters[..., :0]), {}),
        ((x, np.ones((5, 5, 2, 1), np.float32)), {"dilations": [1, 2, 1, 1]}),
        ((x, filters), {"strides": [1, 1]}),
        ((x, filters), {"strides": [1, 1, 1]}),
        ((x, filters), {"strides": [2, 1, 1, 1]}),
        ((x, filters), {"strides": [1, 1, 1, 2]}),
        ((x, filters), {"dilations": [1, 1, 1]}),
        ((x, filters), {"batch_dims": 2}),
        ((x, filters), {"batch_dims": -1}),
        ((x, filters), {"groups": 2}),
        ((x, filters), {"groups": 0}),
        ((x, filters), {"explicit_paddings": [0] * 8}),
        ((x, filters), {"padding": "EXPLICIT", "explicit_paddings": [0, 0, -1, 2, 0, 0, 0, 0]}),
    ):
        yield Case("Conv", inputs, {**good, **attrs}, fails=True)


def backprops() -> Iterator[Case]:
    """The gradients from arrays: every padding and data format, and shapes that do not fit."""
    for attrs, grad in (
        ({"strides": [1, 1, 2, 1], "padding": "SAME"}, (2, 3, 2, 4)),
        ({"strides": [1, 1, 1, 1], "padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 0, 0, 2, 0, 0]}, (2, 3, 4, 4)),
        ({"strides": [1, 1, 1, 1], "padding": "VALID", "data_format": "NCHW"}, (2, 4, 2, 2)),
    ):
        shape = (2, 2, 3, 3) if attrs.get("data_format") else (2, 3, 3, 2)
        x, filters = arrays("double", shape, (2, 2, 2, 4))
        inputs = x, filters, sample("double", grad, seed=2)
        for op in ("Conv2DBackpropInputV2", "Conv2DBackpropFilterV2"):
            yield Case(op, inputs, attrs)
            yield Case(op, (x, filters, inputs[2][:1]), attrs, fails=True)
            yield Case(op, (x[0], filters, inputs[2]), attrs, fails=True)


CASES: list[Case] = [*convolutions(), *backprops(), *refused()]
