"""What follows from shapes of which only some are known, and what can never run whatever the others are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, Final, TypeAlias, cast

import pytest

import typegrad as tg
from typegrad.op import core, linalg, math, nn

Dims: TypeAlias = "tuple[int | None, ...] | None"
Build: TypeAlias = Callable[..., Any]

KNOWN: Final[list[tuple[Build, tuple[Any, ...], list[Dims]]]] = [
    (linalg.Solve.create, (None, (3, 2)), [(3, 2)]),
    (linalg.Solve.create, ((2, 2), None), [(2, None)]),
    (linalg.Solve.create, (None, (None, 2, None, None)), [(None, 2, None, None)]),
    (linalg.MatrixSolveLs.create, ((4, 2), None, 0.5), [(2, None)]),
    (linalg.MatrixSolveLs.create, (None, (2, None), 0.5), [(None, None)]),
    (linalg.MatrixSetDiag.create, (None, (5, 2, 3), [0, 1]), [(5, None, None)]),
    (linalg.MatrixSetDiag.create, (None, (2,), 1), [(None, None)]),
    (nn.SoftmaxCrossEntropyWithLogits.create, (None, (5, 3)), [(5,), (5, 3)]),
    (nn.SoftmaxCrossEntropyWithLogits.create, ((None, 3), None), [(None,), (None, 3)]),
    (core.BatchToSpace.create, (None, [[0, 0], [0, 0]], 2), [(None,) * 4]),
    (nn.SpaceToBatch.create, (None, [[0, 0], [0, 0]], 2), [(None,) * 4]),
    (linalg.Qr.create, ((None, 0),), [(None, 0), (0, 0)]),
    (linalg.Svd.create, ((None, 0),), [(0,), (None, 0), (0, 0)]),
]
RECURRENT: Final[list[tuple[Build, int, Mapping[str, Any], dict[str, Any], list[Dims]]]] = [
    (
        nn.LSTMBlockCellGrad.create,
        16,
        {"cs_prev": (None, 5)},
        {"use_peephole": True},
        [(None, 5), (None, 20), *((5,),) * 3],
    ),
    (nn.LSTMBlockCellGrad.create, 16, {"wci": (5,)}, {"use_peephole": True}, [(None, 5), (None, 20), *((5,),) * 3]),
    (
        nn.LSTMBlockCellGrad.create,
        16,
        {"wci": (0,), "i": (2, 5)},
        {"use_peephole": False},
        [(2, 5), (2, 20), (0,), (None,), (None,)],
    ),
    (
        nn.BlockLSTMGrad.create,
        18,
        {"seq_len_max": 7, "h_grad": (7, 2, None), "w": (8, 20), "wcf": (5,)},
        {"use_peephole": True},
        [(7, 2, None), (2, 5), (2, 5), (8, 20), (5,), (5,), (5,), (20,)],
    ),
    (nn.BlockLSTM.create, 9, {"seq_len_max": 7, "w": (None, 20)}, {}, [(None, None, 5)] * 7),
    (nn.BlockLSTM.create, 9, {"seq_len_max": 7, "b": (20,)}, {}, [(None, None, 5)] * 7),
    (nn.GRUBlockCellGrad.create, 10, {"w_ru": (8, 10)}, {}, [(None, None), (None, None), (None, None), (None, 10)]),
    (nn.GRUBlockCellGrad.create, 10, {"d_h": (2, 5)}, {}, [(2, None), (2, 5), (2, 5), (2, 10)]),
]
"""The number of inputs, the shapes or values of those that are known, attributes, and what follows."""
INTEGERS: Final[list[tuple[Build, tuple[Any, ...], list[Dims]]]] = [
    (math.SegmentMean.create, ((4, None), None), [(None, None)]),
    (math.SegmentSum.create, ((4, 3), None, 7), [(7, 3)]),
    (core.RandomIndexShuffle.create, ((10,), (3,), None), [(10,)]),
    (core.RandomIndexShuffle.create, ((), (3,), None), [None]),
    (core.SplitV.create, ((6,), [1, 3, 2], (), 3), [(1,), (3,), (2,)]),
    (core.Split.create, ((), (6,), 3), [(2,), (2,), (2,)]),
    (core.Reshape.create, ((0, None), [-1, 3]), [(0, 3)]),
    (linalg.MatrixDiagV3.create, ((5, 2), 1, -1, (), 0), [(5, None, None)]),
    (linalg.MatrixDiagV3.create, ((5, 2), 1, (), -1, 0), [(5, None, 3)]),
    (linalg.MatrixDiagV3.create, ((5, 2), -1, -1, (), 0), [(5, 3, None)]),
    (linalg.MatrixDiagV3.create, ((5, 2), -1, 3, (), 0), [(5, 3, None)]),
    (linalg.MatrixSetDiag.create, (None, (3,), None), [(None, None)]),
    (nn.MaxPoolGrad.create, ((0, 4, 4, 2), None, None, [1, 2, 2, 1], (4,), "VALID"), [(0, 4, 4, 2)]),
    (nn.MaxPoolGrad.create, ((0, 4, 4, 2), None, None, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"), [(0, 4, 4, 2)]),
]
REFUSED: Final[list[tuple[Any, Build, tuple[Any, ...], str]]] = [
    (tg.TFloat64, linalg.TriangularSolve.create, ((2, 3), None), r"`matrix` must hold square .* has shape \[2, 3\]"),
    (
        tg.TFloat64,
        linalg.TriangularSolve.create,
        ((3, 3), (2, 1)),
        "`rhs` must have as many rows as `matrix`, and the leading dimensions must broadcast: `matrix` has shape",
    ),
    (tg.TInt32, core.Split.create, ((), (), 2), r"`value` must have rank 1 or more, but has shape \[\]"),
    (
        tg.TInt32,
        lambda scope, x, y: core.Gather.create(scope, x, y, 2, batch_dims=2),
        (None, (2,)),
        r"`batch_dims` is 2, but must be in \[-1, 1\], because `indices` has shape \[2\]",
    ),
    (
        tg.TInt32,
        lambda scope, x, y: core.Select.create(scope, core.Placeholder.create(scope, tg.TBool), x, y),
        ((None, 4), (3,)),
        r"shapes \[\?, 4\] and \[3\] do not broadcast",
    ),
]
EQUALITY: Final[list[tuple[Dims, Dims, Dims]]] = [
    ((None, 3), (3,), (None, 3)),
    ((None,), (), (None,)),
    ((None, 1), (1, 4), (None, 4)),
    ((None,), (3,), None),
    (None, (3,), None),
]


def operands(scope: tg.Scope, dtype: Any, inputs: tuple[Any, ...]) -> list[Any]:
    """A placeholder for each shape, and everything else as it is."""
    return [
        core.Placeholder.create(scope, dtype, each) if each is None or isinstance(each, tuple) else each
        for each in inputs
    ]


@pytest.mark.parametrize(("build", "number", "inputs", "attributes", "expected"), RECURRENT)
def test_what_follows_for_gradients_of_recurrent_operations(
    build: Build, number: int, inputs: Mapping[str, Any], attributes: dict[str, Any], expected: list[Dims]
) -> None:
    scope = tg.Scope(tg.Graph())
    names = list(signature(build).parameters)[1 : number + 1]
    result = build(scope, *operands(scope, tg.TFloat32, tuple(map(inputs.get, names))), **attributes)
    assert [output.shape.dims for output in result.op.outputs] == expected


@pytest.mark.parametrize(
    ("dtype", "build", "inputs", "expected"),
    [(tg.TFloat64, *row) for row in KNOWN] + [(tg.TInt32, *row) for row in INTEGERS],
)
def test_what_follows_from_the_shapes_that_are_known(
    dtype: Any, build: Build, inputs: tuple[Any, ...], expected: list[Dims]
) -> None:
    scope = tg.Scope(tg.Graph())
    result = build(scope, *operands(scope, dtype, inputs))
    assert [output.shape.dims for output in result.op.outputs] == expected


def test_an_axis_that_only_a_run_knows() -> None:
    scope = tg.Scope(tg.Graph())
    x, sized = operands(scope, tg.TFloat32, ((2, 3), (None,)))
    assert core.ExpandDims.create(scope, x, core.Shape.create(scope, sized)).shape.dims == (None, None, None)


@pytest.mark.parametrize(("dtype", "build", "inputs", "message"), REFUSED)
def test_what_can_never_run(dtype: Any, build: Build, inputs: tuple[Any, ...], message: str) -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.ShapeError, match=message):
        build(scope, *operands(scope, dtype, inputs))


@pytest.mark.parametrize(("x", "y", "expected"), EQUALITY)
def test_shapes_that_always_broadcast(x: Dims, y: Dims, expected: Dims) -> None:
    scope = tg.Scope(tg.Graph())
    for operation in (math.Equal, math.NotEqual):
        result = operation.create(scope, *operands(scope, tg.TFloat32, (x, y)), incompatible_shape_error=False)
        assert result.shape.dims == expected


@pytest.mark.parametrize("operation", [core.TensorScatterNdAdd, core.TensorScatterNdUpdate, core.TensorScatterNdMin])
def test_updates_that_fit_no_array(operation: Any) -> None:
    scope = tg.Scope(tg.Graph())
    array, updates = operands(scope, tg.TFloat32, (None, (7,)))
    points = core.Placeholder.create(scope, tg.TInt32, (2, 7))
    message = r"`updates` has shape \[7\], but with indices of shape \[2, 7\] it must begin with \[2\]"
    with pytest.raises(tg.ShapeError, match=message):
        operation.create(scope, array, points, updates)


@pytest.mark.parametrize(("length", "reason"), [(0, r"is \[\]"), (7, "has 7 elements")])
@pytest.mark.parametrize("image", [(1, 5, 3, None), None])
def test_windows_of_another_rank(length: int, reason: str, image: Dims) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, image)
    size, pool = core.Placeholder.create(scope, tg.TInt32, (length,)), cast(Build, nn.MaxPool.create)
    for name, sizes in (("ksize", (size, [1, 1, 1, 1])), ("strides", ([1, 1, 1, 1], size))):
        with pytest.raises(tg.ShapeError, match=f"`{name}` must be 4 positive numbers, .*, but {reason}"):
            pool(scope, x, *sizes, "SAME")
