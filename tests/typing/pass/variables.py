"""A variable keeps the element type and shape of its initial value."""

from __future__ import annotations

from typing import assert_type

import numpy as np

import typegrad as tg
from typegrad import initializers
from typegrad.op import math, random

scope = tg.Scope(tg.Graph(seed=1))
weights = tg.Variable.create(scope.with_name("weights"), np.zeros((2, 3), np.float32))
assert_type(weights, tg.Variable[tg.TFloat32])
assert_type(tg.Variable.create(scope, np.ones(3, np.int64)), tg.Variable[tg.TInt64])
assert_type(tg.Variable.create(scope, np.ones(3)), tg.Variable[tg.TFloat64])
assert_type(tg.Variable.create(scope, 1), tg.Variable[tg.TInt32, tuple[()]])
assert_type(tg.Variable.create(scope, True), tg.Variable[tg.TBool, tuple[()]])
assert_type(tg.Variable.create(scope, 0.5, trainable=False), tg.Variable[tg.TFloat32, tuple[()]])
assert_type(tg.Variable.create(scope, [1.0, 2.0], tg.TFloat64), tg.Variable[tg.TFloat64])
assert_type(tg.Variable.create(scope, [1.0, 2.0]), tg.Variable[tg.TFloat32])
assert_type(tg.Variable.create(scope, [[1, 2], [3, 4]]), tg.Variable[tg.TInt32])
assert_type(tg.Variable.create(scope, [True]), tg.Variable[tg.TBool])
assert_type(
    tg.Variable.create(scope, random.TruncatedNormal.create(scope, (2, 3), tg.TFloat32)), tg.Variable[tg.TFloat32]
)
copied = initializers.GlorotUniform()(scope, weights.shape, tg.TFloat32)
assert_type(copied, tg.Operand[tg.TFloat32])
assert_type(initializers.Zeros()(scope, copied.shape, tg.TInt64), tg.Operand[tg.TInt64])

value = weights.read(scope)
assert_type(value, tg.Operand[tg.TFloat32])
assert_type(math.Exp.create(scope, value), math.Exp[tg.TFloat32])
assert_type(weights.assign(scope, value + 1.0), tg.Op)
assert_type(weights.assign_sub(scope, np.ones((2, 3), np.float32)), tg.Op)
add = weights.assign_add(scope, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
assert_type(add, tg.Op)
assert_type(weights.dtype, type[tg.TFloat32])
assert_type(weights.handle, tg.Output[tg.TResource])

with tg.Session(scope.graph) as session:
    session.run(scope.graph.initializers)
    session.run(add)
    assert session.run(weights.read(scope)).sum() == 21.0
