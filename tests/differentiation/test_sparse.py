"""The gradient of a gathered table: rows and their indices, dense only where something needs it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math

TABLE = np.arange(12, dtype=np.float64).reshape(4, 3)


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def run(operand: Any, feeds: tg.Feeds | None = None) -> Any:
    with tg.Session(operand.graph) as session:
        return session.run(operand, feeds)


def test_the_gradient_of_a_gathered_table_is_rows(scope: tg.Scope) -> None:
    table = core.Constant.create(scope, TABLE)
    rows = core.Gather.create(scope, table, [2, 0, 2])
    grad = tg.grad(scope, math.Square.create(scope, rows), table)
    assert isinstance(grad, tg.IndexedSlices)
    assert (grad.dtype, grad.shape, grad.values.shape) == (tg.TFloat64, table.shape, tg.Shape.of(3, 3))
    size = len(scope.graph)
    assert run(grad.indices).tolist() == [2, 0, 2]
    np.testing.assert_array_equal(run(grad.values), 2 * TABLE[[2, 0, 2]])
    assert len(scope.graph) == size
    expected = np.zeros_like(TABLE)
    np.add.at(expected, [2, 0, 2], 2 * TABLE[[2, 0, 2]])
    np.testing.assert_array_equal(run(grad), expected)


@pytest.mark.parametrize("shape", [(4, 3), (None, 3), (None, None), None])
@pytest.mark.parametrize("indices", [[1, 3], [[1, 3], [3, 0]], 2])
def test_indices_of_any_rank_and_tables_of_any_knowledge(scope: tg.Scope, shape: Any, indices: Any) -> None:
    table = core.Placeholder.create(scope, tg.TFloat64, shape=shape)
    rows = core.Gather.create(scope, table, indices)
    grad = tg.grad(scope, math.Square.create(scope, rows), table)
    assert isinstance(grad, tg.IndexedSlices)
    expected = np.zeros_like(TABLE)
    np.add.at(expected, np.array(indices), 2 * TABLE[np.array(indices)])
    np.testing.assert_array_equal(run(grad, {table: TABLE}), expected)
    assert grad.indices.rank == 1


def test_rows_stay_rows_through_reads_and_sums(scope: tg.Scope) -> None:
    table = tg.Variable.create(scope, TABLE)
    first = core.Gather.create(scope, core.Identity.create(scope, table.read(scope)), [0])
    second = core.Gather.create(scope, table.read(scope), core.Constant.create(scope, np.array([0, 1])))
    (grad,) = tg.gradients(scope, [first, second], [table])
    assert isinstance(grad, tg.IndexedSlices) and grad.indices.dtype is tg.TInt64
    assert sorted(run(grad.indices).tolist()) == [0, 0, 1]
    assert run(grad).tolist() == [[2, 2, 2], [1, 1, 1], [0, 0, 0], [0, 0, 0]]


def test_rows_and_a_dense_gradient_make_a_dense_one(scope: tg.Scope) -> None:
    table = core.Constant.create(scope, TABLE)
    y = core.Gather.create(scope, table, [1])
    (grad,) = tg.gradients(scope, [y, core.Sum.create(scope, table)], [table])
    assert isinstance(grad, tg.Output)
    assert run(grad).tolist() == [[1, 1, 1], [2, 2, 2], [1, 1, 1], [1, 1, 1]]


def test_an_operation_that_needs_it_gets_the_dense_gradient(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, TABLE)
    grad = tg.grad(scope, core.Gather.create(scope, math.Square.create(scope, x), [1, 1]), x)
    assert isinstance(grad, tg.Output)
    assert run(grad).tolist() == [[0, 0, 0], [12, 16, 20], [0, 0, 0], [0, 0, 0]]


def test_the_dense_gradient_is_made_once(scope: tg.Scope) -> None:
    table = core.Constant.create(scope, TABLE)
    grad = tg.grad(scope, core.Gather.create(scope, table, [1, 1]), table)
    assert grad.as_output() is grad.as_output()


def test_the_rows_can_be_differentiated_again(scope: tg.Scope) -> None:
    table = core.Constant.create(scope, TABLE)
    grad = tg.grad(scope, math.Square.create(scope, core.Gather.create(scope, table, [2, 2])), table)
    second = tg.grad(scope, grad, table)
    assert run(second).tolist() == [[0, 0, 0], [0, 0, 0], [4, 4, 4], [0, 0, 0]]


def test_along_another_axis_the_gradient_is_dense(scope: tg.Scope) -> None:
    table = core.Constant.create(scope, TABLE)
    grad = tg.grad(scope, core.Gather.create(scope, table, [0, 0], 1), table)
    assert isinstance(grad, tg.Output) and run(grad)[:, 0].tolist() == [2, 2, 2, 2]


def test_rows_are_added_in_the_order_in_which_they_stand(scope: tg.Scope) -> None:
    """Sums of floats depend on the order; the same graph gives the same bits."""
    rng = np.random.default_rng(0)
    table = core.Constant.create(scope, np.zeros((5, 3), np.float32))
    weights = [
        (rng.standard_normal((3000, 3)) * 10.0 ** rng.integers(-6, 7, (3000, 1))).astype(np.float32) for _ in "12"
    ]
    rows = [core.Gather.create(scope, table, rng.integers(0, 5, 3000).tolist()) for _ in weights]
    (grad,) = tg.gradients(scope, rows, [table], grad_ys=[core.Constant.create(scope, weight) for weight in weights])
    assert isinstance(grad, tg.IndexedSlices)
    with tg.Session(scope.graph) as session:
        dense, values, indices = session.run([grad, grad.values, grad.indices])
    expected = np.zeros((5, 3), np.float32)
    for index, row in zip(indices, values, strict=True):
        expected[index] += row
    np.testing.assert_array_equal(dense, expected)
    assert sorted(values.tolist()) == sorted(np.concatenate(weights).tolist())
