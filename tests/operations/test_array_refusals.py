"""Operations that move, count and combine elements: what they refuse, with which words, and the names they keep."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.refusals import Refused, check_refusal, operand
from typegrad.op import core, linalg, math, nn, train

Sizes = tuple[Any, ...]


REFUSED: Final[Refused] = [
    (
        core.Gather,
        ((2, 3), [[0], [1], [0], [1]], 1),
        {"batch_dims": 1},
        "with `batch_dims` 1, `params` and `indices` must begin with the same sizes, but have shapes [2, 3] and [4, 1]",
    ),
    (
        core.Gather,
        ((2, 3), [0], 0),
        {"batch_dims": 1},
        "`batch_dims` is 1, but must not exceed `axis`, which is 0",
    ),
    (
        core.Gather,
        ((2, 3), [0], 1),
        {"batch_dims": 3},
        "`batch_dims` is 3, but must be in [-1, 1], because `indices` has shape [1]",
    ),
    (
        core.Gather,
        ((2,), [[0], [0]], 0),
        {"batch_dims": 1},
        "`batch_dims` is 1, but must be less than the rank of `params`, which has shape [2]",
    ),
    (
        core.InplaceAdd,
        ((3, 2), [0], (2, 2)),
        {},
        "`v` has shape [2, 2], but must be [1, 2]: a row of `x` [3, 2] for each element of `i` [1]",
    ),
    (core.InplaceAdd, ((0, 2), [0], (1, 2)), {}, "`x` has shape [0, 2], without rows, but `i` has 1 element"),
    (math.UnsortedSegmentSum, ((2,), [0, 1], -1), {}, "`num_segments` is -1, but cannot be negative"),
    (
        train.BatchMatMul,
        ((2, 3, 4), (3, 4, 5), tg.TFloat32),
        {},
        (
            "the batch dimensions of x [2, 3, 4] and y [3, 4, 5] do not fit: shapes [2] and [3] do not broadcast: 2 "
            "and 3 are neither equal nor 1"
        ),
    ),
    (
        core.TensorScatterNdAdd,
        ((3, 4), [[0, 1, 2]], (1,)),
        {},
        "`indices` has 3 columns, its shape is [1, 3], but `tensor` [3, 4] has fewer dimensions",
    ),
    (
        core.TensorScatterNdMax,
        ((3, 4), [[0]], (4,)),
        {},
        "`updates` has shape [4], but with indices of shape [1, 1] into shape [3, 4] it must be [1, 4]",
    ),
    (
        core.MirrorPad,
        ((2, 3), [[0, 0], [3, 0]]),
        {"mode": "REFLECT"},
        (
            "`paddings[1]` is [3, 0], but mode 'REFLECT' mirrors at most 2 elements of dimension 1 of `input`, whose "
            "shape is [2, 3]"
        ),
    ),
    (
        core.MirrorPadGrad,
        ((2,), [[2, 1]]),
        {"mode": "SYMMETRIC"},
        "`paddings` [[2, 1]] leave nothing of `input`, which has shape [2]",
    ),
    (
        core.ReverseSequence,
        ((2, 3), [1, 1]),
        {"seq_dim": 0},
        "`seq_dim` and `batch_dim` are both 0, but must differ",
    ),
    (
        core.ReverseSequence,
        ((2, 3), [1, 1]),
        {"seq_dim": -1},
        "`seq_dim` is -1, but must be a dimension of `input` from 0 up, which has shape [2, 3]",
    ),
    (
        core.ReverseSequence,
        ((2, 3), [1, 1, 1]),
        {"seq_dim": 1},
        (
            "`seq_lengths` must have an element for each of the 2 sequences along dimension 0 of `input`, but has "
            "shape [3]"
        ),
    ),
    (
        core.SpaceToBatchNd,
        ((1, 4), [3], [[1, 0]]),
        {},
        "dimension 1 of `input` with its padding, 5, must be a multiple of the size of a block, 3",
    ),
    (core.SpaceToBatchNd, ((1, 4), [0], [[1, 0]]), {}, "`block_shape` is [0], but its sizes must be 1 or more"),
    (
        core.SpaceToBatchNd,
        ((1, 4), [2], [[0, 0], [0, 0]]),
        {},
        "`paddings` must have two columns, and a row for each size of a block, so shape [1, 2], but has shape [2, 2]",
    ),
    (
        core.BatchToSpaceNd,
        ((3, 1, 1), [2, 2], [[0, 0], [0, 0]]),
        {},
        "the batch of `input` [3, 1, 1] must be a multiple of the product of the sizes of a block, 4",
    ),
    (
        nn.SpaceToDepth,
        ((1, 3, 4, 1),),
        {"block_size": 2},
        "the height and the width of `input` [1, 3, 4, 1] must be multiples of `block_size`, 2",
    ),
    (
        core.Unique,
        ((1, 2), []),
        {},
        "`x` must have rank 1, but has shape [1, 2]; give `axis` to compare slices along an axis",
    ),
    (
        linalg.MatMul,
        ((1, 2), (2,)),
        {},
        "`b` must have rank 2, but has shape [2]; functions.tensordot(scope, a, b, 1) multiplies by a vector",
    ),
    (
        linalg.MatMul,
        ((1, 2), (3,)),
        {},
        "`b` must have rank 2, but has shape [3]; as a vector, it does not fit a, [1, 2], either",
    ),
    (
        linalg.MatMul,
        ((2,), (3, 2)),
        {},
        "`a` must have rank 2, but has shape [2]; as a vector, it does not fit b, [3, 2], either",
    ),
    (core.BatchToSpaceNd, ((2, 2), [2], [[-1, 0]]), {}, "`crops` must not be negative, but is [[-1, 0]]"),
    (
        core.BatchToSpaceNd,
        ((2, 2), [2], [[3, 2]]),
        {},
        "`crops[0]` is [3, 2], but the interleaved dimension has size 4",
    ),
    (
        nn.DepthToSpace,
        ((1, 2, 2, 3),),
        {"block_size": 2},
        "the number of channels of `input` [1, 2, 2, 3] must be a multiple of the square of `block_size`, 4",
    ),
    (
        nn.SpaceToDepth,
        ((1, 2, 2, 2, 3),),
        {"block_size": 2, "data_format": "NCHW_VECT_C"},
        "`input` has shape [1, 2, 2, 2, 3], but in NCHW_VECT_C the last dimension is 4",
    ),
    (
        core.DynamicPartition,
        ((3, 2), [0, 1]),
        {"num_partitions": 2},
        "the shape of `data` must start with the shape of `partitions`: [3, 2] and [2]",
    ),
    (
        core.BroadcastDynamicShape,
        ([2], [3]),
        {},
        "shapes [2] and [3] do not broadcast: 2 and 3 are neither equal nor 1",
    ),
    (core.UnravelIndex, ([0], [2, 0]), {}, "`dims` is [2, 0], but an array without elements has no indices"),
    (
        core.UnravelIndex,
        ([0], [2**30, 4]),
        {},
        "`dims` is [1073741824, 4], but an array of 4294967296 elements has indices beyond int32",
    ),
    (
        core.UnravelIndex,
        (np.zeros((1, 1), np.int32), [2]),
        {},
        "`indices` must be a scalar or a vector, but has shape [1, 1]",
    ),
    (
        core.LowerBound,
        ((2, 3), (1, 3)),
        {},
        "`sorted_inputs` and `values` must have the same number of rows, but have shapes [2, 3] and [1, 3]",
    ),
    (core.Bucketize, ((3,), [2.0, 1.0]), {}, "`boundaries` must be in ascending order, but 1.0 follows 2.0"),
    (core.HistogramFixedWidth, ((3,), (3,), 2), {}, "`value_range` must be [a, b], but has shape [3]"),
    (core.HistogramFixedWidth, ((3,), (2,), 0), {}, "`nbins` is 0, but must be 1 or more"),
    (
        math.Bincount,
        ([0, 1], 3, (3,)),
        {},
        "`weights` must have as many elements as `arr`, 2, or none, but has 3",
    ),
    (math.Bincount, ([0, 1], -1, (0,)), {}, "`size` is -1, but cannot be negative"),
    (
        math.DenseBincount,
        ([[0, 1]], 3, (2,)),
        {},
        "`weights` must have the shape of `input`, [1, 2], or no elements, but has shape [2]",
    ),
    (
        math.DenseBincount,
        ([[[0, 1]]], 3, (0,)),
        {},
        "`input` must be a scalar, a vector or a matrix, but has shape [1, 1, 2]",
    ),
    (
        core.AssertThat,
        (np.array([True, False]), [1.0]),
        {},
        "`condition` must be a scalar, but has shape [2]; core.All makes one of it",
    ),
    (core.AssertThat, (True, []), {}, "`data` must have one value or more to show where the condition is false"),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), REFUSED)
def test_what_is_refused(operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str) -> None:
    check_refusal(operation, inputs, attributes, message)


LISTS: Final[list[tuple[Any, tuple[Any, ...], str]]] = [
    (core.DynamicStitch, ([[0]], [(1,), (1,)]), "`indices` are 1 arrays, but `data` are 2; each needs the other"),
    (
        core.DynamicStitch,
        ([[0], [1]], [(1, 2), (1, 3)]),
        "slices have one shape, but a slice of `data[1]` has shape [3], and one before it [2]",
    ),
    (core.ConcatOffset, (0, [[2]]), "`shape` must be two vectors or more, but there is 1"),
    (core.ConcatOffset, (0, [2, 3]), "`shape` must be vectors, but one has shape []"),
    (core.ConcatOffset, (0, [[2, 3], [1, 4]]), "shapes [2, 3] and [1, 4] differ in other dimensions than 0"),
    (core.ConcatOffset, (2, [[2, 3], [1, 3]]), "`concat_dim` is 2, but must be in [-2, 2)"),
]


OUT_OF_RANGE: Final[list[tuple[Any, tuple[Any, ...], str]]] = [
    (
        core.Gather,
        ((10, 4), [0, 3, 10], 0),
        "`indices[2]` is 10, but must be in [0, 10), the size of axis 0 of `params`",
    ),
    (core.Gather, ((10, 4), [[-1]], 1), "`indices[0, 0]` is -1, but must be in [0, 4), the size of axis 1 of `params`"),
    (
        core.GatherNd,
        ((2, 4), [[0, 3], [1, 4]]),
        "`indices[1, 1]` is 4, but must be in [0, 4), the size of axis 1 of `params`",
    ),
    (
        core.TensorScatterNdUpdate,
        ((3, 4), [[3]], (1, 4)),
        "`indices[0, 0]` is 3, but must be in [0, 3), the size of axis 0 of `tensor`",
    ),
    (
        nn.SparseSoftmaxCrossEntropyWithLogits,
        ((2, 3), [0, 3]),
        "`labels[1]` is 3, but must be in [0, 3), the number of classes",
    ),
]
"""Operations with indices that are known before the run, and what is wrong with them."""


@pytest.mark.parametrize(("operation", "inputs", "message"), OUT_OF_RANGE)
def test_indices_that_are_known_and_out_of_range(operation: Any, inputs: tuple[Any, ...], message: str) -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.ShapeError) as raised:
        operation.create(scope, *(operand(scope, each) for each in inputs))
    assert f"): {message}\n" in str(raised.value)


def test_a_row_of_a_variable_that_is_known_and_out_of_range() -> None:
    scope = tg.Scope(tg.Graph())
    table = tg.Variable.create(scope, np.zeros((3, 2)))
    with pytest.raises(
        tg.ShapeError, match=r"`indices\[\d\]` is 3, but must be in \[0, 3\), the size of axis 0 of the variable"
    ):
        table.gather(scope, [0, 3])


def test_indices_that_look_nothing_up() -> None:
    scope = tg.Scope(tg.Graph())
    empty = core.Gather.create(scope, operand(scope, (0, 2)), [5], 1)
    ignored = core.GatherNd.create(scope, operand(scope, (2,)), [[5]], bad_indices_policy="IGNORE")
    assert (empty.shape, ignored.shape) == (tg.Shape((0, 1)), tg.Shape((1,)))


@pytest.mark.parametrize(("operation", "inputs", "message"), LISTS)
def test_lists_that_are_refused(operation: Any, inputs: tuple[Any, ...], message: str) -> None:
    scope = tg.Scope(tg.Graph())
    operands = [[operand(scope, item) for item in each] if isinstance(each, list) else each for each in inputs]
    with pytest.raises(tg.ShapeError) as raised:
        operation.create(scope, *operands)
    assert f"): {message}\n" in str(raised.value)


def test_terms_that_do_not_have_the_stated_shape() -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.ShapeError, match=r"`inputs` have shape \[2\], which is not the `shape` \[3\]"):
        math.AccumulateN.create(scope, [operand(scope, (2,))], (3,))


FAILING: Final[Refused] = [
    (
        core.ReverseSequence,
        ([[1, 2]], [3]),
        {"seq_dim": 1},
        "`seq_lengths[0]` is 3, but must be in [0, 3), as sequences have 2 elements",
    ),
    (
        core.DynamicPartition,
        ([1, 2], [0, 2]),
        {"num_partitions": 2},
        "`partitions[1]` is 2, but must be in [0, 2), the number of partitions",
    ),
    (core.DynamicStitch, ([[0, -2]], [[1, 2]]), {}, "`indices[0][1]` is -2, but must not be negative"),
    (
        core.HistogramFixedWidth,
        ([1.0], [2.0, 1.0], 2),
        {},
        "`value_range` is [2.0, 1.0], but the first must be",
    ),
    (core.HistogramFixedWidth, ([np.nan], [0.0, 1.0], 2), {}, "`values` must not be nan, which is in no bin"),
    (
        core.SetSize,
        ([[0, 1], [0, 2]], [1, 2], [1, 2]),
        {},
        "`set_indices[1]` is [0, 2], which is not within shape [1, 2]",
    ),
    (math.Bincount, ([0, -3], 2, [1, 1]), {}, "`arr[1]` is -3, but must not be negative"),
    (
        math.SegmentSum,
        ([1, 2, 3], [0, 2, 1], 3),
        {},
        "in ascending order, but `segment_ids[2]` is 1, after 2; operations such as",
    ),
    (
        math.SegmentSum,
        ([1, 2], [0, 3], 2),
        {},
        "`segment_ids[1]` is 3, but must be less than 2, the number of segments",
    ),
    (core.Fingerprint, (np.zeros((2, 2), np.uint8), "md5"), {}, "`method` is 'md5', but must be 'farmhash64'"),
    (math.InvertPermutation, ([2, 0, 2],), {}, "`x` must hold each of 0 .. 2 once, but `x[2]` is 2 again"),
    (math.InvertPermutation, ([0, 3, -1],), {}, "`x` must hold each of 0 .. 2 once, but `x[1]` is 3"),
    (math.SegmentMean, ([1, 2], [-1, 0]), {}, "`segment_ids[0]` is -1, but must not be negative"),
    (
        core.UnravelIndex,
        ([6], [2, 3]),
        {},
        "`indices[0]` is 6, but must be in [0, 6), the number of elements of an array",
    ),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), FAILING)
def test_what_a_run_refuses(operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str) -> None:
    scope = tg.Scope(tg.Graph())
    result = operation.create(scope, *inputs, **attributes)
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as raised:
        session.run(result.op.outputs[0])
    assert message in str(raised.value)


def test_points_that_only_the_run_knows() -> None:
    scope = tg.Scope(tg.Graph())
    points = core.Placeholder.create(scope, tg.TInt32, shape=(2, 2))
    gathered = core.GatherNd.create(scope, np.ones((2, 4)), points)
    with (
        tg.Session(scope.graph) as session,
        pytest.raises(
            tg.InvalidArgumentError, match=r"\): `indices\[1\]` is \[1, 4\], which is not within shape \[2, 4\]\n"
        ),
    ):
        session.run(gathered, {points: [[1, 3], [1, 4]]})


KEPT: Final[list[tuple[Any, tuple[Any, ...], dict[str, Any], list[Any]]]] = [
    (core.TensorScatterNdUpdate, (("N", 4), [[0]], (1, 4)), {}, [("N", 4)]),
    (core.MirrorPad, (("N", 3), [[0, 0], [1, 1]]), {"mode": "REFLECT"}, [("N", 5)]),
    (core.SpaceToBatchNd, (("N", 4, "C"), [2], [[1, 1]]), {}, [("2*N", 3, "C")]),
    (core.BatchToSpaceNd, (("N", 4), [1], [[1, 0]]), {}, [("N", 3)]),
    (nn.SpaceToDepth, (("N", 4, 4, "C"),), {"block_size": 2}, [("N", 2, 2, "4*C")]),
    (core.DynamicPartition, ((None, "D"), [0, 1, 1]), {"num_partitions": 2}, [(1, "D"), (2, "D")]),
    (core.LowerBound, (("N", 4), (None, "M")), {}, [("N", "M")]),
    (math.SegmentMean, ((3, "D"), [0, 0, 4]), {}, [(5, "D")]),
    (math.CumulativeLogsumexp, (("N", "D"), 1), {}, [("N", "D")]),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "shapes"), KEPT)
def test_names_of_sizes_are_kept(
    operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], shapes: list[Sizes]
) -> None:
    scope = tg.Scope(tg.Graph())
    result = operation.create(scope, *(operand(scope, each) for each in inputs), **attributes)
    actual = [tuple(dim if isinstance(dim, int) else str(dim) for dim in each.shape) for each in result.op.outputs]
    assert actual == shapes


def test_shapes_of_named_sizes_are_known_before_the_run() -> None:
    scope = tg.Scope(tg.Graph())
    shape = core.Shape.create(scope, operand(scope, ("Batch", 3)))
    both = core.BroadcastDynamicShape.create(scope, shape, [1, 3])
    assert core.Fill.create(scope, both, 0.0).shape == ("Batch", 3)
    offsets = core.ConcatOffset.create(scope, 0, [shape, shape, shape]).offset
    assert str(offsets[2].static_value) == "(2*Batch, 0)"


def test_a_matrix_is_no_vector_when_an_axis_turns_out_to_be_missing() -> None:
    """The shape of the result follows from the number of axes, which only the run knows."""
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TInt32, shape=(2, 2))
    axis = core.Placeholder.create(scope, tg.TInt64)
    unique = core.Unique.create(scope, x, axis)
    with (
        tg.Session(scope.graph) as session,
        pytest.raises(tg.ShapeError, match=r"`x` must have rank 1, but has shape \[2, 2\]"),
    ):
        session.run(unique.y, {x: np.ones((2, 2), np.int32), axis: np.zeros(0, np.int64)})
