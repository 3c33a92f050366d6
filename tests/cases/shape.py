"""Cases of `ops/shape.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

from support.case import Case
from support.samples import ints, sample, values
from support.sweeps import ARRAYS, is_smooth

_SHAPE_PAIRS: list[tuple[tuple[int, ...], tuple[int, ...], bool]] = [
    ((2, 1, 3), (1, 5, 3), True),
    ((1, 3), (1, 3), True),
    ((1, 3), (1, 1), True),
    ((4, 1, 3), (3,), True),
    ((2, 3), (2, 3), True),
    ((), (), True),
    ((), (1,), True),
    ((), (2, 3), True),
    ((1,), (1, 1), True),
    ((0, 1), (1, 5), True),
    ((0,), (1,), True),
    ((2, 3), (3, 3), False),
    ((2,), (3,), False),
]

_BROADCAST_GRADIENT = [
    *(
        Case("BroadcastGradientArgs", tuple(np.array(x, index) for x in order), fails=not fits)
        for s0, s1, fits in _SHAPE_PAIRS
        for order in ((s0, s1), (s1, s0))
        for index in (np.int32, np.int64)
    ),
    Case("BroadcastGradientArgs", (np.array([[1]], np.int32), ints(1)), fails=True),
]

_SHAPES = [(), (0,), (4,), (2, 3), (2, 0, 3), (1, 1, 1, 1), (2, 1, 2, 1, 2)]
_ENSURED: list[tuple[tuple[int, ...], list[int], bool]] = [
    ((2, 3), [2, 3], True),
    ((2, 3), [-1, 3], True),
    ((2, 3), [-1, -1], True),
    ((), [], True),
    ((0, 3), [0, -1], True),
    ((2, 3), [2, 4], False),
    ((2, 3), [-1], False),
    ((2, 3), [], False),
    ((), [-1], False),
]


_Shapes: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
_BROADCAST: _Shapes = (
    ((2, 3), (3,)),
    ((2, 1), (1, 3)),
    ((), (0,)),
    ((), ()),
    ((0,), (1,)),
)
_NOT_BROADCAST: _Shapes = (((2,), (3,)), ((0,), (2,)), ((2, 3), (2, 1, 2)))
_OFFSETS: tuple[tuple[Any, ...], ...] = ((1, (2, 3), (2, 1), (2, 5)), (-1, (2, 3), (2, 0)), (0, (1,), (2,)))
_NO_OFFSETS: tuple[tuple[Any, ...], ...] = (
    (2, (2, 3), (1, 3)),
    (-3, (2, 3), (2, 3)),
    (0, (2, 3), (1, 4)),
    (0, (2,), (2, 3)),
    (0, (), ()),
)
_POSITIONS = "TensorFlow refuses a vector without indices, and does not refuse negative ones."


def shapes() -> Iterator[Case]:
    """Shapes of the same and of different ranks, both integer types, and shapes that do not fit."""
    for dtype in ("int32", "int64"):
        for pair in _BROADCAST:
            yield Case("BroadcastArgs", tuple(values(dtype, *each) for each in pair))
        for axis, *rows in _OFFSETS:
            yield Case("ConcatOffset", (np.int32(axis), tuple(values(dtype, *row) for row in rows)))
        for indices in (5, [0, 5, 3], [[0]]):
            inputs = np.array(indices, dtype), values(dtype, 2, 3)
            yield Case("UnravelIndex", inputs, fails=np.ndim(indices) > 1)
    for pair in _NOT_BROADCAST:
        yield Case("BroadcastArgs", tuple(ints(*each) for each in pair), fails=True)
    yield Case("BroadcastArgs", (np.int32(2), ints(3)), fails=True)
    for axis, *rows in _NO_OFFSETS:
        yield Case("ConcatOffset", (np.int32(axis), tuple(ints(*row) for row in rows)), fails=True)
    yield Case("ConcatOffset", (np.int32(0), (np.int32(2), np.int32(3))), fails=True)
    for row, sizes in (((6,), (2, 3)), ((0,), (2, 0)), ((0,), (-2, 3))):
        yield Case("UnravelIndex", (ints(*row), ints(*sizes)), fails=True)
    for dtype, limit in (("int32", 2**31), ("int64", 2**63)):
        yield Case("UnravelIndex", (values(dtype, 5), values(dtype, limit - 1, 1)))
        for twos in ((2,), (2, 2)):
            yield Case("UnravelIndex", (values(dtype, 0), values(dtype, limit // 2, *twos)), fails=True)
    yield Case("UnravelIndex", (ints(), ints(2, 3)), differs=_POSITIONS)
    yield Case("UnravelIndex", (ints(-1), ints(2, 3)), differs=_POSITIONS, fails=True)
    yield Case("UnravelIndex", (ints(0), ints()))


CASES: list[Case] = [
    *shapes(),
    *(Case(op, (np.zeros(shape, np.float32),)) for op in ("Shape", "Size", "Rank") for shape in _SHAPES),
    *(Case(op, (np.zeros(shape, np.int32),), {"out_type": "int64"}) for op in ("Shape", "Size") for shape in _SHAPES),
    *(Case(op, (x,)) for op in ("Shape", "Size", "Rank") for x in ARRAYS),
    Case("ShapeN", (tuple(np.zeros(shape, np.float32) for shape in _SHAPES),)),
    Case("ShapeN", (tuple(np.zeros(shape, np.float32) for shape in _SHAPES),), {"out_type": "int64"}),
    Case("ShapeN", ((np.array([b"a", b"b"], object),),)),
    *(
        Case("EnsureShape", (sample("double", actual),), {"shape": stated}, fails=not fits)
        for actual, stated, fits in _ENSURED
    ),
    *(Case("EnsureShape", (x,), {"shape": [-1] * x.ndim}, smooth=is_smooth(x)) for x in ARRAYS[4:]),
    *_BROADCAST_GRADIENT,
]
