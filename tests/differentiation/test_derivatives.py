"""Jacobians, Hessians, and Hessians multiplied by vectors."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math

A = np.array([[1.0, -2.0, 0.5], [3.0, 0.25, -1.0]])


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


@pytest.fixture
def x(scope: tg.Scope) -> tg.Operand[tg.TFloat64]:
    return core.Placeholder.create(scope.with_name("x"), tg.TFloat64, shape=(2, 3))


def _run(scope: tg.Scope, y: Any, feeds: Any) -> Any:
    with tg.Session(scope.graph) as session:
        return session.run(y, feeds)


def test_a_jacobian(scope: tg.Scope, x: tg.Operand[tg.TFloat64]) -> None:
    b = np.arange(12.0).reshape(3, 4)
    result = tg.jacobian(scope, linalg.MatMul.create(scope, x, b), x)
    assert result.shape == (2, 4, 2, 3)
    np.testing.assert_allclose(_run(scope, result, {x: A}), np.einsum("ij,lk->ikjl", np.eye(2), b))


def test_a_jacobian_of_a_scalar_is_the_gradient(scope: tg.Scope, x: tg.Operand[tg.TFloat64]) -> None:
    result = tg.jacobian(scope, core.Sum.create(scope, x * x), x)
    assert result.shape == (2, 3) and (_run(scope, result, {x: A}) == 2 * A).all()


def test_x_of_unknown_size(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64)
    result = tg.jacobian(scope, core.EnsureShape.create(scope, x * x, shape=(2,)), x)
    assert _run(scope, result, {x: [2.0, 3.0]}).tolist() == [[4, 0], [0, 6]]


def test_a_hessian_and_its_products(scope: tg.Scope, x: tg.Operand[tg.TFloat64]) -> None:
    y = core.Sum.create(scope, math.Exp.create(scope, x)) * core.Sum.create(scope, x)
    hessian = tg.hessian(scope, y, x)
    product = tg.hvp(scope, y, x, A)
    result, multiplied = _run(scope, [hessian, product], {x: A})
    e = np.exp(A).ravel()
    expected = np.diag(e) * A.sum() + e[:, None] + e[None, :]
    np.testing.assert_allclose(result.reshape(6, 6), expected)
    np.testing.assert_allclose(multiplied.ravel(), expected @ A.ravel())


def test_products_where_y_does_not_depend_on_x(scope: tg.Scope, x: tg.Operand[tg.TFloat64]) -> None:
    aside = core.Placeholder.create(scope.with_name("aside"), tg.TFloat64, (2, 3))
    y = core.Sum.create(scope, x * x)
    products = tg.hvp(scope, y, (x, aside), (aside, x))
    assert [value.tolist() for value in _run(scope, products, {x: A, aside: A})] == [(2 * A).tolist(), (0 * A).tolist()]
    with pytest.raises(
        tg.GradientError, match=r"no gradient flows from 'Sum:0' \(.*\) to 'aside:0' .*: no path of values"
    ):
        tg.hvp(scope, y, aside, x)


def test_products_for_several_variables_at_once(scope: tg.Scope) -> None:
    v, w = (tg.Variable.create(scope, value) for value in (np.array([1.0, 2.0]), np.array(3.0)))
    y = core.Sum.create(scope, v * v) * w * w
    of_v, of_w = tg.hvp(scope, y, (v, w), ([1.0, 0.0], 2.0))
    assert [value.tolist() for value in _run(scope, [of_v, of_w], {})] == [[18 + 24, 48], 2 * 10 + 12]


def test_zeros_where_the_gradient_does_not_depend_on_x(scope: tg.Scope, x: tg.Operand[tg.TFloat64]) -> None:
    y = core.Sum.create(scope, x * 3.0)
    hessian, product = _run(scope, [tg.hessian(scope, y, x), tg.hvp(scope, y, x, A)], {x: A})
    assert hessian.shape == (2, 3, 2, 3) and not hessian.any() and not product.any()


def test_a_third_derivative(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64, shape=(2,))
    third = tg.jacobian(scope, tg.hessian(scope, core.Sum.create(scope, x * x * x * x), x), x)
    assert third.shape == (2, 2, 2) and _run(scope, third, {x: [1.0, 2.0]})[1, 1, 1] == 48


def test_the_curvature_of_a_softplus_keeps_its_digits_where_it_is_small(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(3,))
    curvature = tg.grad(scope, tg.grad(scope, math.Softplus.create(scope, x), x), x)
    at = np.array([-20, 10, 20], np.float32)
    expected = np.exp(-np.abs(at, dtype=np.float64))
    np.testing.assert_allclose(tg.Session(scope.graph).run(curvature, {x: at}), expected, rtol=1e-4)


def test_a_size_that_is_not_known(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat64, shape=(None, 3))
    text = (
        r"derivatives of '.*' \(.*\) are unrolled, .*its size must be known; give placeholders a static shape.*tg.hvp"
    )
    with pytest.raises(tg.ShapeError, match=text):
        tg.jacobian(scope, x * x, x)
    with pytest.raises(tg.ShapeError, match=text):
        tg.hessian(scope, x * x, x)


def test_what_has_no_derivative(scope: tg.Scope, x: tg.Operand[tg.TFloat64]) -> None:
    z = core.Placeholder.create(scope.with_name("z"), tg.TComplex128, shape=(2,))
    with pytest.raises(tg.DTypeError, match=r"jacobian: 'z:0' \(.*\) is complex, .*its real and imaginary part"):
        tg.jacobian(scope, z, x)
    with pytest.raises(tg.GradientError, match="no gradient flows from .* to 'x:0'"):
        tg.jacobian(scope, core.StopGradient.create(scope, x), x)
    with pytest.raises(tg.ShapeError, match="has no elements to differentiate"):
        tg.jacobian(scope, core.Slice.create(scope, x, [0, 0], [0, 0]), x)
    with pytest.raises(tg.GradientError, match="hvp: there are 1 xs, but 2 vs"):
        tg.hvp(scope, x, [x], [x, x])
    operand: Any = x
    number: Any = 5
    integers: Any = core.Constant.create(scope, [1, 2])
    with pytest.raises(tg.GradientError, match=r"vs is a list or tuple; write \[x\] for one operand, not Placeholder"):
        tg.hvp(scope, x, [x], operand)
    with pytest.raises(tg.GradientError, match="xs is a list or tuple; .* not int 5"):
        tg.hvp(scope, x, number, [x])
    problem = r"hvp: `vs` has {} for 'x:0' \(.*\), but must have its type and shape"
    with pytest.raises(tg.ShapeError, match=problem.format(r"float\d+ \[7\]")):
        tg.hvp(scope, x * x, x, np.ones(7))
    with pytest.raises(tg.DTypeError, match=problem.format(r"int32 \[2\]")):
        tg.hvp(scope, x * x, x, integers)
    for wrong in (np.ones((2, 3), np.float32), [np.ones((2, 3), np.int64)]):
        values = r"hvp: the vector in `vs` for 'x:0' \(.*\): an array of \w+ is not float64; convert it with astype"
        with pytest.raises(tg.DTypeError, match=values):
            tg.hvp(scope, x * x, [x] if isinstance(wrong, list) else x, cast("Any", wrong))
