"""`gradients` keeps the type and shape of each x of a tuple; `grad` is never None."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg

scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, shape=np.zeros((2, 3)).shape)
any_shape = x * x
w = tg.Variable.create(scope, np.ones((3, 1), np.float32))
unused = core.Constant.create(scope, 1.0)
loss = core.Sum.create(scope, linalg.MatMul.create(scope, any_shape, w.read(scope)))

dx, dw, other = tg.gradients(scope, loss, (x, w, unused))
assert_type(dx, tg.Operand[tg.TFloat32, tuple[Any, Any]] | None)
assert_type(dw, tg.Operand[tg.TFloat32] | None)
assert_type(other, tg.Operand[tg.TFloat32, tuple[()]] | None)
assert dx is not None
assert dw is not None
assert other is None
assert_type(dx, tg.Operand[tg.TFloat32, tuple[Any, Any]])

assert_type(tg.gradients(scope, loss, (any_shape,)), tuple[tg.Operand[tg.TFloat32, Any] | None])
assert_type(tg.gradients(scope, [loss, loss], [x, w]), tuple[tg.Operand[Any, Any] | None, ...])
assert_type(
    tg.gradients(scope, loss, scope.graph.trainable_variables, unconnected_gradients="zero"),
    tuple[tg.Operand[Any, Any], ...],
)
dw, other = tg.gradients(scope, loss, (w, unused), unconnected_gradients="zero")
assert_type(dw, tg.Operand[tg.TFloat32])
assert_type(other, tg.Operand[tg.TFloat32, tuple[()]])
tg.gradients(scope, loss, (x,), grad_ys=2)
tg.gradients(scope, [loss, loss], (x,), grad_ys=[np.ones((), np.float32), None])
tg.grad(scope, any_shape, x, grad_y=[[1.0, 2.0, 3.0], [4, 5, 6]])
tg.gradients(scope, loss, (x,), grad_ys=core.Constant.create(scope, 2.0), stop_gradients=[any_shape])

assert_type(tg.grad(scope, loss, x), tg.Operand[tg.TFloat32, tuple[Any, Any]])
assert_type(tg.grad(scope, loss, w), tg.Operand[tg.TFloat32])
second = tg.grad(scope, tg.grad(scope, loss, x), x)
assert_type(core.Gradients.create(scope, loss, [x, w]).dy(1), tg.Operand[Any, Any])

with tg.Session(scope.graph) as session:
    values = session.run([dx, second], {x: np.zeros((2, 3), np.float32)})
assert all((value == expected).all() for value, expected in zip(values, (0.0, 2.0), strict=True))


@tg.custom_gradient
def doubled(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tuple[tg.Operand[tg.TFloat32], tg.GradientFunction]:
    return core.Identity.create(scope, x), lambda scope, dy: dy * 2.0


@tg.custom_gradient
def twice(
    scope: tg.Scope, x: tg.Operand[tg.TFloat32]
) -> tuple[tuple[tg.Operand[tg.TFloat32], tg.Operand[tg.TFloat32]], tg.GradientFunction]:
    return (x * 1.0, x * 2.0), lambda scope, dy, dz: dy + dz * 2.0


@tg.custom_gradient
def passed(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tuple[tg.Operand[tg.TFloat32], tg.GradientFunction]:
    def gradient(scope: tg.Scope, *dys: tg.Operand[tg.TFloat32]) -> list[tg.Operand[tg.TFloat32] | None]:
        return [core.Identity.create(scope, dys[0])]

    return core.Identity.create(scope, x), gradient
