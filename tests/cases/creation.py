"""Cases of `ops/creation.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np

from support.case import Case
from support.samples import ALL, ints, sample, strings, values
from support.sweeps import ARRAYS, every_type, of_every_type

_FILL = [
    *(Case("Fill", (ints(2, 3), pair[1])) for pair in of_every_type(2)[:-1]),
    Case("Fill", (ints(2, 3), np.array(b"x", object))),
    Case("Fill", (values("int64", 2, 1), np.float64(0.5))),
    Case("Fill", (ints(), np.float64(0.5))),
    Case("Fill", (ints(0, 2), np.float64(0.5))),
    Case("Fill", (ints(2), np.float64(np.nan)), smooth=False),
    Case("Fill", (ints(-1), np.float64(0.5)), fails=True),
    Case("Fill", (ints(2), sample("double", (2,))), fails=True),
    Case("Fill", (np.array([[2]], np.int32), np.float64(0.5)), fails=True),
]

_LIKE = [
    *every_type("ZerosLike", (2, 3)),
    *every_type("ZerosLike", ()),
    *every_type("ZerosLike", (0, 2)),
    *every_type("OnesLike", (2, 3), strings=False),
    *every_type("OnesLike", (), strings=False),
    *every_type("OnesLike", (0, 2), strings=False),
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
    *(Case("Range", (*values("double", 0.3, *ends),)) for ends in ((4.4, 0.7), (-2, -0.4))),
    Case("Range", (ints(0, 1), np.int32(5), np.int32(1)), fails=True),
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
    *(Case("LinSpace", (*values("double", 0.3, -2.5), np.int32(num))) for num in (1, 2, 5)),
    Case("LinSpace", (np.float32(0), np.float32(1), np.int32(0)), fails=True),
    Case("LinSpace", (np.float32(0), np.float32(1), np.int32(-1)), fails=True),
    Case("LinSpace", (np.zeros(1, np.float32), np.float32(1), np.int32(2)), fails=True),
    Case("LinSpace", (np.float32(0), np.float32(1), ints(2)), fails=True),
]

_NAMES = {"float64": "double", "float32": "float", "float16": "half", "object": "string"}
"""TensorFlow's names of NumPy's dtypes, where they differ."""


def one_hots() -> Iterator[Case]:
    """`OneHot`: every dtype, axis and depth."""

    def case(indices: Any, depth: int, axis: int = -1, dtype: str = "double", **keywords: Any) -> Case:
        on, off = values(dtype, 1, 0)
        return Case("OneHot", (np.asarray(indices), np.int32(depth), on, off), {"axis": axis}, **keywords)

    yield from (case(ints(0, 2), 3, dtype=dtype) for dtype in ALL)
    yield from (case(values(dtype, 0, 2, 9), 3) for dtype in ("int8", "uint8", "int64"))
    yield Case("OneHot", (ints(1, 0), np.int32(2), strings("on")[0], strings("off")[0]))
    yield case(np.array([255], np.uint8), 300)
    yield case(ints(1, -1, 7), 2)
    yield from (case(np.array([[0, 2], [1, 1]], np.int32), 3, axis) for axis in (-1, 0, 1, 2))
    yield case(np.int32(1), 3)
    yield case(ints(0, 1), 0)
    yield case(ints(), 3)
    yield case(ints(0), 2, -2, fails=True)
    yield case(ints(0), 2, 2, fails=True)
    yield case(ints(0), -1, fails=True)
    yield Case("OneHot", (ints(0), ints(2), np.float32(1), np.float32(0)), fails=True)
    yield Case("OneHot", (ints(0), np.int32(2), values("float", 1), np.float32(0)), fails=True)


def empties() -> Iterator[Case]:
    """Every type and some shapes; what is no shape."""
    op = "Empty"
    for dtype in (*ALL, "string"):
        yield Case(op, (ints(2, 3),), {"dtype": dtype, "init": True})
    for shape in (ints(), ints(0, 2)):
        yield Case(op, (shape,), {"dtype": "float", "init": True})
    for wrong in (ints(-1), np.int32(2), ints(2)[None], values("int64", 2)):
        yield Case(op, (wrong,), {"dtype": "float", "init": True}, fails=True)


CASES: list[Case] = [
    *(Case("Const", (), {"value": x, "dtype": _NAMES.get(str(x.dtype), str(x.dtype))}) for x in ARRAYS),
    *_FILL,
    *_LIKE,
    *_RANGE,
    *_LIN_SPACE,
    *one_hots(),
    *empties(),
    Case("Fact"),
    *(Case("HostConst", (), {"dtype": dtype, "value": sample(dtype, (2,))}) for dtype in ALL),
    Case("HostConst", (), {"dtype": "string", "value": strings("a")}),
]
