"""Variables: initial values, reads and writes in creation order, one value per session."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math, random


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph(seed=1))


def test_a_variable_has_the_type_and_shape_of_its_initial_value(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), np.ones((2, 3)))
    assert (w.name, w.dtype, w.shape, w.trainable) == ("w", tg.TFloat64, tg.Shape.of(2, 3), True)
    assert w.read(scope).dtype is tg.TFloat64 and w.read(scope).shape == tg.Shape.of(2, 3)
    assert tg.Variable.create(scope, [1, 2], tg.TFloat16).dtype is tg.TFloat16
    assert repr(w) == "<Variable 'w' TFloat64 [2, 3]>"


def test_the_graph_knows_its_variables(scope: tg.Scope) -> None:
    a = tg.Variable.create(scope.with_name("w"), 1.0)
    b = tg.Variable.create(scope.with_name("w"), 1.0, trainable=False)
    assert scope.graph.variables == [a, b] and scope.graph.trainable_variables == [a]
    assert [v.name for v in scope.graph.variables] == ["w", "w_1"]
    assert a.initializer is not None and b.initializer is not None
    assert scope.graph.initializers == [a.initializer.op, b.initializer.op]


def test_the_list_of_variables_is_the_callers_own(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope, 1.0)
    scope.graph.variables.clear()
    scope.graph.trainable_variables.clear()
    assert scope.graph.variables == scope.graph.trainable_variables == [v]


def test_an_initial_value_may_be_an_operand_of_another_variable(scope: tg.Scope) -> None:
    a = tg.Variable.create(scope, random.RandomUniform.create(scope, [3], tg.TFloat32))
    b = tg.Variable.create(scope, math.Neg.create(scope, a.read(scope)))
    with tg.Session(scope.graph) as session:
        np.testing.assert_array_equal(session.value(b), -session.value(a))


def test_a_seeded_graph_gives_every_session_the_same_initial_values(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, random.RandomUniform.create(scope, [3], tg.TFloat32))
    values = [tg.Session(scope.graph).value(w).tobytes() for _ in range(2)]
    assert values[0] == values[1]


def test_an_initial_operand_of_another_type_is_refused(scope: tg.Scope) -> None:
    value: Any = core.Constant.create(scope, 1.0)
    with pytest.raises(tg.DTypeError, match="the initial value .* is not .*TInt32.*; cast it with dtypes.Cast"):
        tg.Variable.create(scope, value, tg.TInt32)


def test_an_initial_value_that_depends_on_a_placeholder_is_an_error(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32)
    w = tg.Variable.create(scope, x)
    with pytest.raises(tg.FeedError, match="'x:0' .* must be fed"):
        tg.Session(scope.graph).value(w)


def test_a_variable_is_initialized_without_control_dependencies(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=())
    v = tg.Variable.create(scope.with_control_dependencies([x]), 1.0)
    with tg.Session(scope.graph) as session:
        assert session.run(v) == 1


def test_reads_and_writes_happen_in_creation_order(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, 1.0)
    before = w.read(scope)
    add = w.assign_add(scope, 10.0)
    between = w.read(scope)
    double = w.assign(scope, between * 2.0)
    after = w.read(scope)
    sub = w.assign_sub(scope, 2.0)
    with tg.Session(scope.graph) as session:
        assert session.run([after, sub, between, double, before, add])[:1] == [22.0]
        assert session.value(w) == 20.0
        assert session.run([before, after]) == [20.0, 20.0]


def test_each_session_has_its_own_values(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, 1.0)
    add = w.assign_add(scope, 1.0)
    first, second = tg.Session(scope.graph), tg.Session(scope.graph)
    first.run(add)
    assert first.value(w) == 2.0 and second.value(w) == 1.0


def test_initialize_runs_each_initializer_once(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, 1.0)
    with tg.Session(scope.graph, auto_init=False) as session:
        session.initialize()
        session.run(w.assign(scope, 5.0))
        session.initialize()
        assert session.value(w) == 5.0


def test_initializers_run_in_the_order_they_were_made_in(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, 1.0)
    start = scope.with_init_scope()
    w.assign(start, w.read(start) * 2.0)
    w.assign_add(start, 3.0)
    with tg.Session(scope.graph) as session:
        assert session.value(w) == 5
        w.assign(start, w.read(start) * 10.0)
        w.assign_sub(start, 1.0)
        assert session.value(w) == 49
    assert [op.id for op in scope.graph.initializers] == sorted(op.id for op in scope.graph.initializers)
    with tg.Session(scope.graph) as session:
        assert session.value(w) == 49


def test_whether_a_variable_has_a_value_can_be_asked(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, 1.0)
    ready = core.VarIsInitializedOp.create(scope, w.handle)
    with tg.Session(scope.graph, auto_init=False) as session:
        assert not session.run(ready)
        session.initialize()
        assert session.run(ready)


def test_a_value_of_another_type_or_shape_is_refused_when_building(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), np.ones(3, np.float32))
    with pytest.raises(tg.ShapeError):
        w.assign(scope, np.ones(4, np.float32))
    with pytest.raises(tg.DTypeError):
        core.AssignVariableOp.create(scope, w.handle, core.Constant.create(scope, [1, 2, 3]))


def test_a_value_of_a_shape_known_only_at_run_time_is_refused_then(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), np.ones(3, np.float32))
    x = core.Placeholder.create(scope, tg.TFloat32)
    assign = w.assign(scope, x)
    with tg.Session(scope.graph) as session:
        with pytest.raises(tg.TypegradError, match=r"AssignVariableOp"):
            session.run(assign, {x: np.ones(4, np.float32)})
        assert session.value(w).tolist() == [1, 1, 1]


def test_scattered_rows_cost_no_copy_of_the_table(scope: tg.Scope) -> None:
    """A table that is only scattered into is updated in place; one that was read is copied first."""
    w = tg.Variable.create(scope, np.zeros((4, 2), np.float32))
    one = core.Constant.create(scope, np.ones((1, 2), np.float32))
    scatter = core.ResourceScatterAdd.create(scope, w.handle, core.Constant.create(scope, [1]), one)
    read = w.read(scope)
    with tg.Session(scope.graph) as session:
        session.run(scatter)
        (state,) = session.inspect(list)
        table = state.current
        session.run(scatter)
        assert state.current is table
        value = session.run(read)
        session.run(scatter)
        assert state.current is not table and value[1].tolist() == [2, 2] and session.value(w)[1].tolist() == [3, 3]


def test_nobody_shares_the_memory_of_a_variable(scope: tg.Scope) -> None:
    """Neither who feeds what is assigned, nor who fetches it or a view of it."""
    fed = core.Placeholder.create(scope, tg.TFloat32, shape=(4,))
    drawn = random.RandomUniform.create(scope, [4], tg.TFloat32)
    for value in (fed, drawn):
        for target in (value, core.Reshape.create(scope, value, [2, 2])):
            w = tg.Variable.create(scope, np.zeros(target.shape.as_ints(), np.float32))
            step = w.assign(scope, target)
            for fetch in (value, core.Reshape.create(scope, value, [4, 1])):
                with tg.Session(scope.graph) as session:
                    array = np.ones(4, np.float32)
                    fetched, _ = session.run([fetch, step], {fed: array})
                    before = session.value(w)
                    array[:] = 7
                    fetched[:] = 7
                    np.testing.assert_array_equal(session.value(w), before)
