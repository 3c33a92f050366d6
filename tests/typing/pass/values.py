"""Numbers, nested sequences and arrays in place of operands; the other operands give the element type."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np

import typegrad as tg
from typegrad.op import core, dtypes, linalg, math, nn

scope = tg.Scope(tg.Graph())
x = core.Constant.create(scope, np.ones((2, 2), np.float32))
n = core.Constant.create(scope, np.ones((2, 2), np.int64))
c = core.Constant.create(scope, np.ones((2, 2), np.complex64))
b = core.Constant.create(scope, np.eye(2) > 0)
t = core.Constant.create(scope, [b"a", b"b"])
single = np.ones((2, 2), np.float32)

# Beside an operand, on either side.
assert_type(math.Maximum.create(scope, x, 0.0), math.Maximum[tg.TFloat32, Any])
assert_type(math.Maximum.create(scope, 0, x), math.Maximum[tg.TFloat32, Any])
assert_type(math.Add.create(scope, x, [1, 2.5]), math.Add[tg.TFloat32, Any])
assert_type(math.Add.create(scope, x, ((1.0, 2.0), (3.0, 4.0))), math.Add[tg.TFloat32, Any])
assert_type(math.Add.create(scope, single, x), math.Add[tg.TFloat32, Any])
assert_type(math.Mul.create(scope, x, np.float64(2.0)), math.Mul[tg.TFloat32, Any])
assert_type(math.Mul.create(scope, n, np.int8(2)), math.Mul[tg.TInt64, Any])
assert_type(math.Sub.create(scope, n, [[1], [2]]), math.Sub[tg.TInt64, Any])
assert_type(math.Mul.create(scope, c, 2j), math.Mul[tg.TComplex64, Any])
assert_type(math.Mul.create(scope, c, 0.5), math.Mul[tg.TComplex64, Any])
assert_type(math.LogicalAnd.create(scope, b, True), math.LogicalAnd[Any])
assert_type(math.LogicalOr.create(scope, [True, False], b), math.LogicalOr[Any])
assert_type(math.Equal.create(scope, t, "a"), math.Equal[Any])
assert_type(math.Equal.create(scope, t, [b"a", b"c"]), math.Equal[Any])
assert_type(math.Pow.create(scope, x, 2), math.Pow[tg.TFloat32, Any])
assert_type(linalg.MatMul.create(scope, x, single), linalg.MatMul[tg.TFloat32, tuple[Any, Any]])
assert_type(nn.BiasAdd.create(scope, x, [1.0, 2.0]), nn.BiasAdd[tg.TFloat32])

# Several values; operands give the type.
assert_type(core.ClipByValue.create(scope, x, -1, 1), core.ClipByValue[tg.TFloat32])
assert_type(core.Select.create(scope, b, x, 0.0), core.Select[tg.TFloat32, Any])
assert_type(core.Select.create(scope, [True, False], n, 0), core.Select[tg.TInt64, Any])
assert_type(core.OneHot.create(scope, n, 3, 1.0, 0.0), core.OneHot[Any])
assert_type(core.Fill.create(scope, (2, 2), 0.5), core.Fill[Any])
assert_type(core.Pad.create(scope, x, [[1, 1], [0, 0]], 9.0), core.Pad[tg.TFloat32])

# In lists, beside operands of different classes and a variable.
v = tg.Variable.create(scope, np.ones((2, 2), np.float32))
joined: tg.Operand[tg.TFloat32] = core.Concat.create(scope, [x, single], 1)
assert_type(
    core.Concat.create(scope, [nn.Relu.create(scope, x), math.Neg.create(scope, x), v], 0), core.Concat[tg.TFloat32]
)
added: tg.Operand[tg.TFloat32] = math.AddN.create(scope, [x, v, single, [[1.0, 2.0], [3.0, 4.0]]])
core.IdentityN.create(scope, [x, n, 1.0, "text"])

# Alone: of a type of their own, which the plugin knows.
assert_type(math.Square.create(scope, single), math.Square[Any, tuple[Any, ...]])
assert_type(math.Add.create(scope, 1, 2), math.Add[Any, Any])
assert_type(math.IsNan.create(scope, [1.0, float("nan")]), math.IsNan[tuple[Any, ...]])
assert_type(dtypes.Cast.create(scope, 1, tg.TFloat64), dtypes.Cast[tg.TFloat64, tuple[Any, ...]])
alone = math.Square.create(scope, 2.0)
stacked = math.AddN.create(scope, [1.0, 2.0])

with tg.Session(scope.graph) as session:
    assert session.run(math.Maximum.create(scope, x, [0.0, 2.0])).tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert session.run(alone) == 4.0
    assert session.run(stacked) == 3.0
    assert session.run(joined).shape == (2, 4)
    assert session.run(added).tolist() == [[4.0, 5.0], [6.0, 7.0]]
