"""Cases of `ops/warp.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import ints, sample, values

Sizes = tuple[int, ...]

ROUGH: Final = 1e-6
"""TensorFlow rounds products to float32 where the result is float64."""
MORE: Final = "TensorFlow has no gradient for this operation."
OTHER: Final = "TensorFlow's gradient is another warp, not the transpose of this one."
UNDEFINED: Final = "TensorFlow's result is undefined."

BOXES: Final = ((0.1, 0.05, 0.8, 0.83), (0.7, 0.9, 0.2, 0.2), (-0.4, 0.3, 0.6, 1.25))
"""Boxes inside, flipped and partly outside."""


def boxes(*rows: tuple[float, ...]) -> Array:
    """Boxes, a row for each."""
    return np.array(rows, np.float32).reshape(-1, 4)


def crops() -> Iterator[Case]:
    """Boxes and methods, types, empty arrays, and what does not fit."""
    some, where = boxes(*BOXES), ints(1, 0, 1)
    for size in ((2, 3), (1, 4), (3, 1)):
        for method in ("bilinear", "nearest"):
            attrs = {"method": method}
            smooth = method == "bilinear"
            x, grads = sample("float", (2, 4, 3, 2)), sample("float", (3, *size, 2))
            yield Case(
                "CropAndResize", (x, some, where, ints(*size)), {**attrs, "extrapolation_value": 2.5}, smooth=smooth
            )
            for dtype in ("float", "double"):
                inputs = grads, some, where, ints(2, 4, 3, 2)
                typed = {**attrs, "T": dtype}
                yield Case("CropAndResizeGradImage", inputs, typed, rtol=ROUGH, smooth=smooth, gradient_differs=MORE)
        for dtype in ("float", "double", "uint8"):
            grads = sample("float", (3, *size, 2))
            inputs = grads, sample(dtype, (2, 4, 3, 2)), some, where
            yield Case("CropAndResizeGradBoxes", inputs, gradient_differs=MORE)
    for dtype in ("uint8", "int16", "int64", "half", "double"):
        inputs = sample(dtype, (2, 3, 3, 1)), some, where, ints(2, 2)
        yield Case("CropAndResize", inputs, rtol=ROUGH if dtype == "double" else None)
    half = sample("float", (3, 2, 2, 1)), some, where, ints(2, 3, 3, 1)
    yield Case("CropAndResizeGradImage", half, {"T": "half"}, gradient_differs=MORE)
    whole = boxes((0, 0, 1, 1), (0, 0, 1e20, 1))
    yield Case("CropAndResize", (sample("float", (1, 3, 3, 1)), whole, ints(0, 0), ints(3, 3)), smooth=False)
    huge = sample("float", (1, 3, 3, 1)), sample("float", (1, 3, 3, 1)), boxes((0, 0, 3e38, 1)), ints(0)
    yield Case("CropAndResizeGradBoxes", huge, smooth=False, differs="TensorFlow may abort.")
    infinite = sample("float", (1, 2, 2, 1)), np.full((1, 2, 2, 1), np.inf), boxes((2, 2, 3, 3)), ints(0)
    yield Case("CropAndResizeGradBoxes", infinite, smooth=False)
    none = boxes(), ints()
    yield Case("CropAndResize", (sample("float", (1, 3, 3, 1)), *none, ints(2, 2)))
    yield Case("CropAndResizeGradImage", (sample("float", (0, 2, 2, 1)), *none, ints(1, 3, 3, 1)), {"T": "float"})
    yield Case("CropAndResizeGradBoxes", (sample("float", (0, 2, 2, 1)), sample("float", (1, 3, 3, 1)), *none))


def wrong_crops() -> Iterator[Case]:
    """Shapes, indices and boxes that do not fit."""
    x, one, first, size = sample("float", (1, 3, 3, 1)), boxes((0, 0, 1, 1)), ints(0), ints(2, 2)
    for inputs in (
        (x[0], one, first, size),
        (x[:, :0], one, first, size),
        (x, one[:, :3], first, size),
        (x, one, ints(0, 0), size),
        (x, one, ints(-1), size),
        (x, one, ints(1), size),
        (x, one, first, ints(0, 2)),
        (x, one, first, ints(2)),
        (x, one * np.float32(np.nan), first, size),
    ):
        yield Case("CropAndResize", inputs, fails=True)
    grads = sample("float", (1, 2, 2, 1))
    for some in (
        (grads[:, :0], ints(1, 3, 3, 1)),
        (grads, ints(1, 0, 3, 1)),
        (grads, ints(1, 3, 3)),
        (grads, ints(1, 3, 3, 2)),
    ):
        yield Case("CropAndResizeGradImage", (some[0], one, first, some[1]), {"T": "float"}, fails=True)
    for each, image in ((grads[:, :0], x), (grads, x[:, :0]), (np.repeat(grads, 2, 0), x), (np.repeat(grads, 2, 3), x)):
        yield Case("CropAndResizeGradBoxes", (each, image, one, first), fails=True)


TRANSFORMS: Final = (
    (1, 0, 0, 0, 1, 0, 0, 0),
    (0.9, 0.3, -0.45, -0.25, 1.1, 0.35, 0, 0),
    (1.2, 0.1, -2.3, 0.2, 0.8, 3.1, 0.05, -0.03),
    (0.5, 0, 7.3, 0, 0.5, -6.2, 0, 0),
)
"""The identity, an affine and a projective transform, and one that leads far outside."""


def warps() -> Iterator[Case]:
    """Interpolation and fill, one transform for all images or one for each, types, and what does not fit."""
    for interpolation in ("BILINEAR", "NEAREST"):
        for mode in ("CONSTANT", "REFLECT", "WRAP", "NEAREST"):
            for number, transform in enumerate(TRANSFORMS):
                attrs: dict[str, Any] = {"interpolation": interpolation, "fill_mode": mode}
                inputs = sample("double", (1, 3, 4, 1)), boxes(transform[:4], transform[4:]).reshape(1, 8), ints(4, 3)
                options: dict[str, Any] = {"gradient_differs": OTHER, "smooth": number > 0, "rtol": ROUGH}
                yield Case("ImageProjectiveTransformV3", (*inputs, np.float32(2.5)), attrs, **options)
                if number == 1:
                    yield Case("ImageProjectiveTransformV2", inputs, attrs, **options)
    attrs = {"interpolation": "BILINEAR", "fill_mode": "CONSTANT"}
    several = np.array(TRANSFORMS[1:3], np.float32)
    for dtype in ("uint8", "int32", "int64", "half", "bfloat16", "double"):
        x = sample(dtype, (2, 3, 2, 2), 0, 9)
        rtol = ROUGH if dtype == "double" else None
        yield Case(
            "ImageProjectiveTransformV3",
            (x, several, ints(2, 3), np.float32(7)),
            attrs,
            rtol=rtol,
            gradient_differs=OTHER,
        )
    for dtype in ("int32", "int64"):  # integers that float32 does not have
        x = values(dtype, 2**24 + 1, -(2**24) - 3, 2**31 - 1, 5).reshape(1, 2, 2, 1)
        same = np.array(TRANSFORMS[:1], np.float32)
        yield Case(
            "ImageProjectiveTransformV3", (x, same, ints(2, 3), np.float32(7)), attrs | {"interpolation": "NEAREST"}
        )
    one = several[:1]
    zero = np.array([[1, 0, 0, 0, 1, 0, -1, 0]], np.float32)
    x, fill = sample("float", (1, 2, 2, 1)), np.float32(5)
    yield Case("ImageProjectiveTransformV3", (x, zero, ints(2, 3), fill), attrs, gradient_differs=OTHER)
    for mode in ("REFLECT", "WRAP"):
        yield Case(
            "ImageProjectiveTransformV3",
            (x[:, :1], one, ints(2, 3), fill),
            {**attrs, "fill_mode": mode},
            gradient_differs=OTHER,
        )
    yield Case("ImageProjectiveTransformV3", (x[:0], one, ints(2, 3), fill), attrs, gradient_differs=OTHER)
    empty = {**attrs, "fill_mode": "WRAP"}
    yield Case(
        "ImageProjectiveTransformV3", (x[:, :0], one, ints(2, 2), fill), empty, gradient_differs=OTHER, smooth=False
    )
    for wrong in (
        (x[0], one, ints(2, 2), fill),
        (x, np.repeat(one, 3, 0), ints(2, 2), fill),
        (x, one[:, :7], ints(2, 2), fill),
        (x, one[0], ints(2, 2), fill),
        (x, one, ints(0, 2), fill),
        (x, one, ints(2, 2, 1), fill),
        (x, one, ints(2, 2), values("float", 5)),
    ):
        yield Case("ImageProjectiveTransformV3", wrong, attrs, fails=True)
    for name, value in (("interpolation", "CUBIC"), ("fill_mode", "EDGE")):
        yield Case(
            "ImageProjectiveTransformV2", (x, one, ints(2, 2)), {**attrs, name: value}, fails=True, differs=UNDEFINED
        )


CASES: list[Case] = [*crops(), *wrong_crops(), *warps()]
