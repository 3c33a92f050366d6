"""Undoing a broadcast: at run time where sizes are unknown, with one sum where they are known."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math

ROW, MATRIX = (1, 3), (4, 3)
ROWS: list[Any] = [None, (None, 3), (None, None), (1, 3), (1, None)]
MATRICES: list[Any] = [None, (None, 3), (None, None), (4, 3)]
NAMED: list[Any] = [("Row", 3), ("Row", None)]


@pytest.mark.parametrize(
    ("x_shape", "y_shape"), [*product(ROWS, MATRICES), *product(NAMED, MATRICES[:-1])]
)  # a name beside a size is refused
def test_a_gradient_is_of_the_size_of_what_was_fed(x_shape: Any, y_shape: Any) -> None:
    scope = tg.Scope(tg.Graph())
    x, y = (core.Placeholder.create(scope, tg.TFloat64, shape=shape) for shape in (x_shape, y_shape))
    grads = tg.gradients(scope, math.Mul.create(scope, x, y), [x, y])
    with tg.Session(scope.graph) as session:
        of_x, of_y = session.run([grad for grad in grads if grad is not None], {x: np.ones(ROW), y: np.ones(MATRIX)})
    assert (of_x.shape, of_y.shape) == (ROW, MATRIX)
    assert (of_x == 4).all() and (of_y == 1).all()


@pytest.mark.parametrize("x_shape", [(1, 3), (3,), (), (4, 3)])
@pytest.mark.parametrize("y_shape", [(4, 3), (None, 3), (None, None)])
def test_sizes_that_are_known_are_not_computed(x_shape: Any, y_shape: Any) -> None:
    scope = tg.Scope(tg.Graph())
    x, y = (core.Placeholder.create(scope, tg.TFloat64, shape=shape) for shape in (x_shape, y_shape))
    grad = tg.grad(scope, math.Mul.create(scope, x, y), x)
    types = [op.type for op in scope.graph.gradient_operations]
    assert types.count("Sum") <= 2 and "BroadcastGradientArgs" not in types
    with tg.Session(scope.graph) as session:
        assert session.run(grad, {x: np.ones(x_shape), y: np.ones(MATRIX)}).shape == x_shape


def test_leading_dimensions_are_one_sum() -> None:
    scope = tg.Scope(tg.Graph())
    bias = core.Placeholder.create(scope, tg.TFloat64, shape=(3,))
    tg.grad(scope, core.Placeholder.create(scope, tg.TFloat64, shape=("Batch", 3)) + bias, bias)
    assert [op.type for op in scope.graph.gradient_operations].count("Sum") == 1
