"""Operations that take axes, sizes and bounds: what they refuse, with which words."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.refusals import Refused, check_refusal, operand
from typegrad.op import core, math

AXES: Final[Refused] = [
    (core.Sum, ((2, 3), [[0]]), {}, "`axis` must be a scalar or a vector, but has shape [1, 1]"),
    (core.ExpandDims, ((2, 3), [0, 1]), {}, "`axis` must have a single element, but has shape [2]"),
    (core.Reverse, ((2, 3), [0, -2]), {}, "`axis` names a dimension twice: [0, -2]"),
    (core.Roll, ((2, 3), [[1]], [[0]]), {}, "`shift` must be a scalar or a vector, but has shape [1, 1]"),
    (
        core.Roll,
        ((2, 3), [1, 1], [0]),
        {},
        "`shift` has shape [2] and `axis` [1], but there must be a shift for each axis",
    ),
    (
        math.ArgMax,
        ((0, 2), 0),
        {},
        "`input` has shape [0, 2]: axis 0 is empty, so there is no position to return",
    ),
    (core.Unique, ((2, 3), [0, 1]), {}, "`axis` must be a vector of one axis or none, but is [0, 1]"),
    (core.Unique, ((2, 3), [2]), {}, "`axis` is 2, but `x` has shape [2, 3]"),
    (core.OneHot, ([1], 3, 1.0, 0.0), {"axis": -2}, "`axis` is -2, but must be -1 or more"),
    (core.OneHot, ([1], 3, 1.0, 0.0), {"axis": 2}, "`axis` is 2, but `indices` has shape [1], so it can be 1 at most"),
]
SIZES: Final[Refused] = [
    (
        core.Reshape,
        ((2, 3), [-1, -1]),
        {},
        "cannot reshape `tensor` of shape [2, 3] to [-1, -1]: at most one size may be -1",
    ),
    (
        core.Reshape,
        ((2, 3), [-2, 3]),
        {},
        "cannot reshape `tensor` of shape [2, 3] to [-2, 3]: a size cannot be negative",
    ),
    (
        core.SplitV,
        ((5,), [-1, -1], 0),
        {"num_split": 2},
        (
            "dimension 0 of `value`, of shape [5], cannot be split into [-1, -1]: -1 may occur once, and only among "
            "several sizes"
        ),
    ),
    (
        core.SplitV,
        ((5,), [6, -1], 0),
        {"num_split": 2},
        "dimension 0 of `value`, of shape [5], cannot be split into [6, -1]: the sizes beside -1 sum to 6",
    ),
    (core.Pad, ((2, 3), [[1, 1, 1]] * 2, 0.0), {}, "`paddings` must have shape [n, 2], but has shape [2, 3]"),
    (core.Pad, ((2, 3), [[1, 1]], 0.0), {}, "`paddings` has 1 row, but `input` has shape [2, 3]"),
    (core.Pad, ((2, 3), [[0, -1], [0, 1]], 0.0), {}, "`paddings` must not be negative, but is [[0, -1], [0, 1]]"),
    (core.BroadcastTo, ((2, 3), [3]), {}, "`input` has shape [2, 3], of higher rank than `shape` [3]"),
    (core.Unstack, ((3, 2), 2), {}, "dimension 0 of `value`, of shape [3, 2], is not of size `num`, 2"),
    (core.ParallelConcat, ([(1, 2)],), {"shape": (None, 2)}, "`shape` is [?, 2], but must state all sizes"),
    (
        core.ParallelConcat,
        ([(2, 2)],),
        {"shape": (1, 2)},
        "`values` must have shape [1, 2], as `shape` is [1, 2], but one has [2, 2]",
    ),
    (
        core.ParallelConcat,
        ([(1, 2)],),
        {"shape": (2, 2)},
        "`shape` is [2, 2], but `values` has 1 operand of one row each",
    ),
    (
        core.Bitcast,
        ((2, 3), tg.TComplex64),
        {},
        "`input` has shape [2, 3], but its last dimension must be 2: so many float32 make one complex64",
    ),
    (core.LinSpace, (0.0, 1.0, 0), {}, "`num` must be at least 1, but is 0"),
    (core.Range, (0, 3, 0), {}, "`delta` must not be 0"),
]
SLICES: Final[Refused] = [
    (
        core.Slice,
        ((2, 3), [0], [1]),
        {},
        (
            "`begin` and `size` must have as many elements as `input` has dimensions: `begin` has shape [1], `size` "
            "[1], `input` [2, 3]"
        ),
    ),
    (core.Slice, ((2, 3), [0, 1], [1, 3]), {}, "`size[1]` is 3, but must be -1 or in [0, 2]"),
    (
        core.StridedSlice,
        ((2, 3), [0, 0], [1, 1], [1, 1]),
        {"ellipsis_mask": 3},
        "`ellipsis_mask` is 3, which has several bits set, but there can be only one ellipsis",
    ),
    (
        core.StridedSlice,
        ((2, 3), [0, 0], [1], [1, 1]),
        {},
        (
            "`begin`, `end` and `strides` must be of the same length, but `begin` has shape [2], `end` has shape [1], "
            "`strides` has shape [2]"
        ),
    ),
    (
        core.StridedSlice,
        ((2, 3), [0], [1], [-1]),
        {"shrink_axis_mask": 1},
        "`strides[0]` is -1, but must be positive where a single index is taken",
    ),
    (core.StridedSlice, ((2, 3), [0, 0], [1, 1], [1, 0]), {}, "`strides[1]` must not be 0"),
    (
        core.StridedSliceGrad,
        ([4], [0], [2], [1], (3,)),
        {},
        "`dy` has shape [3], but the slice of an array of shape [4] has shape [2]",
    ),
]
LISTS: Final[Refused] = [
    (core.Concat, ([(2,)], 0), {}, "`values` must be two operands or more, but there is 1"),
    (
        core.Concat,
        ([(), ()], 0),
        {},
        "`values` are scalars, which cannot be concatenated; core.Stack makes a vector of them",
    ),
    (core.IdentityN, ([],), {}, "`input` is an empty list; it takes at least one operand"),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), [*AXES, *SIZES, *SLICES, *LISTS])
def test_what_is_refused(operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str) -> None:
    check_refusal(operation, inputs, attributes, message)


def test_more_axes_than_dimensions_that_only_the_run_knows() -> None:
    scope = tg.Scope(tg.Graph())
    axes = core.Placeholder.create(scope, tg.TInt32, shape=(3,))
    with pytest.raises(tg.ShapeError, match=r"\): `axis` has 3 elements, but `input` has only 2 dimensions\n"):
        core.Sum.create(scope, operand(scope, (2, 3)), axes)


def test_sizes_that_only_the_run_knows() -> None:
    scope = tg.Scope(tg.Graph())
    sizes = core.Placeholder.create(scope, tg.TInt32)
    reshaped = core.Reshape.create(scope, [1, 2, 3, 4, 5, 6], sizes)
    with (
        tg.Session(scope.graph) as session,
        pytest.raises(
            tg.InvalidArgumentError, match=r"cannot reshape `tensor` of shape \[6\] to \[-3, -1\]: a size cannot be"
        ),
    ):
        session.run(reshaped, {sizes: [-3, -1]})


STEPS: Final[list[tuple[tuple[float, float, float], str]]] = [
    ((0.0, 1.0, 0.0), "`delta` must not be 0"),
    ((0.0, 1.0, -0.1), "`delta` is -0.1, which does not lead from `start` 0.0 to `limit` 1.0"),
    (
        (0.0, 1e30, 0.001),
        "`delta` is 0.001, which makes too many elements from `start` 0.0 to `limit` 1e+30; give larger steps",
    ),
]


@pytest.mark.parametrize(("numbers", "message"), STEPS)
def test_steps_that_never_arrive(numbers: tuple[float, float, float], message: str) -> None:
    """Of float32, in the digits that were written."""
    scope = tg.Scope(tg.Graph())
    fed = [core.Placeholder.create(scope, tg.TFloat32, ()) for _ in numbers]
    numbered = core.Range.create(scope, *fed)
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as raised:
        session.run(numbered, dict(zip(fed, numbers, strict=True)))
    assert f"): {message}\n" in str(raised.value)


@pytest.mark.parametrize(("numbers", "message"), STEPS[:2])
def test_constant_steps_that_never_arrive(numbers: tuple[float, float, float], message: str) -> None:
    with pytest.raises(tg.ShapeError) as raised:
        core.Range.create(tg.Scope(tg.Graph()), *map(np.float32, numbers))
    assert f"): {message}\n" in str(raised.value)


def test_constants_that_make_too_many_numbers() -> None:
    assert core.Range.create(tg.Scope(tg.Graph()), *map(np.float32, STEPS[2][0])).shape == (None,)
