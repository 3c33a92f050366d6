"""A variable is an operand: using it reads it."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar

import typegrad as tg
from typegrad.op import core, math

F = TypeVar("F", bound=tg.TFloating)


def twice(x: tg.Operand[F]) -> tg.Operand[F]:
    return x + x


scope = tg.Scope(tg.Graph())
v = tg.Variable.create(scope, np.eye(2, dtype=np.float32))
x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2))

assert_type(x @ v + v, tg.Operand[tg.TFloat32, Any])
assert_type(v @ x, tg.Operand[tg.TFloat32, Any])
assert_type(2 * v, tg.Operand[tg.TFloat32, Any])
assert_type(-v, tg.Operand[tg.TFloat32])
assert_type(v[0], tg.Operand[tg.TFloat32, Any])
assert_type(v > 0.5, tg.Operand[tg.TBool, Any])
assert_type(math.Square.create(scope, v), math.Square[tg.TFloat32])
assert_type(twice(v), tg.Operand[tg.TFloat32])
assert_type(v.as_output(), tg.Output[tg.TFloat32])
assert_type(v.assign_add(scope, 2 * v), tg.Op)
assert_type(tg.grad(scope, math.Square.create(scope, v), v), tg.Operand[tg.TFloat32])

with tg.Session(scope.graph) as session:
    value: NDArray[np.float32] = session.run(v)
    assert value.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert session.run(v + 1).shape == (2, 2)
