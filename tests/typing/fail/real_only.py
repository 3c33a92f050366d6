"""Complex numbers have no order."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, math, nn


def real_only(scope: tg.Scope, c: tg.Operand[tg.TComplex64]) -> None:
    core.Max.create(scope, c)  # E: - / reportArgumentType
    math.Less.create(scope, c, c)  # E: - / reportArgumentType
    math.Abs.create(scope, c)  # E: - / reportArgumentType
    math.FloorMod.create(scope, c, c)  # E: - / reportArgumentType
    nn.Relu.create(scope, c)  # E: - / reportArgumentType
    c < c  # E: - / reportOperatorIssue
    c >= 1  # E: - / reportOperatorIssue
    c // c  # E: - / reportOperatorIssue
    c % 2  # E: - / reportOperatorIssue
    # mypy matches a built-in function's protocol without looking at the type of `self`.
    abs(c)  # E: - / reportArgumentType
