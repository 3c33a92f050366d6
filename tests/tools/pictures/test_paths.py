"""The marked path is the path of `tg.gradients`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typegrad as tg
from support.building import build, place_all
from support.registry import by_op
from tools.pictures.examples import masked
from typegrad import pictures
from typegrad.op import core, dtypes, math, nn, random, train

AnyOutput: TypeAlias = tg.Output[Any, Any]

Maker: TypeAlias = Callable[[tg.Scope, Any, Any], Sequence[Any]]
MAKERS: Final[Sequence[Maker]] = [
    lambda scope, a, b: [math.Mul.create(scope, a, b)],
    lambda scope, a, b: [math.Add.create(scope, a, b)],
    lambda scope, a, b: [math.AddN.create(scope, [a, b, a])],
    lambda scope, a, b: [math.Exp.create(scope, a)],
    lambda scope, a, b: [core.Identity.create(scope, a)],
    lambda scope, a, b: [core.StopGradient.create(scope, a)],
    lambda scope, a, b: core.IdentityN.create(scope, [a, b]).output,
    lambda scope, a, b: core.Split.create(scope, 0, core.Stack.create(scope, [a, b]), num_split=2).output,
    lambda scope, a, b: [core.Select.create(scope, math.Greater.create(scope, a, b), a, b)],
    lambda scope, a, b: [dtypes.Cast.create(scope, dtypes.Cast.create(scope, a, tg.TInt32), tg.TFloat32)],
    lambda scope, a, b: [math.Floor.create(scope, a)],
    lambda scope, a, b: [core.ZerosLike.create(scope, a)],
    lambda scope, a, b: [tg.Variable.create(scope, a).read(scope)],
    lambda scope, a, b: [nn.Elu.create(scope, tg.grad(scope, math.Mul.create(scope, a, b), a))],
]
"""Operations of all kinds that a gradient may meet, each made of two vectors; what they make are vectors again."""


def marks(document: pictures.Document) -> dict[str, set[str]]:
    """The marks of each node."""
    return {node["name"]: set(node["marks"]) for node in document["nodes"]}


@given(st.lists(st.tuples(st.sampled_from(MAKERS), st.integers(0, 99), st.integers(0, 99)), max_size=12), st.data())
def test_an_x_is_on_the_path_if_and_only_if_it_has_a_gradient(
    steps: list[tuple[Maker, int, int]], data: st.DataObject
) -> None:
    scope = tg.Scope(tg.Graph())
    operands: list[Any] = [core.Placeholder.create(scope, tg.TFloat32, shape=(2,)) for _ in range(3)]
    for maker, first, second in steps:
        outputs = maker(scope, operands[first % len(operands)], operands[second % len(operands)])
        operands.extend(core.Reshape.create(scope, output, (2,)) for output in outputs)
    y, x = data.draw(st.sampled_from(operands)), data.draw(st.sampled_from(operands))
    size = len(scope.graph)
    actual = marks(pictures.document(scope.graph, y=y, x=x))
    assert len(scope.graph) == size
    values = {op.name for op in scope.graph.between([x.op], [y.op])}
    assert {name for name, its in actual.items() if its & {"path", "masked"}} <= values
    assert not {name for name, its in actual.items() if {"path", "masked"} <= its}
    assert ("path" in actual[x.op.name]) == (tg.gradients(scope, [y], [x])[0] is not None)


def _gradients(scope: tg.Scope, ys: Sequence[AnyOutput], x: AnyOutput) -> bool:
    """Whether there is a gradient; an error about one that is missing says that it was needed."""
    try:
        return tg.gradients(scope, ys, [x])[0] is not None
    except tg.GradientError:
        return True


@pytest.mark.parametrize("name", sorted(by_op()))
def test_the_path_through_each_operation_is_the_path_of_its_gradient(name: str) -> None:
    case = next(case for _, case in by_op()[name] if not case.fails)
    scope = tg.Scope(tg.Graph(seed=1))
    inputs = place_all(scope, case)
    op = build(scope, case, inputs)
    ys = [y for y in op.outputs if y.dtype is not tg.TResource and not issubclass(y.dtype, tg.TComplex)]
    for x in inputs:
        actual = marks(pictures.document(scope.graph, y=ys, x=x))
        assert ("path" in actual[x.op.name]) == _gradients(scope, ys, x), x


def test_what_a_stop_gradient_hides_is_masked() -> None:
    example = masked()
    actual = marks(pictures.document(example.graph, y=example.loss))
    assert {name for name, its in actual.items() if "path" in its} == {
        "w1/handle", "student/ReadVariableOp", "student/MatMul", "Sub", "square", "loss"
    }  # fmt: skip
    assert {name for name, its in actual.items() if "masked" in its} == {
        "w2/handle", "teacher/ReadVariableOp", "teacher/MatMul", "teacher/StopGradient"
    }  # fmt: skip
    assert actual["teacher/StopGradient"] == {"masked", "stop"}
    assert actual["loss"] == {"y", "path"} and actual["w2/handle"] == {"x", "masked", "state"}


def test_path_inputs_are_the_edges_of_the_way() -> None:
    example = masked()
    nodes = {node["name"]: node for node in pictures.document(example.graph, y=example.loss)["nodes"]}
    assert nodes["Sub"]["pathInputs"] == [0] and nodes["student/MatMul"]["pathInputs"] == [1]
    assert nodes["teacher/MatMul"]["pathInputs"] == []


def test_integers_comparisons_and_random_numbers_have_no_marks_of_their_own() -> None:
    scope = tg.Scope(tg.Graph())
    a = core.Placeholder.create(scope, tg.TFloat32, shape=())
    for result in (
        math.Floor.create(scope, a),
        core.OnesLike.create(scope, a),
        core.Shape.create(scope, a),
        math.Greater.create(scope, a, a),
        random.RandomStandardNormal.create(scope, (2,), tg.TFloat32),
    ):
        assert marks(pictures.document(scope.graph))[result.op.name] == set()


def test_several_ys_and_xs_are_marked_together() -> None:
    scope = tg.Scope(tg.Graph())
    a, b, c = (core.Placeholder.create(scope.with_name(name), tg.TFloat32, shape=()) for name in "abc")
    first, second = math.Mul.create(scope, a, b), math.Exp.create(scope, core.StopGradient.create(scope, c))
    actual = marks(pictures.document(scope.graph, y=(first, second), x=[b, c]))
    assert actual == {
        "a": set(), "b": {"x", "path"}, "c": {"x", "masked"}, "Mul": {"y", "path"},
        "StopGradient": {"stop", "masked"}, "Exp": {"y", "masked"},
    }  # fmt: skip


def test_a_gradient_that_nobody_has_written_is_on_the_way() -> None:
    scope = tg.Scope(tg.Graph())
    a = core.Placeholder.create(scope, tg.TFloat32, shape=())
    guarded = train.PreventGradient.create(scope, a, message="no")
    assert "path" in marks(pictures.document(scope.graph, y=guarded, x=a))[guarded.op.name]
    with pytest.raises(tg.GradientError):
        tg.grad(scope, guarded, a)


def test_rows_of_a_gradient_are_not_made_dense() -> None:
    scope = tg.Scope(tg.Graph())
    table = tg.Variable.create(scope, np.ones((3, 2), np.float32))
    total = core.Sum.create(scope, table.gather(scope, core.Constant.create(scope, [0, 2])))
    rows = tg.grad(scope, total, table)
    assert isinstance(rows, tg.IndexedSlices)
    size = len(scope.graph)
    actual = marks(pictures.document(scope.graph, y=rows))
    assert len(scope.graph) == size and "y" in actual[rows.values.op.name]
