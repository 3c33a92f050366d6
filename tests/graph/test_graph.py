"""What a graph tells about itself."""

from __future__ import annotations

from typing import Any

import pytest

import typegrad as tg
from typegrad.op import core, math, random


def test_operations_stand_in_creation_order(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32)
    y = math.Neg.create(scope.with_name("y"), x)
    assert [op.name for op in scope.graph] == ["x", "y"]
    assert [op.id for op in scope.graph.operations] == [0, 1]
    assert len(scope.graph) == 2 and "y" in scope.graph and "z" not in scope.graph
    assert scope.graph.operation("y") is y.op


def test_an_unknown_name_is_an_error(scope: tg.Scope) -> None:
    with pytest.raises(tg.GraphError, match="no operation is called 'nothing'; the graph has 0 operations"):
        scope.graph.operation("nothing")


def test_inputs_and_consumers_are_two_sides_of_an_edge(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    square = math.Mul.create(scope, x, x)
    assert square.op.inputs == (x.as_output(), x.as_output())
    assert x.op.consumers == (square.op, square.op)


def test_control_dependencies_are_edges_without_a_value(scope: tg.Scope) -> None:
    first = core.NoOp.create(scope)
    after = scope.with_control_dependencies([first])
    x = core.Placeholder.create(after, tg.TFloat32)
    assert x.op.control_inputs == (first.op,)
    assert core.NoOp.create(after.with_control_dependencies([x, first, x])).op.control_inputs == (first.op, x.op)


def test_a_constant_for_an_input_waits_for_nothing(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2,))
    after = scope.with_control_dependencies([x])
    assert core.Sum.create(after, x, 0).op.inputs[1].op.control_inputs == ()


def test_devices_are_written_into_the_nodes(scope: tg.Scope) -> None:
    assert core.NoOp.create(scope.with_device("/cpu:0")).op.device == "/cpu:0"
    assert core.NoOp.create(scope).op.device == ""


def test_attributes_hold_types_shapes_and_list_lengths(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, None))
    assert x.op.attrs == {"shape": tg.Shape.of(2, None), "dtype": tg.TFloat32}
    assert core.Stack.create(scope, [x, x], axis=1).op.attrs == {"axis": 1, "N": 2, "T": tg.TFloat32}


def test_ancestors_are_what_must_run(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    y = math.Neg.create(scope, x)
    z = math.Exp.create(scope, y)
    math.Sin.create(scope, x)
    assert scope.graph.ancestors([z.op]) == [x.op, y.op, z.op]
    assert scope.graph.ancestors([z.op], stop=[y]) == [z.op]


def test_between_is_every_path_from_here_to_there(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    a, b = math.Neg.create(scope, x), math.Exp.create(scope, x)
    y = math.Add.create(scope, a, core.Placeholder.create(scope, tg.TFloat32))
    math.Sin.create(scope, b)
    assert scope.graph.between([x.op], [y.op]) == [x.op, a.op, y.op]
    assert scope.graph.between([x.op], [a.op, y.op]) == [x.op, a.op, y.op]
    assert scope.graph.between([x.op], []) == scope.graph.between([], [y.op]) == []


def test_a_wrapper_is_found_again_from_its_node(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32)
    y = math.Neg.create(scope.with_name("y"), x)
    again = math.Neg.of(scope.graph.operation("y"))
    assert again.as_output() is y.as_output() and again.inputs.x is x.as_output()
    with pytest.raises(tg.GraphError, match=r"Exp.of wraps a Exp node, not Neg 'y' \(created at .*test_graph.py:\d+\)"):
        math.Exp.of(y.op)


def test_a_node_knows_the_line_that_made_it(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    y = x + x
    assert x.op.created_at.endswith(
        f"test_graph.py:{test_a_node_knows_the_line_that_made_it.__code__.co_firstlineno + 1}"
    )
    assert y.op.created_at.endswith(
        f"test_graph.py:{test_a_node_knows_the_line_that_made_it.__code__.co_firstlineno + 2}"
    )


def test_the_attributes_of_an_operation_never_change(scope: tg.Scope) -> None:
    drawn = random.RandomUniform.create(scope.with_seed(3), (2,), tg.TFloat32).op
    assert drawn.attrs["seed"] == 3
    attrs: Any = drawn.attrs
    with pytest.raises(TypeError, match="does not support item assignment"):
        attrs["seed"] = 4
