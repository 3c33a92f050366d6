"""A variable has one element type, and is no operand: it is read."""

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
    v.assign(scope, double)  # E: - / reportArgumentType
    v.assign_add(scope, integer)  # E: - / reportArgumentType
    v.assign_sub(scope, v)  # E: - / reportArgumentType
    v.assign(scope, None)  # E: - / reportArgumentType
    v + 1.0  # E: - / reportOperatorIssue
    math.Exp.create(scope, v)  # E: - / reportArgumentType
    tg.Variable.create(scope)  # E: - / reportCallIssue
    tg.Variable.create(scope, "text")  # E: - / reportArgumentType, reportCallIssue
    tg.Variable.create(scope, [1.0, 2.0])  # E: - / reportArgumentType, reportCallIssue
    single: tg.Variable[tg.TFloat32] = tg.Variable.create(scope, np.zeros(3, np.int32))  # E: - / reportAssignmentType
    other: tg.Variable[tg.TFloat64] = v  # E: - / reportAssignmentType
    value: tg.Operand[tg.TInt32] = v.read(scope)  # E: - / reportAssignmentType
    print(single, other, value)
