"""The operands of one operation share one element type: nothing is converted unasked.

mypy sees no difference between the items of a list where values may be beside operands. Its plugin does.
"""

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
    linalg.MatMul.create(scope, single, integer)  # E: misc / reportArgumentType
    linalg.MatMul.create(scope, single, double)  # E: misc / reportArgumentType
    math.Add.create(scope, integer, single)  # E: misc / reportArgumentType
    math.AddN.create(scope, [single, double])  # E: - / reportArgumentType
    math.Maximum.create(scope, single, math.Neg.create(scope, double))  # E: misc / reportArgumentType
    core.Concat.create(scope, [single, integer], 0)  # E: - / reportArgumentType
    core.Select.create(scope, condition, single, double)  # E: misc / reportArgumentType
    core.Pad.create(scope, single, [[1, 1]], integer)  # E: misc / reportArgumentType
