"""A variable is an operand: using it reads it, there and then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad import activations, losses
from typegrad.op import core, linalg, math


@pytest.fixture
def v(scope: tg.Scope) -> tg.Variable[tg.TFloat32, tuple[int]]:
    return tg.Variable.create(scope.with_name("v"), np.array([1, 2, 3], np.float32))


def _reads(graph: tg.Graph) -> list[str]:
    return [op.name for op in graph if op.type == "ReadVariableOp"]


def test_operators_and_operations_take_it(scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    operands = [
        v * 2,
        1 - v,
        math.Square.create(scope, v),
        v[0],
        -v,
        v / v,
    ]
    with tg.Session(scope.graph) as session:
        values = session.run(operands)
    assert [value.tolist() for value in values] == [[2, 4, 6], [0, -1, -2], [1, 4, 9], 1, [-1, -2, -3], [1, 1, 1]]


def test_what_is_asked_of_it_adds_no_read(scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    assert v.dtype is tg.TFloat32 and tuple(v.shape) == (3,) and v.graph is scope.graph
    assert (v.rank, v.ndim, v.name, v.op) == (1, 1, "v", v.handle.op)
    assert _reads(scope.graph) == []


def test_uses_without_a_write_between_them_share_a_read(
    scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]
) -> None:
    v * v + v
    assert len(_reads(scope.graph)) == 1
    v.assign(scope, v + 1)
    assert len(_reads(scope.graph)) == 1
    v + 2
    assert len(_reads(scope.graph)) == 2


def test_a_use_reads_at_its_place_in_creation_order(scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    before = v + 0
    step = v.assign_add(scope, [1, 1, 1])
    after = v + 0
    with tg.Session(scope.graph) as session:
        values = session.run([before, step, after])
    assert values[0].tolist() == [1, 2, 3] and values[2].tolist() == [2, 3, 4]


def test_a_use_after_other_operations_reads_for_itself(
    scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]
) -> None:
    plain = v + 1
    with scope.with_control_dependencies([plain]), scope.with_control_dependencies([plain]):
        v + 2
    with scope.with_device("/cpu:1"):
        v + 3
    assert len(_reads(scope.graph)) == 3


def test_it_is_read_in_the_scope_where_it_is_used(scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    math.Square.create(scope.with_sub_scope("layer").with_name("squares"), v)
    assert _reads(scope.graph) == ["layer/ReadVariableOp"] and "layer/squares" in scope.graph


def test_gradients_of_it_and_of_its_uses(scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    y = core.Sum.create(scope, v * v * v)
    (gradient,) = tg.gradients(scope, y, (v,))
    second = tg.grad(scope, tg.grad(scope, y, v), v)
    assert gradient is not None
    with tg.Session(scope.graph) as session:
        assert session.run(gradient).tolist() == [3, 12, 27]
        assert session.run(second).tolist() == [6, 12, 18]


def test_rows_are_gathered_at_values(scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    with tg.Session(scope.graph) as session:
        assert session.run(v.gather(scope, [2, 2, 0])).tolist() == [3, 3, 1]
        assert session.run(v.gather(scope, 1)).tolist() == 2


def test_a_variable_that_gradients_stop_at(scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    w = tg.Variable.create(scope.with_name("w"), np.array([1, 1, 1], np.float32))
    (of_v, of_w) = tg.gradients(scope, v * w, (v, w), stop_gradients=[v])
    assert of_v is not None and of_w is not None
    with tg.Session(scope.graph) as session:
        assert [value.tolist() for value in session.run([of_v, of_w])] == [[1, 1, 1], [1, 2, 3]]


def test_a_variable_from_a_variable(scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    twice = tg.Variable.create(scope.with_name("twice"), v * 2)
    copy = tg.Variable.create(scope.with_name("copy"), v)
    with tg.Session(scope.graph) as session:
        assert session.value(twice).tolist() == [2, 4, 6] and session.value(copy).tolist() == [1, 2, 3]


def test_matrices(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), np.eye(2, dtype=np.float32))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2))
    with tg.Session(scope.graph) as session:
        assert session.run(x @ w + 1, {x: [[1, 2]]}).tolist() == [[2, 3]]
        assert session.run(linalg.MatMul.create(scope, w, w)).tolist() == [[1, 0], [0, 1]]


USES: Final[dict[str, Callable[[tg.Scope, Any, Any], object]]] = {
    "an operation": lambda scope, x, v: math.Neg.create(scope, v),
    "a list of operands": lambda scope, x, v: math.AddN.create(scope, [x, v]),
    "an operator": lambda scope, x, v: v + x,
    "an operator's right side": lambda scope, x, v: x + v,
    "an initial value": lambda scope, x, v: tg.Variable.create(scope, v),
    "a control dependency": lambda scope, x, v: scope.with_control_dependencies([v]),
    "a y": lambda scope, x, v: tg.gradients(scope, v, [x]),
    "a weight of a gradient": lambda scope, x, v: tg.gradients(scope, x, [x], grad_ys=v),
    "a loss": lambda scope, x, v: losses.MeanSquaredError()(scope, v, x),
    "an activation": lambda scope, x, v: activations.softmax(scope, v),
}


@pytest.mark.parametrize("use", USES)
def test_a_variable_of_another_graph_is_refused_and_not_read(
    use: str, scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]
) -> None:
    elsewhere = tg.Scope(tg.Graph())
    x = core.Placeholder.create(elsewhere, tg.TFloat32, shape=(3,))
    sizes = len(scope.graph), len(elsewhere.graph)
    with pytest.raises(
        tg.GraphError, match="'(v|Placeholder:0)' .* belongs to another graph.*; build both on one graph"
    ):
        USES[use](elsewhere, x, v)
    assert (len(scope.graph), len(elsewhere.graph)) == sizes and not elsewhere.graph.variables


def test_what_is_said_of_it_adds_no_read(scope: tg.Scope, v: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    with pytest.raises(tg.DTypeError, match=r"'v' \(Variable, float32 \[3\], created at .*\) is not int32"):
        v.expect(tg.TInt32)
    scope.graph.ancestors([v.handle.op], stop=[v])
    assert _reads(scope.graph) == []
