"""Cases of `ops/resize.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.samples import ints, sample, values

Sizes = tuple[int, ...]
Pairs = tuple[tuple[Sizes, Sizes], ...]

POSITIONS: Final[tuple[dict[str, Any], ...]] = ({}, {"align_corners": True}, {"half_pixel_centers": True})
SIZES: Final[tuple[tuple[Sizes, Sizes], ...]] = (((4, 3), (3, 5)), ((1, 5), (3, 1)), ((2, 4), (5, 2)))
"""The height and width before and after."""
ROUGH: Final = 1e-6
"""TensorFlow rounds products to float32 where the result is float64."""
NARROW: Final = "TensorFlow has no gradient for float16 and bfloat16."
MORE: Final = "TensorFlow has no gradient for this operation."
NAMES: Final = ("ResizeBilinear", "ResizeNearestNeighbor", "ResizeBicubic")
TYPES: Final = ("uint8", "int16", "int64", "bfloat16", "half", "double")


def resized() -> Iterator[Case]:
    """Positions, sizes and types; an empty batch; numbers that are not finite."""
    for name in NAMES:
        for attrs in POSITIONS:
            for before, after in SIZES:
                yield Case(name, (sample("float", (1, *before, 2)), ints(*after)), attrs)
            yield Case(name, (sample("double", (1, 2, 3, 1)), ints(3, 4)), attrs, rtol=ROUGH)
        for dtype in TYPES:
            attrs = {"half_pixel_centers": dtype != "uint8"}
            differs = NARROW if name == "ResizeBicubic" and dtype in ("bfloat16", "half") else ""
            x = sample(dtype, (1, 2, 3, 1))
            rough = ROUGH if dtype == "double" else None
            yield Case(name, (x, ints(3, 3)), attrs, gradient_differs=differs, rtol=rough)
        yield Case(name, (sample("float", (0, 2, 3, 1)), ints(3, 2)))
        yield Case(name, (sample("float", (1, 2, 3, 1)), ints(2, 3)), POSITIONS[2])
        yield from wrong(name)
        row = values("float", 1, np.inf, 2, 5, np.nan, 4, -np.inf, 7).reshape(1, 1, 8, 1)
        for size in ((1, 12), (2, 8), (1, 5)):
            yield Case(name, (row, ints(*size)), POSITIONS[2], smooth=False)
        yield Case(name, (row, ints(1, 11)), smooth=False)


def wrong(name: str) -> Iterator[Case]:
    """Ranks, sizes and attributes that do not fit."""
    for shape, size in (
        ((1, 2, 2, 1), (0, 2)),
        ((1, 2, 2, 1), (2, -1)),
        ((1, 2, 2, 1), (2, 2, 2)),
        ((2, 2, 1), (2, 2)),
        ((1, 0, 2, 1), (2, 2)),
        ((1, 2, 2, 0), (2, 2)),
    ):
        yield Case(name, (sample("float", shape), ints(*size)), fails=True)
    if name != "ResizeArea":
        attrs = {"align_corners": True, "half_pixel_centers": True}
        yield Case(name, (sample("float", (1, 2, 2, 1)), ints(3, 3)), attrs, fails=True)


def gradients() -> Iterator[Case]:
    """The transposed operations."""
    for attrs in POSITIONS:
        for before, after in SIZES:
            grads = sample("float", (1, *after, 2))
            for name in ("ResizeBilinearGrad", "ResizeBicubicGrad"):
                for dtype in ("float", "double"):
                    inputs = grads, sample(dtype, (1, *before, 2))
                    yield Case(name, inputs, attrs, rtol=ROUGH, gradient_differs=MORE)
            for dtype in ("float", "double"):
                yield Case("ResizeNearestNeighborGrad", (grads.astype(dtype), ints(*before)), attrs)
    yield Case("ResizeBilinearGrad", (sample("float", (1, 3, 3, 0)), sample("float", (1, 4, 4, 0))), smooth=False)
    for empty in ((0, 3, 0, 2), (1, 3, 3, 0)):
        yield Case("ResizeNearestNeighborGrad", (sample("half", empty), ints(1, 5)), smooth=False)
    for dtype in ("bfloat16", "half"):
        inputs = sample("float", (1, 3, 3, 1)), sample(dtype, (1, 2, 2, 1))
        yield Case("ResizeBilinearGrad", inputs, POSITIONS[2], gradient_differs=MORE)
    grads = sample("float", (1, 4, 5, 2))
    grads[0, 1, 2] = np.inf
    for attrs in POSITIONS:
        inputs = grads, sample("float", (1, 3, 3, 2))
        yield Case("ResizeBilinearGrad", inputs, attrs, smooth=False, gradient_differs=MORE)
    for dtype in ("bfloat16", "half", "int8", "uint8", "int32"):
        yield Case("ResizeNearestNeighborGrad", (sample(dtype, (1, 3, 3, 1)), ints(2, 2)), POSITIONS[2])
    for name in ("ResizeBilinearGrad", "ResizeBicubicGrad"):
        fitting: Pairs = (((2, 3, 3, 1), (1, 2, 2, 1)), ((1, 3, 3, 0), (1, 2, 2, 0)), ((0, 2, 2, 1), (0, 3, 3, 1)))
        for grads_shape, shape in fitting:
            inputs = sample("float", grads_shape), sample("float", shape)
            yield Case(name, inputs, smooth=0 not in shape, gradient_differs=MORE)
        failing: Pairs = (
            ((3, 3, 1), (1, 2, 2, 1)),
            ((1, 3, 3, 1), (2, 2, 1)),
            ((1, 0, 3, 1), (1, 2, 2, 1)),
            ((1, 3, 3, 1), (1, 0, 2, 1)),
        )
        for grads_shape, shape in failing:
            yield Case(name, (sample("float", grads_shape), sample("float", shape)), fails=True)
    small: Pairs = (((1, 0, 3, 1), (2, 2)), ((0, 3, 3, 1), (2, 2)), ((1, 3, 3, 0), (2, 2)))
    for shape, size in small:
        yield Case("ResizeNearestNeighborGrad", (sample("float", shape), ints(*size)))
    bad: Pairs = (((3, 3, 1), (2, 2)), ((1, 3, 3, 1), (0, 2)), ((1, 3, 3, 1), (2, -2)), ((1, 3, 3, 1), (2,)))
    for shape, size in bad:
        yield Case("ResizeNearestNeighborGrad", (sample("float", shape), ints(*size)), fails=True)


def areas() -> Iterator[Case]:
    """Areas, smaller and larger than pixels."""
    for align in (False, True):
        for before, after in (*SIZES, ((7, 5), (2, 3)), ((6, 4), (3, 2))):
            yield Case("ResizeArea", (sample("float", (1, *before, 2)), ints(*after)), {"align_corners": align})
    for dtype in TYPES:
        yield Case("ResizeArea", (sample(dtype, (1, 4, 3, 1)), ints(3, 2)))
    yield Case("ResizeArea", (sample("float", (0, 2, 3, 1)), ints(3, 2)))
    yield from wrong("ResizeArea")
    row = values("float", 1, np.inf, 2, 5, np.nan, 4, -np.inf, 7).reshape(1, 1, 8, 1)
    yield Case("ResizeArea", (row, ints(1, 5)), smooth=False)


def scaled() -> Iterator[Case]:
    """Filters, larger and smaller images, parts that are outside; scales that are no scales."""

    def case(
        before: Sizes, after: Sizes, scale: Any, shift: Any, dtype: str = "float", **options: Any
    ) -> Iterator[Case]:
        attrs, options["smooth"] = options.pop("attrs", {}), False  # filters have edges
        vectors = values("float", *scale), values("float", *shift)
        yield Case("ScaleAndTranslate", (sample(dtype, (1, *before, 2)), ints(*after), *vectors), attrs, **options)
        grads = sample("float", (1, *after, 2)), sample("float", (1, *before, 2))
        if not options.get("fails") or 0 not in (*before, *after):
            yield Case("ScaleAndTranslateGrad", (*grads, *vectors), attrs, **options)

    filters = ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
    for name in filters:
        for antialias in (True, False):
            attrs = {"kernel_type": name, "antialias": antialias}
            yield from case((5, 3), (3, 5), (0.6, 1.7), (0.0, 0.0), attrs=attrs)
            yield from case((4, 4), (4, 3), (1.0, 0.45), (0.5, -0.25), attrs=attrs)
    for dtype in TYPES:
        vectors = values("float", 1.5, 1.5), values("float", 0, 0)
        yield Case("ScaleAndTranslate", (sample(dtype, (1, 2, 3, 1)), ints(3, 4), *vectors), smooth=False)
    yield from case((3, 2), (2, 2), (1e-3, 1.0), (0, 50))
    yield from case((3, 2), (2, 2), (2.0, np.inf), (np.nan, 0))
    for scale in ((0.0, 1.0), (1.0, -1.0), (np.nan, 1.0)):
        yield from case((2, 2), (2, 2), scale, (0, 0), fails=True)
    yield from case((2, 2), (2, 2), (1, 1, 1), (0, 0), fails=True)
    yield from case((2, 2), (2, 2), (1, 1), (0,), fails=True)
    yield from case((2, 2), (2, 2), (1, 1), (0, 0), attrs={"kernel_type": "cubic"}, fails=True)
    yield from case((0, 2), (2, 2), (1, 1), (0, 0), fails=True)
    yield from case((2, 2), (0, 2), (1, 1), (0, 0), fails=True)
    inputs = sample("float", (1, 2, 2, 1)), sample("float", (1, 0, 2, 1)), values("float", 1, 1), values("float", 0, 0)
    yield Case("ScaleAndTranslateGrad", inputs, smooth=False)
    grads = values("float", np.nan, 1, np.inf, -np.inf, 2, 3).reshape(1, 3, 2, 1)
    for translation, differs in (((100, 0), ""), ((0, 100), ""), ((0.5, 0), "TensorFlow multiplies some by 0.")):
        inputs = grads, sample("float", (1, 5, 3, 1)), values("float", 0.6, 1.7), values("float", *translation)
        attrs = {"kernel_type": "lanczos1", "antialias": False}
        yield Case("ScaleAndTranslateGrad", inputs, attrs, smooth=False, differs=differs)


CASES: list[Case] = [*resized(), *gradients(), *areas(), *scaled()]
