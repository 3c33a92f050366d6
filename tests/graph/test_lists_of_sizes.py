"""A list of integers may hold scalar operands: it becomes a Pack, as in TensorFlow, and what is known stays known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.functions import ones, uniform, zeros
from typegrad.op import core, random

Build = Callable[[tg.Scope, Any, Any, Any], tg.Operand[Any]]
"""What makes an operand from a scope, x of shape [Batch, 4], its number of rows, and a number of int64."""


@pytest.fixture
def x(scope: tg.Scope) -> tg.Operand[tg.TFloat32]:
    return core.Placeholder.create(scope.with_name("x"), tg.TFloat32, ("Batch", 4))


@pytest.fixture
def n(scope: tg.Scope) -> tg.Operand[tg.TInt64]:
    return core.Placeholder.create(scope.with_name("n"), tg.TInt64, ())


SHAPES: dict[str, tuple[Build, tuple[Any, ...], tuple[int, ...]]] = {
    "a list": (lambda s, x, rows, _: core.Reshape.create(s, x, [rows, -1, 2]), ("Batch", 2, 2), (3, 2, 2)),
    "a tuple": (lambda s, x, rows, _: core.Reshape.create(s, x, (2, rows, -1)), (2, "Batch", 2), (2, 3, 2)),
    "int64": (lambda s, _, __, n: core.Fill.create(s, [n, 3], 1.0), (None, 3), (2, 3)),
    "a matrix": (lambda s, x, _, n: core.Pad.create(s, x, [[0, 0], [0, n]]), ("Batch", None), (3, 6)),
    "rows": (lambda s, x, _, n: core.Gather.create(s, x, [[n, 1], [0, n]], 0), (2, 2, 4), (2, 2, 4)),
    "copies": (lambda s, x, _, n: core.Tile.create(s, x, [1, n]), ("Batch", None), (3, 8)),
    "a part": (lambda s, x, _, n: core.Slice.create(s, x, [n, 0], [1, 2]), (1, 2), (1, 2)),
    "random numbers": (lambda s, _, r, __: random.RandomUniform.create(s, [r, 1], tg.TFloat32), ("Batch", 1), (3, 1)),
    "zeros": (lambda s, _, rows, __: zeros(s, [rows, 3]), ("Batch", 3), (3, 3)),
    "ones": (lambda s, _, __, n: ones(s, (n, n)), (None, None), (2, 2)),
    "uniform": (lambda s, _, rows, __: uniform(s, [rows, 2]), ("Batch", 2), (3, 2)),
}


@pytest.mark.parametrize("what", SHAPES)
def test_the_shape(what: str, scope: tg.Scope, x: tg.Operand[tg.TFloat32], n: tg.Operand[tg.TInt64]) -> None:
    build, known, expected = SHAPES[what]
    y = build(scope, x, core.Shape.create(scope, x)[0], n)
    assert y.shape == known
    with tg.Session(scope.graph) as session:
        assert session.run(y, {x: np.zeros((3, 4), np.float32), n: 2}).shape == expected


def test_the_list_is_named_after_the_input(scope: tg.Scope, n: tg.Operand[tg.TInt64]) -> None:
    y = core.Fill.create(scope.with_name("y"), [n, 3], 1.0)
    packed = y.op.inputs[0].op
    assert (packed.name, packed.type, [each.dtype for each in packed.inputs]) == ("y/dims", "Pack", [tg.TInt64] * 2)


def test_a_variable_in_a_list_is_read(scope: tg.Scope) -> None:
    size = tg.Variable.create(scope, np.int32(3))
    with tg.Session(scope.graph) as session:
        assert session.run(zeros(scope, [size, 2])).shape == (3, 2)


WRONG: dict[str, tuple[Callable[[Any, Any, Any], list[Any]], type[tg.TypegradError], str]] = {
    "a vector": (
        lambda x, _, __: [core.Shape.create(tg.Scope(x.graph), x), 1],
        tg.ShapeError,
        r"input `shape` holds 'Shape_1:0' \(.*\), but must hold scalars; core.Concat.create\(scope, \[...\], 0\) joins",
    ),
    "a float": (
        lambda x, _, __: [x[0, 0], 1],
        tg.DTypeError,
        r"input `shape` holds 'StridedSlice_1:0' \(.*\), but must hold integers; cast it with dtypes.Cast",
    ),
    "two types": (lambda _, rows, n: [rows, n], tg.DTypeError, "holds int32 and int64; cast one with dtypes.Cast"),
    "a quotient": (
        lambda _, rows, __: [rows, 6 / 2],
        tg.DTypeError,
        r"^Reshape 'Reshape' \(.*\): input `shape` holds the float 3.0, but must hold integers; a quotient is one with",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_list_that_holds(what: str, scope: tg.Scope, x: tg.Operand[Any], n: tg.Operand[Any]) -> None:
    build, error, message = WRONG[what]
    rows = core.Shape.create(scope, x)[0]
    sizes, before = build(x, rows, n), len(scope.graph)
    with pytest.raises(error, match=message):
        core.Reshape.create(scope, x, sizes)
    assert len(scope.graph) == before


def test_a_list_that_contains_itself(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    sizes: list[Any] = [1]
    sizes += [sizes, sizes]
    with pytest.raises(tg.DTypeError, match="contains itself"):
        core.Reshape.create(scope, x, sizes)


def test_axes_are_known(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    axes: list[Any] = [core.Rank.create(scope, x)]
    with pytest.raises(tg.DTypeError, match="core.Stack makes one operand of several"):
        core.Sum.create(scope, x, axes)
