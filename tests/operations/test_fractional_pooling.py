"""Fractional pooling: random windows of two sizes, whose maxima and means it gives, and their gradients."""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.recording import Array
from typegrad.op import core, nn

IMAGES: Final = np.random.default_rng(0).normal(size=(2, 23, 11, 3))
RATIO: Final = (1.0, 1.7, 1.44, 1.0)
OPERATIONS: Final[dict[str, tuple[Any, Any]]] = {
    "max": (nn.FractionalMaxPool, np.max),
    "mean": (nn.FractionalAvgPool, np.mean),
}
FLAGS: Final[list[dict[str, Any]]] = [
    {"pseudo_random": pseudo, "overlapping": overlapping} for pseudo in (False, True) for overlapping in (False, True)
]


def windows(rows: Array, columns: Array, overlapping: bool) -> list[list[tuple[slice, slice]]]:
    """The slices of each window."""

    def along(edges: Array) -> list[slice]:
        return [slice(a, min(b + overlapping, edges[-1])) for a, b in itertools.pairwise(edges)]

    return [[(row, column) for column in along(columns)] for row in along(rows)]


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("name", OPERATIONS)
def test_windows_have_two_sizes_and_are_pooled(name: str, flags: dict[str, Any]) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    operation, function = OPERATIONS[name]
    op: Any = operation.create(scope, IMAGES, RATIO, **flags)
    with tg.Session(scope.graph) as session:
        output, rows, columns = session.run([op.output, op.row_pooling_sequence, op.col_pooling_sequence])
    assert output.shape == (2, 13, 7, 3)
    for edges, length in ((rows, 23), (columns, 11)):
        size = length // (len(edges) - 1)
        assert (edges[0], edges[-1]) == (0, length)
        assert set(np.diff(edges).tolist()) <= {size, size + 1} and np.diff(edges).min() >= 1
    expected = [
        [function(IMAGES[:, row, column], axis=(1, 2)) for row, column in each]
        for each in windows(rows, columns, flags["overlapping"])
    ]
    np.testing.assert_allclose(output, np.moveaxis(np.array(expected), 2, 0))


@pytest.mark.parametrize(("length", "ratio"), [(9, 2.25), (11, 2.75)])
def test_pseudo_random_windows_begin_and_end_with_either_size(length: int, ratio: float) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    op = nn.FractionalMaxPool.create(scope, np.zeros((1, length, 1, 1)), (1.0, ratio, 1.0, 1.0), pseudo_random=True)
    with tg.Session(scope.graph) as session:
        sizes = np.array([np.diff(session.run(op.row_pooling_sequence)) for _ in range(100)])
    for each in (sizes[:, 0], sizes[:, -1], sizes):
        assert set(each.ravel().tolist()) == {2, 3}


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("name", OPERATIONS)
def test_gradients_go_to_the_pooled_elements_and_back(name: str, flags: dict[str, Any]) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    images = core.Placeholder.create(scope, tg.TFloat64, shape=IMAGES.shape)
    operation, _ = OPERATIONS[name]
    op: Any = operation.create(scope, images, RATIO, deterministic=True, seed=5, **flags)
    direction = np.random.default_rng(1).normal(size=IMAGES.shape)
    weights = core.Placeholder.create(scope, tg.TFloat64, shape=(2, 13, 7, 3))
    grad = tg.grad(scope, op.output, images, grad_y=weights)
    back = tg.grad(scope, grad, weights, grad_y=core.Constant.create(scope, direction))
    w = np.random.default_rng(2).normal(size=(2, 13, 7, 3))
    step = 1e-7 * direction
    with tg.Session(scope.graph) as session:
        up, down = (session.run(op.output, {images: IMAGES + sign * step}) for sign in (1, -1))
        slope = (up - down) / 2e-7
        result, transposed = session.run([grad, back], {images: IMAGES, weights: w})
    np.testing.assert_allclose(transposed, slope, atol=1e-6)
    assert (result * direction).sum() == pytest.approx((w * slope).sum(), abs=1e-5)


def test_runs_differ_unless_they_are_deterministic() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    op = nn.FractionalMaxPool.create(scope, IMAGES, RATIO)
    fixed = nn.FractionalMaxPool.create(scope, IMAGES, RATIO, deterministic=True, seed=3)
    counter = tg.Variable.create(scope, 0.0)
    step = counter.assign_add(scope, 1.0)
    with tg.Session(scope.graph) as session:
        runs = [session.run([op.row_pooling_sequence, fixed.row_pooling_sequence, step])[:2] for _ in range(4)]
    assert len({tuple(drawn.tolist()) for drawn, _ in runs}) > 1
    assert len({tuple(drawn.tolist()) for _, drawn in runs}) == 1


def test_a_seed_needs_a_deterministic_operation() -> None:
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as raised:
        nn.FractionalAvgPool.create(tg.Scope(tg.Graph()), IMAGES, (1.0, 2.0, 2.0, 1.0), seed2=3)
    assert "`seed` and `seed2` need deterministic=True" in str(raised.value)


def test_ratios_and_sequences_that_do_not_fit_are_refused() -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as raised:
        nn.FractionalMaxPool.create(scope, IMAGES, (1.0, 0.5, 1.0, 1.0))
    assert "`pooling_ratio` must be [1, rows, columns, 1] with numbers from 1 up, but is [1.0, 0.5, 1.0, 1.0]" in str(
        raised.value
    )
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as raised:
        nn.FractionalMaxPool.create(scope, IMAGES, (1.0, 24.0, 1.0, 1.0))
    assert "`pooling_ratio` has 24.0, but a dimension of `value` [2, 23, 11, 3] has only 23 elements" in str(
        raised.value
    )
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as raised:
        nn.FractionalMaxPool.create(scope, IMAGES[:0], RATIO)
    assert "`value` [0, 23, 11, 3] must have elements" in str(raised.value)
    op = nn.FractionalAvgPoolGrad.create(
        scope, (1, 4, 1, 1), np.ones((1, 2, 1, 1)), np.array([0, 3, 2]), np.array([0, 1])
    )
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as refused:
        session.run(op)
    assert "`row_pooling_sequence` must ascend from 0 to 4, but is [0, 3, 2]" in str(refused.value)


@pytest.mark.parametrize(
    ("length", "ratio", "expected"), [(8, 1.6, 5), (11, 1.1, 10), (18, 1.2, 14), (100, 1.7, 58), (7, 1.4, 5)]
)
def test_sizes_follow_from_ratios_of_float32_as_in_tensorflow(length: int, ratio: float, expected: int) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    op = nn.FractionalMaxPool.create(scope, np.zeros((1, length, 1, 1)), (1.0, ratio, 1.0, 1.0))
    assert op.output.shape == (1, expected, 1, 1)
    with tg.Session(scope.graph) as session:
        assert session.run(op.output).shape == (1, expected, 1, 1)
