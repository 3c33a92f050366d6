"""Missing gradients: None where a path is cut on purpose, else an error that shows the path and the cure."""

from __future__ import annotations

import re

import numpy as np
import pytest

import typegrad as tg
from typegrad import functions
from typegrad.op import core, dtypes, math, train
from typegrad.training.optimizers import GradientDescent

HERE = r"test_missing_gradients\.py:\d+"


def evaluate(y: tg.Operand) -> float:
    with tg.Session(y.graph) as session:
        return float(session.run(y))


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def test_grad_says_where_the_path_is_cut(scope: tg.Scope) -> None:
    x = core.Constant.create(scope.with_name("x"), 1.0)
    y = core.StopGradient.create(scope.with_name("cut"), math.Exp.create(scope, x)) * 2.0
    with pytest.raises(
        tg.GradientError,
        match=rf"no gradient flows from 'Mul:0' .*{HERE}\) to 'x:0' .*{HERE}\): "
        rf"the path is cut at StopGradient 'cut' \(created at .*{HERE}\), input `input`",
    ):
        tg.grad(scope, y, x)


def test_grad_names_every_cut_but_not_too_many(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 1.0)
    y = math.AddN.create(scope, [core.StopGradient.create(scope, x) for _ in range(5)])
    with pytest.raises(
        tg.GradientError, match="StopGradient '.*; StopGradient '.*; StopGradient '.*; and 2 more"
    ) as caught:
        tg.grad(scope, y, x)
    assert str(caught.value).count("input `input`") == 3


def test_grad_names_three_cuts_and_no_more(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 1.0)
    y = math.AddN.create(scope, [core.StopGradient.create(scope, x) for _ in range(3)])
    with pytest.raises(tg.GradientError) as caught:
        tg.grad(scope, y, x)
    assert str(caught.value).count("input `input`") == 3 and "more" not in str(caught.value)


def test_grad_names_cuts_in_the_order_of_the_program(scope: tg.Scope) -> None:
    x = core.Constant.create(scope.with_name("x"), 1.0)
    last, first = (core.StopGradient.create(scope.with_name(name), x) for name in ("z", "a"))
    hidden = math.Exp.create(scope.with_name("hidden"), x)
    whole = math.Floor.create(scope.with_name("b"), x)
    with pytest.raises(tg.GradientError) as caught:
        tg.grad(scope, math.AddN.create(scope, [whole, hidden, first, last]), x, stop_gradients=[hidden])
    assert re.findall(r"'(\w+)(?::0)?'(?: \(created| *, which)", str(caught.value).split("the path is cut")[1]) == [
        "z",
        "a",
        "hidden",
    ]


def test_grad_names_only_cuts_that_lead_to_x_and_each_once(scope: tg.Scope) -> None:
    x, other = core.Constant.create(scope, 1.0), core.Constant.create(scope, 2.0)
    cut = core.StopGradient.create(scope.with_name("cut"), x)
    aside = core.StopGradient.create(scope.with_name("aside"), other)
    with pytest.raises(tg.GradientError, match="is cut at StopGradient 'cut' [^;]*, input `input`$"):
        tg.grad(scope, cut * cut + aside, x)
    with pytest.raises(tg.GradientError, match="is cut at 'cut:0', which is in stop_gradients$"):
        tg.grad(scope, cut * cut + aside, x, stop_gradients=[cut])


def test_grad_names_no_cut_of_a_function_beside_one_of_the_program(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, [1.0, 2.0])
    cut = core.StopGradient.create(scope.with_name("cut"), x)
    with pytest.raises(tg.GradientError, match="is cut at StopGradient 'cut' [^;]*, input `input`$"):
        tg.grad(scope, functions.logsumexp(scope, cut, 0), x)


def test_grad_names_the_first_of_two_cuts_of_one_path_and_both_of_two(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, [1.0, 2.0])
    inner = core.StopGradient.create(scope.with_name("inner"), x)
    outer = core.StopGradient.create(scope.with_name("outer"), inner * 2.0)
    with pytest.raises(tg.GradientError, match="is cut at StopGradient 'outer' [^;]*, input `input`$"):
        tg.grad(scope, outer, x)
    with pytest.raises(tg.GradientError, match="StopGradient 'inner' [^;]*; StopGradient 'other' [^;]*$"):
        tg.grad(scope, inner + core.StopGradient.create(scope.with_name("other"), x + inner), x)


def test_grad_finds_the_cut_below_many_ways(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 1.0)
    y: tg.Operand[tg.TFloat32] = core.StopGradient.create(scope.with_name("cut"), x)
    for _ in range(60):
        y = y + y
    with pytest.raises(tg.GradientError, match="is cut at StopGradient 'cut'"):
        tg.grad(scope, y, x)


def test_grad_names_an_integer_on_the_way(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 1.5)
    whole = dtypes.Cast.create(scope.with_name("whole"), x, tg.TInt32)
    negative = math.Neg.create(scope.with_name("negative"), whole)
    y = dtypes.Cast.create(scope, negative, tg.TFloat32)
    with pytest.raises(tg.GradientError, match=rf"is cut at 'negative:0' \(Neg, int32 .*{HERE}\), which is neither"):
        tg.grad(scope, y, x)
    with pytest.raises(
        tg.GradientError, match="'whole:0' is int32, and only floats and complex numbers have gradients"
    ):
        tg.grad(scope, y, whole)


