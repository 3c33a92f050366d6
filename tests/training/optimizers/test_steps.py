"""What one training step does, in which order, to which variables; the state that optimizers keep."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad import optimizers
from typegrad.op import core, dtypes, math
from typegrad.training.optimizers import Adam, AMSGrad, GradientDescent, Momentum, Nadam, RMSProp

ALL: list[Any] = [
    optimizers.AdaDelta,
    optimizers.AdaGrad,
    optimizers.AdaGradDA,
    optimizers.Adam,
    optimizers.AdamW,
    optimizers.Adamax,
    optimizers.AMSGrad,
    optimizers.Ftrl,
    optimizers.GradientDescent,
    optimizers.Lion,
    optimizers.Momentum,
    optimizers.Nadam,
    optimizers.RMSProp,
]


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph(seed=1))


def variable(scope: tg.Scope, name: str, value: Any, **keywords: Any) -> tg.Variable[Any, Any]:
    result: tg.Variable[Any, Any] = tg.Variable.create(scope.with_name(name), np.asarray(value), **keywords)
    return result


def half_square(scope: tg.Scope, *variables: tg.Variable[Any, Any]) -> Any:
    """A loss whose gradient is the variable."""
    parts = [core.Sum.create(scope, math.Square.create(scope, v.read(scope))) for v in variables]
    return math.AddN.create(scope, parts) * 0.5


@pytest.mark.parametrize("kind", ALL)
def test_a_step_in_a_block_runs_after_its_control_dependencies(scope: tg.Scope, kind: Any) -> None:
    w, steps = variable(scope, "w", 1.0), variable(scope, "steps", 0, trainable=False)
    counted = steps.assign_add(scope, 1)
    optimizer = kind(scope.graph)
    with scope.with_control_dependencies([counted]):
        step = optimizer.minimize(half_square(scope, w))
    with tg.Session(scope.graph) as session:
        session.run(step)
        session.run(step)
        assert session.run(steps) == 2
        assert session.run(w) != 1.0


def test_the_updates_wait_for_the_control_dependencies(scope: tg.Scope) -> None:
    w = variable(scope, "w", 1.0)
    loss = half_square(scope, w)
    with scope.with_control_dependencies([core.AssertThat.create(scope, math.Less.create(scope, loss, 0.0), [loss])]):
        step = GradientDescent(scope.graph, 0.5).minimize(loss)
    with tg.Session(scope.graph) as session:
        with pytest.raises(tg.InvalidArgumentError, match="assertion"):
            session.run(step)
        assert session.run(w) == 1.0


def test_a_step_has_its_name_in_the_current_scope(scope: tg.Scope) -> None:
    w = variable(scope, "w", 1.0)
    optimizer = GradientDescent(scope.graph, 0.5)
    pairs = optimizer.compute_gradients(half_square(scope, w))
    steps = [optimizer.minimize(half_square(scope, w)), optimizer.minimize(half_square(scope, w), name="train")]
    with scope.with_sub_scope("head"):
        steps.append(optimizer.apply_gradients(iter(pairs), name="train"))
    assert [step.op.name for step in steps] == ["GradientDescent/train", "train", "head/train"]
    with tg.Session(scope.graph) as session:
        session.runner().add_target("train").add_target("head/train").run()
        assert session.value(w) == 0.0


def test_all_gradients_are_those_from_before_the_step(scope: tg.Scope) -> None:
    a, b = variable(scope, "a", 2.0), variable(scope, "b", 3.0)
    loss = a.read(scope) * b.read(scope)
    rate = math.Square.create(scope, a.read(scope))
    train = GradientDescent(scope.graph, rate).minimize(loss)
    with tg.Session(scope.graph) as session:
        session.run(train)
        assert [session.value(a), session.value(b)] == [2 - 4 * 3, 3 - 4 * 2]


@pytest.mark.parametrize("make", ALL)
def test_every_variable_of_a_step_sees_the_same_powers(scope: tg.Scope, make: Any) -> None:
    twins = [variable(scope, name, [0.5, -1.5]) for name in "abc"]
    train = make(scope.graph, 0.1).minimize(half_square(scope, *twins))
    with tg.Session(scope.graph) as session:
        for _ in range(3):
            session.run(train)
        values = [session.value(twin) for twin in twins]
    assert (values[0] == values[1]).all() and (values[1] == values[2]).all()
    assert (values[0] != [0.5, -1.5]).all()


@pytest.mark.parametrize("make", ALL)
def test_an_optimizer_makes_a_loss_smaller_with_its_defaults(scope: tg.Scope, make: Any) -> None:
    w = variable(scope, "w", np.array([0.0, 0.0], np.float32))
    loss = core.Sum.create(scope, math.Square.create(scope, w.read(scope) - 1.0))
    train = make(scope.graph).minimize(loss)
    with tg.Session(scope.graph) as session:
        before = session.run(loss)
        for _ in range(20):
            session.run(train)
        assert session.run(loss) < before


def test_the_counts_move_after_the_updates(scope: tg.Scope) -> None:
    w, step = variable(scope, "w", 1.0), variable(scope, "step", np.int32(5), trainable=False)
    adam = Adam(scope.graph)
    train = adam.minimize(half_square(scope, w), global_step=step)
    iterations = adam.variables[-1]
    assert (iterations.name, iterations.dtype) == ("Adam/iterations", tg.TInt64)
    writes = [
        op for op in scope.graph.operations if op.definition.effect == "write" and op.name.startswith("Adam/step")
    ]
    assert [op.type for op in writes] == ["ResourceApplyAdam", "AssignAddVariableOp", "AssignAddVariableOp"]
    with tg.Session(scope.graph) as session:
        for _ in range(2):
            session.run(train)
        assert [session.value(iterations), session.value(step)] == [2, 7]


def test_what_is_not_trained_stays_as_it_is(scope: tg.Scope) -> None:
    a, b = variable(scope, "a", [1.0]), variable(scope, "b", [1.0])
    frozen = variable(scope, "frozen", [1.0], trainable=False)
    cut = variable(scope, "cut", [1.0])
    reads = [v.read(scope) for v in (a, b, frozen)] + [core.StopGradient.create(scope, cut.read(scope))]
    loss = core.Sum.create(scope, math.Square.create(scope, math.AddN.create(scope, reads)))
    optimizer = GradientDescent(scope.graph, 0.01, weight_decay=0.5)
    everything, only_b = optimizer.minimize(loss), optimizer.minimize(loss, [b])
    thawed = optimizer.minimize(loss, [frozen])
    with tg.Session(scope.graph) as session:
        session.run(only_b)
        assert session.value(a) == session.value(frozen) == session.value(cut) == 1 != session.value(b)
        session.run(everything)
        assert session.value(frozen) == session.value(cut) == 1 != session.value(a)
        session.run(thawed)
        assert session.value(frozen) != 1


def test_nothing_to_train_names_every_cut(scope: tg.Scope) -> None:
    a, b = variable(scope, "a", 1.0), variable(scope, "b", 1.0)
    stopped = core.StopGradient.create(scope.with_name("stopped"), a.read(scope))
    with pytest.raises(tg.GradientError) as caught:
        Adam(scope.graph).minimize(math.Square.create(scope.with_name("loss"), stopped), [a, b])
    message = str(caught.value)
    assert "the loss 'loss:0'" in message and "trains no variable" in message
    assert "'a': the path is cut at StopGradient 'stopped'" in message
    assert "'b': no path of values leads from it" in message


def test_a_listed_variable_that_cannot_learn_is_told_in_a_warning(scope: tg.Scope) -> None:
    a, b, c = (variable(scope, name, 1.0) for name in "abc")
    loss = a * core.StopGradient.create(scope.with_name("stopped"), b) * c
    text = r"the loss .* does not train all of `var_list`:\n  'b': the path is cut at StopGradient 'stopped'"
    with pytest.warns(UserWarning, match=text) as told:
        step = Adam(scope.graph).minimize(loss, [a, b])
    assert [each.filename for each in told] == [__file__]
    everything = Adam(scope.graph).minimize(loss)
    with tg.Session(scope.graph) as session:
        session.run([step, everything])
        assert session.value(b) == 1 != session.value(a)


@pytest.mark.parametrize(
    ("hard", "cut"),
    [
        (lambda s, w: dtypes.Cast.create(s, w > 0.0, tg.TFloat64), r"'.*' \(Greater, bool .*neither float nor complex"),
        (math.Rint.create, "Rint 'Rint'"),
        (lambda s, w: dtypes.Cast.create(s, math.ArgMax.create(s, w, 0), tg.TFloat64), r"'.*' \(ArgMax, int64"),
    ],
)
def test_a_variable_that_a_loss_uses_and_cannot_train_is_told_in_a_warning(
    scope: tg.Scope, hard: Callable[[tg.Scope, Any], Any], cut: str
) -> None:
    variable(scope, "unused", [1.0, 1.0])
    w, v = variable(scope, "w", [1.0, 2.0]), variable(scope, "v", [1.0, 2.0])
    loss = core.Sum.create(scope, hard(scope, w) * v)
    text = rf"^the loss .* does not train all variables that it uses:\n  'w': the path is cut at {cut}"
    for build in (Adam(scope.graph).minimize, Adam(scope.graph).compute_gradients):
        with pytest.warns(UserWarning, match=text) as told:
            build(loss)
        assert [each.filename for each in told] == [__file__]
    Adam(scope.graph).minimize(loss, [v])
    Adam(scope.graph).minimize(loss + core.Sum.create(scope, w))


def test_variables_that_a_loss_uses_and_does_not_train_as_the_program_says(scope: tg.Scope) -> None:
    def rounded(x: Any) -> Any:
        return math.Floor.create(scope, x)

    @tg.custom_gradient
    def without_gradient(
        _: tg.Scope, x: tg.Operand[tg.TFloat64]
    ) -> tuple[tg.Operand[tg.TFloat64], tg.GradientFunction]:
        return rounded(x), lambda _, dy: None

    v, stopped, both, own = (variable(scope, name, [1.0, 2.0]) for name in ("v", "stopped", "both", "own"))
    sized = core.Placeholder.create(scope, tg.TFloat64, (None, 2)) * variable(scope, "sized", 1.0)
    values = [
        rounded(core.StopGradient.create(scope, stopped)),
        core.StopGradient.create(scope, rounded(stopped)),
        rounded(both) * core.StopGradient.create(scope, both),
        without_gradient(scope, own),
        core.OnesLike.create(scope, sized),
        dtypes.Cast.create(scope, core.Shape.create(scope, sized)[0], tg.TFloat64),
        dtypes.Cast.create(scope, tg.Variable.create(scope, 3), tg.TFloat64),
        rounded(variable(scope, "fixed", 1.0, trainable=False)),
    ]
    Adam(scope.graph).minimize(prod(values, start=v))


def test_variables_are_taken_from_any_collection(scope: tg.Scope) -> None:
    weights = {name: variable(scope, name, 1.0) for name in "ab"}
    loss = weights["a"] * weights["b"]
    step = Adam(scope.graph).minimize(loss, weights.values())
    pairs = Adam(scope.graph).compute_gradients(loss, {weights["a"]})
    assert [each for _, each in pairs] == [weights["a"]]
    with tg.Session(scope.graph) as session:
        session.run(step)
        assert session.value(weights["a"]) < 1 > session.value(weights["b"])


def test_variables_that_are_not_trainable_are_named(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0, trainable=False)
    with pytest.raises(tg.GradientError, match="trainable=False was given for 'w'; pass `var_list` to train them"):
        Adam(scope.graph).minimize(w * w)


def test_variables_without_gradients_for_the_same_reason_are_told_together(scope: tg.Scope) -> None:
    variables = [variable(scope, name, 1.0) for name in "abcdefgh"]
    stopped = core.StopGradient.create(scope.with_name("loss"), math.AddN.create(scope, variables))
    with pytest.raises(tg.GradientError) as caught:
        Adam(scope.graph).minimize(stopped, variables[:2])
    assert " trains no variable: no gradient reaches 'a', 'b': the path is cut at StopGradient 'loss'" in str(
        caught.value
    )
    with pytest.raises(tg.GradientError, match=r"reaches 'a', 'b', 'c', 'd', 'e', 'f' and 2 more: the path is cut"):
        Adam(scope.graph).minimize(stopped, variables)


def test_the_loss_can_be_weighted(scope: tg.Scope) -> None:
    w = variable(scope, "w", [1.0, 2.0])
    weight = core.Constant.create(scope, np.array([10.0, 100.0]))
    train = GradientDescent(scope.graph, 1.0).minimize(w.read(scope), grad_loss=weight)
    with tg.Session(scope.graph) as session:
        session.run(train)
        assert session.value(w).tolist() == [-9, -98]


def test_weights_decay_beside_the_gradient_unless_excluded(scope: tg.Scope) -> None:
    w, bias = variable(scope, "w", 1.0), variable(scope, "bias", 1.0)
    loss = w.read(scope) * 0.0 + bias.read(scope) * 0.0
    optimizer = GradientDescent(scope.graph, 0.5, weight_decay=0.2, exclude_from_weight_decay=[bias])
    with tg.Session(scope.graph) as session:
        session.run(optimizer.minimize(loss))
        assert [session.value(w), session.value(bias)] == [0.9, 1.0]


def test_several_optimizers_on_one_graph(scope: tg.Scope) -> None:
    a, b = variable(scope, "a", 1.0), variable(scope, "b", 1.0)
    loss = a.read(scope) * b.read(scope)
    first, second, third = Adam(scope.graph, 0.1), Adam(scope.graph, 0.1), GradientDescent(scope.graph, 1.0)
    steps = [first.minimize(loss, [a]), second.minimize(loss, [b])]
    both = third.minimize(loss)
    assert [first.name, second.name] == ["Adam", "Adam_1"]
    with tg.Session(scope.graph) as session:
        session.run(steps)
        assert session.value(a) == session.value(b) == pytest.approx(0.9)
        session.run(both)
        assert session.value(a) == session.value(b) == pytest.approx(0.0)
        assert [session.value(o.slot(v, "m")) for o, v in ((first, a), (second, b))] == pytest.approx([0.1, 0.1])


def test_slots_are_named_variables_that_no_optimizer_trains(scope: tg.Scope) -> None:
    w = variable(scope, "layer/w", np.ones((2, 3), np.float32))
    adam, named = AMSGrad(scope.graph), Momentum(scope.graph, name="mine")
    for optimizer in (adam, named):
        optimizer.minimize(half_square(scope, w))
        optimizer.minimize(half_square(scope, w))
    assert adam.slot_names == ["m", "v", "vhat"] and named.slot_names == ["momentum"]
    assert [v.name for v in scope.graph.variables] == [
        "layer/w",
        *(f"layer/w/AMSGrad/{slot}" for slot in adam.slot_names),
        "AMSGrad/iterations",
        "layer/w/mine/momentum",
    ]
    slot = adam.slot(w, "v")
    assert (slot.dtype, slot.shape, slot.trainable) == (tg.TFloat32, w.shape, False)
    assert adam.variables == scope.graph.variables[1:5] and scope.graph.trainable_variables == [w]
    assert RMSProp(scope.graph, centered=True).slot_names == ["rms", "momentum", "mg"]


def test_slots_of_a_variable_whose_shape_is_known_at_run_time_only(scope: tg.Scope) -> None:
    count = variable(scope, "count", np.int32(3), trainable=False)
    start = core.Range.create(scope, core.Constant.create(scope, 0), count.read(scope), core.Constant.create(scope, 1))
    w = tg.Variable.create(scope.with_name("w"), dtypes.Cast.create(scope, start, tg.TFloat32))
    assert not w.shape.is_static
    train = Nadam(scope.graph, 0.5).minimize(half_square(scope, w))
    with tg.Session(scope.graph) as session:
        session.run(train)
        assert session.value(w).shape == (3,) and session.value(w)[2] < 2


def test_a_step_that_fails_changes_nothing(scope: tg.Scope) -> None:
    w = variable(scope, "w", [1.0, 2.0])
    index = core.Placeholder.create(scope, tg.TInt32, shape=())
    adam = Adam(scope.graph, 0.1)
    train = adam.minimize(half_square(scope, w))
    late = core.Gather.create(scope.with_control_dependencies([train]), w.read(scope), index)
    with tg.Session(scope.graph) as session:
        session.run(late, {index: 0})
        state = [session.value(v).tolist() for v in scope.graph.variables]
        with pytest.raises(tg.InvalidArgumentError):
            session.run(late, {index: 7})
        assert [session.value(v).tolist() for v in scope.graph.variables] == state
        session.run(late, {index: 1})
        assert [session.value(v).tolist() for v in scope.graph.variables] != state


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("dtype", [tg.TFloat16, tg.TBfloat16])
def test_narrow_types(scope: tg.Scope, make: Any, dtype: Any) -> None:
    w: Any = tg.Variable.create(scope.with_name("w"), [1.0, -2.0], dtype)
    loss = core.Sum.create(scope, math.Square.create(scope, w.read(scope)))
    within_range = {"beta_2": 0.9, "epsilon": 1e-7}
    told = {name: value for name, value in within_range.items() if name in make.__init__.__annotations__}
    train = make(scope.graph, 250.0 if make is optimizers.AdaDelta else 0.25, **told).minimize(loss)
    with tg.Session(scope.graph) as session:
        before = session.value(w)
        session.run(train)
        assert session.value(w).dtype == dtype.numpy and np.isfinite(session.value(w).astype(float)).all()
        assert (session.value(w) != before).all()


def test_a_number_that_loses_its_meaning_in_a_narrow_type_is_refused(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), [1.0], tg.TBfloat16)
    loss = core.Sum.create(scope, w.read(scope))
    with pytest.raises(tg.AttributeValueError, match="beta_2 = 0.999 becomes 1 in bfloat16, the type of the variable"):
        Adam(scope.graph).minimize(loss)
    with pytest.raises(tg.AttributeValueError, match="learning_rate = 1e-50 becomes 0 in bfloat16"):
        GradientDescent(scope.graph, 1e-50).minimize(loss)
    half = tg.Variable.create(scope.with_name("half"), [1.0], tg.TFloat16)
    with pytest.raises(tg.AttributeValueError, match="epsilon = 1e-10 becomes 0 in .*, the type of the variable"):
        RMSProp(scope.graph).minimize(core.Sum.create(scope, half.read(scope)), [half])


@pytest.mark.parametrize(
    ("make", "told", "starts"),
    [
        (optimizers.AdaDelta, {}, {"accum": 0.0, "accum_update": 0.0}),
        (
            optimizers.AdaDelta,
            {"initial_accumulator_value": 2.0, "initial_update_value": 3.0},
            {"accum": 2.0, "accum_update": 3.0},
        ),
        (optimizers.AdaGrad, {}, {"accumulator": 0.01}),
        (optimizers.AdaGrad, {"initial_accumulator_value": 2.0}, {"accumulator": 2.0}),
        (optimizers.AdaGradDA, {}, {"gradient_accumulator": 0.0, "gradient_squared_accumulator": 0.1}),
        (
            optimizers.AdaGradDA,
            {"initial_accumulator_value": 2.0},
            {"gradient_accumulator": 0.0, "gradient_squared_accumulator": 2.0},
        ),
        (optimizers.Ftrl, {}, {"accumulator": 0.1, "linear": 0.0}),
        (optimizers.Ftrl, {"initial_accumulator_value": 2.0}, {"accumulator": 2.0, "linear": 0.0}),
        (RMSProp, {}, {"rms": 1.0, "momentum": 0.0}),
        (
            RMSProp,
            {"initial_mean_square": 0.0, "centered": True},
            {"rms": 0.0, "momentum": 0.0, "mg": 0.0},
        ),
    ],
)
def test_where_slots_start(scope: tg.Scope, make: Any, told: dict[str, Any], starts: dict[str, float]) -> None:
    w = variable(scope, "w", [1.0, 2.0])
    optimizer = make(scope.graph, **told)
    optimizer.minimize(half_square(scope, w))
    assert optimizer.slot_names == list(starts)
    with tg.Session(scope.graph) as session:
        for name, value in starts.items():
            np.testing.assert_array_equal(session.value(optimizer.slot(w, name)), [value, value])


@pytest.mark.parametrize("make", [list, tuple, iter, lambda pairs: (pair for pair in pairs)])
def test_pairs_are_any_iterable(scope: tg.Scope, make: Any) -> None:
    v, w = variable(scope, "v", 4.0), variable(scope, "w", 2.0)
    train = GradientDescent(scope.graph, 0.5).apply_gradients(make([(v.read(scope), v), (None, w), (w.read(scope), w)]))
    with tg.Session(scope.graph) as session:
        session.run(train)
        assert session.value(v) == 2.0
        assert session.value(w) == 1.0


def test_complex_variables_descend_too(scope: tg.Scope) -> None:
    w = variable(scope, "w", 3 + 4j)
    train = GradientDescent(scope.graph, 0.5).apply_gradients([(w.read(scope), w)])
    with tg.Session(scope.graph) as session:
        session.run(train)
        assert session.value(w) == 1.5 + 2j
