"""A bool is no number."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, linalg, math


def arithmetic(scope: tg.Scope, b: tg.Operand[tg.TBool]) -> None:
    math.Add.create(scope, b, b)  # E: - / reportArgumentType
    math.Mul.create(scope, b, b)  # E: - / reportArgumentType
    math.Mean.create(scope, b)  # E: - / reportArgumentType
    core.Sum.create(scope, b)  # E: - / reportArgumentType
    linalg.MatMul.create(scope, b, b)  # E: - / reportArgumentType
    b + b  # E: - / reportOperatorIssue
    b * 2  # E: - / reportOperatorIssue
    1 - b  # E: - / reportOperatorIssue
    b < b  # E: - / reportOperatorIssue
    -b  # E: - / reportOperatorIssue
    abs(b)  # E: - / reportArgumentType
