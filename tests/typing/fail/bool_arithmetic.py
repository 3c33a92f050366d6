"""A bool is not a number."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, linalg, math


def arithmetic(scope: tg.Scope, b: tg.Operand[tg.TBool]) -> None:
    math.Add.create(scope, b, b)  # E: type-var / reportArgumentType
    math.Mul.create(scope, b, b)  # E: type-var / reportArgumentType
    math.Mean.create(scope, b)  # E: type-var / reportArgumentType
    core.Sum.create(scope, b)  # E: type-var / reportArgumentType
    linalg.MatMul.create(scope, b, b)  # E: type-var / reportArgumentType
    b + b  # E: misc / reportOperatorIssue
    b * 2  # E: operator / reportOperatorIssue
    1 - b  # E: operator / reportOperatorIssue
    b < b  # E: misc / reportOperatorIssue
    -b  # E: misc / reportOperatorIssue
