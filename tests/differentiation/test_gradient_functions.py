"""What the builder makes of what a gradient function gives, right or wrong, and of inputs that need no function."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.graph.definition import Flow, InputGradient, OpDef
from typegrad.op import core, dtypes
from typegrad.op.math.mul import DEF as MUL

VALUE: Final = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def like_mul(function: Any, x: InputGradient = Flow.RULE, y: InputGradient = Flow.STOP, **changes: Any) -> OpDef:
    """The definition of Mul with another gradient."""
    kinds = dict(zip(MUL.gradients, (x, y), strict=True))
    return replace(MUL, gradients=kinds, gradient=f"{__name__}:{function.__name__}", **changes)


def made(scope: tg.Scope, definition: OpDef, x: Any, y: Any) -> Any:
    """One such operation, called "mine"."""
    return scope.with_name("mine").add(definition, (x, y), {}).outputs[0]


def run(operand: Any) -> Any:
    with tg.Session(operand.graph) as session:
        return session.run(operand)


def of_another_type(scope: tg.Scope, op: Any, grad: Any) -> Any:
    return dtypes.Cast.create(scope, grad, tg.TFloat32)


def of_another_shape(scope: tg.Scope, op: Any, grad: Any) -> Any:
    return core.Sum.create(scope, grad, 0)


def of_unknown_shape(scope: tg.Scope, op: Any, grad: Any) -> Any:
    return core.PlaceholderWithDefault.create(scope, core.Sum.create(scope, grad, 0), shape=None)


def times_two(scope: tg.Scope, op: Any, grad: Any) -> Any:
    return grad * 2.0


def nothing(scope: tg.Scope, op: Any, grad: Any) -> Any:
    return None


def never(scope: tg.Scope, op: Any, grad: Any) -> Any:
    raise AssertionError("nobody wants this gradient")


def lazily(scope: tg.Scope, op: Any, grad: Any) -> Any:
    return (lambda: never(scope, op, grad)), (lambda: grad * 3.0)


@pytest.mark.parametrize("changes", [{}, {"shape": "typegrad.shapes.common:merged"}])
def test_a_gradient_of_another_type_is_an_error(scope: tg.Scope, changes: Any) -> None:
    x = core.Constant.create(scope, VALUE)
    y = made(scope, like_mul(of_another_type, **changes), x, x)
    with pytest.raises(
        tg.GradientError,
        match=r"the gradient function of Mul 'mine' \(created at .*\) gave float32 for input `x`, which is float64",
    ):
        tg.grad(scope, y, x)


@pytest.mark.parametrize("changes", [{}, {"shape": "typegrad.shapes.common:merged"}])
def test_a_gradient_of_another_shape_is_an_error(scope: tg.Scope, changes: Any) -> None:
    x = core.Constant.create(scope.with_name("x"), VALUE)
    y = made(scope, like_mul(of_another_shape, **changes), x, x)
    with pytest.raises(
        tg.GradientError,
        match=r"the gradient of input `x` of Mul 'mine' \(created at .*\) has shape \[3\], but "
        r"the input is 'x:0' \(.*float64 \[2, 3\], created at",
    ):
        tg.grad(scope, y, x)


def test_a_shape_that_only_the_run_knows_is_checked_there(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, VALUE)
    definition = like_mul(of_unknown_shape, shape="typegrad.shapes.common:merged", broadcasts=())
    grad = tg.grad(scope, made(scope, definition, x, x), x)
    assert grad.shape == x.shape
    with pytest.raises(
        tg.InvalidArgumentError, match=r"`input` has shape \[3\], which is not of rank 2, as `shape` \[2, 3\] says"
    ):
        run(grad)


def test_none_is_zero(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, VALUE)
    grad = tg.grad(scope, made(scope, like_mul(nothing), x, x), x)
    np.testing.assert_array_equal(run(grad), np.zeros((2, 3)))


def test_one_input_may_have_a_rule_and_another_the_gradient_itself(scope: tg.Scope) -> None:
    x, y = core.Constant.create(scope, VALUE), core.Constant.create(scope, VALUE)
    z = made(scope, like_mul(times_two, Flow.RULE, Flow.PASS), x, y)
    assert [run(grad)[0].tolist() for grad in tg.gradients(scope, z, [x, y])] == [[2, 2, 2], [1, 1, 1]]


def test_the_function_is_not_called_for_inputs_that_need_none(scope: tg.Scope) -> None:
    x, y = core.Constant.create(scope, VALUE), core.Constant.create(scope, VALUE)
    z = made(scope, like_mul(never, Flow.RULE, Flow.PASS), x, y)
    assert run(tg.grad(scope, z, y)).tolist() == np.ones((2, 3)).tolist()
    z = made(scope, like_mul(never, Flow.RULE, Flow.ZERO), x, y)
    assert run(tg.grad(scope, z, y)).tolist() == np.zeros((2, 3)).tolist()
    assert tg.gradients(scope, made(scope, like_mul(never, Flow.RULE, Flow.STOP), x, y), [y]) == (None,)


def test_only_what_is_wanted_is_built(scope: tg.Scope) -> None:
    x, y = core.Constant.create(scope, VALUE), core.Constant.create(scope, VALUE)
    z = made(scope, like_mul(lazily, Flow.RULE, Flow.RULE), x, y)
    assert run(tg.grad(scope, z, y)).tolist() == np.full((2, 3), 3.0).tolist()
    assert "AddN" not in {op.type for op in scope.graph}
