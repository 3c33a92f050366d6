"""Rows of variables: read, changed in place, put back when a run fails, and differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.kernels import updating
from typegrad.op import core, math, train

TABLE = np.arange(12.0).reshape(4, 3)


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph(seed=1))


def held(session: tg.Session, variable: tg.Variable[Any]) -> Any:
    """The very array that a session keeps."""
    return session.inspect(lambda resources: resources.state(variable.handle.op).current)


def sparse_step(scope: tg.Scope, table: tg.Variable[Any], accum: tg.Variable[Any], rows: list[int]) -> Any:
    """A sparse step of momentum, of size 1 for each row."""
    one = core.Constant.create(scope, 1.0, tg.TFloat64)
    grad = core.Constant.create(scope, np.ones((len(rows), 3)))
    return train.ResourceSparseApplyMomentum.create(scope, table.handle, accum.handle, one, grad, rows, one)


def test_a_sparse_step_changes_the_rows_in_place(scope: tg.Scope) -> None:
    table, accum = tg.Variable.create(scope, TABLE), tg.Variable.create(scope, np.zeros((4, 3)))
    step = sparse_step(scope, table, accum, [2, 0, 2])
    rows = core.ResourceGather.create(scope, table.handle, [2], tg.TFloat64)
    with tg.Session(scope.graph) as session:
        session.run(step)
        arrays = [held(session, variable) for variable in (table, accum)]
        np.testing.assert_array_equal(session.run(rows), TABLE[[2]] - 3)
        session.run(step)
        assert all(held(session, v) is array for v, array in zip((table, accum), arrays, strict=True))
        np.testing.assert_array_equal(session.value(accum)[:, 0], [2, 0, 4, 0])
        np.testing.assert_array_equal(session.value(table), TABLE - [[3], [0], [10], [0]])


def test_rows_that_were_taken_are_copies(scope: tg.Scope) -> None:
    table, accum = tg.Variable.create(scope, TABLE), tg.Variable.create(scope, np.zeros((4, 3)))
    rows = core.ResourceGather.create(scope, table.handle, [0, 1, 2, 3], tg.TFloat64)
    step = sparse_step(scope, table, accum, [1])
    with tg.Session(scope.graph) as session:
        session.run(step)
        before = session.run([rows, step])[0]
        np.testing.assert_array_equal(before, TABLE - [[0], [1], [0], [0]])


def test_a_failing_run_puts_the_rows_of_all_variables_back(scope: tg.Scope) -> None:
    table, accum = tg.Variable.create(scope, TABLE), tg.Variable.create(scope, np.zeros((4, 3)))
    step = sparse_step(scope, table, accum, [1, 3, 1])
    divisor = core.Placeholder.create(scope, tg.TInt32, shape=())
    failing = math.FloorDiv.create(scope.with_control_dependencies([step]), divisor, divisor)
    values = []
    for fails in (False, True):
        with tg.Session(scope.graph) as session:
            session.run([failing, step], {divisor: 1})
            arrays = [held(session, variable) for variable in (table, accum)]
            if fails:
                with pytest.raises(tg.InvalidArgumentError):
                    session.run([failing, step], {divisor: 0})
            session.run([failing, step], {divisor: 1})
            assert all(held(session, v) is array for v, array in zip((table, accum), arrays, strict=True))
            values.append([session.value(variable) for variable in (table, accum)])
    np.testing.assert_array_equal(values[0], values[1])


@pytest.mark.parametrize("batch_dims", [0, 1])
@pytest.mark.parametrize("shape", [tg.Shape.of(4, 3), None])
def test_the_gradient_of_taken_rows_is_that_of_the_table(
    scope: tg.Scope, batch_dims: int, shape: tg.Shape | None
) -> None:
    handle = core.VarHandleOp.create(scope, tg.TFloat64, shape=shape)
    assign = core.AssignVariableOp.create(scope, handle, core.Constant.create(scope, TABLE))
    indices = [2, 0, 2] if batch_dims == 0 else [2, 0, 2, 1]
    rows = core.ResourceGather.create(scope, handle, indices, tg.TFloat64, batch_dims=batch_dims)
    value = core.ReadVariableOp.create(scope, handle, tg.TFloat64)
    same = core.Gather.create(scope, value, indices, batch_dims, batch_dims=batch_dims)
    actual = tg.gradients(scope, [math.Square.create(scope, rows)], [handle])[0]
    expected = tg.gradients(scope, [math.Square.create(scope, same)], [value])[0]
    assert actual is not None and expected is not None
    with tg.Session(scope.graph) as session:
        session.run(assign)
        np.testing.assert_array_equal(session.run(actual), session.run(expected))
        np.testing.assert_array_equal(session.run(rows), session.run(same))


@pytest.mark.parametrize("shape", [(5,), (5, 7), (5, 2, 3), (5, 0)])
@pytest.mark.parametrize("dtype", [np.float32, np.int8, object])
def test_whole_rows_are_updated_as_numpy_does_it(
    monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...], dtype: Any
) -> None:
    monkeypatch.setattr(updating, "CHUNK", 10)  # several chunks
    rng = np.random.default_rng(0)
    rows, updates = rng.integers(0, 5, 20, np.int32), rng.integers(-3, 4, (20, *shape[1:])).astype(dtype)
    expected, table = np.ones(shape, dtype), np.ones(shape, dtype)
    np.subtract.at(expected, rows, updates)
    updating.at_rows(np.subtract, table, rows, updates)
    np.testing.assert_array_equal(table, expected)


def test_equal_indices_keep_their_order_among_many_rows() -> None:
    indices = np.random.default_rng(0).integers(0, 7, 5000).astype(np.int32)
    groups = [np.arange(indices.size)[chosen] for chosen in updating.rounds(indices)]
    assert all(np.unique(indices[group]).size == group.size for group in groups)
    rows = np.concatenate(groups)
    assert sorted(rows.tolist()) == list(range(indices.size))
    for index in range(7):
        places = rows[indices[rows] == index]
        assert places.tolist() == sorted(places.tolist())


def test_many_sparse_steps_are_taken_one_after_the_other(scope: tg.Scope) -> None:
    rng = np.random.default_rng(1)
    indices, grads = rng.integers(0, 5, 400), rng.standard_normal((400, 2))
    table, accum = tg.Variable.create(scope, np.ones((5, 2))), tg.Variable.create(scope, np.zeros((5, 2)))
    rate, momentum = (core.Constant.create(scope, number, tg.TFloat64) for number in (0.1, 0.9))
    grad = core.Constant.create(scope, grads)
    step = train.ResourceSparseApplyMomentum.create(
        scope, table.handle, accum.handle, rate, grad, core.Constant.create(scope, indices), momentum
    )
    values, sums = np.ones((5, 2)), np.zeros((5, 2))
    for index, row in zip(indices, grads, strict=True):
        sums[index] = sums[index] * 0.9 + row
        values[index] -= sums[index] * 0.1
    with tg.Session(scope.graph) as session:
        session.run(step)
        np.testing.assert_allclose(session.value(table), values, rtol=1e-13)
