"""A gradient is known to have the shape of its x, however little is known of everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import numpy as np
import pytest

import typegrad as tg
from support.building import build, constant, input_names, place_all, placeholder
from support.case import Case
from support.recording import Array, operands
from support.registry import by_op, definition
from support.reporting import check_all
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.graph.definition import Flow
from typegrad.op import core, linalg, math
from typegrad.shapes.shape import ensured

DIFFERENTIABLE: Final = frozenset({tg.TBfloat16, tg.TFloat16, tg.TFloat32, tg.TFloat64, tg.TComplex64, tg.TComplex128})
REFUSES: Final = {
    "PreventGradient": "its gradient is an error, on purpose",
    "GatherV2": "it may ask for a rank, as TensorFlow's does",
    **dict.fromkeys(("BlockLSTMGradV2", "BlockLSTMV2", "CTCLoss", "CTCLossV2"), "it may ask for the number of steps"),
}
"""Operations with a rule whose gradient may be an error here, and why."""
MOST: Final = 3
"""How many cases of an operation are tried: shapes repeat where element types differ."""


def _ranks(value: Array) -> Shape:
    return Shape((None,) * value.ndim)


def _first_unknown(value: Array) -> Shape:
    return Shape((None, *value.shape[1:])[: value.ndim])


Tell: TypeAlias = Callable[[Array], Shape]
"""What is known of the shape of an array."""

KNOWLEDGE: Final[dict[str, tuple[Tell, Tell]]] = {
    "x alone": (lambda value: Shape(value.shape), lambda _: UNKNOWN),
    "x, and ranks": (lambda value: Shape(value.shape), _ranks),
    "x but its first dimension": (_first_unknown, lambda _: UNKNOWN),
    "the rank of x": (_ranks, lambda _: UNKNOWN),
    "all": (lambda value: Shape(value.shape), lambda value: Shape(value.shape)),
}
"""What is known of an x, and of the other operands. The weights of the ys are never known."""


def _cases(name: str) -> list[Case]:
    distinct: dict[object, Case] = {}
    for _, case in by_op()[name]:
        if not case.fails and list(_differentiable(case)):
            shapes = tuple(value.shape for value in operands(case) if isinstance(value, np.ndarray))
            distinct.setdefault((shapes, repr(case.attrs)), case)
    return list(distinct.values())[:MOST]


def _differentiable(case: Case) -> Iterator[int]:
    """The operands to which a gradient may flow."""
    for index, (name, value) in enumerate(zip(input_names(case), operands(case), strict=True)):
        kind = definition(case.op).gradients[name]
        if kind in (Flow.RULE, Flow.PASS, Flow.ZERO) and isinstance(value, np.ndarray) and value.dtype.kind in "fcV":
            yield index


@pytest.mark.parametrize("name", sorted(name for name in by_op() if _cases(name)))
def test_a_gradient_has_the_static_shape_of_its_x(name: str) -> None:
    check_all(_cases(name), _problem)


def _problem(case: Case) -> str | None:
    problems = [
        f"{input_names(case)[index]}, known {label}: {problem}"
        for index in _differentiable(case)
        for label in KNOWLEDGE
        if (problem := _lost(case, index, label))
    ]
    return "; ".join(problems)


def _lost(case: Case, index: int, label: str) -> str:
    of_x, of_others = KNOWLEDGE[label]

    def place(scope: tg.Scope, number: int, value: Array) -> tg.Output[tg.TType]:
        if value.dtype.kind in "biu":
            return constant(scope, number, value)
        return placeholder(scope, value, of_x(value) if number == index else of_others(value))

    scope = tg.Scope(tg.Graph(seed=1))
    inputs = place_all(scope, case, place)
    ys = [output for output in build(scope, case, inputs).outputs if output.dtype in DIFFERENTIABLE]
    weights = [core.Placeholder.create(scope, y.dtype) for y in ys]
    if not ys:
        return ""  # floats cast to integers
    try:
        (grad,) = tg.gradients(scope, ys, [inputs[index]], grad_ys=weights)
    except tg.GradientError as error:
        return "" if case.op in REFUSES else str(error)
    assert grad is not None
    known = inputs[index].shape
    shapes = (grad.shape, grad.as_output().shape)
    return next((f"{known} became {shape}" for shape in shapes if ensured(shape, known) != shape), "")


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def test_of_a_product_with_a_matrix_of_unknown_shape(scope: tg.Scope) -> None:
    a = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    b = core.Placeholder.create(scope, tg.TFloat32)
    assert tg.grad(scope, linalg.MatMul.create(scope, a, b), a).shape == Shape.of(2, 3)


def test_of_an_intermediate_value_on_the_way(scope: tg.Scope) -> None:
    """What is known again at each step keeps the steps after it simple: nothing is summed over axes found at run
    time.
    """
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    y = linalg.MatMul.create(scope, x + 1.0, core.Placeholder.create(scope, tg.TFloat32))
    tg.grad(scope, y, x)
    assert "BroadcastGradientArgs" not in {op.type for op in scope.graph}


def test_nothing_is_added_where_nothing_was_lost(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("Batch", 3))
    w = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 4))
    b = core.Placeholder.create(scope, tg.TFloat32, shape=(4,))
    tg.gradients(scope, math.Tanh.create(scope, linalg.MatMul.create(scope, x, w) + b), [x, w, b])
    assert "EnsureShape" not in {op.type for op in scope.graph}


def test_a_weight_of_unknown_shape_must_have_the_shape_of_its_y(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    weight = core.Placeholder.create(scope.with_name("weight"), tg.TFloat32)
    grad = tg.grad(scope, x * 2.0, x, grad_y=weight)
    with tg.Session(scope.graph) as session:
        assert session.run(grad, {x: [[1.0] * 3] * 2, weight: [[1.0] * 3] * 2}).tolist() == [[2.0] * 3] * 2
        with pytest.raises(tg.ShapeError, match=r"EnsureShape '.*\[1, 3\], which is not the `shape` \[2, 3\]"):
            session.run(grad, {x: [[1.0] * 3] * 2, weight: [[1.0] * 3]})


def test_rows_stay_rows_and_their_array_has_the_shape(scope: tg.Scope) -> None:
    table = core.Placeholder.create(scope, tg.TFloat32, shape=(4, 3))
    passed = core.PlaceholderWithDefault.create(scope, table, shape=None)
    indices = core.Placeholder.create(scope, tg.TInt32)
    grad = tg.grad(scope, core.Gather.create(scope, passed, indices), table)
    assert isinstance(grad, tg.IndexedSlices)
    assert grad.shape == grad.as_output().shape == Shape.of(4, 3)
