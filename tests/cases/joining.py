"""Cases of `ops/joining.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import ALL, sample, strings, values
from support.sweeps import every_type, of_every_type


def _arrays(shapes: Sequence[Sequence[int]]) -> tuple[Array, ...]:
    return tuple(sample("double", tuple(shape), seed=seed) for seed, shape in enumerate(shapes))


def _pack(shapes: Sequence[Sequence[int]], axis: int = 0, fails: bool = False) -> Case:
    return Case("Pack", (_arrays(shapes),), {"axis": axis}, fails=fails)


_PACK = [
    *(Case("Pack", ((array, array[::-1]),), {"axis": 1}) for array in of_every_type(2, 3)),
    *(_pack([(2, 3)] * 3, axis, fails=not -3 <= axis <= 2) for axis in range(-4, 4)),
    _pack([()]),
    _pack([(), ()], -1),
    _pack([(), ()], 1, fails=True),
    _pack([(0, 2), (0, 2)], 1),
    _pack([(2,), (3,)], fails=True),
    _pack([(), (2,)], fails=True),
    _pack([(2, 1), (2,)], fails=True),
]


def _unpack(shape: Sequence[int], num: int, axis: int = 0, fails: bool = False) -> Case:
    return Case("Unpack", (sample("double", tuple(shape)),), {"num": num, "axis": axis}, fails=fails)


_UNPACK = [
    *every_type("Unpack", (2, 3), num=3, axis=1),
    *every_type("Unpack", (2,), num=2, axis=0),
    *(_unpack((2, 3, 4), (2, 3, 4)[axis], axis) for axis in range(-3, 3)),
    _unpack((3,), 3),
    _unpack((1,), 1),
    _unpack((0, 3), 0),
    _unpack((0, 3), 3, 1),
    _unpack((2, 3), 3, fails=True),
    _unpack((2, 3), 2, 2, fails=True),
    _unpack((2, 3), 2, -3, fails=True),
    _unpack((), 1, fails=True),
]


def _concat(shapes: Sequence[Sequence[int]], axis: Any, fails: bool = False) -> Case:
    return Case("ConcatV2", (_arrays(shapes), np.asarray(axis, np.int32)), fails=fails)


_CONCAT = [
    *(Case("ConcatV2", ((array, array[:, :1]), np.int32(1))) for array in of_every_type(2, 3)),
    Case("ConcatV2", ((*_arrays([(2, 1), (2, 2), (2, 0)]),), np.int64(-1))),
    _concat([(2, 3), (1, 3)], 0),
    _concat([(2, 3), (1, 3)], -2),
    _concat([(2,), (0,), (3,)], 0),
    _concat([(0, 2), (0, 2)], 0),
    _concat([(0, 2), (0, 3)], 1),
    _concat([(), ()], 0, fails=True),
    _concat([(2,), (2, 1)], 0, fails=True),
    _concat([(2, 3), (2, 4)], 0, fails=True),
    _concat([(2, 3), (2, 3)], 2, fails=True),
    _concat([(2, 3), (2, 3)], -3, fails=True),
    _concat([(2, 1), (0,)], 0, fails=True),
    _concat([(2,)], 0, fails=True),
]


def _split(shape: Sequence[int], num: int, dim: Any, fails: bool = False) -> Case:
    return Case("Split", (np.asarray(dim, np.int32), sample("double", tuple(shape))), {"num_split": num}, fails=fails)


_SPLIT = [
    *(Case("Split", (np.int32(1), array), {"num_split": 2}) for array in of_every_type(2, 4)),
    _split((6,), 3, 0),
    _split((2, 4), 2, -1),
    _split((2, 4), 4, 1),
    _split((2, 4), 1, 0),
    _split((0, 2), 2, 0),
    _split((3, 2), 2, 0, fails=True),
    _split((2, 2), 3, 0, fails=True),
    _split((2, 2), 2, 2, fails=True),
    _split((2, 2), 2, -3, fails=True),
    _split((), 1, 0, fails=True),
    _split((2, 2), 2, [0], fails=True),
]


def _split_v(
    shape: Sequence[int],
    sizes: Sequence[Any],
    dim: Any = 0,
    *,
    num: int = 0,
    fails: bool = False,
    dtype: Any = np.int64,
) -> Case:
    inputs = (sample("double", tuple(shape)), np.array(sizes, dtype), np.asarray(dim, np.int32))
    return Case("SplitV", inputs, {"num_split": num or len(sizes)}, fails=fails)


_SPLIT_V = [
    *every_type("SplitV", (2, 3), values("int64", 1, 2), np.int32(1), num_split=2),
    *(_split_v((6,), [1, 3, 2], dtype=dtype) for dtype in (np.int8, np.int32, np.int64)),
    *(_split_v((6,), [1, -1, 2], dtype=dtype) for dtype in (np.int8, np.int32, np.int64)),
    _split_v((2, 4), [3, 1], -1),
    _split_v((2, 4), [0, 4, 0], 1),
    _split_v((4,), [-1, 4]),
    _split_v((0, 2), [0, 0]),
    _split_v((0, 2), [-1, 0]),
    _split_v((3,), [3]),
    _split_v((3,), [-1], fails=True),
    _split_v((3,), [2], fails=True),
    _split_v((3,), [-1, 4], fails=True),
    _split_v((3,), [-1, -1, 1], fails=True),
    _split_v((3,), [-2, 5], fails=True),
    _split_v((3,), [1, 1], fails=True),
    _split_v((3,), [1, 2], num=3, fails=True),
    _split_v((3,), [[1], [2]], num=2, fails=True),
    _split_v((), [1], fails=True),
    _split_v((3,), [1, 2], 1, fails=True),
]


def parallel_concats() -> Iterator[Case]:
    """Every type, one array and several, and shapes that do not fit."""
    op = "ParallelConcat"

    def rows(dtype: str, shape: tuple[int, ...], count: int = 2) -> tuple[tuple[Array, ...]]:
        return (tuple(sample(dtype, shape, seed=seed) for seed in range(count)),)

    for dtype in ALL:
        yield Case(op, rows(dtype, (1, 2)), {"shape": (2, 2)})
    yield Case(op, ((strings("a"), strings("b")),), {"shape": (2,)})
    yield Case(op, rows("double", (1, 2), 1), {"shape": (1, 2)})
    yield Case(op, rows("double", (1, 0)), {"shape": (2, 0)})
    for shape, stated in (((1, 2), (2, 3)), ((2, 2), (4, 2)), ((), (2,)), ((1, 2), (None, 2)), ((1, 2), None)):
        yield Case(op, rows("double", shape), {"shape": stated}, fails=True)
    more = "TensorFlow leaves the rows undefined that no array has."
    yield Case(op, rows("double", (1, 2)), {"shape": (3, 2)}, differs=more, fails=True)


CASES: list[Case] = [
    *_PACK,
    *_UNPACK,
    *_CONCAT,
    *_SPLIT,
    *_SPLIT_V,
    *parallel_concats(),
]
