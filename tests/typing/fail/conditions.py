"""What a condition is asked for is bool."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, math


def conditions(scope: tg.Scope, x: tg.Operand[tg.TFloat32], n: tg.Operand[tg.TInt32]) -> None:
    core.Select.create(scope, x, x, x)  # E: arg-type / reportArgumentType
    core.Select.create(scope, n, x, x)  # E: arg-type / reportArgumentType
    core.Select.create(scope, 1, x, x)  # E: arg-type / reportArgumentType
    core.Select.create(scope, [1.0, 0.0], x, x)  # E: list-item / reportArgumentType
    core.All.create(scope, n)  # E: arg-type / reportArgumentType
    math.LogicalAnd.create(scope, x, x)  # E: arg-type / reportArgumentType
    math.LogicalNot.create(scope, x)  # E: arg-type / reportArgumentType
