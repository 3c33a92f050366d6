"""Resizing: what shapes are known, what is refused, and how results move with a scale."""

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


@pytest.mark.parametrize("name", ["ResizeBilinearGrad", "ResizeNearestNeighborGrad"])
def test_the_gradient_of_a_gradient_without_channels_is_empty(name: str) -> None:
    scope = tg.Scope(tg.Graph())
    grads = core.Placeholder.create(scope, tg.TFloat32, (1, 2, 2, 0))
    images: Any = np.zeros((1, 4, 4, 0), np.float32) if name == "ResizeBilinearGrad" else [4, 4]
    gradient = tg.grad(scope, getattr(image, name).create(scope, grads, images), grads)
    with tg.Session(scope.graph) as session:
        assert session.run(gradient, {grads: np.zeros((1, 2, 2, 0), np.float32)}).shape == (1, 2, 2, 0)


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
        "attribute `kernel_type` is 'cubic'; allowed are 'lanczos1', 'lanczos3'",
    ),
]


@pytest.mark.parametrize(("wrapper", "shape", "rest", "attrs", "message"), REFUSED)
def test_what_does_not_fit_is_refused(
    wrapper: Any, shape: Sizes, rest: Sizes, attrs: dict[str, Any], message: str
) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as caught:
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


MOTIONS: Final = [
    *((name, antialias, (0.6, 1.7), (0.13, -0.23)) for name in sorted(resize.FILTERS) for antialias in (True, False)),
    ("triangle", True, (1.0, 0.45), (50.0, 0.3)),
]
"""Filters, whether they are widened, scales and translations, at which no pixel is at an edge of a filter."""


def in_double(images: Any, size: Any, motion: Any, kernel_type: str, antialias: bool) -> Any:
    """What `ScaleAndTranslate` computes, with weights in float64."""
    rows, columns = (
        resize.filtered(length, count, *motion[axis::2], kernel_type, antialias).matrix.toarray()
        for axis, (length, count) in enumerate(zip(images.shape[1:3], size, strict=True))
    )
    return np.einsum("pi,bijc,qj->bpqc", rows, images, columns)


@pytest.mark.parametrize(("kernel_type", "antialias", "scale", "translation"), MOTIONS)
def test_scale_and_translation_have_gradients(
    kernel_type: str, antialias: bool, scale: Any, translation: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the images, and of their gradient, which differences in float64 confirm, to the second order.

    Both are linear in the images, and in the gradients.
    """
    rng, size = np.random.default_rng(4), [4, 6]
    attrs: dict[str, Any] = {"kernel_type": kernel_type, "antialias": antialias}
    pixels, weights = rng.normal(size=(2, 5, 3, 2)), rng.normal(size=(2, *size, 2))
    motion = np.array([*scale, *translation])
    scope = tg.Scope(tg.Graph())
    images, grads = (core.Placeholder.create(scope, tg.TFloat32) for _ in range(2))
    feeds = {images: pixels.astype(np.float32), grads: weights.astype(np.float32)}
    moving = [core.Constant.create(scope, np.array(each, np.float32)) for each in (scale, translation)]
    with scope:
        scaled = image.ScaleAndTranslate.create(scope, images, size, *moving, **attrs)
        forward = core.Sum.create(scope, scaled * grads)
        back = image.ScaleAndTranslateGrad.create(scope, grads, images, *moving, **attrs) * images
    first = tg.gradients(scope, [forward], moving)
    of_back = tg.gradients(scope, [back], moving)
    second = [tg.gradients(scope, [each], moving) for each in first if each is not None]
    with tg.Session(scope.graph) as session:
        slopes, slopes_of_back = (np.concatenate(session.run(each, feeds)) for each in (first, of_back))
        curvatures = np.concatenate([np.concatenate(session.run(each, feeds)) for each in second])
        result, of_grads, total, of_images = session.run(
            [scaled, tg.grad(scope, back, grads), forward, tg.grad(scope, forward, images)], feeds
        )
    np.testing.assert_allclose(of_grads, result, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(np.sum(of_images * pixels), total, rtol=1e-5)
    monkeypatch.setattr(resize, "FLOAT", np.float64)
    steps = 1e-4 * np.eye(4)

    def value(at: Any) -> Any:
        return np.sum(in_double(pixels, size, at, **attrs) * weights)

    def slope(function: Any, step: Any) -> Any:
        return lambda at: (function(at + step) - function(at - step)) / 2e-4

    expected = [slope(value, step)(motion) for step in steps]
    np.testing.assert_allclose(slopes, expected, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(slopes_of_back, expected, rtol=1e-3, atol=1e-3)
    changes = [slope(slope(value, step), sum(steps))(motion) for step in steps]
    np.testing.assert_allclose(curvatures.reshape(2, 4).sum(axis=0), changes, rtol=1e-2, atol=1e-2)


def test_an_image_that_stays_moves_by_central_differences() -> None:
    scope = tg.Scope(tg.Graph())
    translation = core.Constant.create(scope, [0.0, 0.0], tg.TFloat32)
    pixels = np.array([1, 4, 9, 16, 25], np.float32).reshape(1, 1, 5, 1)
    still = image.ScaleAndTranslate.create(scope, pixels, [1, 5], [1.0, 1.0], translation, kernel_type="triangle")
    with scope, tg.Session(scope.graph) as session:
        gradients = [session.run(tg.grad(scope, still[0, 0, column, 0], translation)) for column in range(1, 4)]
    assert [gradient.tolist() for gradient in gradients] == [[0.0, -4.0], [0.0, -6.0], [0.0, -8.0]]
