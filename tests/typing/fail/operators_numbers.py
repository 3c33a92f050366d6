"""A number beside an operand must be of the operand's kind."""

from __future__ import annotations

import numpy as np

import typegrad as tg


def numbers(n: tg.Operand[tg.TInt32], x: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TBool]) -> None:
    n + 1.5  # E: operator / reportOperatorIssue
    1.5 + n  # E: operator / reportOperatorIssue
    n * 0.5  # E: operator / reportOperatorIssue
    n**0.5  # E: operator / reportOperatorIssue
    n // 2.0  # E: operator / reportOperatorIssue
    n < 1.5  # E: operator / reportOperatorIssue
    x + 1j  # E: operator / reportOperatorIssue
    2j * x  # E: operator / reportOperatorIssue
    x > 1j  # E: operator / reportOperatorIssue
    b & 1  # E: operator / reportOperatorIssue
    x @ 2.0  # E: operator / reportOperatorIssue
    np.float32(1) @ x  # E: operator / reportOperatorIssue
    n @ 2  # E: operator / reportOperatorIssue
