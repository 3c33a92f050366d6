"""Complex numbers have no order."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, math, nn


def real_only(scope: tg.Scope, c: tg.Operand[tg.TComplex64]) -> None:
    core.Max.create(scope, c)  # E: type-var / reportArgumentType
    math.Less.create(scope, c, c)  # E: type-var / reportArgumentType
    math.Abs.create(scope, c)  # E: type-var / reportArgumentType
    math.FloorMod.create(scope, c, c)  # E: type-var / reportArgumentType
    nn.Relu.create(scope, c)  # E: type-var / reportArgumentType
    c < c  # E: misc / reportOperatorIssue
    c >= 1  # E: operator / reportOperatorIssue
    c // c  # E: misc / reportOperatorIssue
    c % 2  # E: operator / reportOperatorIssue
