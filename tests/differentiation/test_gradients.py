"""`tg.gradients`: what it returns, and what each argument does."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, dtypes, linalg, math
from typegrad.op.core import Gradients


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def evaluate(fetches: Any, feeds: tg.Feeds | None = None) -> Any:
    first = fetches[0] if isinstance(fetches, (list, tuple)) else fetches
    with tg.Session(first.graph) as session:
        return session.run(fetches, feeds)


def test_one_gradient_for_each_x_of_its_type_and_shape(scope: tg.Scope) -> None:
    a = core.Constant.create(scope, np.ones((2, 3)))
    b = core.Constant.create(scope, np.full((3, 4), 2.0))
    grads = tg.gradients(scope, linalg.MatMul.create(scope, a, b), (a, b))
    assert [g.dtype for g in grads if g is not None] == [tg.TFloat64, tg.TFloat64]
    assert [g.shape for g in grads if g is not None] == [a.shape, b.shape]
    values = evaluate([g for g in grads if g is not None])
    assert (values[0] == 8).all() and (values[1] == 2).all()


def test_several_ys_are_summed(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 3.0)
    (grad,) = tg.gradients(scope, [x * x, x * 5.0], (x,))
    assert grad is not None and evaluate(grad) == 11.0


def test_several_uses_are_summed(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 3.0)
    assert evaluate(tg.grad(scope, x * x * x + x, x)) == 28.0


def test_grad_ys_weight_the_ys(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, np.array([1.0, 2.0]))
    weight = core.Constant.create(scope, np.array([10.0, 100.0]))
    (grad,) = tg.gradients(scope, [x * x, x], (x,), grad_ys=[weight, None])
    assert grad is not None and evaluate(grad).tolist() == [21.0, 401.0]


WEIGHTS: Final[dict[str, tuple[Any, list[float]]]] = {
    "a number is for all elements": (10, [20.0, 40.0]),
    "an array": (np.array([10.0, 100.0]), [20.0, 400.0]),
    "a list in the list": ([[10, 100.0]], [20.0, 400.0]),
    "a number in the list": ([0.5], [1.0, 2.0]),
}


@pytest.mark.parametrize("weight", WEIGHTS)
def test_weights_may_be_values(scope: tg.Scope, weight: str) -> None:
    value, expected = WEIGHTS[weight]
    x = core.Constant.create(scope, np.array([1.0, 2.0]))
    (grad,) = tg.gradients(scope, x * x, [x], grad_ys=value)
    assert grad is not None and evaluate(grad).tolist() == expected
    assert evaluate(core.Gradients.create(scope, x * x, [x], dx=value).dy(0)).tolist() == expected


def test_the_weight_of_one_y_may_be_a_list(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, np.array([1.0, 2.0]))
    assert evaluate(tg.grad(scope, x * x, x, grad_y=[10, 100])).tolist() == [20.0, 400.0]


def test_a_number_weighs_what_has_its_size_in_the_run(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None,))
    grad = tg.grad(scope, x * x, x, grad_y=3)
    with tg.Session(scope.graph) as session:
        assert session.run(grad, {x: [1, 2]}).tolist() == [6.0, 12.0]


def test_a_gradient_can_be_asked_for_an_intermediate_operand(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 2.0)
    square = x * x
    y = square * square
    grads = tg.gradients(scope, y, (square, x))
    assert [evaluate(grad) for grad in grads if grad is not None] == [8.0, 32.0]


def test_the_gradient_of_an_operand_for_itself_is_one(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, np.ones((2, 2)))
    assert evaluate(tg.grad(scope, x, x)).tolist() == [[1, 1], [1, 1]]


def test_stop_gradients_are_constants(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 3.0)
    square = x * x
    y = square * x
    assert evaluate(tg.grad(scope, y, x)) == 27.0
    assert evaluate(tg.grad(scope, y, x, stop_gradients=[square])) == 9.0
    assert tg.gradients(scope, square, (x,), stop_gradients=[square]) == (None,)
    at_square = tg.grad(scope, y, square, stop_gradients=[square])
    assert evaluate(at_square) == 3.0


def test_stop_gradient_cuts_one_path_only(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 3.0)
    y = core.StopGradient.create(scope, x * x) * x
    assert evaluate([y, tg.grad(scope, y, x)]) == [27.0, 9.0]


def test_an_unconnected_x_gets_none_or_zeros(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64, shape=(None, 2))
    w = tg.Variable.create(scope, np.ones(3, np.float32))
    y = core.Constant.create(scope, 1.0)
    assert tg.gradients(scope, y, (x, w)) == (None, None)
    zeros = tg.gradients(scope, y, [x, w], unconnected_gradients="zero")
    values = evaluate(zeros, {x: [[1.0, 2.0]]})
    assert [(v.tolist(), v.dtype) for v in values] == [([[0, 0]], np.float64), ([0, 0, 0], np.float32)]
    wrong: Any = "ones"
    with pytest.raises(tg.AttributeValueError, match="`unconnected_gradients` must be one of 'none', 'zero'"):
        tg.gradients(scope, y, [x], unconnected_gradients=wrong)


def test_integers_have_no_gradient(scope: tg.Scope) -> None:
    i = core.Constant.create(scope, 3)
    x = dtypes.Cast.create(scope, i, tg.TFloat32)
    assert tg.gradients(scope, x * x, (i,)) == (None,)
    assert tg.gradients(scope, i * 2, (i,)) == (None,)
    rounded = dtypes.Cast.create(scope, dtypes.Cast.create(scope, x, tg.TInt32), tg.TFloat32)
    assert tg.gradients(scope, rounded, (x,)) == (None,)


def test_variables_have_gradients_through_every_read(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, np.array([1.0, 2.0]))
    first, second = w.read(scope), w.read(scope)
    y = first * second
    for grad, expected in zip(tg.gradients(scope, y, [w, first]), ([2.0, 4.0], [1.0, 2.0]), strict=True):
        assert grad is not None and grad.dtype is tg.TFloat64 and evaluate(grad).tolist() == expected


def test_complex_gradients_are_conjugated(scope: tg.Scope) -> None:
    z = core.Constant.create(scope, np.array(1 + 2j))
    one = core.Constant.create(scope, np.array(1 + 0j))
    square = math.Square.create(scope, z)
    (grad,) = tg.gradients(scope, square, (z,), grad_ys=one)
    assert grad is not None and evaluate(grad) == 2 - 4j
    with pytest.raises(tg.DTypeError, match="'Square:0' .* is complex: say with grad_ys in which direction"):
        tg.gradients(scope, square, (z,))


def test_the_form_of_tensorflow_java(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 3.0)
    other = core.Constant.create(scope, 1.0)
    grads = Gradients.create(scope, x * x, [x, other], dx=core.Constant.create(scope, 10.0))
    assert evaluate(grads.dy(0)) == 60.0 and grads.dy()[1] is None and len(list(grads)) == 2
    with pytest.raises(tg.GradientError, match=r"y does not depend on xs\[1\]"):
        grads.dy(1)
    for index in (2, -1):
        with pytest.raises(tg.GradientError, match=f"there are 2 xs, counted from 0; {index} is not one of them"):
            grads.dy(index)


def test_a_gradient_has_names_of_its_own(scope: tg.Scope) -> None:
    x = core.Constant.create(scope.with_name("x"), 3.0)
    grad = tg.grad(scope, math.Square.create(scope.with_name("y"), x), x)
    assert grad.name.startswith("gradients/y_grad/")
    assert tg.grad(scope, grad, x).name.startswith("gradients_1/")


def test_broadcast_inputs_get_gradients_of_their_own_shape(scope: tg.Scope) -> None:
    a = core.Placeholder.create(scope, tg.TFloat64)
    b = core.Placeholder.create(scope, tg.TFloat64, shape=(None, 1, "n"))
    grads = tg.gradients(scope, math.Mul.create(scope, a, b), [a, b])
    feeds: tg.Feeds = {a: np.ones((4, 3)), b: np.ones((5, 1, 3))}
    values = evaluate(grads, feeds)
    assert [v.shape for v in values] == [(4, 3), (5, 1, 3)]
    assert [np.unique(v).tolist() for v in values] == [[5.0], [4.0]]


def test_bad_arguments(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 3.0)
    y = x * x
    number: Any = 3.0
    mixed: Any = [3.0, x]
    with pytest.raises(tg.GradientError, match="xs must be operands, but one is float 3.0"):
        tg.gradients(scope, y, [number])
    with pytest.raises(
        tg.GradientError, match="grad_ys is a list with one weight for each y: 1, not 2; a weight that is itself"
    ):
        tg.gradients(scope, y, [x], grad_ys=[None, None])
    with pytest.raises(tg.DTypeError, match="the weight .* must have the type of its y"):
        tg.gradients(scope, y, [x], grad_ys=core.Constant.create(scope, 1))
    with pytest.raises(tg.ShapeError, match=r"the weight '.* must have the shape of its y, '"):
        tg.gradients(scope, y, [x], grad_ys=core.Constant.create(scope, [1.0]))
    with pytest.raises(
        tg.DTypeError, match="the weight in grad_ys of .*: an array of float64 is not float32; convert it"
    ):
        tg.gradients(scope, y, [x], grad_ys=np.ones(()))
    with pytest.raises(tg.DTypeError, match="`grad_y` must be an Operand or a number, list or array or None, not list"):
        tg.grad(scope, y, x, grad_y=mixed)
    foreign = core.Constant.create(tg.Scope(tg.Graph()), 1.0)
    with pytest.raises(tg.GraphError, match="in xs belongs to another graph than the scope"):
        tg.gradients(scope, y, [foreign])
