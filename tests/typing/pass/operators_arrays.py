"""Arrays, NumPy's scalars and lists on either side of an operator."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, train

scope = tg.Scope(tg.Graph())
x = core.Constant.create(scope, np.ones((2, 2), np.float32))
n = core.Constant.create(scope, np.ones((2, 2), np.int64))
c = core.Constant.create(scope, np.ones((2, 2), np.complex64))
b = core.Constant.create(scope, np.eye(2) > 0)
t = core.Constant.create(scope, ["a", "b"])
single = np.ones((2, 2), np.float32)
integers = np.ones((2, 2), np.int64)
mask = np.eye(2) > 0

assert_type(x * single, math.Mul[tg.TFloat32, Any])
assert_type(single * x, math.Mul[tg.TFloat32, Any])
assert_type(np.float32(2) * x, math.Mul[tg.TFloat32, Any])
assert_type(np.float64(2) * x, math.Mul[tg.TFloat32, Any])
assert_type(x / np.float64(2), math.RealDiv[tg.TFloat32, Any])
assert_type(np.int32(2) - x, math.Sub[tg.TFloat32, Any])
assert_type(x ** np.float32(2), math.Pow[tg.TFloat32, Any])
assert_type(n + integers, math.AddV2[tg.TInt64, Any])
assert_type(integers % n, math.FloorMod[tg.TInt64, Any])
assert_type(np.int8(3) // n, math.FloorDiv[tg.TInt64, Any])
assert_type(c * single.astype(np.complex64), math.Mul[tg.TComplex64, Any])
assert_type(np.complex64(1j) * c, math.Mul[tg.TComplex64, Any])
assert_type(x + [1.0, 2.0], math.AddV2[tg.TFloat32, Any])
assert_type([1, 2] + x, math.AddV2[tg.TFloat32, Any])
assert_type((1.0, 2.0) * x, math.Mul[tg.TFloat32, Any])
assert_type(x @ single, linalg.MatMul[tg.TFloat32, Any] | train.BatchMatMul[tg.TFloat32, Any])
assert_type(single @ x, linalg.MatMul[tg.TFloat32, Any] | train.BatchMatMul[tg.TFloat32, Any])
assert_type(x @ [[1.0], [2.0]], linalg.MatMul[tg.TFloat32, Any] | train.BatchMatMul[tg.TFloat32, Any])
assert_type(c @ single.astype(np.complex64), linalg.MatMul[tg.TComplex64, Any] | train.BatchMatMul[tg.TComplex64, Any])
assert_type(x < single, math.Less[Any])
assert_type(single < x, math.Greater[Any])
assert_type(b & mask, math.LogicalAnd[Any])
assert_type(mask | b, math.LogicalOr[Any])
assert_type(t + "!", math.Add[tg.TString, Any])
assert_type(b"?" + t, math.Add[tg.TString, Any])
assert_type(t + ["c", "d"], math.Add[tg.TString, Any])

with tg.Session(scope.graph) as session:
    assert session.run(single @ x - [1.0, 2.0]).tolist() == [[1.0, 0.0], [1.0, 0.0]]
    assert session.run(t + "!").tolist() == [b"a!", b"b!"]
