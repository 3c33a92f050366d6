"""Accumulators keep gradients of several runs in a session, and a failed run leaves them as they were."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, debugging, train


def accumulator(
    scope: tg.Scope,
    shape: tuple[int | None, ...] | None = (2,),
    name: str = "",
    reduction: Literal["MEAN", "SUM"] = "MEAN",
) -> tg.Operand[tg.TResource]:
    return train.ResourceConditionalAccumulator.create(
        scope, tg.TFloat32, shape, shared_name=name, reduction_type=reduction
    )


def apply(scope: tg.Scope, handle: tg.Operand[tg.TResource], gradient: object, step: int = 0) -> tg.Operation:
    value = core.Constant.create(scope, np.array(gradient, np.float32))
    return train.ResourceAccumulatorApplyGradient.create(scope, handle, step, value).op


def take(scope: tg.Scope, handle: tg.Operand[tg.TResource], required: int = 1) -> tg.Operand[tg.TFloat32]:
    return train.ResourceAccumulatorTakeGradient.create(scope, handle, required, tg.TFloat32)


def count(scope: tg.Scope, handle: tg.Operand[tg.TResource]) -> tg.Operand[tg.TInt32]:
    return train.ResourceAccumulatorNumAccumulated.create(scope, handle)


def test_some_gradients_are_required(scope: tg.Scope) -> None:
    taken = take(scope, accumulator(scope), 0)
    with (
        tg.Session(scope.graph) as session,
        pytest.raises(tg.InvalidArgumentError, match=r"\): `num_required` is 0, but must be positive\n"),
    ):
        session.run(taken)


def test_the_mean_of_parts_is_the_gradient_of_the_whole(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope, np.array([1, -1], np.float32))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2))
    loss = tg.Ops.create(scope).math.mean((x @ core.ExpandDims.create(scope, w, 1)) ** 2.0)
    (gradient,) = tg.gradients(scope, loss, [w], unconnected_gradients="zero")
    handle = accumulator(scope)
    add = train.ResourceAccumulatorApplyGradient.create(scope, handle, 0, gradient)
    mean = take(scope, handle, 4)
    data = np.arange(16, dtype=np.float32).reshape(8, 2)
    with tg.Session(scope.graph) as session:
        for part in np.split(data, 4):
            session.run(add, {x: part})
        np.testing.assert_allclose(session.run(mean), session.run(gradient, {x: data}), rtol=1e-6)


def test_taking_goes_on_to_the_next_step(scope: tg.Scope) -> None:
    handle = accumulator(scope)
    old, new, number, taken = (
        apply(scope, handle, [1, 2]),
        apply(scope, handle, [4, 7], 1),
        count(scope, handle),
        take(scope, handle),
    )
    with tg.Session(scope.graph) as session:
        session.run(old)
        assert session.run(taken).tolist() == [1, 2]
        session.run(old)
        assert session.run(number) == 0
        session.run(new)
        assert session.run(taken).tolist() == [4, 7]


def test_the_step_can_be_set(scope: tg.Scope) -> None:
    handle = accumulator(scope)
    at_six, at_seven, number = apply(scope, handle, [1, 1], 6), apply(scope, handle, [1, 1], 7), count(scope, handle)
    with tg.Session(scope.graph) as session:
        session.run(at_six)
        session.run(train.ResourceAccumulatorSetGlobalStep.create(scope, handle, 7))
        session.run([at_six, at_seven])
        assert session.run(number) == 2


def test_too_few_gradients_are_an_error(scope: tg.Scope) -> None:
    handle = accumulator(scope, name="parts")
    add, taken = apply(scope, handle, [1, 2]), take(scope, handle, 2)
    with tg.Session(scope.graph) as session:
        session.run(add)
        with pytest.raises(
            tg.FailedPreconditionError, match=r"accumulator 'parts' holds 1 of 2 required gradients; app"
        ):
            session.run(taken)
        session.run(add)
        assert session.run(taken).tolist() == [1, 2]


def test_a_failed_run_leaves_it_as_it_was(scope: tg.Scope) -> None:
    handle = accumulator(scope)
    add, taken, number = apply(scope, handle, [1, 2]), take(scope, handle), count(scope, handle)
    bad = core.Placeholder.create(scope, tg.TFloat32, shape=())
    with scope.with_control_dependencies([add, taken.op]) as after:
        check = debugging.CheckNumerics.create(after, bad, message="bad")
    with tg.Session(scope.graph) as session:
        session.run(add)
        for _ in range(2):
            with pytest.raises(tg.InvalidArgumentError, match="bad"):
                session.run(check, {bad: np.nan})
            assert session.run(number) == 1
        session.run(add)  # still of the step
        assert session.run(taken).tolist() == [1, 2]


def test_threads_add_to_one(scope: tg.Scope) -> None:
    handle = accumulator(scope, reduction="SUM")
    add, total = apply(scope, handle, [1, 2]), take(scope, handle, 400)
    with tg.Session(scope.graph) as session, ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(session.run, add) for _ in range(400)]:
            done.result()
        assert session.run(total).tolist() == [400, 800]


def test_gradients_of_one_step_have_one_shape(scope: tg.Scope) -> None:
    handle = accumulator(scope, None, name="any")
    vector, scalar, taken = apply(scope, handle, [1, 2]), apply(scope, handle, 3), take(scope, handle)
    with tg.Session(scope.graph) as session:
        session.run(vector)
        with pytest.raises(
            tg.InvalidArgumentError, match=r"'any' holds gradients of shape \[2\], but `gradient` has shape \[\]"
        ):
            session.run(scalar)
        session.run(taken)
        session.run(apply(scope, handle, 3, step=1))
        assert session.run(taken) == 3


def test_a_gradient_of_another_shape_or_type_is_an_error_while_building(scope: tg.Scope) -> None:
    handle = accumulator(scope, (None, 2))
    with pytest.raises(tg.ShapeError, match=r"the accumulator has shape \[\?, 2\], but `gradient` has shape \[3\]"):
        apply(scope, handle, [1, 2, 3])
    with pytest.raises(tg.DTypeError, match="the accumulator is float32, but the operation works on float64; cast"):
        train.ResourceAccumulatorTakeGradient.create(scope, handle, 1, tg.TFloat64)


def test_sizes_that_are_fed_are_those_of_the_gradients(scope: tg.Scope) -> None:
    handle = train.ResourceConditionalAccumulator.create(scope, tg.TFloat32, ("Batch",))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("Batch",))
    add = train.ResourceAccumulatorApplyGradient.create(scope, handle, 0, x)
    taken = take(scope, handle)
    assert taken.shape == tg.Shape.of("Batch")
    with tg.Session(scope.graph) as session:
        session.run(add, {x: [1.0, 2.0]})
        assert session.run(taken).tolist() == [1, 2]


def test_a_variable_is_no_accumulator(scope: tg.Scope) -> None:
    v, handle = tg.Variable.create(scope, [1.0, 2.0]), accumulator(scope)
    with pytest.raises(
        tg.DTypeError, match="`handle` is the handle of a variable; train.ResourceConditionalAccumulator"
    ):
        count(scope, v.handle)
    with pytest.raises(tg.DTypeError, match="`resource` is the handle of an accumulator; tg.Variable makes variables"):
        core.ReadVariableOp.create(scope, handle, tg.TFloat32)


def test_a_variable_may_have_its_name(scope: tg.Scope, tmp_path: Path) -> None:
    handle = accumulator(scope, name="w")
    v = tg.Variable.create(scope.with_name("w"), [1.0, 2.0])
    add, number = apply(scope, handle, [1, 2]), count(scope, handle)
    with tg.Session(scope.graph) as session:
        session.run(add)
        assert session.value(v).tolist() == [1, 2]
        session.save(tmp_path / "w")
        session.run(add)
        session.restore(tmp_path / "w")
        assert session.run(number) == 2  # a checkpoint holds variables alone


def test_an_accumulator_cannot_be_fetched(scope: tg.Scope) -> None:
    handle = accumulator(scope, name="parts")
    with (
        tg.Session(scope.graph) as session,
        pytest.raises(tg.InvalidArgumentError, match="'parts' has no value to fetch"),
    ):
        session.run(handle)


def test_the_mean_of_integers_is_truncated(scope: tg.Scope) -> None:
    handle = train.ResourceConditionalAccumulator.create(scope, tg.TInt32, (2,))
    adds = [train.ResourceAccumulatorApplyGradient.create(scope, handle, 0, each) for each in ([-3, 3], [0, 2])]
    with tg.Session(scope.graph) as session:
        session.run(adds)
        taken = train.ResourceAccumulatorTakeGradient.create(scope, handle, 2, tg.TInt32)
        assert session.run(taken).tolist() == [-1, 2]


def test_the_shape_of_a_gradient_of_an_earlier_step(scope: tg.Scope) -> None:
    handle, gradient = accumulator(scope), core.Placeholder.create(scope, tg.TFloat32)
    late = train.ResourceAccumulatorApplyGradient.create(scope, handle, -1, gradient)
    with tg.Session(scope.graph) as session:
        session.run(late, {gradient: np.zeros(2, np.float32)})
        with pytest.raises(tg.ShapeError, match="ResourceAccumulatorApplyGradient"):
            session.run(late, {gradient: np.zeros(3, np.float32)})
        assert session.run(count(scope, handle)) == 0
