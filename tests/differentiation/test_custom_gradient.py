"""Functions of operands with a gradient of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math

X = tg.Operand[tg.TFloat64]


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


@pytest.fixture
def x(scope: tg.Scope) -> X:
    return core.Placeholder.create(scope.with_name("x"), tg.TFloat64, shape=(3,))


FED = np.array([-2.0, 0.5, 3.0])


def _run(x: X, *ys: Any) -> list[Any]:
    with tg.Session(x.graph) as session:
        return [value.tolist() for value in session.run(list(ys), {x: FED})]


@tg.custom_gradient
def straight_through(scope: tg.Scope, x: X) -> tuple[X, Any]:
    return math.Sign.create(scope, x), lambda scope, dy: dy * 10.0


@tg.custom_gradient
def softplus(scope: tg.Scope, x: X) -> tuple[X, Any]:
    e = math.Exp.create(scope, x)
    return math.Log.create(scope, 1.0 + e), lambda scope, dy: dy * (1.0 - 1.0 / (1.0 + e))


@tg.custom_gradient
def product_and_sum(scope: tg.Scope, a: X, b: X) -> tuple[tuple[X, X], Any]:
    def gradient(scope: tg.Scope, of_product: X, of_sum: X) -> Sequence[X | None]:
        return of_product * b + of_sum, None

    return (a * b, a + b), gradient


def test_the_value_is_the_functions_and_the_gradient_its_own(scope: tg.Scope, x: X) -> None:
    y = straight_through(scope, x)
    assert _run(x, y, tg.grad(scope, y, x), tg.grad(scope, 2.0 * y, x)) == [[-1, 1, 1], [10] * 3, [20] * 3]


def test_it_is_differentiated_again(scope: tg.Scope, x: X) -> None:
    y = softplus(scope, x)
    first = tg.grad(scope, y, x)
    sigmoid = 1 / (1 + np.exp(-FED))
    result = _run(x, first, tg.grad(scope, first, x), tg.grad(scope, tg.grad(scope, first, x), x))
    np.testing.assert_allclose(result[0], sigmoid)
    np.testing.assert_allclose(result[1], sigmoid * (1 - sigmoid))
    np.testing.assert_allclose(result[2], sigmoid * (1 - sigmoid) * (1 - 2 * sigmoid))


def test_several_results_and_operands(scope: tg.Scope, x: X) -> None:
    b = x * 2.0
    product, total = product_and_sum(scope, x, b)
    both = tg.gradients(scope, (product, total), (x, b))
    only = tg.gradients(scope, product, (x, b))
    assert _run(x, *both) == [[-3, 2, 7], [0, 0, 0]] and _run(x, *only) == [[-4, 1, 6], [0, 0, 0]]


def test_an_operand_that_is_given_twice(scope: tg.Scope, x: X) -> None:
    product, _ = product_and_sum(scope, x, x)
    assert _run(x, tg.grad(scope, product, x)) == [FED.tolist()]


def test_a_variable_is_trained_by_the_gradient(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope, np.array([0.5, -0.5]))
    step = tg.optimizers.GradientDescent(scope.graph, 0.1).minimize(core.Sum.create(scope, straight_through(scope, v)))
    with tg.Session(scope.graph) as session:
        session.run(step)
        assert session.value(v).tolist() == [-0.5, -1.5]


def test_other_arguments_are_passed_on(scope: tg.Scope, x: X) -> None:
    @tg.custom_gradient
    def scaled(scope: tg.Scope, x: X, by: float, *, up: bool = False) -> tuple[X, Any]:
        return x * (by if up else 1 / by), lambda scope, dy: dy * by

    y = scaled(scope, x, 4.0, up=True)
    assert _run(x, y, tg.grad(scope, y, x)) == [[-8, 2, 12], [4, 4, 4]]


def test_integers_among_the_operands(scope: tg.Scope, x: X) -> None:
    @tg.custom_gradient
    def row(scope: tg.Scope, x: X, i: tg.Operand[tg.TInt32]) -> tuple[X, Any]:
        return core.Gather.create(scope, x, i, 0), lambda scope, dy: (core.OnesLike.create(scope, x) * dy, None)

    y = row(scope, x, core.Constant.create(scope, 1))
    assert _run(x, y, tg.grad(scope, y, x)) == [0.5, [1, 1, 1]]


def test_a_gradient_may_be_a_value(scope: tg.Scope, x: X) -> None:
    @tg.custom_gradient
    def fixed(scope: tg.Scope, x: X) -> tuple[X, Any]:
        return x * x, lambda scope, dy: [1, 2, 3]

    # A list is one gradient for each operand.
    with pytest.raises(tg.GradientError, match="the gradient of fixed gave 3 gradients, but there is 1 operand"):
        tg.grad(scope, fixed(scope, x), x)

    @tg.custom_gradient
    def array(scope: tg.Scope, x: X) -> tuple[X, Any]:
        return x * x, lambda scope, dy: np.array([1.0, 2.0, 3.0])

    assert _run(x, tg.grad(scope, array(scope, x), x)) == [[1, 2, 3]]


def test_names_and_pictures(scope: tg.Scope, x: X) -> None:
    y = straight_through(scope.with_sub_scope("layer"), x)
    unnamed: Any = lambda scope, x: (x, lambda scope, dy: dy)  # noqa: E731
    result: Any = tg.custom_gradient(unnamed)
    anonymous = result(scope, x)
    assert (y.name, anonymous.name) == ("layer/straight_through/IdentityN:0", "custom_gradient/IdentityN:0")
    tg.grad(scope, y, x)
    text = scope.graph.to_text(y=y, x=[x])
    assert "layer/straight_through/Sign" in text and "straight_through/IdentityN_grad" in text


def test_nothing_flows_past_the_arguments(scope: tg.Scope, x: X) -> None:
    hidden = x * 2.0

    @tg.custom_gradient
    def shifted(scope: tg.Scope, x: X) -> tuple[X, Any]:
        return x + hidden, lambda scope, dy: dy

    y = shifted(scope, x)
    assert _run(x, y, tg.grad(scope, y, x)) == [(3 * FED).tolist(), [1, 1, 1]]
    with pytest.raises(tg.GradientError, match="the path is cut at IdentityN 'shifted/IdentityN'"):
        tg.grad(scope, y, hidden)


def test_other_identities_keep_their_gradient(scope: tg.Scope, x: X) -> None:
    straight_through(scope, x)
    first, second = core.IdentityN.create(scope, [x, x * 2.0]).output
    assert _run(x, tg.grad(scope, first, x), tg.grad(scope, second, x)) == [[1] * 3, [2] * 3]


def _made(scope: tg.Scope, gradient: Any) -> Any:
    def mine(scope: tg.Scope, x: Any, y: Any) -> Any:
        return x * y, gradient

    function: Any = tg.custom_gradient(mine)
    w = core.Placeholder.create(scope.with_name("w"), tg.TFloat64, shape=(3,))
    return w, function


@pytest.mark.parametrize(
    ("gradient", "text"),
    [
        (
            lambda scope, dy: dy,
            (
                "the gradient of mine gave 1 gradient, but there are 2 operands: 'x:0' .*; return one for each, None "
                "for zero"
            ),
        ),
        (lambda scope, dy: (dy, dy, dy), "gave 3 gradients, but there are 2 operands"),
        (
            lambda scope, dy: (core.Sum.create(scope, dy), dy),
            r"gave shape \[\] for the operand 'x:0' .*; it has the operand's shape, so sum",
        ),
        (
            lambda scope, dy: (dy, core.Constant.create(scope, np.ones(3, np.float32))),
            "gave float32 for the operand 'w:0' .*; cast it",
        ),
    ],
)
def test_gradients_that_do_not_fit(scope: tg.Scope, x: X, gradient: Any, text: str) -> None:
    w, function = _made(scope, gradient)
    y = function(scope, x, w)
    with pytest.raises(tg.GradientError, match=text):
        tg.gradients(scope, y, [x, w])


@pytest.mark.parametrize(
    "returned", [lambda x: x, lambda x: (x, x), lambda x: ([], print), lambda x: (3.0, print), lambda x: None]
)
def test_a_function_that_returns_no_result_and_gradient(scope: tg.Scope, x: X, returned: Any) -> None:
    unnamed: Any = lambda scope, x: returned(x)  # noqa: E731
    function: Any = tg.custom_gradient(unnamed)
    with pytest.raises(
        tg.GradientError,
        match="custom_gradient has a custom gradient, so it returns its result .*: return y, gradient; it returned",
    ):
        function(scope, x)


def test_no_operands(scope: tg.Scope) -> None:
    unnamed: Any = lambda scope, x: (x, print)  # noqa: E731
    function: Any = tg.custom_gradient(unnamed)
    with pytest.raises(tg.GradientError, match="custom_gradient: there is no operand among the arguments"):
        function(scope, 3.0)
    x = core.Constant.create(scope, 1.0)
    with pytest.raises(
        tg.GradientError, match=r"; the operands in a list are passed one by one: .*\(scope, \*operands\)"
    ):
        function(scope, [x, x])


def test_no_scope(scope: tg.Scope) -> None:
    def doubled(scope: tg.Scope, x: Any) -> Any:
        return x + x, lambda scope, dy: dy

    function: Any = tg.custom_gradient(doubled)
    says = r"^doubled has .* first argument is a Scope, not Constant .*; .* as def doubled\(scope, x\), and called as "
    with pytest.raises(tg.GradientError, match=says):
        function(core.Constant.create(scope, 1.0))


def test_a_function_without_a_scope(scope: tg.Scope, x: X) -> None:
    def doubled(x: Any) -> Any:
        return x + x, lambda scope, dy: dy

    says = " has a custom gradient, so it takes a scope and at least one operand; x is its only parameter"
    anonymous: Any = lambda x: (x, lambda scope, dy: dy)  # noqa: E731
    for function, name in ((doubled, "doubled"), (anonymous, "the lambda")):
        wrong: Any = function
        made: Any = tg.custom_gradient(wrong)
        with pytest.raises(tg.GradientError, match=f"^{name}{says}$"):
            made(scope, x)
        with pytest.raises(tg.GradientError, match=f"^{name}{says}$"):
            made(x)


def test_operands_by_keyword_are_in_their_places(scope: tg.Scope, x: X) -> None:
    @tg.custom_gradient
    def scaled(scope: tg.Scope, a: X, n: int = 2, b: X | None = None) -> tuple[X, Any]:
        return a * n if b is None else a * b, lambda scope, dy: [dy * 3.0, dy * 5.0][: 1 if b is None else 2]

    y = scaled(scope, b=x * 1.0, a=x)
    assert _run(x, tg.grad(scope, y, x), tg.grad(scope, scaled(scope, a=x), x)) == [[8.0] * 3, [3.0] * 3]


def test_an_operand_by_keyword_alone(scope: tg.Scope, x: X) -> None:
    @tg.custom_gradient
    def scaled(scope: tg.Scope, a: X, *, by: X) -> tuple[X, Any]:
        return a * by, lambda scope, dy: dy

    with pytest.raises(
        tg.GradientError, match="scaled: the operand by is passed by keyword alone, .*; make it a parame"
    ):
        scaled(scope, x, by=x)


@pytest.mark.parametrize(("count", "example"), [(1, "dy"), (2, "dy1, dy2")])
def test_a_gradient_function_that_takes_no_scope(scope: tg.Scope, x: X, count: int, example: str) -> None:
    def doubled(scope: tg.Scope, x: X) -> Any:
        return [x * 2.0] * count, lambda *, dy: dy

    message = rf"the gradient of doubled takes a scope and the gradient of each result: lambda scope, {example}: \.\.\."
    function: Any = tg.custom_gradient(doubled)
    with pytest.raises(tg.GradientError, match=message):
        function(scope, x)


def test_a_variable_that_is_no_argument(scope: tg.Scope, x: X) -> None:
    v = tg.Variable.create(scope.with_name("v"), np.ones(3))

    @tg.custom_gradient
    def hides(scope: tg.Scope, x: X) -> tuple[X, Any]:
        return x * v, lambda scope, dy: dy

    with pytest.raises(
        tg.GradientError, match="hides .* depends on the variable 'v' otherwise .*; pass the variable .*StopGradient"
    ):
        hides(scope, x)

    @tg.custom_gradient
    def stops(scope: tg.Scope, x: X) -> tuple[X, Any]:
        return x * core.StopGradient.create(scope, v), lambda scope, dy: dy

    assert tg.gradients(scope, stops(scope, x), [v]) == (None,)
