"""Batch normalization: names of dimensions, what is refused, and a gradient through the statistics."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, nn


def vectors(scope: tg.Scope, *shapes: Any) -> list[tg.Operand[tg.TFloat32]]:
    """Arrays of these shapes."""
    return [core.Placeholder.create(scope, tg.TFloat32, shape=shape) for shape in shapes]


REFUSED: Final[list[tuple[list[Any], dict[str, Any], str]]] = [
    ([(2, 4, 4), (3,), (3,), (0,), (0,)], {}, "`x` must have rank 4, but has shape [2, 4, 4]"),
    ([(2, 4, 4, 3), (3,), (3,), (0,), (0,)], {"data_format": "NCDHW"}, "`x` must have rank 5"),
    (
        [(2, 4, 4, 3), (4,), (3,), (0,), (0,)],
        {},
        "`scale` has 4 elements, but must have one for each of the 3 channels of `x` [2, 4, 4, 3] (NHWC: axis 3)",
    ),
    ([(2, 4, 4, 3), (3,), (3,), (0,), (0,)], {"is_training": False}, "`mean` has 0 elements, but must have one for"),
    (
        [(2, 3, 4, 4), (3,), (3,), (3,), (4,)],
        {"data_format": "NCHW", "exponential_avg_factor": 0.5},
        "`variance` has 4",
    ),
]


@pytest.mark.parametrize(("shapes", "attrs", "message"), REFUSED, ids=[case[-1][:40] for case in REFUSED])
def test_what_does_not_fit_is_refused(shapes: list[Any], attrs: dict[str, Any], message: str) -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.ShapeError) as caught:
        nn.FusedBatchNorm.create(scope, *vectors(scope, *shapes), **attrs)
    assert message in str(caught.value)


def test_the_gradient_must_have_the_shape_of_the_batch() -> None:
    scope = tg.Scope(tg.Graph())
    x, grad, scale = vectors(scope, (2, 4, 4, 3), (2, 4, 4, 2), (3,))
    with pytest.raises(tg.ShapeError, match=r"`y_backprop` \[2, 4, 4, 2\] must have the shape of `x` \[2, 4, 4, 3\]"):
        nn.FusedBatchNormGrad.create(scope, grad, x, scale, scale, scale, scale)


def test_names_of_dimensions_pass_through() -> None:
    scope = tg.Scope(tg.Graph())
    x, scale, unknown, none = vectors(scope, ("Batch", 8, 8, None), ("Maps",), (None,), (0,))
    norm = nn.FusedBatchNorm.create(scope, x, scale, unknown, none, none)
    assert str(norm.y.shape) == "[Batch, 8, 8, Maps]"
    assert str(norm.batch_mean.shape) == str(norm.batch_variance.shape) == "[Maps]"
    grad = tg.grad(scope, norm.y, x)
    assert str(grad.shape) == "[Batch, 8, 8, Maps]"


def test_a_kept_mean_moves_with_the_batch() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, np.arange(8, dtype=np.float32).reshape(2, 2, 2, 1))
    one = core.Constant.create(scope, [1.0])
    norm = nn.FusedBatchNorm.create(scope, x, one, one, one, one, exponential_avg_factor=0.5)
    by_x, by_old = (tg.grad(scope, norm.batch_mean, each) for each in (x, one))
    with tg.Session(scope.graph) as session:
        assert session.run(norm.batch_mean).tolist() == [0.5 * 1 + 0.5 * 3.5]
        np.testing.assert_allclose(session.run(by_x), np.full((2, 2, 2, 1), 0.5 / 8))
        assert session.run(by_old).tolist() == [0.5]
