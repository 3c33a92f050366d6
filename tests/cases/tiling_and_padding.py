"""Cases of `ops/tiling_and_padding.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from support.case import Case
from support.samples import sample, values
from support.sweeps import every_type, of_every_type


def _tile(shape: Sequence[int], multiples: Sequence[int], fails: bool = False) -> Case:
    return Case("Tile", (sample("double", tuple(shape)), np.array(multiples, np.int32)), fails=fails)


_TILE = [
    # TensorFlow has no Tile of uint16 on the CPU.
    *(case for case in every_type("Tile", (2, 1), values("int64", 1, 3)) if case.inputs[0].dtype != np.uint16),
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
    Case("Tile", (sample("double", (2,)), np.int32(2)), fails=True),
]


def _broadcast(shape: Sequence[int], target: Sequence[int], fails: bool = False) -> Case:
    return Case("BroadcastTo", (sample("double", tuple(shape)), np.array(target, np.int32)), fails=fails)


_BROADCAST = [
    *every_type("BroadcastTo", (2, 1), values("int64", 2, 2, 3)),
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
    Case("BroadcastTo", (sample("double", ()), np.int32(2)), fails=True),
]

_BORDER = "TensorFlow lets no gradient flow to constant_values"


def _pad(shape: Sequence[int], paddings: Any, value: Any = 0.5, *, fails: bool = False, dtype: Any = np.int32) -> Case:
    inputs = (sample("double", tuple(shape)), np.array(paddings, dtype), np.asarray(value, np.float64))
    return Case("PadV2", inputs, fails=fails, gradient_differs=_BORDER)


_PAD = [
    *(
        Case("PadV2", (array, np.array([[1, 0], [0, 2]], np.int32), array[0, 1]), gradient_differs=_BORDER)
        for array in of_every_type(1, 2)[:-1]
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


_EMPTY = "TensorFlow refuses a result without elements"


def _mirror(op: str, mode: str, shape: Sequence[int], paddings: Any, **keywords: Any) -> Case:
    inputs = sample(keywords.pop("dtype", "double"), tuple(shape)), np.array(paddings, keywords.pop("index", np.int32))
    return Case(op, inputs, {"mode": mode}, **keywords)


_MIRROR = [
    *(
        _mirror(op, mode, (4, 5), [[1, 0], [0, 2]], dtype=dtype)
        for op, dtypes in (("MirrorPad", ("uint16", "bool", "complex64")), ("MirrorPadGrad", ("int8", "half", "float")))
        for mode in ("REFLECT", "SYMMETRIC")
        for dtype in ("double", *dtypes)
    ),
    _mirror("MirrorPad", "REFLECT", (3,), [[2, 2]], index=np.int64),
    _mirror("MirrorPad", "SYMMETRIC", (2, 1), [[2, 2], [1, 0]]),
    _mirror("MirrorPad", "SYMMETRIC", (0, 3), [[0, 0], [1, 2]], gradient_differs=_EMPTY),
    _mirror("MirrorPad", "REFLECT", (), np.zeros((0, 2))),
    _mirror("MirrorPadGrad", "REFLECT", (7,), [[2, 2]], index=np.int64),
    _mirror("MirrorPadGrad", "SYMMETRIC", (6, 2), [[2, 2], [1, 0]]),
    _mirror("MirrorPadGrad", "SYMMETRIC", (0,), [[0, 0]], differs=_EMPTY),
    *(_mirror("MirrorPad", "REFLECT", *wrong, fails=True) for wrong in (((3,), [[3, 0]]), ((0,), [[0, 0]]))),
    *(_mirror("MirrorPad", "SYMMETRIC", *wrong, fails=True) for wrong in (((3,), [[0, 4]]), ((3,), [[-1, 0]]))),
    *(_mirror("MirrorPadGrad", "REFLECT", *wrong, fails=True) for wrong in (((5,), [[2, 1]]), ((2,), [[2, 1]]))),
    *(_mirror("MirrorPadGrad", "SYMMETRIC", *wrong, fails=True) for wrong in (((5,), [[3, 0]]), ((2, 2), [[0, 1]]))),
]


CASES: list[Case] = [
    *_TILE,
    *_BROADCAST,
    *_PAD,
    *_MIRROR,
]
