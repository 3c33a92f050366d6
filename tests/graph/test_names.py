"""Names of nodes: unique in the graph, by TensorFlow's rules."""

from __future__ import annotations

import pytest

import typegrad as tg
from typegrad.op import core


def placeholder(scope: tg.Scope) -> str:
    return core.Placeholder.create(scope, tg.TFloat32).op.name


def test_nodes_are_numbered_from_the_second_on() -> None:
    scope = tg.Scope(tg.Graph())
    assert [placeholder(scope) for _ in range(3)] == ["Placeholder", "Placeholder_1", "Placeholder_2"]


def test_upper_and_lower_case_count_as_the_same() -> None:
    scope = tg.Scope(tg.Graph())
    assert [placeholder(scope.with_name(name)) for name in ("x", "X", "x")] == ["x", "X_1", "x_2"]
    assert placeholder(scope.with_name("x_1")) == "x_1_1"


def test_a_number_that_is_taken_is_passed_over() -> None:
    scope = tg.Scope(tg.Graph())
    assert [placeholder(scope.with_name(name)) for name in ("x_1", "x", "x")] == ["x_1", "x", "x_2"]


def test_sub_scopes_prefix_names_and_are_unique_themselves() -> None:
    scope = tg.Scope(tg.Graph())
    first, second = scope.with_sub_scope("layer"), scope.with_sub_scope("layer")
    assert placeholder(first.with_name("x")) == "layer/x"
    assert placeholder(second.with_sub_scope("inner").with_name("x")) == "layer_1/inner/x"


def test_a_sub_scope_takes_the_name_of_its_scope() -> None:
    layer = tg.Scope(tg.Graph()).with_name("layer").with_sub_scope("Dense")
    assert (layer.path, placeholder(layer)) == ("layer", "layer/Placeholder")


def test_a_scope_is_immutable() -> None:
    scope = tg.Scope(tg.Graph())
    scope.with_name("x")
    assert placeholder(scope) == "Placeholder"


@pytest.mark.parametrize("name", ["", " x", "a b", "_x", "-x", "x?", "ä"])
def test_a_bad_name_is_refused(name: str) -> None:
    with pytest.raises(tg.GraphError, match="is not a valid name: it starts with a letter, digit or dot"):
        tg.Scope(tg.Graph()).with_name(name)


def test_constants_made_from_literals_are_named_after_their_input() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    total = core.Sum.create(scope.with_name("total"), x, 0)
    assert total.op.inputs[1].op.name == "total/axis"
    assert core.Sum.create(scope, x, 0).op.inputs[1].op.name == "Sum/axis"


def test_operations_made_for_an_input_that_was_left_out_are_named_after_it() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32)
    axis = core.Sum.create(scope.with_name("total"), x).op.inputs[1]
    assert axis.name.startswith("total/axis")


def test_the_name_of_an_assignment_is_not_that_of_its_value() -> None:
    scope = tg.Scope(tg.Graph())
    count = tg.Variable.create(scope.with_name("count"), 0)
    step = count.assign_add(scope.with_name("step"), 1)
    assert (step.op.name, step.op.inputs[1].op.name) == ("step", "step/value")
