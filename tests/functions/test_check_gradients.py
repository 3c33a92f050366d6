"""`check_gradients`: what it accepts, and what it finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math, random

A = np.array([[0.3, -1.2], [2.5, 0.7]])


def _twice_wrong(at: int) -> Any:
    """The identity, with a gradient that is wrong for one element."""
    factor = np.ones(4)
    factor[at] = 3.0

    @tg.custom_gradient
    def identity(scope: tg.Scope, x: tg.Operand[tg.TFloat64]) -> tuple[tg.Operand[tg.TFloat64], Any]:
        return x, lambda scope, dy: dy * factor.reshape(2, 2)

    return identity


def test_gradients_that_are_right(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64, shape=(2, 2))
    w = tg.Variable.create(scope, A + 1)
    y = math.Tanh.create(scope, linalg.MatMul.create(scope, x, w))
    result = tg.check_gradients(scope.graph, y, [x, w], {x: A})
    assert result.difference < 1e-9 and result.x in (x.name, w.name) and len(result.index) == 2


@pytest.mark.parametrize("at", range(4))
def test_the_element_that_is_wrong_is_named(scope: tg.Scope, at: int) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat64, shape=(2, 2))
    y = _twice_wrong(at)(scope, x)
    with pytest.raises(
        tg.GradientError, match=rf"is wrong: at x:0\[{at // 2}, {at % 2}\] it is .*, and the finite difference"
    ):
        tg.check_gradients(scope.graph, y, [x], {x: A})
    assert tg.check_gradients(scope.graph, y, [x], {x: A}, tolerance=5.0).index == (at // 2, at % 2)


def test_a_path_that_is_cut_differs(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat64, shape=())
    with pytest.raises(tg.GradientError, match="at x:0 it is 0, and the finite difference"):
        tg.check_gradients(scope.graph, core.StopGradient.create(scope, x * 2.0), [x], {x: 1.0})


def test_complex_numbers(scope: tg.Scope) -> None:
    z = core.Placeholder.create(scope, tg.TComplex128, shape=(2, 2))
    y = math.Exp.create(scope, z) * z
    assert tg.check_gradients(scope.graph, y, [z], {z: A + 1j * A.T}).difference < 1e-8


@pytest.mark.parametrize("dtype", [tg.TFloat32, tg.TFloat16])
def test_less_precise_types(scope: tg.Scope, dtype: Any) -> None:
    x = core.Placeholder.create(scope, dtype, shape=(2, 2))
    result = tg.check_gradients(scope.graph, math.Sin.create(scope, x), [x], {x: A.astype(dtype.numpy)})
    assert result.difference < 0.05


def test_an_operand_in_between_and_a_constant(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, A)
    between = x * 3.0
    assert tg.check_gradients(scope.graph, functions.logsumexp(scope, between), [x, between]).difference < 1e-9


def test_variables_are_as_before(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, A)
    rows = w.gather(scope, core.Constant.create(scope, [0, 0]))
    with tg.Session(scope.graph) as session:
        session.run(w.assign(scope, 2 * A))
        tg.check_gradients(session, rows * rows, [w])
        assert (session.value(w) == 2 * A).all()
        with pytest.raises(tg.GradientError, match="is wrong"):
            tg.check_gradients(session, _twice_wrong(1)(scope, w), [w])
        assert (session.value(w) == 2 * A).all()


def test_what_cannot_be_checked(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat64, shape=(2,))
    anything: Any = scope
    drawn = random.RandomUniform.create(scope, (2,), tg.TFloat64)
    with pytest.raises(tg.GradientError, match="'.*' .* is random: feed what it draws"):
        tg.check_gradients(scope.graph, x * drawn, [x], {x: [1.0, 2.0]})
    assert tg.check_gradients(scope.graph, x * drawn, [x], {x: [1.0, 2.0], drawn: [0.5, 0.5]}).difference < 1e-8
    with pytest.raises(tg.DTypeError, match="is int32; only floats and complex numbers have gradients"):
        tg.check_gradients(scope.graph, x, [core.Constant.create(scope, 1)])
    with pytest.raises(tg.GradientError, match="there is no element to differentiate by"):
        tg.check_gradients(scope.graph, x, [], {x: [1.0, 2.0]})
    with pytest.raises(tg.GraphError, match="`session` must be a Session"):
        tg.check_gradients(anything, x, [x])


@pytest.mark.parametrize("shape", [(), (1,)])
def test_of_one_number_it_shows_the_derivative(shape: tuple[int, ...]) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat64, shape)
    result = tg.check_gradients(scope.graph, x * x, [x], {x: np.ones(shape)})
    assert result.gradient == 2 and result.numeric == pytest.approx(2)
