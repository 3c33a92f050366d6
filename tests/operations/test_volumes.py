"""Convolution and pooling of volumes, and maxima with indices: what is known of shapes, what is refused, and that one
plane gives what images give, in all formats.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, dtypes, nn

Sizes = tuple[int | str | None, ...]


def operand(scope: tg.Scope, shape: Sizes) -> tg.Operand[tg.TFloat32]:
    """Any array of this shape."""
    return core.Placeholder.create(scope, tg.TFloat32, shape=shape)


def slide(**changes: Any) -> dict[str, Any]:
    """The attributes of a convolution."""
    return {"strides": (1, 1, 1, 1, 1), "padding": "VALID", **changes}


def pool(**changes: Any) -> dict[str, Any]:
    """The attributes of pooling."""
    return {"ksize": (1, 2, 2, 2, 1), "strides": (1, 2, 2, 2, 1), "padding": "VALID", **changes}


REFUSED: Final[list[tuple[Any, list[Any], dict[str, Any], str]]] = [
    (nn.Conv3d, [(1, 4, 4, 4), (2, 2, 2, 2, 1)], slide(), "`input` must have rank 5, but has shape [1, 4, 4, 4]"),
    (
        nn.Conv3d,
        [("Batch", 2, 4, 4, 2), (3, 2, 2, 2, 1)],
        slide(),
        "along dimension 1 of `input` [Batch, 2, 4, 4, 2], a window over 3 does not fit into 2; make it smaller",
    ),
    (
        nn.Conv3d,
        [(1, 4, 4, 4, 2), (2, 2, 2, 2, 1)],
        slide(strides=(1, 0, 1, 1, 1)),
        "`strides` must be 5 positive numbers, one for each dimension, but is [1, 0, 1, 1, 1]",
    ),
    (
        nn.Conv3d,
        [(1, 2, 4, 4, 4), (2, 2, 2, 2, 1)],
        slide(data_format="NCDHW", dilations=(1, 2, 1, 1, 1)),
        "`dilations` is [1, 2, 1, 1, 1], but must be 1 for the batch (dimension 0) and the channels (dimension 1)",
    ),
    (nn.Conv3dBackpropInput, [[4, 4, 4], (2,) * 5, (1,) * 5], slide(), "`input_sizes` must have 5 elements, but has 3"),
    (
        nn.MaxPool3d,
        [(1, 4, 4, 4, 1)],
        pool(ksize=(1, 0, 2, 2, 1)),
        "`ksize` must be 5 positive numbers, one for each dimension, but is [1, 0, 2, 2, 1]",
    ),
    (nn.AvgPool3dGrad, [[1, 4, 4, 4], (1, 2, 2, 2, 1)], pool(), "`orig_input_shape` must have 5 elements, but has 4"),
]


@pytest.mark.parametrize(("wrapper", "inputs", "attrs", "message"), REFUSED, ids=[case[-1][:50] for case in REFUSED])
def test_what_cannot_run_is_refused(wrapper: Any, inputs: list[Any], attrs: dict[str, Any], message: str) -> None:
    scope = tg.Scope(tg.Graph())
    operands = [operand(scope, shape) if isinstance(shape, tuple) else shape for shape in inputs]
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as error:
        wrapper.create(scope, *operands, **attrs)
    assert message in str(error.value)


def test_names_of_dimensions_pass_through() -> None:
    scope = tg.Scope(tg.Graph())
    x, filters = operand(scope, ("Batch", "Planes", 8, 8, 2)), operand(scope, (3, 3, 3, 2, "Maps"))
    y = nn.Conv3d.create(scope, x, filters, **slide(padding="SAME"))
    assert str(y.shape) == "[Batch, Planes, 8, 8, Maps]"
    assert [tg.grad(scope, y, each).shape for each in (x, filters)] == [x.shape, filters.shape]
    pooled = nn.MaxPool3d.create(scope, x, **pool())
    assert str(pooled.shape) == "[Batch, Planes//2, 4, 4, 2]"
    assert tg.grad(scope, pooled, x).shape == x.shape
    images = operand(scope, ("Batch", "Height", 8, 2))
    both = nn.MaxPoolWithArgmax.create(scope, images, ksize=(1, 2, 2, 1), strides=(1, 2, 2, 1), padding="VALID")
    assert str(both.argmax.shape) == str(both.output.shape) == "[Batch, Height//2, 4, 2]"


def test_one_plane_is_convolved_as_an_image() -> None:
    rng = np.random.default_rng(0)
    x, filters = rng.normal(size=(2, 4, 6, 5)).astype(np.float32), rng.normal(size=(2, 3, 2, 4)).astype(np.float32)
    scope = tg.Scope(tg.Graph())
    images, volumes = (core.Constant.create(scope, each) for each in (x, x[:, :, None]))
    flat, deep = (core.Constant.create(scope, each) for each in (filters, filters[None]))
    expected = nn.Conv2d.create(scope, images, flat, (1, 1, 2, 1), "SAME", data_format="NCHW", dilations=(1, 1, 2, 1))
    actual = nn.Conv3d.create(
        scope, volumes, deep, (1, 1, 1, 2, 1), "SAME", data_format="NCDHW", dilations=(1, 1, 1, 2, 1)
    )
    pairs: list[tuple[tg.Operand[tg.TFloat32], tg.Operand[tg.TFloat32]]] = [(expected, actual)]
    for two, three in ((images, volumes), (flat, deep)):
        pairs.append((tg.grad(scope, expected, two), tg.grad(scope, actual, three)))
    with tg.Session(scope.graph) as session:
        for two, three in session.run(pairs):
            np.testing.assert_allclose(three.reshape(two.shape), two, rtol=1e-6)


def test_channels_may_be_pooled_and_be_second() -> None:
    x = np.random.default_rng(0).normal(size=(1, 4, 2, 3, 2)).astype(np.float32)
    scope = tg.Scope(tg.Graph())
    operands = [core.Constant.create(scope, each) for each in (x, np.moveaxis(x, 1, -1).copy())]
    first, last = (
        nn.AvgPool3d.create(scope, operands[0], (1, 2, 1, 2, 1), (1, 2, 1, 1, 1), "SAME", data_format="NCDHW"),
        nn.AvgPool3d.create(scope, operands[1], (1, 1, 2, 1, 2), (1, 1, 1, 1, 2), "SAME"),
    )
    with tg.Session(scope.graph) as session:
        second, expected = session.run((first, last))
    np.testing.assert_allclose(np.moveaxis(second, 1, -1), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("in_batch", "message"),
    [(False, r"in \[0, 4\), the number of elements of an image \[2, 2, 1\]"), (True, r"`input` \[2, 2, 2, 1\]")],
)
def test_an_index_outside_is_refused(in_batch: bool, message: str) -> None:
    scope = tg.Scope(tg.Graph())
    x, grad = (core.Constant.create(scope, np.ones((2, size, size, 1), np.float32)) for size in (2, 1))
    argmax = core.Constant.create(scope, np.array([0, 9]).reshape(2, 1, 1, 1))
    window = (1, 2, 2, 1)
    wrong = nn.MaxPoolGradWithArgmax.create(
        scope, x, grad, argmax, window, window, "VALID", include_batch_in_index=in_batch
    )
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError, match=message):
        session.run(wrong)


@pytest.mark.parametrize(("wide", "narrow"), [(tg.TFloat32, tg.TFloat16), (tg.TBfloat16, tg.TFloat16)])
def test_the_gradient_of_mixed_types_is_the_gradient_of_one(wide: Any, narrow: Any) -> None:
    scope = tg.Scope(tg.Graph())
    rng = np.random.default_rng(0)
    whole = rng.permutation(36).reshape(1, 2, 3, 3, 2).astype(np.float32)
    x, y = (core.Constant.create(scope, each, wide) for each in (whole, whole[:, :1, 1:, 1:]))
    sizes = (1, 1, 2, 2, 2), whole.shape
    grad, weights = (core.Constant.create(scope, rng.integers(-4, 4, size), narrow) for size in sizes)
    gradients = []
    for dtype in (wide, narrow):
        largest = dtypes.Cast.create(scope, y, dtype)
        back = nn.MaxPool3dGrad.create(
            scope, dtypes.Cast.create(scope, x, dtype), largest, grad, (1, 2, 2, 2, 1), (1, 1, 1, 1, 1), "VALID"
        )
        gradients.append(tg.grad(scope, tg.Ops.create(scope).sum(back * weights), grad))
    with tg.Session(scope.graph) as session:
        mixed, plain = session.run(gradients)
    assert mixed.dtype == narrow.numpy and np.any(plain)
    np.testing.assert_array_equal(mixed, plain)


def test_no_gradient_in_float64_of_what_has_none() -> None:
    scope = tg.Scope(tg.Graph())
    x, y = (core.Placeholder.create(scope, tg.TFloat64, shape=(1, size, 1, 1, 1)) for size in (2, 1))
    z = nn.MaxPool3dGradGrad.create(scope, x, y, x, (1, 2, 1, 1, 1), (1, 1, 1, 1, 1), "VALID")
    with pytest.raises(tg.GradientError, match="has a gradient in float32, float16 and bfloat16 only"):
        tg.grad(scope, z, x)
