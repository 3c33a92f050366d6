"""What optimizers refuse, and how they say it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad import optimizers
from typegrad.op import core
from typegrad.training.optimizers import Adam, GradientDescent


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda g: GradientDescent(g, float("nan")), "learning_rate must be a finite number, but is nan"),
        (lambda g: GradientDescent(g, float("inf")), "learning_rate must be a finite number, but is inf"),
        (lambda g: GradientDescent(g, 0.1, weight_decay=-1.0), "weight_decay must not be negative, but is -1.0"),
        (lambda g: optimizers.Momentum(g, 0.1, 1.0), "momentum must be at least 0 and less than 1, but is 1.0"),
        (lambda g: Adam(g, beta_1=-0.1), "beta_1 must be at least 0 and less than 1, but is -0.1"),
        (lambda g: Adam(g, epsilon=-1e-7), "epsilon must not be negative"),
        (lambda g: optimizers.Adamax(g, beta_2=2.0), "beta_2 must be at least 0 and less than 1"),
        (lambda g: optimizers.Nadam(g, beta_2=True), "`beta_2` must be a number, not bool True"),
        (lambda g: optimizers.Lion(g, beta_1=0.0), "beta_1 must be more than 0"),
        (lambda g: optimizers.RMSProp(g, rho=1.5), "rho must be at least 0 and less than 1, but is 1.5"),
        (lambda g: optimizers.AdaDelta(g, rho=-1.0), "rho must be at least 0 and less than 1"),
        (
            lambda g: optimizers.AdaGrad(g, initial_accumulator_value=-1.0),
            "initial_accumulator_value must not be negative",
        ),
        (
            lambda g: optimizers.AdaGrad(g, initial_accumulator_value=0.0),
            "initial_accumulator_value and epsilon must not both be 0: a gradient of 0 would be divided by 0",
        ),
        (
            lambda g: optimizers.AdaDelta(g, initial_accumulator_value=-1.0),
            "initial_accumulator_value must not be negative",
        ),
        (lambda g: optimizers.AdaDelta(g, initial_update_value=-1.0), "initial_update_value must not be negative"),
        (lambda g: optimizers.RMSProp(g, initial_mean_square=-1.0), "initial_mean_square must not be negative"),
        (
            lambda g: optimizers.AdaGradDA(g, initial_accumulator_value=0.0),
            "initial_accumulator_value must be positive",
        ),
        (lambda g: optimizers.AdaGradDA(g, l1_strength=-1.0), "l1_strength must not be negative"),
        (lambda g: optimizers.Ftrl(g, learning_rate_power=0.5), "learning_rate_power must not be positive, but is 0.5"),
        (lambda g: optimizers.Ftrl(g, beta=-0.5), "beta must not be negative"),
    ],
)
def test_numbers_out_of_range(scope: tg.Scope, make: Any, message: str) -> None:
    with pytest.raises(tg.AttributeValueError, match=message):
        make(scope.graph)


def test_a_learning_rate_of_the_wrong_kind(scope: tg.Scope) -> None:
    make: Any = GradientDescent
    with pytest.raises(tg.AttributeValueError, match="`learning_rate` must be a number or an Operand or a function"):
        make(scope.graph, "fast")
    with pytest.raises(tg.DTypeError, match="learning_rate must be floating point, but is 'Constant:0' .Const, int32"):
        make(scope.graph, core.Constant.create(scope, 1))
    with pytest.raises(
        tg.ShapeError, match=r"learning_rate must be a scalar, but is 'Constant_1:0' .Const, float32 .2."
    ):
        make(scope.graph, core.Constant.create(scope, [0.1, 0.2]))
    with pytest.raises(tg.GraphError, match="'Constant:0' .* belongs to another graph than this optimizer"):
        make(tg.Graph(), core.Constant.create(tg.Scope(tg.Graph()), 0.1))
    with pytest.raises(tg.AttributeValueError, match="learning_rate: a schedule takes a scope and the step: lambda sc"):
        make(scope.graph, lambda step: step)


def test_a_clip_of_another_signature(scope: tg.Scope) -> None:
    wrong: Any = lambda gradients: gradients  # noqa: E731
    with pytest.raises(tg.AttributeValueError, match="clip: a function that clips takes a scope and the gradients: "):
        Adam(scope.graph, clip=wrong)


def test_a_schedule_whose_rate_is_none(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, np.ones(2))

    def two(scope: tg.Scope, step: tg.Operand[Any, Any]) -> tg.Operand[Any, Any]:
        return core.Stack.create(scope, [step, step])

    optimizer = GradientDescent(scope.graph, two)
    with pytest.raises(tg.DTypeError, match="learning_rate must be floating point, but is .*int64"):
        optimizer.minimize(core.Sum.create(scope, w.read(scope)))
    number: Any = lambda scope, step: 0.1  # noqa: E731
    with pytest.raises(tg.DTypeError, match="learning_rate: a schedule returns an operand; core.Constant.create"):
        GradientDescent(scope.graph, number).minimize(core.Sum.create(scope, w.read(scope)))


def test_variables_and_gradients_that_do_not_belong(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0)
    other = tg.Scope(tg.Graph())
    x = tg.Variable.create(other.with_name("x"), 1.0)
    optimizer = GradientDescent(scope.graph, 0.1)
    loss = w.read(scope)
    with pytest.raises(tg.GraphError, match="'x' .* belongs to another graph than this optimizer"):
        optimizer.minimize(loss, [x])
    with pytest.raises(tg.GraphError, match="belongs to another graph than this optimizer"):
        optimizer.minimize(x.read(other))
    with pytest.raises(tg.GraphError, match="belongs to another graph than this optimizer"):
        GradientDescent(tg.Graph(), 0.1).minimize(loss)
    with pytest.raises(tg.GraphError, match="'x' .* belongs to another graph"):
        optimizer.apply_gradients([(loss, x)])
    with pytest.raises(tg.GraphError, match="'x' .* belongs to another graph"):
        GradientDescent(scope.graph, 0.1, exclude_from_weight_decay=[x])
    with pytest.raises(tg.GraphError, match="'w' occurs twice; add its gradients"):
        optimizer.minimize(loss, [w, w])
    with pytest.raises(tg.GraphError, match="'w' occurs twice"):
        optimizer.apply_gradients([(loss, w), (loss, w)])
    with pytest.raises(tg.GradientError, match="there are no variables to train"):
        optimizer.minimize(loss, [])
    with pytest.raises(tg.GradientError, match="there is no gradient to apply: 'w'"):
        optimizer.apply_gradients([(None, w)])
    with pytest.raises(tg.GradientError, match="there is no gradient to apply: there are no pairs"):
        optimizer.apply_gradients([])


def test_a_global_step_that_does_not_count(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0)
    optimizer = GradientDescent(scope.graph, 0.1)
    with pytest.raises(tg.DTypeError, match="global_step must be a scalar integer, but 'w' is float"):
        optimizer.minimize(w.read(scope), global_step=w)
    wrong: Any = 3
    with pytest.raises(tg.GraphError, match="`global_step` must be a Variable or None, not int 3"):
        optimizer.minimize(w.read(scope), global_step=wrong)
    step = tg.Variable.create(tg.Scope(tg.Graph()), 0, trainable=False)
    with pytest.raises(tg.GraphError, match="belongs to another graph"):
        optimizer.minimize(w.read(scope), global_step=step)


def test_slots_that_are_not_there(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0)
    adam = Adam(scope.graph)
    with pytest.raises(tg.GraphError, match="Adam has no slots for 'w' yet; minimize or apply_gradients makes them"):
        adam.slot(w, "m")
    with pytest.raises(tg.GraphError, match="Adam keeps no slot 'momentum'; its slots are: m, v"):
        adam.slot(w, "momentum")
    with pytest.raises(tg.GraphError, match="GradientDescent keeps no slot 'm'; its slots are: none"):
        GradientDescent(scope.graph, 0.1).slot(w, "m")


def test_a_name_that_is_not_valid(scope: tg.Scope) -> None:
    with pytest.raises(tg.GraphError, match="'my adam' is not a valid name"):
        Adam(scope.graph, name="my adam")


def test_a_gradient_of_another_type_than_its_variable(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0)
    with pytest.raises(tg.DTypeError, match="delta"):
        GradientDescent(scope.graph, 0.1).apply_gradients([(core.Constant.create(scope, np.float64(1)), w)])


@pytest.mark.parametrize(
    ("use", "kind", "message"),
    [
        (lambda o, w, y: o.minimize(y, w), tg.GraphError, r"`var_list` must be .*; write \[x\] for one"),
        (lambda o, _, y: o.minimize(y, [y]), tg.GraphError, r"`var_list\[0\]` must be a Variable"),
        (
            lambda o, w, _: o.minimize(1.0, [w]),
            tg.DTypeError,
            "`loss` must be an Operand, not float 1.0; pass the operand",
        ),
        (
            lambda o, w, _: o.minimize([w, w * 2.0], [w]),
            tg.DTypeError,
            r"`loss` must be an Operand, not list .*; math.AddN.create\(scope, \[...\]\) adds the operands",
        ),
        (lambda o, w, y: o.apply_gradients([y, w]), tg.DTypeError, r"`grads_and_vars\[0\]` must be a tuple"),
        (lambda o, _, y: o.apply_gradients([(y, y)]), tg.GraphError, r"`grads_and_vars\[0\]\[1\]` must be a Variable"),
        (
            lambda o, w, _: o.apply_gradients([(1.0, w)]),
            tg.DTypeError,
            r"`grads_and_vars\[0\]\[0\]` must be an Operand",
        ),
    ],
)
def test_what_is_no_variable_or_operand(scope: tg.Scope, use: Any, kind: type[Exception], message: str) -> None:
    w = tg.Variable.create(scope, np.float32(1))
    with pytest.raises(kind, match=message):
        use(GradientDescent(scope.graph, 0.1), w, w.read(scope))


def test_the_rate_can_be_read_and_not_set(scope: tg.Scope) -> None:
    optimizer = GradientDescent(scope.graph, 0.1)
    with pytest.raises(tg.FixedAttributeError, match="variable as its rate"):
        vars()["optimizer"].learning_rate = 0.2
    assert optimizer.learning_rate == 0.1


def test_an_optimizer_of_a_user_may_have_attributes_of_its_own(scope: tg.Scope) -> None:
    class Mine(GradientDescent):  # type: ignore[misc]
        def __init__(self, graph: tg.Graph) -> None:
            super().__init__(graph, 0.1)
            self.decay = 0.5

    mine = Mine(scope.graph)
    assert mine.decay == 0.5
    with pytest.raises(tg.FixedAttributeError, match="`learning_rate` of <Mine 'Mine', learning rate 0.1>"):
        vars()["mine"].learning_rate = 0.2
