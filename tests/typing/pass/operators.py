"""Python's operators on operands, with operands and Python numbers on either side."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, train

scope = tg.Scope(tg.Graph())
shape = np.zeros((2, 2)).shape
x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
n = core.Placeholder.create(scope, tg.TInt64, shape=shape)
c = core.Placeholder.create(scope, tg.TComplex64, shape=shape)
b = core.Placeholder.create(scope, tg.TBool, shape=shape)

assert_type(x + x, math.AddV2[tg.TFloat32, Any])
assert_type(x + 1, math.AddV2[tg.TFloat32, Any])
assert_type(1.5 + x, math.AddV2[tg.TFloat32, Any])
assert_type(n - 1, math.Sub[tg.TInt64, Any])
assert_type(2 - n, math.Sub[tg.TInt64, Any])
assert_type(c * 2j, math.Mul[tg.TComplex64, Any])
assert_type(2.0 * c, math.Mul[tg.TComplex64, Any])
assert_type(x / 2, math.RealDiv[tg.TFloat32, Any])
assert_type(1 / c, math.RealDiv[tg.TComplex64, Any])
assert_type(n // 2, math.FloorDiv[tg.TInt64, Any])
assert_type(7.0 // x, math.FloorDiv[tg.TFloat32, Any])
assert_type(x % 0.5, math.FloorMod[tg.TFloat32, Any])
assert_type(7 % n, math.FloorMod[tg.TInt64, Any])
assert_type(x**2, math.Pow[tg.TFloat32, Any])
assert_type(2**n, math.Pow[tg.TInt64, Any])
assert_type(x < 1.0, math.Less[Any])
assert_type(n <= n, math.LessEqual[Any])
assert_type(1 < n, math.Greater[Any])
assert_type(x >= x, math.GreaterEqual[Any])
assert_type(-x, math.Neg[tg.TFloat32, tuple[Any, Any]])
assert_type(abs(n), math.Abs[tg.TInt64, tuple[Any, Any]])
assert_type(~b, math.LogicalNot[tuple[Any, Any]])
assert_type(b & True, math.LogicalAnd[Any])
assert_type((x < 1.0) | b, math.LogicalOr[Any])
assert_type(x @ x, linalg.MatMul[tg.TFloat32, Any] | train.BatchMatMul[tg.TFloat32, Any])
assert_type(x == x, bool)  # operands are keys of dictionaries; math.Equal compares values

y = core.Select.create(scope, (x > 0.0) & b, x * 2, -x)
with tg.Session(scope.graph) as session:
    value = session.run(y, {x: np.full(shape, 3.0, np.float32), b: [[True, False], [False, True]]})
assert value.tolist() == [[6.0, -3.0], [-3.0, 6.0]]
