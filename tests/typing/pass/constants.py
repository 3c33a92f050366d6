"""The element type and shape of a constant follow from its value."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np

import typegrad as tg
from typegrad.op import core

scope = tg.Scope(tg.Graph())

assert_type(core.Constant.create(scope, True), core.Constant[tg.TBool, tuple[()]])
assert_type(core.Constant.create(scope, 1), core.Constant[tg.TInt32, tuple[()]])
assert_type(core.Constant.create(scope, 1.0), core.Constant[tg.TFloat32, tuple[()]])
assert_type(core.Constant.create(scope, 1j), core.Constant[tg.TComplex128, tuple[()]])
assert_type(core.Constant.create(scope, "a"), core.Constant[tg.TString, tuple[()]])
assert_type(core.Constant.create(scope, b"a"), core.Constant[tg.TString, tuple[()]])

assert_type(core.Constant.create(scope, [True, False]), core.Constant[tg.TBool])
assert_type(core.Constant.create(scope, (1, 2)), core.Constant[tg.TInt32])
assert_type(core.Constant.create(scope, [[1.0, 2.0], [3.0, 4.0]]), core.Constant[tg.TFloat32])
assert_type(core.Constant.create(scope, [1, 2.0]), core.Constant[tg.TFloat32])
assert_type(core.Constant.create(scope, [1j]), core.Constant[tg.TComplex128])
assert_type(core.Constant.create(scope, ["a"]), core.Constant[tg.TString])
assert_type(core.Constant.create(scope, [b"a", b"b"]), core.Constant[tg.TString])

assert_type(core.Constant.create(scope, np.float16(1)), core.Constant[tg.TFloat16, tuple[()]])
assert_type(core.Constant.create(scope, np.float64(1)), core.Constant[tg.TFloat64, tuple[()]])
assert_type(core.Constant.create(scope, np.uint8(1)), core.Constant[tg.TUint8, tuple[()]])
assert_type(core.Constant.create(scope, np.zeros(3)), core.Constant[tg.TFloat64])
assert_type(core.Constant.create(scope, np.zeros(3, np.float32)), core.Constant[tg.TFloat32])
assert_type(core.Constant.create(scope, np.ones((3, 4), np.int32)), core.Constant[tg.TInt32])
assert_type(core.Constant.create(scope, np.zeros(3, np.bool_)), core.Constant[tg.TBool])
assert_type(core.Constant.create(scope, np.zeros(3, np.complex64)), core.Constant[tg.TComplex64])
assert_type(core.Constant.create(scope, np.arange(6).reshape(2, 3)), core.Constant[tg.TInt64])

# NumPy does not tell type checkers what is in these.
assert_type(core.Constant.create(scope, np.array([1.0])), core.Constant[Any, tuple[Any, ...]])
assert_type(core.Constant.create(scope, []), core.Constant[Any])

assert_type(core.Constant.create(scope, 1, tg.TFloat16), core.Constant[tg.TFloat16, tuple[()]])
assert_type(core.Constant.create(scope, [1, 2], tg.TInt64), core.Constant[tg.TInt64])
stated = core.Constant.create(scope, np.zeros(3), tg.TBfloat16)
assert_type(stated, core.Constant[tg.TBfloat16])
assert stated.dtype is tg.TBfloat16

for operation in scope.graph.operations:
    assert operation.outputs[0].shape.is_static
