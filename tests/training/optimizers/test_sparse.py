"""Sparse gradients in training: the effect of the dense ones, or of the rows touched alone, at the cost of these
rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad import optimizers
from typegrad.op import core, math

ROWWISE: list[Any] = [optimizers.AdaGrad, optimizers.GradientDescent]
OTHERS: list[Any] = [
    optimizers.AdaDelta,
    optimizers.AdaGradDA,
    optimizers.Adam,
    optimizers.AdamW,
    optimizers.Adamax,
    optimizers.AMSGrad,
    optimizers.Ftrl,
    optimizers.Lion,
    optimizers.Momentum,
    optimizers.Nadam,
    optimizers.RMSProp,
]
TABLE = np.arange(10, dtype=np.float64).reshape(5, 2) / 10 + 0.1


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def loss_of_rows(scope: tg.Scope, table: tg.Variable[Any, Any], rows: Any) -> Any:
    gathered = core.ResourceGather.create(scope, table.handle, rows, table.dtype)
    return core.Sum.create(scope, math.Square.create(scope, gathered))


def state(session: tg.Session) -> dict[str, Any]:
    return {variable.name: session.value(variable) for variable in session.graph.variables}


def train(make: Any, rows: list[list[int]], *, sparse: bool, **told: Any) -> dict[str, Any]:
    """All variables after one step for each of `rows`."""
    scope = tg.Scope(tg.Graph())
    table = tg.Variable.create(scope.with_name("table"), TABLE)
    fed = core.Placeholder.create(scope, tg.TInt32, shape=(None,))
    optimizer = make(scope.graph, 0.1, **told)
    ((grad, _),) = optimizer.compute_gradients(loss_of_rows(scope, table, fed))
    assert isinstance(grad, tg.IndexedSlices)
    step = optimizer.apply_gradients([(grad if sparse else grad.as_output(), table)])
    with tg.Session(scope.graph) as session:
        for indices in rows:
            session.run(step, {fed: np.array(indices, np.int32)})
        return state(session)


@pytest.mark.parametrize("make", [*ROWWISE, *OTHERS])
@pytest.mark.parametrize("told", [{}, {"weight_decay": 0.2}, {"clip": optimizers.ClipByGlobalNorm(0.5)}])
def test_a_sparse_gradient_has_the_effect_of_the_dense_one(make: Any, told: Any) -> None:
    rows = [[3, 1, 3], [0], [1, 1, 1], [4, 0]]
    sparse, dense = train(make, rows, sparse=True, **told), train(make, rows, sparse=False, **told)
    assert sparse.keys() == dense.keys()
    for name, value in dense.items():
        np.testing.assert_allclose(sparse[name], value, rtol=1e-12, atol=1e-15, err_msg=name)


@pytest.mark.parametrize("make", [*ROWWISE, *OTHERS])
@pytest.mark.parametrize("told", [{}, {"weight_decay": 0.2}])
def test_lazily_only_the_rows_touched_and_their_slots_change(make: Any, told: Any) -> None:
    before, after = (
        train(make, [], sparse=True, lazy=True, **told),
        train(make, [[3, 1], [1]], sparse=True, lazy=True, **told),
    )
    for name in before:
        if name.startswith("table"):
            np.testing.assert_array_equal(after[name][[0, 2, 4]], before[name][[0, 2, 4]], name)
    assert (after["table"][[1, 3]] != before["table"][[1, 3]]).all()


@pytest.mark.parametrize("make", OTHERS)
@pytest.mark.parametrize("told", [{}, {"weight_decay": 0.2}])
def test_lazily_with_every_row_touched_nothing_differs(make: Any, told: Any) -> None:
    rows = [[4, 2, 0, 1, 3], [0, 1, 2, 3, 4, 4, 2]]
    lazy, dense = train(make, rows, sparse=True, lazy=True, **told), train(make, rows, sparse=False, **told)
    for name, value in dense.items():
        np.testing.assert_allclose(lazy[name], value, rtol=1e-12, atol=1e-15, err_msg=name)


@pytest.mark.parametrize(("make", "lazy"), [*((make, False) for make in ROWWISE), *((make, True) for make in OTHERS)])
def test_no_operation_of_the_step_touches_the_whole_table(scope: tg.Scope, make: Any, lazy: bool) -> None:
    table = tg.Variable.create(scope.with_name("table"), TABLE)
    loss = loss_of_rows(scope, table, core.Constant.create(scope, [1, 3, 1]))
    step = make(scope.graph, 0.1, lazy=lazy, clip=optimizers.ClipByNorm(1.0)).minimize(loss)
    dense = [
        op.name
        for op in scope.graph.ancestors([step.op])
        if (op.type == "ReadVariableOp" and op.outputs[0].rank) or any(o.shape == table.shape for o in op.outputs)
    ]
    assert not dense


@pytest.mark.parametrize(("make", "lazy"), [*((make, False) for make in ROWWISE), *((make, True) for make in OTHERS)])
def test_tables_are_updated_in_place(scope: tg.Scope, make: Any, lazy: bool) -> None:
    table = tg.Variable.create(scope.with_name("table"), TABLE)
    optimizer = make(scope.graph, 0.1, lazy=lazy)
    step = optimizer.minimize(loss_of_rows(scope, table, core.Constant.create(scope, [1, 3])))
    with tg.Session(scope.graph) as session:
        session.run(step)
        states = [s for s in session.inspect(list) if s.sizes == (5, 2)]
        arrays = [s.current for s in states]
        session.run(step)
        assert len(arrays) == 1 + len(optimizer.slot_names)
        assert all(s.current is array for s, array in zip(states, arrays, strict=True))


def test_a_sparse_and_a_dense_variable_in_one_step(scope: tg.Scope) -> None:
    table, w = tg.Variable.create(scope, TABLE), tg.Variable.create(scope, np.ones(2))
    rows = core.ResourceGather.create(scope, table.handle, core.Constant.create(scope, [2]), tg.TFloat64)
    loss = core.Sum.create(scope, math.Mul.create(scope, rows, w.read(scope)))
    optimizer = optimizers.GradientDescent(scope.graph, 1.0, clip=optimizers.ClipByGlobalNorm(1e6))
    with tg.Session(scope.graph) as session:
        session.run(optimizer.minimize(loss))
        np.testing.assert_allclose(session.value(w), 1 - TABLE[2], rtol=1e-15)
        np.testing.assert_allclose(session.value(table)[[1, 2]], [TABLE[1], TABLE[2] - 1], rtol=1e-15)
