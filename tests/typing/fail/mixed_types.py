"""The operands of one operation share one element type: nothing is converted unasked."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, linalg, math


def mixed(
    scope: tg.Scope,
    single: tg.Operand[tg.TFloat32],
    double: tg.Operand[tg.TFloat64],
    integer: tg.Operand[tg.TInt32],
    condition: tg.Operand[tg.TBool],
) -> None:
    linalg.MatMul.create(scope, single, integer)  # E: - / reportArgumentType
    linalg.MatMul.create(scope, single, double)  # E: - / reportArgumentType
    math.Add.create(scope, integer, single)  # E: - / reportArgumentType
    math.AddN.create(scope, [single, double])  # E: - / reportArgumentType
    math.Maximum.create(scope, single, math.Neg.create(scope, double))  # E: - / reportArgumentType
    core.Concat.create(scope, [single, integer], 0)  # E: - / reportArgumentType
    core.Select.create(scope, condition, single, double)  # E: - / reportArgumentType
    core.Pad.create(scope, single, [[1, 1]], integer)  # E: - / reportArgumentType
