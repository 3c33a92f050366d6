"""Checks of values at a run: what their errors say, in gradients too, and what does not happen after one."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, debugging, math


def test_the_error_says_what_is_not_finite_and_where_the_check_was_created() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 2))
    checked = debugging.CheckNumerics.create(scope, x, "the logits")
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as raised:
        session.run(checked * 2.0, {x: np.array([[1, np.nan], [-np.inf, np.nan]], np.float32)})
    message = str(raised.value)
    assert "the logits: `tensor` has 2 nan and 1 -inf, the first at [0, 1]; its shape is [2, 2]" in message
    assert "test_debugging.py" in message


def test_the_gradient_is_checked() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat64, shape=())
    y = math.Sqrt.create(scope, debugging.CheckNumerics.create(scope, x, "layer 2"))
    gradient = tg.grad(scope, y, x)
    with tg.Session(scope.graph) as session:
        assert session.run(gradient, {x: 4.0}) == 0.25
        assert session.run(y, {x: 0.0}) == 0.0
        with pytest.raises(
            tg.InvalidArgumentError, match=r"the gradient of layer 2: `tensor` has 1 inf, the first at \[\]"
        ):
            session.run(gradient, {x: 0.0})


@pytest.mark.parametrize(
    ("summarize", "shown"),
    [
        (3, "[1, 2, 3, ...] of shape [5], 0.5, [b'a']"),
        (-1, "[1, 2, 3, 4, 5], 0.5, [b'a']"),
        (0, "[...] of shape [5], 0.5"),
    ],
)
def test_an_assertion_shows_values(summarize: int, shown: str) -> None:
    scope = tg.Scope(tg.Graph())
    values = [core.Constant.create(scope, each) for each in ([1, 2, 3, 4, 5], 0.5, ["a"])]
    condition = core.Placeholder.create(scope, tg.TBool, shape=())
    assertion = core.AssertThat.create(scope, condition, values, summarize=summarize)
    with tg.Session(scope.graph) as session:
        session.run(assertion, {condition: True})
        with pytest.raises(tg.InvalidArgumentError) as raised:
            session.run(assertion, {condition: False})
    assert f"assertion failed: `condition` is false; `data`: {shown}" in str(raised.value)


def test_nothing_that_depends_on_a_failed_assertion_is_written() -> None:
    scope = tg.Scope(tg.Graph())
    variable = tg.Variable.create(scope, 1.0)
    x = core.Placeholder.create(scope, tg.TFloat32, shape=())
    assertion = core.AssertThat.create(scope, x > 0.0, [x])
    update = variable.assign(scope.with_control_dependencies([assertion]), x)
    with tg.Session(scope.graph) as session:
        session.run(variable.initializer)
        with pytest.raises(tg.InvalidArgumentError, match=r"`data`: -2.0"):
            session.run(update, {x: -2.0})
        assert session.value(variable) == 1.0
        session.run(update, {x: 2.0})
        assert session.value(variable) == 2.0
