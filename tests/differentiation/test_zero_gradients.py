"""Where a derivative is zero almost everywhere, an x gets zeros; where there is none, None."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math, nn

VALUE = np.array([[-1.0, 2.0, 0.0], [3.0, -4.0, 5.0]])


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def run(operand: Any, feeds: tg.Feeds | None = None) -> Any:
    with tg.Session(operand.graph) as session:
        return session.run(operand, feeds)


@pytest.mark.parametrize("activation", [nn.Relu, nn.Relu6, nn.LeakyRelu, math.Abs])
def test_the_second_derivative_of_a_piecewise_linear_function_is_zeros(scope: tg.Scope, activation: Any) -> None:
    a = core.Placeholder.create(scope, tg.TFloat64, shape=(2, 3))
    first = tg.grad(scope, core.Sum.create(scope, activation.create(scope, a)), a)
    second = tg.grad(scope, first, a)
    assert second.shape == a.shape
    np.testing.assert_array_equal(run(second, {a: VALUE}), np.zeros_like(VALUE))


def test_a_step_function_has_no_derivative(scope: tg.Scope) -> None:
    a = core.Constant.create(scope, VALUE)
    assert tg.gradients(scope, math.Floor.create(scope, a), [a]) == (None,)


def test_a_variable_gets_zeros_of_its_type(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, VALUE.astype(np.float32))
    first = tg.grad(scope, math.Abs.create(scope, w.read(scope)), w)
    for x in (w, w.handle):
        (second,) = tg.gradients(scope, first, [x])
        assert second is not None and second.dtype is tg.TFloat32
        assert run(second).tolist() == [[0] * 3] * 2


def test_zeros_go_all_the_way_back_and_cost_one_operation(scope: tg.Scope) -> None:
    """What a zero gradient would be multiplied with is not even built."""
    x = core.Constant.create(scope, np.ones((3, 2)))
    hidden = linalg.MatMul.create(scope, core.Constant.create(scope, VALUE), math.Exp.create(scope, x))
    signs = math.Sign.create(scope, core.Identity.create(scope, hidden))
    size = len(scope.graph)
    (grad,) = tg.gradients(scope, signs, [x], grad_ys=hidden)
    assert [op.type for op in scope.graph.operations[size:]] == ["ZerosLike"]
    assert run(grad).tolist() == [[0, 0]] * 3


def test_zero_and_something_is_something(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, VALUE)
    y = math.Sign.create(scope, x) * x
    np.testing.assert_array_equal(run(tg.grad(scope, y, x)), np.sign(VALUE))
    assert "ZerosLike" not in {op.type for op in scope.graph}


def test_of_several_outputs_one_may_have_zeros(scope: tg.Scope) -> None:
    x, y = core.Constant.create(scope, VALUE), core.Constant.create(scope, VALUE)
    both = core.IdentityN.create(scope, [x, y]).output
    to_x, to_y = tg.gradients(scope, [math.Sign.create(scope, both[0]), both[1]], [x, y])
    assert run(to_x).tolist() == [[0] * 3] * 2
    assert run(to_y).tolist() == [[1] * 3] * 2


def test_of_several_outputs_one_may_have_none(scope: tg.Scope) -> None:
    x, y = core.Constant.create(scope, VALUE), core.Constant.create(scope, VALUE)
    both = core.IdentityN.create(scope, [x, y]).output
    assert tg.gradients(scope, math.Sign.create(scope, both[0]), [y]) == (None,)


def test_zeros_end_where_gradients_are_stopped(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, VALUE)
    middle = math.Exp.create(scope, x)
    y = math.Sign.create(scope, middle)
    assert tg.gradients(scope, y, [x], stop_gradients=[middle]) == (None,)
    assert tg.gradients(scope, math.Sign.create(scope, core.StopGradient.create(scope, x)), [x]) == (None,)


def test_an_operation_without_a_gradient_is_an_error_for_zeros_too(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, np.ones(2))
    y = math.Sign.create(scope, core.Unique.create(scope, x, ()).y)
    with pytest.raises(tg.GradientError, match="UniqueV2 has no gradient for input `x`"):
        tg.grad(scope, y, x)
