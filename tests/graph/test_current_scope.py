"""`with scope:` makes a scope current: operators, indexing, plain values and reads of variables go there."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math


@pytest.fixture
def x(scope: tg.Scope) -> tg.Operand[tg.TFloat32]:
    return core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(2, 3))


def _names(scope: tg.Scope, start: int) -> list[str]:
    return [op.name for op in scope.graph.operations[start:]]


def test_operators_go_to_the_current_scope(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    start = len(scope.graph)
    with scope.with_sub_scope("layer"):
        -(x + 1.0)[0]
    assert _names(scope, start) == [
        "layer/AddV2/y",
        "layer/AddV2",
        "layer/StridedSlice/begin",
        "layer/StridedSlice/end",
        "layer/StridedSlice/strides",
        "layer/StridedSlice",
        "layer/Neg",
    ]


def test_reads_of_variables_go_to_the_current_scope(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope, 1.0)
    with scope.with_sub_scope("layer"):
        assert v.as_output().name == "layer/ReadVariableOp:0"


def test_without_a_current_scope_they_go_to_the_top(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    with scope.with_sub_scope("layer"):
        pass
    assert (-x).name == "Neg:0"


def test_the_innermost_scope_counts(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    with scope.with_sub_scope("outer") as outer:
        with outer.with_sub_scope("inner"):
            inner = -x
        after = -x
    assert (inner.name, after.name) == ("outer/inner/Neg:0", "outer/Neg:0")


def test_each_graph_has_its_own(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    other = tg.Scope(tg.Graph())
    y = core.Placeholder.create(other, tg.TFloat32)
    with scope.with_sub_scope("mine"), other.with_sub_scope("theirs"):
        assert ((-x).name, (-y).name) == ("mine/Neg:0", "theirs/Neg:0")


def test_control_dependencies_device_and_seed_come_along(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    with scope.with_device("/cpu:1").with_control_dependencies([x]):
        op = (x * 2.0).as_output().op
    assert op.device == "/cpu:1" and [each.name for each in op.control_inputs] == ["x"]


def test_a_block_that_orders_nothing_is_refused(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    y = -x
    told = r"runs after Neg 'Neg' \(created at .*\): Abs 'Abs' \(created at .*\) was added to another scope"
    with pytest.raises(tg.GraphError, match=f"nothing in this `with` block {told}"):  # noqa: SIM117
        with scope.with_control_dependencies([y]):
            math.Abs.create(scope, math.Square.create(scope, x))
    assert tg.Scope.current(scope.graph).control_inputs == ()


def test_a_block_that_orders_something_or_adds_nothing_is_fine(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    with scope.with_control_dependencies([x]) as after:
        math.Abs.create(scope, x)
        math.Abs.create(after.with_sub_scope("inner"), x)
    with scope.with_control_dependencies([x]):
        pass
    with pytest.raises(tg.ShapeError), scope.with_control_dependencies([x]):
        math.Abs.create(scope, x) + np.zeros(7, np.float32)


def test_an_error_ends_the_block(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    with pytest.raises(tg.ShapeError), scope.with_sub_scope("layer"):
        x + np.zeros(7, np.float32)
    assert tg.Scope.current(scope.graph).path == ""


def test_threads_have_scopes_of_their_own(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    seen: list[str] = []
    with scope.with_sub_scope("layer"):
        thread = threading.Thread(target=lambda: seen.append((-x).name))
        thread.start()
        thread.join()
    assert seen == ["Neg:0"]


def test_blocks_that_end_in_another_order(scope: tg.Scope) -> None:
    def block(name: str) -> Iterator[None]:
        with scope.with_sub_scope(name):
            yield

    first, second = block("first"), block("second")
    next(first)
    next(second)
    assert list(first) == [] and tg.Scope.current(scope.graph).path == "second"
    assert list(second) == [] and tg.Scope.current(scope.graph).path == ""


def test_a_scope_that_is_entered_again(scope: tg.Scope) -> None:
    outer, inner = scope.with_sub_scope("outer"), scope.with_sub_scope("inner")
    with outer, inner:
        with outer:
            pass
        assert tg.Scope.current(scope.graph).path == "inner"


def test_create_takes_the_scope_it_is_given(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    with scope.with_sub_scope("layer"):
        assert math.Neg.create(scope, x).name == "Neg:0"


def test_the_facade_makes_its_scope_current(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    with tg.Ops.create(scope).with_sub_scope("layer") as tf:
        assert (tf.math.square(x).name, (-x).name) == ("layer/Square:0", "layer/Neg:0")


def test_gradient_rules_run_in_the_scope_of_the_gradient(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), np.ones(3, np.float32))
    y = core.Sum.create(scope, w * w)
    start = len(scope.graph)
    tg.grad(scope.with_sub_scope("mine"), y, w)
    assert all(name.startswith("mine/gradients/") for name in _names(scope, start))
