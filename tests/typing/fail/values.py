"""A value in place of an operand must be of the operation's kind: nothing is lost silently."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import bitwise, core, math


def values(
    scope: tg.Scope,
    x: tg.Operand[tg.TFloat32],
    n: tg.Operand[tg.TInt32],
    b: tg.Operand[tg.TBool],
    t: tg.Operand[tg.TString],
    waves: NDArray[np.complex64],
    masks: NDArray[np.bool_],
) -> None:
    bitwise.BitwiseAnd.create(scope, n, 1.5)  # E: arg-type / reportArgumentType
    bitwise.BitwiseAnd.create(scope, n, [1.5])  # E: list-item / reportArgumentType
    bitwise.BitwiseAnd.create(scope, n, np.float32(1))  # E: arg-type / reportArgumentType
    bitwise.BitwiseAnd.create(scope, n, np.ones(3))  # E: arg-type / reportArgumentType
    math.Maximum.create(scope, x, 1j)  # E: arg-type / reportArgumentType
    math.Maximum.create(scope, x, "1.0")  # E: arg-type / reportArgumentType
    math.Maximum.create(scope, x, waves)  # E: arg-type / reportArgumentType
    math.Maximum.create(scope, x, masks)  # E: arg-type / reportArgumentType
    math.Mul.create(scope, x, "1.0")  # E: arg-type / reportArgumentType
    math.Mul.create(scope, x, object())  # E: arg-type / reportArgumentType
    math.LogicalAnd.create(scope, b, 1)  # E: arg-type / reportArgumentType
    math.LogicalAnd.create(scope, b, [0, 1])  # E: list-item / reportArgumentType
    math.LogicalNot.create(scope, "a")  # E: arg-type / reportArgumentType
    core.ClipByValue.create(scope, x, "a", 1)  # E: arg-type / reportArgumentType
    core.Concat.create(scope, [x, x], "b")  # E: arg-type / reportArgumentType
    math.AddN.create(scope, [x, "a"])  # E: list-item / reportArgumentType
    math.Exp.create(scope, ["a"])  # E: list-item / reportArgumentType
    core.VarHandleOp.create(scope, tg.TFloat32, shape=()) + 1  # E: operator / reportOperatorIssue
    core.ReadVariableOp.create(scope, 1.0, tg.TFloat32)  # E: arg-type / reportArgumentType
    math.Equal.create(scope, t, {"a"})  # E: arg-type / reportArgumentType
