"""Resizing: what shapes are known, and what is refused."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.kernels import resize
from typegrad.op import core, image

Sizes = tuple[Any, ...]

ONES: Final = ([1.0, 1.0], [0.0, 0.0])
SHAPES: Final[list[tuple[Any, Sizes, Sizes, str]]] = [
    (image.ResizeBilinear, ("Batch", None, "width", 3), ([4, 5],), "[Batch, 4, 5, 3]"),
    (image.ResizeArea, (None, 8, 8, "c"), ([4, 5],), "[?, 4, 5, c]"),
    (image.ScaleAndTranslate, ("Batch", 8, 8, 3), ([4, 5], *ONES), "[Batch, 4, 5, 3]"),
]


@pytest.mark.parametrize(("wrapper", "shape", "rest", "expected"), SHAPES)
def test_shapes_are_known(wrapper: Any, shape: Sizes, rest: Sizes, expected: str) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
    assert str(wrapper.create(scope, x, *rest).shape) == expected


def test_gradients_have_the_named_sizes_of_the_images() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("Batch", "height", "width", 3))
    y = image.ResizeBicubic.create(scope, x, [4, 5])
    assert str(tg.grad(scope, y, x).shape) == "[Batch, height, width, 3]"


REFUSED: Final[list[tuple[Any, Sizes, Sizes, dict[str, Any], str]]] = [
    (image.ResizeBilinear, (2, 2, 1), ([2, 2],), {}, "`images` must have rank 4, but has shape [2, 2, 1]"),
    (image.ResizeArea, (1, 2, 2, 1), ([2],), {}, "`size` must hold a height and a width from 1 up, but is [2]"),
    (image.ResizeArea, (1, 2, 2, 1), ([0, 2],), {}, "`size` must hold a height and a width from 1 up, but is [0, 2]"),
    (image.ResizeArea, (1, 2, 2, 1), ([2, -2],), {}, "`size` is [2, -2], but a size cannot be negative"),
    (image.ResizeArea, (1, 0, 2, 1), ([2, 2],), {}, "`images` [1, 0, 2, 1] has no pixels; only the batch may be empty"),
    (
        image.ResizeBicubic,
        (1, 2, 2, 1),
        ([2, 2],),
        {"align_corners": True, "half_pixel_centers": True},
        "`align_corners` and `half_pixel_centers` exclude each other, but both are True",
    ),
    (
        image.ScaleAndTranslate,
        (1, 2, 2, 1),
        ([2, 2], [1.0], [0.0, 0.0]),
        {},
        "`scale` must have 2 elements, for rows and columns, but has 1",
    ),
    (
        image.ScaleAndTranslate,
        (1, 2, 2, 1),
        ([2, 2], *ONES),
        {"kernel_type": "cubic"},
        "gaussian, box, triangle, keyscubic, mitchellcubic, but is 'cubic'",
    ),
]


@pytest.mark.parametrize(("wrapper", "shape", "rest", "attrs", "message"), REFUSED)
def test_what_does_not_fit_is_refused(
    wrapper: Any, shape: Sizes, rest: Sizes, attrs: dict[str, Any], message: str
) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
    with pytest.raises(tg.ShapeError) as caught:
        wrapper.create(scope, x, *rest, **attrs)
    assert message in str(caught.value)


def test_a_scale_must_be_positive() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Fill.create(scope, (1, 2, 2, 1), 1.0)
    y = image.ScaleAndTranslate.create(scope, x, [2, 2], [1.0, 0.0], [0.0, 0.0])
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as caught:
        session.run(y)
    assert "`scale` must hold positive numbers, but is [1.0, 0.0]" in str(caught.value)


def test_many_rows_are_resized_as_few_are() -> None:
    x = np.random.default_rng(0).random((4, 300, 60, 2), np.float32)

    def resized(images: Any) -> Any:
        size = np.array([images.shape[1], 50], np.int32)
        return resize.resize_bilinear(np, images, size, align_corners=False, half_pixel_centers=True)

    parts = [resized(x[:, start : start + 100]) for start in range(0, 300, 100)]
    np.testing.assert_array_equal(resized(x), np.concatenate(parts, axis=1))
