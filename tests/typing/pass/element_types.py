"""The marker classes: runtime values and types at once."""

from __future__ import annotations

from typing import assert_type

import numpy as np
from typing_extensions import TypeVar

import typegrad as tg
from typegrad.op import core, dtypes

N = TypeVar("N", bound=tg.TNumber)


def like(scope: tg.Scope, x: tg.Operand[N], value: int) -> tg.Operand[N]:
    return dtypes.Cast.create(scope, core.Constant.create(scope, value), x.dtype)


def batches(scope: tg.Scope, data: np.ndarray) -> tg.Operand[tg.TType]:
    return core.Placeholder.create(scope, tg.from_numpy(data.dtype), (None, *data.shape[1:]))


scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TUint16)
assert_type(x.dtype, type[tg.TUint16])
assert_type(like(scope, x, 3), tg.Operand[tg.TUint16])
assert_type(tg.TUint16.numpy, np.dtype[np.uint16])
assert_type(dtypes.Cast.create(scope, x, tg.TComplex64), dtypes.Cast[tg.TComplex64])
assert x.dtype is tg.TUint16
assert issubclass(x.dtype, tg.TUnsigned)
assert batches(scope, np.zeros((4, 2), np.float32)).dtype is tg.TFloat32
