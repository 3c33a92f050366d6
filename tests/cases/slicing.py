"""Cases of `ops/slicing.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import ALL, ints, sample, strings, values

SHIFTS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def slices() -> Iterator[Case]:
    """`Slice`: every dtype, blocks that fit, and blocks that do not."""
    yield from (Case("Slice", (sample(dtype, (3, 4)), ints(1, 0), ints(2, 3))) for dtype in ALL)
    yield Case("Slice", (strings("a", "b", "c"), ints(1), ints(-1)))
    yield Case("Slice", (np.array(b"a", object), ints(), ints()))
    for shape, begin, size in (
        ((3, 4), (0, 0), (-1, -1)),
        ((3, 4), (1, 2), (-1, 2)),
        ((3, 4), (3, 4), (0, 0)),
        ((3, 4), (3, 0), (-1, 4)),
        ((2, 3, 2), (0, 1, 1), (2, 1, -1)),
        ((0, 2), (0, 1), (0, 1)),
        ((5,), (2,), (2,)),
        ((), (), ()),
    ):
        yield Case("Slice", (sample("double", shape), ints(*begin), ints(*size)))
        yield Case("Slice", (sample("double", shape), ints(*begin).astype(np.int64), ints(*size).astype(np.int64)))
    for begin, size in (
        ((-1, 0), (1, 1)),
        ((1, 1), (3, 1)),
        ((4, 0), (-1, 1)),
        ((0, 0), (-2, 1)),
        ((0,), (1,)),
        ((0, 0), (1,)),
        ((0, 0, 0), (1, 1, 1)),
    ):
        yield Case("Slice", (sample("float", (3, 4)), ints(*begin), ints(*size)), fails=True)
    yield Case("Slice", (sample("float", (3, 4)), ints(0, 0)[None], ints(1, 1)[None]), fails=True)


def strided(shape: tuple[int, ...], *index: Any, dtype: str = "double", **keywords: Any) -> Case:
    """`sample[index]`, for what Python allows in an index."""
    masks = dict.fromkeys(SHIFTS, 0)
    begin, end, strides = [0] * len(index), [0] * len(index), [1] * len(index)
    for i, item in enumerate(index):
        if item is None or item is ...:
            masks["new_axis_mask" if item is None else "ellipsis_mask"] |= 1 << i
        elif isinstance(item, slice):
            masks["begin_mask"] |= (item.start is None) << i
            masks["end_mask"] |= (item.stop is None) << i
            begin[i], end[i] = item.start or 0, item.stop or 0
            strides[i] = 1 if item.step is None else item.step
        else:
            masks["shrink_axis_mask"] |= 1 << i
            begin[i], end[i] = item, item + 1
    inputs = (sample(dtype, shape), ints(*begin), ints(*end), ints(*strides))
    return Case("StridedSlice", inputs, {name: mask for name, mask in masks.items() if mask}, **keywords)


def raw(*vectors: Sequence[int], fails: bool = False, **masks: int) -> Case:
    """A strided slice of a matrix from its vectors and masks."""
    return Case("StridedSlice", (sample("double", (3, 4)), *(ints(*row) for row in vectors)), masks, fails=fails)


def random_slices(count: int) -> Iterator[Case]:
    """Any ranges and masks that make sense."""
    rng = np.random.default_rng(7)
    for _ in range(count):
        shape = tuple(int(size) for size in rng.integers(1, 5, 3))
        length = int(rng.integers(0, 4))
        begin, end = (rng.integers(-6, 7, length).astype(np.int32) for _ in range(2))
        strides = rng.choice([-3, -2, -1, 1, 2, 3], length).astype(np.int32)
        masks = {name: int(rng.integers(0, 8)) for name in ("begin_mask", "end_mask")}
        masks["new_axis_mask"] = int(rng.choice([0, 0, 1, 2, 4]))
        masks["ellipsis_mask"] = int(rng.choice([0, 0, 1, 2, 4]))
        if rng.random() < 0.4:
            masks["shrink_axis_mask"] = int(rng.choice([1, 2, 4]))
            begin, strides = np.clip(begin, -1, 0), np.abs(strides)
        yield Case("StridedSlice", (sample("double", shape), begin, end, strides), masks)


def strided_slices() -> Iterator[Case]:
    """`StridedSlice`: every kind of index, clamping, contradictory masks, errors."""
    full = slice(None)
    yield from (strided((3, 4), slice(1, 3), slice(None, None, 2), dtype=dtype) for dtype in ALL)
    for index in (
        (),
        (1,),
        (-1,),
        (slice(1, 3),),
        (slice(-2, None), slice(None, -1)),
        (full, slice(None, None, -1)),
        (slice(9, None, -2), slice(-9, 9)),
        (slice(2, 1),),
        (slice(0, 3, -1),),
        (2, -3),
        (None,),
        (None, 1, None, slice(1, 2)),
        (...,),
        (..., 1),
        (1, ...),
        (..., None),
        (None, ..., slice(0, 2)),
        (full, ..., 2),
        (full, full, ...),
    ):
        yield strided((3, 4), *index)
    yield strided((2, 3, 2), ..., None, 1)
    yield strided((2, 3, 2), 1, ..., slice(None, None, -1))
    yield strided((2, 3, 2), slice(0, 1), None, slice(1, None))
    yield strided((0, 2), slice(0, 1))
    yield strided((), None)
    yield strided((), ...)
    yield from random_slices(60)
    yield raw([0], [1], [1], ellipsis_mask=3, fails=True)
    yield raw([0], [1], [1], ellipsis_mask=6, fails=True)
    yield raw([0, 0], [1, 1], [1, 1], ellipsis_mask=3, fails=True)
    yield raw([1], [0], [2], shrink_axis_mask=1, begin_mask=1, end_mask=1)
    yield raw([0], [1], [0], new_axis_mask=1, shrink_axis_mask=1)
    yield raw([0], [1], [0], ellipsis_mask=1, shrink_axis_mask=1, new_axis_mask=1)
    yield raw([1], [2], [1], shrink_axis_mask=7, begin_mask=6, ellipsis_mask=4)
    yield Case("StridedSlice", (strings("a", "b", "c"), ints(2), ints(0), ints(-1)))
    yield Case("StridedSlice", (strings("a", "b", "c"), ints(2), ints(0), ints(1)), {"shrink_axis_mask": 1})
    for dtype in (np.int16, np.int64):
        yield Case("StridedSlice", (sample("double", (4,)), *(ints(i).astype(dtype) for i in (1, 3, 1))))
    yield raw([3], [4], [1], shrink_axis_mask=1, fails=True)
    yield raw([-4], [4], [1], shrink_axis_mask=1, fails=True)
    yield raw([1], [2], [-1], shrink_axis_mask=1, fails=True)
    yield raw([1], [2], [0], fails=True)
    yield raw([0, 0, 0], [1, 1, 1], [1, 1, 1], fails=True)
    yield raw([0, 0], [1, 1], [1, 1], ellipsis_mask=3, fails=True)
    yield raw([0, 0], [1], [1], fails=True)
    yield raw([0, 0], [1, 1], [1], fails=True)


def strided_slice_grads() -> Iterator[Case]:
    """`StridedSliceGrad`: the gradient of slices as above."""
    op = "StridedSliceGrad"

    def case(shape: Sequence[int], rows: Sequence[Sequence[int]], dy: Array, fails: bool = False, **masks: int) -> Case:
        return Case(op, (ints(*shape), *(ints(*row) for row in rows), dy), masks, fails=fails)

    yield from (case([4], ([1], [4], [2]), sample(dtype, (2,))) for dtype in ALL)
    yield case([4], ([1], [3], [1]), strings("a", "b"))
    yield case([4], ([3], [0], [-2]), sample("double", (2,)))
    yield case([4], ([3], [0], [1]), sample("double", (0,)))
    yield case([2, 3], ([1], [2], [1]), sample("double", (3,)), shrink_axis_mask=1)
    yield case([2, 3], ([0, 0, 1], [0, 0, 3], [1, 1, 1]), sample("double", (2, 1, 2)), ellipsis_mask=1, new_axis_mask=2)
    yield case([2, 3], ([0, 2], [0, 0], [1, -1]), sample("double", (2, 3)), begin_mask=1, end_mask=3)
    yield case([2, 3], ([], [], []), sample("double", (2, 3)))
    yield case([], ([], [], []), sample("double", ()))
    yield Case(op, (*(ints(i).astype(np.int64) for i in (4, 1, 3, 1)), sample("double", (2,))))
    yield case([4], ([1], [3], [1]), sample("double", ()), fails=True)
    yield case([4], ([1], [3], [1]), sample("double", (3,)), fails=True)
    yield case([4], ([1], [3], [0]), sample("double", (2,)), fails=True)
    yield case([2, 3], ([0], [2], [1]), sample("double", (3,)), fails=True)


EMPTY = "TensorFlow ignores a value that does not fit a slice without elements."
PLACES: tuple[tuple[Any, ...], ...] = (
    ([0], [2], [1], (2, 4), {}),
    ([0], [2], [1], (4,), {}),
    ([0], [2], [1], (), {}),
    ([0, 1], [3, 4], [2, 2], (2, 1), {}),
    ([2], [0], [-1], (2, 4), {}),
    ([1], [2], [1], (4,), {"shrink_axis_mask": 1}),
    ([-1, 1], [0, 2], [1, 1], (), {"shrink_axis_mask": 3}),
    ([0, 0], [1, 2], [1, 1], (1, 2, 4), {"new_axis_mask": 1}),
    ([0, 0], [1, 2], [1, 1], (2, 4), {"new_axis_mask": 1}),
    ([0, 0], [1, 1], [1, 1], (3,), {"ellipsis_mask": 1, "shrink_axis_mask": 2}),
    ([0, 9], [0, -9], [2, -3], (2, 1), {"begin_mask": 1, "end_mask": 1}),
    ([], [], [], (3, 4), {}),
    ([1], [1], [1], (0, 4), {}),
    ([1], [1], [1], (), {}),
)
"""Slices of a matrix of three rows and four columns, and shapes of values that fit them."""
NO_PLACES: tuple[tuple[Any, ...], ...] = (
    ([0], [2], [1], (3, 4), {}),
    ([0], [2], [1], (2,), {}),
    ([0], [2], [1], (2, 1, 4), {}),
    ([0], [2], [0], (), {}),
    ([3], [4], [1], (4,), {"shrink_axis_mask": 1}),
    ([0, 0, 0], [1, 1, 1], [1, 1, 1], (), {}),
    ([0], [1, 1], [1], (), {}),
)
"""What does not fit."""


def replaced_slices(op: str, holder: Callable[[Array], Any]) -> Iterator[Case]:
    """Slices that are replaced in an array or in a variable: every type, values that are broadcast, refusals."""
    place = ints(0), ints(3), ints(2)
    yield from (Case(op, (holder(sample(dtype, (4,))), *place, sample(dtype, (2,), seed=1))) for dtype in ALL)
    yield Case(op, (holder(strings("a", "b", "c")), *place, strings("x", "y")))
    matrix = sample("double", (3, 4))
    for begin, end, strides, shape, masks in PLACES:
        vectors = ints(*begin), ints(*end), ints(*strides).astype(np.int32)
        yield Case(op, (holder(matrix), *vectors, sample("double", shape, seed=1)), masks)
    yield Case(op, (holder(matrix), *place, sample("double", (1, 2, 4), seed=1)))
    yield Case(op, (holder(matrix), *(each.astype(np.int64) for each in place), np.float64(1)))
    yield Case(op, (holder(np.array(3.0)), ints(), ints(), ints(), np.float64(4)))
    yield Case(op, (holder(np.array(3.0)), ints(0), ints(0), ints(1), values("double", 4)), {"new_axis_mask": 1})
    yield Case(op, (holder(sample("double", (0, 2))), *place, sample("double", (0, 2))))
    for begin, end, strides, shape, masks in NO_PLACES:
        vectors = ints(*begin), ints(*end), ints(*strides)
        yield Case(op, (holder(matrix), *vectors, sample("double", shape)), masks, fails=True)
    yield Case(op, (holder(matrix), ints(0), ints(0), ints(1), sample("double", (3,))), differs=EMPTY, fails=True)


CASES: list[Case] = [
    *slices(),
    *strided_slices(),
    *strided_slice_grads(),
    *replaced_slices("TensorStridedSliceUpdate", np.asarray),
]
