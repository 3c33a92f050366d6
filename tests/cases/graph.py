"""Cases of `ops/graph.yaml`."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from support.case import Case

_RNG = np.random.default_rng(7)

_ARRAYS: list[Any] = [
    _RNG.normal(size=(2, 3)),
    np.array([np.nan, np.inf, -np.inf, -0.0, 1.0]),
    np.float64(2.5),
    np.zeros((0, 3)),
    np.array([1.5, -2.0], np.float32),
    np.array([1.5, -2.0], np.float16),
    np.array([1.5, -2.0], ml_dtypes.bfloat16),
    np.array([-128, 127], np.int8),
    np.array([-(2**15), 2**15 - 1], np.int16),
    np.array([-(2**31), 2**31 - 1], np.int32),
    np.array([-(2**63), 2**63 - 1], np.int64),
    np.array([0, 255], np.uint8),
    np.array([0, 2**16 - 1], np.uint16),
    np.array([0, 2**32 - 1], np.uint32),
    np.array([0, 2**64 - 1], np.uint64),
    np.array([1 + 2j, -3j], np.complex64),
    np.array([[1 + 2j], [-3j]], np.complex128),
    np.array([True, False]),
    np.array([b"left", b"", b"\xff\x00"], object),
]
_SHAPES = [(), (0,), (4,), (2, 3), (2, 0, 3), (1, 1, 1, 1), (2, 1, 2, 1, 2)]


def _smooth(x: Any) -> bool:
    return bool(np.isfinite(x).all()) if x.dtype == np.float64 else True


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

_NAMES = {"float64": "double", "float32": "float", "float16": "half", "object": "string"}
"""TensorFlow's names of NumPy's dtypes, where they differ."""

CASES: list[Case] = [
    *(Case("Const", (), {"value": x, "dtype": _NAMES.get(str(x.dtype), str(x.dtype))}) for x in _ARRAYS),
    *(Case(op, (x,), smooth=_smooth(x)) for op in ("Identity", "StopGradient") for x in _ARRAYS),
    Case("IdentityN", (tuple(_ARRAYS),), smooth=False),
    Case("IdentityN", ((_RNG.normal(size=(2, 2)), np.array([1, 2], np.int32), np.float64(0.5)),)),
    Case("IdentityN", ((_RNG.normal(size=3),),)),
    Case("PlaceholderWithDefault", (_RNG.normal(size=(2, 3)),), {"shape": [-1, 3]}),
    Case("PlaceholderWithDefault", (np.array([1, 2], np.int64),), {"shape": None}),
    Case("PlaceholderWithDefault", (np.array([b"x"], object),), {"shape": [1]}),
    *(
        Case("EnsureShape", (_RNG.normal(size=given),), {"shape": stated}, fails=not fits)
        for given, stated, fits in _ENSURED
    ),
    *(Case("EnsureShape", (x,), {"shape": [-1] * x.ndim}, smooth=_smooth(x)) for x in _ARRAYS[4:]),
    *(Case(op, (np.zeros(shape, np.float32),)) for op in ("Shape", "Size", "Rank") for shape in _SHAPES),
    *(Case(op, (np.zeros(shape, np.int32),), {"out_type": "int64"}) for op in ("Shape", "Size") for shape in _SHAPES),
    *(Case(op, (x,)) for op in ("Shape", "Size", "Rank") for x in _ARRAYS),
    Case("ShapeN", (tuple(np.zeros(shape, np.float32) for shape in _SHAPES),)),
    Case("ShapeN", (tuple(np.zeros(shape, np.float32) for shape in _SHAPES),), {"out_type": "int64"}),
    Case("ShapeN", ((np.array([b"a", b"b"], object),),)),
    Case("NoOp"),
]
