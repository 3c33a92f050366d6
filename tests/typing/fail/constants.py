"""The type of a constant follows from its value."""

from __future__ import annotations

import numpy as np

import typegrad as tg
from typegrad.op import core


def constants(scope: tg.Scope) -> None:
    real: tg.Operand[tg.TFloat32] = core.Constant.create(scope, 1)  # E: assignment / reportAssignmentType
    integer: tg.Operand[tg.TInt32] = core.Constant.create(scope, [1.0, 2.0])  # E: assignment / reportAssignmentType
    truth: tg.Operand[tg.TBool] = core.Constant.create(scope, 0)  # E: assignment / reportAssignmentType
    text: tg.Operand[tg.TInt32] = core.Constant.create(scope, [b"a"])  # E: assignment / reportAssignmentType
    single: tg.Operand[tg.TFloat32] = core.Constant.create(scope, np.zeros(3))  # E: assignment / reportAssignmentType
    stated: tg.Operand[tg.TFloat32] = core.Constant.create(scope, 1.0, tg.TFloat64)  # E: arg-type / reportAssignmentType
    core.Constant.create(scope, object())  # E: call-overload / reportArgumentType, reportCallIssue
    core.Constant.create(scope, {0: 1.0})  # E: call-overload / reportArgumentType, reportCallIssue
    core.Constant.create(scope, None)  # E: call-overload / reportArgumentType, reportCallIssue
    print(real, integer, truth, text, single, stated)
