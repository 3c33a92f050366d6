"""Cases of `ops/arrays.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from support.case import Case

_RNG = np.random.default_rng(11)
_NUMPY = (
    np.float64, np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.int16, np.int32, np.int64,
    np.uint8, np.uint16, np.uint32, np.uint64, np.complex64, np.complex128, np.bool_,
)  # fmt: skip


def _ints(*values: int) -> NDArray[Any]:
    return np.array(values, np.int32)


def _longs(*values: int) -> NDArray[Any]:
    return np.array(values, np.int64)


def _normal(*shape: int) -> NDArray[Any]:
    return np.asarray(_RNG.normal(size=shape))


def _samples(*shape: int) -> list[NDArray[Any]]:
    """An array of this shape of every element type."""
    size = int(np.prod(shape))
    numbers = [np.arange(size).reshape(shape).astype(dtype) for dtype in _NUMPY]
    strings = np.array([b"s%d" % i for i in range(size)], object).reshape(shape)
    return [*numbers, strings]


def _of_all(op: str, shape: Sequence[int], *rest: Any, strings: bool = True, **attrs: Any) -> list[Case]:
    """One case per element type; the first input is an array of this shape, the others are given."""
    arrays = _samples(*shape) if strings else _samples(*shape)[:-1]
    return [Case(op, (array, *rest), attrs) for array in arrays]


_NEW_SHAPES: list[tuple[tuple[int, ...], tuple[int, ...], bool]] = [
    ((2, 3), (3, 2), True),
    ((2, 3), (-1,), True),
    ((2, 3), (-1, 2), True),
    ((2, 3), (1, -1, 1, 2), True),
    ((1, 1), (), True),
    ((), (1, 1), True),
    ((), (-1,), True),
    ((0, 3), (3, 0), True),
    ((0, 3), (-1, 3), True),
    ((0, 3), (-1, 0), True),
    ((0, 3, 4), (-1, 0, 2), True),
    ((0,), (-1, 2), True),
    ((0,), (-1,), True),
    ((2, 3), (4,), False),
    ((2, 3), (-1, 4), False),
    ((2, 3), (-1, -1), False),
    ((2, 3), (-2, 3), False),
    ((2, 3), (-1, 0), False),
    ((2, 3), (0,), False),
    ((0, 3), (1,), False),
    ((2, 3), (), False),
]

_RESHAPE = [
    *_of_all("Reshape", (2, 3), _ints(3, 2)),
    *(
        Case("Reshape", (_normal(*given), np.array(wanted, index)), fails=not fits)
        for given, wanted, fits in _NEW_SHAPES
        for index in (np.int32, np.int64)
    ),
    Case("Reshape", (_normal(2, 3), np.array([[3, 2]], np.int32)), fails=True),
]

_EXPAND = [
    *_of_all("ExpandDims", (2, 3), np.int32(1)),
    *(Case("ExpandDims", (_normal(2, 3), np.int32(dim)), fails=not -3 <= dim <= 2) for dim in range(-4, 4)),
    *(Case("ExpandDims", (_normal(), np.int64(dim)), fails=not -1 <= dim <= 0) for dim in range(-2, 2)),
    Case("ExpandDims", (_normal(0, 2), np.int64(0))),
    Case("ExpandDims", (_normal(2, 3), _ints(1))),
    Case("ExpandDims", (_normal(2, 3), _ints(1, 1)), fails=True),
]


def _squeeze(shape: Sequence[int], dims: Sequence[int] = (), fails: bool = False) -> Case:
    return Case("Squeeze", (_normal(*shape),), {"squeeze_dims": list(dims)}, fails=fails)


_SQUEEZE = [
    *_of_all("Squeeze", (1, 2, 1)),
    _squeeze((1, 2, 1)),
    _squeeze((2, 3)),
    _squeeze((1, 1)),
    _squeeze(()),
    _squeeze((1, 0)),
    _squeeze((1, 2, 1), [0]),
    _squeeze((1, 2, 1), [-1]),
    _squeeze((1, 2, 1), [0, 2]),
    _squeeze((1, 2, 1), [0, 0, -3]),
    _squeeze((1, 2, 1), [1], fails=True),
    _squeeze((1, 2, 1), [3], fails=True),
    _squeeze((1, 2, 1), [-4], fails=True),
    _squeeze((0, 1), [0], fails=True),
    _squeeze((), [0], fails=True),
]

_FILL = [
    *(Case("Fill", (_ints(2, 3), sample[1])) for sample in _samples(2)[:-1]),
    Case("Fill", (_ints(2, 3), np.array(b"x", object))),
    Case("Fill", (_longs(2, 1), np.float64(0.5))),
    Case("Fill", (_ints(), np.float64(0.5))),
    Case("Fill", (_ints(0, 2), np.float64(0.5))),
    Case("Fill", (_ints(2), np.float64(np.nan)), smooth=False),
    Case("Fill", (_ints(-1), np.float64(0.5)), fails=True),
    Case("Fill", (_ints(2), _normal(2)), fails=True),
    Case("Fill", (np.array([[2]], np.int32), np.float64(0.5)), fails=True),
]

_LIKE = [
    *_of_all("ZerosLike", (2, 3)),
    *_of_all("ZerosLike", ()),
    *_of_all("ZerosLike", (0, 2)),
    *_of_all("OnesLike", (2, 3), strings=False),
    *_of_all("OnesLike", (), strings=False),
    *_of_all("OnesLike", (0, 2), strings=False),
    Case("ZerosLike", (np.array([np.nan, np.inf]),), smooth=False),
]

_RANGES: list[tuple[type[Any], float, float, float, bool]] = [
    (np.int32, 3, 18, 5, True),
    (np.int32, 3, 19, 5, True),
    (np.int32, 5, -5, -3, True),
    (np.int32, 5, 5, 1, True),
    (np.int32, 5, 5, -1, True),
    (np.int32, -(2**31), 2**31 - 1, 2**30, True),
    (np.int64, -(2**63), 2**63 - 1, 2**62, True),
    (np.int64, 2**63 - 1, -(2**63), -(2**62), True),
    (np.float32, 0, 1, 0.1, True),
    (np.float32, 0.1, 5, 0.3, True),
    (np.float32, 3, 1, -0.5, True),
    (np.float32, 1, 1, 0.5, True),
    (np.float32, 0, 3, np.inf, True),
    (np.float64, 0, 1, 0.1, True),
    (np.float64, -3, 40, 0.7, True),
    (np.float16, 0.1, 5, 0.3, True),
    (ml_dtypes.bfloat16, 0.1, 5, 0.3, True),
    (ml_dtypes.bfloat16, -3, 40, 0.7, True),
    (np.int32, 0, 5, 0, False),
    (np.int32, 5, 5, 0, False),
    (np.int32, 5, 0, 1, False),
    (np.int32, 0, 5, -1, False),
    (np.float32, 0, 5, 0, False),
    (np.float32, 5, 0, 1, False),
    (np.float32, 0, 5, -1, False),
    (np.float32, 0, np.nan, 1, False),
    (np.float32, 0, np.inf, 1, False),
    (np.float32, 0, 3, np.nan, False),
    (np.float32, np.inf, np.inf, 1, False),
]

_RANGE = [
    *(
        Case("Range", tuple(np.array(x, dtype) for x in (start, limit, delta)), smooth=False, fails=not fits)
        for dtype, start, limit, delta, fits in _RANGES
    ),
    Case("Range", (_ints(0, 1), np.int32(5), np.int32(1)), fails=True),
]

_SPACES: list[tuple[float, float, int]] = [
    (10, 12, 5),
    (0.1, 5, 11),
    (0, 1, 7),
    (5, -5, 13),
    (2, 2, 3),
    (1, 9, 1),
    (0, np.inf, 3),
]

_LIN_SPACE = [
    *(
        Case("LinSpace", (np.array(start, dtype), np.array(stop, dtype), np.array(num, index)), smooth=False)
        for start, stop, num in _SPACES
        for dtype in (np.float32, np.float64)
        for index in (np.int32, np.int64)
    ),
    Case("LinSpace", (np.float32(0), np.float32(1), np.int32(0)), fails=True),
    Case("LinSpace", (np.float32(0), np.float32(1), np.int32(-1)), fails=True),
    Case("LinSpace", (np.zeros(1, np.float32), np.float32(1), np.int32(2)), fails=True),
    Case("LinSpace", (np.float32(0), np.float32(1), _ints(2)), fails=True),
]


def _pack(shapes: Sequence[Sequence[int]], axis: int = 0, fails: bool = False) -> Case:
    return Case("Pack", (tuple(_normal(*shape) for shape in shapes),), {"axis": axis}, fails=fails)


_PACK = [
    *(Case("Pack", ((array, array[::-1]),), {"axis": 1}) for array in _samples(2, 3)),
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
    return Case("Unpack", (_normal(*shape),), {"num": num, "axis": axis}, fails=fails)


_UNPACK = [
    *_of_all("Unpack", (2, 3), num=3, axis=1),
    *_of_all("Unpack", (2,), num=2, axis=0),
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
    return Case("ConcatV2", (tuple(_normal(*shape) for shape in shapes), np.asarray(axis, np.int32)), fails=fails)


_CONCAT = [
    *(Case("ConcatV2", ((array, array[:, :1]), np.int32(1))) for array in _samples(2, 3)),
    Case("ConcatV2", ((_normal(2, 1), _normal(2, 2), _normal(2, 0)), np.int64(-1))),
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
    return Case("Split", (np.asarray(dim, np.int32), _normal(*shape)), {"num_split": num}, fails=fails)


_SPLIT = [
    *(Case("Split", (np.int32(1), array), {"num_split": 2}) for array in _samples(2, 4)),
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
    inputs = (_normal(*shape), np.array(sizes, dtype), np.asarray(dim, np.int32))
    return Case("SplitV", inputs, {"num_split": num or len(sizes)}, fails=fails)


_SPLIT_V = [
    *_of_all("SplitV", (2, 3), _longs(1, 2), np.int32(1), num_split=2),
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


def _tile(shape: Sequence[int], multiples: Sequence[int], fails: bool = False) -> Case:
    return Case("Tile", (_normal(*shape), np.array(multiples, np.int32)), fails=fails)


_TILE = [
    # TensorFlow has no Tile of uint16 on the CPU.
    *(case for case in _of_all("Tile", (2, 1), _longs(1, 3)) if case.inputs[0].dtype != np.uint16),
    _tile((2, 3), (2, 1)),
    _tile((2, 3), (2, 3)),
    _tile((2,), (1,)),
    _tile((2, 1), (0, 3)),
    _tile((0, 2), (2, 2)),
    _tile((), ()),
    _tile((2, 1), (-1, 3), fails=True),
    _tile((2, 1), (3,), fails=True),
    _tile((2,), (3, 1), fails=True),
    _tile((), (1,), fails=True),
    Case("Tile", (_normal(2), np.int32(2)), fails=True),
]


def _broadcast(shape: Sequence[int], target: Sequence[int], fails: bool = False) -> Case:
    return Case("BroadcastTo", (_normal(*shape), np.array(target, np.int32)), fails=fails)


_BROADCAST = [
    *_of_all("BroadcastTo", (2, 1), _longs(2, 2, 3)),
    _broadcast((3,), (2, 3)),
    _broadcast((2, 1), (2, 3)),
    _broadcast((1, 3), (2, 3)),
    _broadcast((1,), (1,)),
    _broadcast((), (2, 2)),
    _broadcast((), ()),
    _broadcast((2, 1), (2, 0)),
    _broadcast((0, 1), (0, 2)),
    _broadcast((1, 2), (3, 1, 2)),
    _broadcast((2, 1), (-1, 3), fails=True),
    _broadcast((2, 1), (3,), fails=True),
    _broadcast((2, 2), (2, 3), fails=True),
    _broadcast((2,), (1,), fails=True),
    _broadcast((2,), (), fails=True),
    Case("BroadcastTo", (_normal(), np.int32(2)), fails=True),
]


def _reverse(shape: Sequence[int], axis: Sequence[int], fails: bool = False) -> Case:
    return Case("ReverseV2", (_normal(*shape), np.array(axis, np.int32)), fails=fails)


_REVERSE = [
    *_of_all("ReverseV2", (2, 3), _longs(1)),
    _reverse((2, 3), (0,)),
    _reverse((2, 3), (-1, 0)),
    _reverse((2, 3), ()),
    _reverse((2, 0), (1,)),
    _reverse((), ()),
    Case("ReverseV2", (np.array(b"x", object), _ints())),
    _reverse((2, 1, 3), (2, -2)),
    _reverse((2, 2), (0, -2), fails=True),
    _reverse((2, 2), (2,), fails=True),
    _reverse((2, 2), (-3,), fails=True),
    Case("ReverseV2", (_normal(2), np.int32(0)), fails=True),
]


_BORDER = "TensorFlow lets no gradient flow to constant_values"


def _pad(shape: Sequence[int], paddings: Any, value: Any = 0.5, *, fails: bool = False, dtype: Any = np.int32) -> Case:
    inputs = (_normal(*shape), np.array(paddings, dtype), np.asarray(value, np.float64))
    return Case("PadV2", inputs, fails=fails, gradient_differs=_BORDER)


_PAD = [
    *(
        Case("PadV2", (array, np.array([[1, 0], [0, 2]], np.int32), array[0, 1]), gradient_differs=_BORDER)
        for array in _samples(1, 2)[:-1]
    ),
    Case("PadV2", (np.array([b"a"], object), np.array([[1, 2]], np.int64), np.array(b"x", object))),
    _pad((2,), [[1, 2]]),
    _pad((2,), [[1, 2]], dtype=np.int64),
    _pad((2, 2), [[1, 0], [0, 2]]),
    _pad((2, 1), [[0, 0], [0, 0]]),
    _pad((0, 2), [[1, 1], [0, 1]]),
    _pad((), np.zeros((0, 2))),
    _pad((2,), [[1, 2]], [0.5], fails=True),
    _pad((3,), [[-1, 2]], fails=True),
    _pad((2, 2), [[1, 2]], fails=True),
    _pad((2,), [1, 2], fails=True),
    _pad((2,), [[1, 2, 3]], fails=True),
]

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
    Case("BroadcastGradientArgs", (np.array([[1]], np.int32), _ints(1)), fails=True),
]

CASES: list[Case] = [
    *_RESHAPE,
    *_EXPAND,
    *_SQUEEZE,
    *_FILL,
    *_LIKE,
    *_RANGE,
    *_LIN_SPACE,
    *_PACK,
    *_UNPACK,
    *_CONCAT,
    *_SPLIT,
    *_SPLIT_V,
    *_TILE,
    *_BROADCAST,
    *_REVERSE,
    *_PAD,
    *_BROADCAST_GRADIENT,
]
