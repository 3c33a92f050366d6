"""A variable has one element type."""

from __future__ import annotations

import numpy as np

import typegrad as tg
from typegrad.op import math


def variables(
    scope: tg.Scope,
    v: tg.Variable[tg.TFloat32],
    double: tg.Operand[tg.TFloat64],
    integer: tg.Operand[tg.TInt32],
) -> None:
    v.assign(scope, double)  # E: arg-type / reportArgumentType
    v.assign_add(scope, integer)  # E: arg-type / reportArgumentType
    v.assign_sub(scope, v, name="x")  # E: call-arg / reportCallIssue
    v.assign(scope, None)  # E: arg-type / reportArgumentType
    v + 1j  # E: operator / reportOperatorIssue
    v + double  # E: operator / reportOperatorIssue
    math.LogicalNot.create(scope, v)  # E: arg-type / reportArgumentType
    tg.Variable.create(scope)  # E: call-overload / reportCallIssue
    tg.Variable.create(scope, "text")  # E: arg-type / reportArgumentType, reportCallIssue
    tg.Variable.create(scope, {"a": 1.0})  # E: call-overload / reportArgumentType, reportCallIssue
    single: tg.Variable[tg.TFloat32] = tg.Variable.create(scope, np.zeros(3, np.int32))  # E: assignment / reportAssignmentType
    other: tg.Variable[tg.TFloat64] = v  # E: assignment / reportAssignmentType
    value: tg.Operand[tg.TInt32] = v.read(scope)  # E: assignment / reportAssignmentType
    print(single, other, value)
