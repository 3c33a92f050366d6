"""Which paths gradients take: between xs of any age, past stopped operands, through operations whose outputs are their
inputs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.graph.definition import Flow, InputDef
from typegrad.op import core, math
from typegrad.op.math.add import DEF as ADD
from typegrad.op.math.add_n import DEF as ADD_N


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def vector(scope: tg.Scope, *numbers: float) -> core.Constant[tg.TFloat64]:
    return core.Constant.create(scope, np.array(numbers))


def run(operands: Any) -> list[Any]:
    with tg.Session(operands[0].graph) as session:
        return [value.tolist() for value in session.run(list(operands))]


def test_xs_may_be_older_than_each_other(scope: tg.Scope) -> None:
    old = vector(scope, 1.0, 2.0)
    square = math.Square.create(scope, old)
    new = vector(scope, 3.0, 4.0)
    y = square * new
    assert run(tg.gradients(scope, y, [new, old])) == [[1, 4], [6, 16]]


def test_an_x_may_be_made_of_another(scope: tg.Scope) -> None:
    x = vector(scope, 1.0, 2.0)
    square = math.Square.create(scope, x)
    assert run(tg.gradients(scope, square * x, [square, x])) == [[1, 2], [3, 12]]


def test_each_of_many_outputs_hands_on_to_its_own_input(scope: tg.Scope) -> None:
    x, y = vector(scope, 1.0), vector(scope, 2.0)
    both = core.IdentityN.create(scope, [x, y]).output
    assert tg.gradients(scope, both[0] * 2.0, [x, y])[1] is None
    assert tg.gradients(scope, math.Sign.create(scope, both[0]), [x, y])[1] is None
    assert run(tg.gradients(scope, [both[0] * 2.0, both[1] * 3.0], [x, y])) == [[2], [3]]


def test_what_another_output_leads_to_does_not_count(scope: tg.Scope) -> None:
    """The second output goes into an operation without a gradient, but the x into the first."""
    x = vector(scope, 1.0)
    both = core.IdentityN.create(scope, [x, vector(scope, 2.0)]).output
    ys = [both[0] * 2.0, core.Unique.create(scope, both[1], ()).y]
    assert run(tg.gradients(scope, ys, [x])) == [[2]]


def test_one_output_may_hand_on_to_several_inputs(scope: tg.Scope) -> None:
    x, y = vector(scope, 1.0), vector(scope, 2.0)
    sum_of_both = scope.add(replace(ADD, gradients=dict.fromkeys(ADD.gradients, Flow.PASS)), (x, y), {}).outputs[0]
    assert run(tg.gradients(scope, math.Square.create(scope, sum_of_both), [x, y])) == [[6], [6]]


def test_nothing_is_built_towards_an_operand_where_gradients_stop(scope: tg.Scope) -> None:
    x = vector(scope, 1.0)
    middle = math.Exp.create(scope, x)
    y = core.Unique.create(scope, middle, ()).y  # it has no gradient, which is not an error where none is requested
    assert tg.gradients(scope, y, [x], stop_gradients=[middle]) == (None,)


def test_an_x_where_gradients_stop_has_one_and_hands_nothing_on(scope: tg.Scope) -> None:
    x = vector(scope, 1.0, 2.0)
    first, second = core.Split.create(scope, 0, x, num_split=2).output
    y = first * 3.0 + second * 5.0
    assert run(tg.gradients(scope, y, [first, x], stop_gradients=[first])) == [[3], [0, 5]]


def of_the_last(scope: tg.Scope, op: Any, grad: Any) -> Any:
    return grad * 2.0


def test_a_list_without_gradients_may_stand_before_an_input_with_one(scope: tg.Scope) -> None:
    name = ADD_N.inputs[0].name
    definition = replace(
        ADD_N,
        inputs=(*ADD_N.inputs, InputDef("last", "T")),
        shape="typegrad.shapes.common:merged",
        shape_args=(name, "last"),
        gradients={name: Flow.STOP, "last": Flow.RULE},
        gradient=f"{__name__}:of_the_last",
    )
    items, last = [vector(scope, 1.0) for _ in range(3)], vector(scope, 2.0)
    y = scope.add(definition, (items, last), {}).outputs[0]
    (grad,) = tg.gradients(scope, y, [last])
    assert run([grad]) == [[2]]
    assert tg.gradients(scope, y, items) == (None, None, None)