def test_grad_says_that_nothing_connects(scope: tg.Scope) -> None:
    x, y = core.Constant.create(scope, 1.0), core.Constant.create(scope, 1.0)
    with pytest.raises(tg.GradientError, match="no path of values leads from it to what is differentiated"):
        tg.grad(scope, y, x)


def test_grad_says_that_its_arguments_are_in_each_others_place(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0)
    loss = core.Sum.create(scope, w * w)
    says = r"from 'w' \(Variable, float32 \[\], .*\) to 'Sum:0' .* but one leads the other way: swap them$"
    with pytest.raises(tg.GradientError, match=says):
        tg.grad(scope, w, loss)


def test_they_are_also_where_the_variable_was_written_in_between(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0)
    loss = core.Sum.create(scope, w * w)
    GradientDescent(scope.graph, 0.1).minimize(loss)
    with pytest.raises(tg.GradientError, match="but one leads the other way: swap them$"):
        tg.grad(scope, w, loss)
    with pytest.raises(tg.GradientError, match="no path of values leads from it to what is differentiated$"):
        tg.grad(scope, tg.Variable.create(scope, 1.0), loss)


def test_grad_says_that_an_integer_has_no_gradient(scope: tg.Scope) -> None:
    i = core.Constant.create(scope.with_name("i"), 1)
    with pytest.raises(tg.GradientError, match="'i:0' is int32, and only floats and complex numbers have gradients"):
        tg.grad(scope, i, i)


def test_grad_names_an_operand_in_stop_gradients(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 1.0)
    middle = math.Exp.create(scope.with_name("middle"), x)
    with pytest.raises(tg.GradientError, match="the path is cut at 'middle:0', which is in stop_gradients"):
        tg.grad(scope, math.Neg.create(scope, middle), x, stop_gradients=[middle])


def test_an_operation_without_a_gradient_is_an_error_that_shows_the_path(scope: tg.Scope) -> None:
    x = core.Constant.create(scope.with_name("x"), np.ones(2))
    guarded = train.PreventGradient.create(
        scope.with_name("guard"), math.Exp.create(scope.with_name("e"), x), message="no way"
    )
    y = core.Sum.create(scope.with_name("y"), guarded * 2.0)
    with pytest.raises(tg.GradientError) as caught:
        tg.grad(scope, y, x)
    text = str(caught.value)
    assert "PreventGradient refuses a gradient: no way" in text and "y <- Mul <- guard <- e <- x" in text
    assert "test_missing_gradients.py:" in text and "core.StopGradient" in text and "`stop_gradients`" in text


def test_the_path_that_is_shown_leads_to_y(scope: tg.Scope) -> None:
    x = core.Constant.create(scope.with_name("x"), np.ones(2))
    guarded = train.PreventGradient.create(scope.with_name("guard"), x)
    math.Neg.create(scope.with_name("aside"), guarded)
    y = math.Exp.create(scope.with_name("y"), guarded)
    with pytest.raises(tg.GradientError, match="path from y to x: y <- guard <- x\n"):
        tg.grad(scope, y, x)


def test_a_long_path_is_shortened_in_the_middle(scope: tg.Scope) -> None:
    x = core.Constant.create(scope.with_name("x"), np.ones(2))
    y: tg.Operand[tg.TFloat64] = train.PreventGradient.create(scope.with_name("guard"), x)
    for number in range(10):
        y = math.Exp.create(scope.with_name(f"e{number}"), y)
    with pytest.raises(tg.GradientError, match="e9 <- e8 <- e7 <- e6 <- ... 4 more ... <- e1 <- e0 <- guard <- x\n"):
        tg.grad(scope, y, x)


def test_it_is_no_error_off_the_path(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 2.0)
    guarded = train.PreventGradient.create(scope, core.Constant.create(scope, 3.0))
    with tg.Session(scope.graph) as session:
        assert session.run(tg.grad(scope, guarded * x, x)) == 3.0


def test_a_derivative_that_is_constant(scope: tg.Scope) -> None:
    x = core.Constant.create(scope.with_name("x"), 1.0)
    slope = tg.grad(scope, x * 3.0, x)
    says = r'no path .*; tg\.gradients with unconnected_gradients="zero" gives zeros$'
    with pytest.raises(tg.GradientError, match=says):
        tg.grad(scope, slope, x)
    (curvature,) = tg.gradients(scope, slope, [x], unconnected_gradients="zero")
    assert curvature is not None and evaluate(curvature) == 0.0


def test_a_warning_of_what_stops_nothing(scope: tg.Scope) -> None:
    a, b = (core.Constant.create(scope.with_name(name), value) for name, value in (("a", 2.0), ("b", 3.0)))
    product = a * b
    y = product * a
    says = rf"^'Mul_2:0' .*{HERE}\) in stop_gradients stops nothing, as .*: list its equal, 'Mul:0' .*{HERE}\)$"
    with pytest.warns(UserWarning, match=says) as told:
        assert evaluate(tg.grad(scope, y, a, stop_gradients=[a * b])) == 12.0
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="list the operand that was used$"):
        tg.grad(scope, y, a, stop_gradients=[a + b])
    assert evaluate(tg.grad(scope, y, a, stop_gradients=[product])) == 6.0


def test_no_warning_of_variables_and_placeholders(scope: tg.Scope) -> None:
    x, aside = (core.Placeholder.create(scope, tg.TFloat32, ()) for _ in range(2))
    frozen = tg.Variable.create(scope, 1.0)
    assert tg.grad(scope, x * x, x, stop_gradients=[aside, frozen]).shape == ()
