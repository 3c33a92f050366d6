"""A gradient may be None, and has the type of its x."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, math


def gradients(
    scope: tg.Scope,
    loss: tg.Operand[tg.TFloat32],
    x: tg.Operand[tg.TFloat32, tuple[int, int]],
    d: tg.Operand[tg.TFloat64],
    v: tg.Variable[tg.TFloat32],
) -> None:
    dx, dd = tg.gradients(scope, loss, (x, d))
    dx + 1.0  # E: operator / reportOptionalOperand
    core.Identity.create(scope, dx)  # E: arg-type / reportArgumentType
    if dx is not None and dd is not None:
        math.Add.create(scope, dx, dd)  # E: misc / reportArgumentType
    (dv,) = tg.gradients(scope, loss, [v])
    math.Neg.create(scope, dv)  # E: arg-type / reportArgumentType
    one, two = tg.gradients(scope, loss, (x,))  # E: misc / reportAssignmentType
    double: tg.Operand[tg.TFloat64] = tg.grad(scope, loss, x)  # E: arg-type / reportAssignmentType
    vector: tg.Operand[tg.TFloat32, tuple[int]] = tg.grad(scope, loss, x)  # E: arg-type / reportAssignmentType
    print(one, two, double, vector)


def arguments(scope: tg.Scope, loss: tg.Operand[tg.TFloat32], x: tg.Operand[tg.TFloat32]) -> None:
    tg.gradients(scope, loss, x)  # E: call-overload / reportArgumentType, reportCallIssue
    tg.gradients(scope, loss, (1.0,))  # E: arg-type / reportArgumentType, reportCallIssue
    tg.gradients(scope, loss, (x,), unconnected_gradients="zeros")  # E: call-overload / reportArgumentType, reportCallIssue
    tg.gradients(scope, loss, (x,), grad_ys=object())  # E: call-overload / reportArgumentType, reportCallIssue
    tg.gradients(scope, loss, (x,), stop_gradients=x)  # E: call-overload / reportArgumentType, reportCallIssue
    tg.grad(scope, loss, [x])  # E: arg-type / reportArgumentType
    tg.grad(scope, 1.0, x)  # E: arg-type / reportArgumentType
