"""Where the operations of a gradient were created: at the call, or in the lines of a user's gradient function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import typegrad as tg
from typegrad.op import core, math, nn, train
from typegrad.op.math.neg import DEF as NEG


def lines(operations: Sequence[tg.Operation]) -> set[tuple[str, str]]:
    return {(op.type, op.created_at.rpartition(":")[2]) for op in operations}


def line_of(text: str) -> str:
    """The only line of this file that ends in a text."""
    (number,) = (i for i, line in enumerate(Path(__file__).read_text("utf-8").splitlines(), 1) if line.endswith(text))
    return str(number)


def times_three(scope: tg.Scope, op: Any, grad: Any) -> Any:
    return lambda: grad * 3.0  # times three


@tg.custom_gradient
def plus_one(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tuple[tg.Operand[tg.TFloat32], tg.GradientFunction]:
    return x + 1.0, lambda scope, dy: dy - 1.0  # of plus one


def test_operations_of_rules_are_created_by_the_call(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    y = nn.Softmax.create(scope, math.Maximum.create(scope, x * x, 0.5))
    tg.grad(scope, y, x)  # the call
    assert {line for _, line in lines(scope.graph.gradient_operations)} == {line_of("# the call")}
    assert len(scope.graph.gradient_operations) > 9


def test_operations_of_gradient_functions_of_users_are_created_there(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=())
    mine = replace(NEG, gradient=f"{__name__}:times_three")
    y = scope.add(mine, (plus_one(scope, math.Sqrt.create(scope, x)),), {}).outputs[0]
    tg.grad(scope, y, x)  # another call
    added = lines(scope.graph.gradient_operations)
    assert ("Mul", line_of("# times three")) in added and ("Sub", line_of("# of plus one")) in added
    assert {("Const", line_of("# another call")), ("SqrtGrad", line_of("# another call"))} <= added


def test_a_place_ends_with_its_gradient(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=())
    with pytest.raises(tg.GradientError):
        tg.grad(scope, train.PreventGradient.create(scope, x, message="none"), x)
    y = math.Neg.create(scope, x)  # its own
    assert y.op.created_at.endswith(f":{line_of('# its own')}")
