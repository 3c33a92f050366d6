"""Crops and warps: gradients are transposes, what shapes are known, and what is refused."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, image

TRANSFORM: Final = [[0.9, 0.3, -0.45, -0.25, 1.1, 0.35, 0.02, -0.01]]


@pytest.mark.parametrize("fill_mode", ["CONSTANT", "REFLECT", "WRAP", "NEAREST"])
@pytest.mark.parametrize("interpolation", ["NEAREST", "BILINEAR"])
def test_the_gradient_of_a_warp_is_its_transpose_to_any_order(interpolation: str, fill_mode: str) -> None:
    rng = np.random.default_rng(0)
    pixels, weights = rng.normal(size=(2, 4, 5, 3)).astype(np.float32), rng.normal(size=(2, 6, 3, 3)).astype(np.float32)
    scope = tg.Scope(tg.Graph())
    x, w = core.Constant.create(scope, pixels), core.Constant.create(scope, weights)
    attrs: dict[str, Any] = {"interpolation": interpolation, "fill_mode": fill_mode}
    y = image.ImageProjectiveTransformV3.create(scope, x, TRANSFORM, [6, 3], 0.0, **attrs)
    (back,) = tg.gradients(scope, [y], [x], grad_ys=[w])
    assert back is not None
    again = tg.grad(scope, core.Sum.create(scope, back * x), w)
    with tg.Session(scope.graph) as session:
        result, transposed, twice = session.run([y, back, again])
    assert np.sum(transposed * pixels) == pytest.approx(np.sum(weights * result), rel=1e-4)
    np.testing.assert_allclose(twice, result, rtol=1e-4, atol=1e-4)


ROWS, COLUMNS = np.mgrid[:7, :8].astype(np.float32)
TWISTED: Final = np.stack([0.5 * ROWS * COLUMNS - 0.2 * ROWS + COLUMNS, 2 * ROWS - 0.3 * ROWS * COLUMNS], -1)[None]
"""Interpolated, it has no kinks."""


def test_the_hessian_of_a_warp_in_its_transform() -> None:
    """By differences of the gradient."""
    at = np.array([[0.93, 0.21, 0.45, -0.15, 0.9, 1.35, 0.021, -0.013]], np.float32)
    scope = tg.Scope(tg.Graph())
    by = core.Placeholder.create(scope, tg.TFloat32, shape=at.shape)
    y = image.ImageProjectiveTransformV3.create(scope, TWISTED, by, [4, 5], 0.0, "BILINEAR")
    weights = np.random.default_rng(0).normal(size=(1, 4, 5, 2)).astype(np.float32)
    slopes = tg.grad(scope, core.Sum.create(scope, y * weights), by)
    hessian = tg.jacobian(scope, slopes, by)
    with tg.Session(scope.graph) as session:
        result = session.run(hessian, {by: at}).reshape(8, 8)
        for number, step in enumerate((0.01,) * 6 + (0.001,) * 2):
            move = np.eye(8, dtype=np.float32)[[number]] * np.float32(step)
            up, down = (session.run(slopes, {by: at + sign * move}) for sign in (1, -1))
            np.testing.assert_allclose(result[:, number], (up - down)[0] / (2 * step), rtol=0.01, atol=0.05)
    np.testing.assert_allclose(result, result.T, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("fill_mode", ["CONSTANT", "REFLECT", "WRAP", "NEAREST"])
def test_derivatives_of_a_warp_in_pixels_and_transform_are_symmetric(fill_mode: Any) -> None:
    rng = np.random.default_rng(0)
    shapes = (2, 4, 5, 3), (2, 6, 3, 3), (1, 8), (2, 4, 5, 3)
    pixels, weights, towards, direction = (rng.normal(size=shape).astype(np.float32) for shape in shapes)
    scope = tg.Scope(tg.Graph())
    x, by, w, toward, move = (
        core.Constant.create(scope, np.asarray(each, np.float32))
        for each in (pixels, TRANSFORM, weights, towards, direction)
    )
    y = image.ImageProjectiveTransformV3.create(scope, x, by, [6, 3], 0.5, "BILINEAR", fill_mode=fill_mode)
    in_pixels, in_transform = tg.gradients(scope, [y], [x, by], grad_ys=[w])
    assert in_pixels is not None and in_transform is not None
    first = tg.grad(scope, core.Sum.create(scope, in_transform * toward), x) * move
    second = tg.grad(scope, core.Sum.create(scope, in_pixels * move), by) * toward
    with tg.Session(scope.graph) as session:
        one, other = session.run([core.Sum.create(scope, each) for each in (first, second)])
    assert one == pytest.approx(other, rel=1e-3)


def test_at_a_pixel_the_gradient_of_a_transform_is_the_slope_to_the_next_one() -> None:
    scope = tg.Scope(tg.Graph())
    row = core.Constant.create(scope, np.array([1, 2, 4, 8], np.float32).reshape(1, 1, 4, 1))
    by = core.Constant.create(scope, np.eye(1, 8, dtype=np.float32) + np.eye(1, 8, 4, dtype=np.float32))
    modes: dict[Literal["NEAREST", "CONSTANT"], float] = {"NEAREST": 7.0, "CONSTANT": -1.0}
    for mode, slopes in modes.items():
        y = image.ImageProjectiveTransformV3.create(scope, row, by, [1, 4], 0.0, "BILINEAR", fill_mode=mode)
        with tg.Session(scope.graph) as session:
            assert session.run(tg.grad(scope, core.Sum.create(scope, y), by))[0, 2] == slopes


def test_the_nearest_pixel_does_not_depend_on_the_transform() -> None:
    scope = tg.Scope(tg.Graph())
    by = core.Constant.create(scope, TRANSFORM)
    y = image.ImageProjectiveTransformV3.create(scope, TWISTED, by, [6, 3], 0.0, "NEAREST")
    with tg.Session(scope.graph) as session:
        assert not session.run(tg.grad(scope, core.Sum.create(scope, y), by)).any()


@pytest.mark.parametrize("size", [(3, 2), (1, 4), (2, 1)])
def test_gradients_of_the_gradient_of_boxes_are_slopes(size: tuple[int, int]) -> None:
    """Of each input, where no position is near a pixel; the last box reaches out, and the second one is flipped."""
    rng = np.random.default_rng(0)
    boxes = np.array([[0.12, 0.25, 0.93, 0.71], [0.83, 0.07, 0.31, 0.9], [-0.37, 0.58, 0.47, 1.33]], np.float32)
    shapes = (3, *size, 2), (2, 5, 6, 2)
    values = [*(rng.normal(size=shape).astype(np.float32) for shape in shapes), boxes]
    weights = rng.normal(size=(3, 4)).astype(np.float32)
    scope = tg.Scope(tg.Graph())
    inputs: list[Any] = [core.Placeholder.create(scope, tg.TFloat32, shape=x.shape) for x in values]
    grads, pixels, places = inputs
    y = image.CropAndResizeGradBoxes.create(scope, grads, pixels, places, [0, 1, 0])
    gradients = tg.gradients(scope, [y], inputs, grad_ys=[core.Constant.create(scope, weights)])
    feeds: dict[Any, Any] = dict(zip(inputs, values, strict=True))
    with tg.Session(scope.graph) as session:
        for x, gradient in zip(inputs, gradients, strict=True):
            assert gradient is not None
            result, step = session.run(gradient, feeds), 2e-3
            for place in rng.permutation(list(np.ndindex(result.shape)))[:12]:
                move = np.zeros_like(feeds[x])
                move[tuple(place)] = step
                up, down = (session.run(y, {**feeds, x: feeds[x] + sign * move}) for sign in (1, -1))
                slope = np.sum(((up - down) * weights).astype(np.float64)) / (2 * step)
                assert result[tuple(place)] == pytest.approx(slope, abs=0.02, rel=0.02)


SHAPES: Final[list[tuple[Any, tuple[Any, ...], tuple[Any, ...], dict[str, Any], str]]] = [
    (image.CropAndResize, (None, 8, 8, "c"), ([[0.0, 0.0, 1.0, 1.0]], [0], [4, 5]), {}, "[1, 4, 5, c]"),
    (
        image.ImageProjectiveTransformV2,
        ("Batch", "h", "w", 3),
        (TRANSFORM, [4, 5], "BILINEAR"),
        {},
        "[Batch, 4, 5, 3]",
    ),
]


@pytest.mark.parametrize(("wrapper", "shape", "rest", "attrs", "expected"), SHAPES)
def test_shapes_are_known(
    wrapper: Any, shape: tuple[Any, ...], rest: tuple[Any, ...], attrs: dict[str, Any], expected: str
) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
    assert str(wrapper.create(scope, x, *rest, **attrs).shape) == expected


BOX: Final = [[0.0, 0.0, 1.0, 1.0]]
REFUSED: Final[list[tuple[Any, tuple[Any, ...], str]]] = [
    (image.CropAndResize, (BOX, [0, 0], [2, 2]), "`box_ind` has 2 elements, but the number of boxes is 1"),
    (image.CropAndResize, ([[0.0, 1.0]], [0], [2, 2]), "`boxes` [1, 2] must have 4 columns, but has 2"),
    (
        image.ImageProjectiveTransformV2,
        (TRANSFORM, [2, 2], "CUBIC"),
        "attribute `interpolation` is 'CUBIC'; allowed are 'NEAREST', 'BILINEAR'",
    ),
    (
        image.ImageProjectiveTransformV2,
        (TRANSFORM * 3, [2, 2], "NEAREST"),
        "`transforms` [3, 8] must have one row, or one for each image, of which `images` has 2",
    ),
    (
        image.ImageProjectiveTransformV2,
        ([[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]], [2, 2], "NEAREST"),
        "`transforms` [1, 6] must have 8 columns, the rows of a 3 by 3 matrix without its last number, 1; the last two",
    ),
]


@pytest.mark.parametrize(("wrapper", "rest", "message"), REFUSED)
def test_what_does_not_fit_is_refused(wrapper: Any, rest: tuple[Any, ...], message: str) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 4, 4, 3))
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as caught:
        wrapper.create(scope, x, *rest)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("boxes", "box_ind", "message"),
    [
        (BOX, [1], "`box_ind[0]` is 1, but must be in [0, 1), the number of images"),
        ([[0.0, np.nan, 1.0, 1.0]], [0], "`boxes` must hold finite numbers, but holds infinity or nan"),
    ],
)
def test_boxes_must_be_finite_and_in_the_batch(boxes: Any, box_ind: Any, message: str) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Fill.create(scope, (1, 2, 2, 1), 1.0)
    y = image.CropAndResize.create(scope, x, boxes, box_ind, [2, 2])
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as caught:
        session.run(y)
    assert message in str(caught.value)
