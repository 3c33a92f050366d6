"""Cases of `ops/shape.yaml`."""

from __future__ import annotations

import numpy as np

from support.case import Case
from support.samples import ints, sample
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


CASES: list[Case] = [
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
