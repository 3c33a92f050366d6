"""A number beside an operand must be of the operand's kind."""

from __future__ import annotations

import typegrad as tg


def numbers(n: tg.Operand[tg.TInt32], x: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TBool]) -> None:
    n + 1.5  # E: - / reportOperatorIssue
    1.5 + n  # E: - / reportOperatorIssue
    n * 0.5  # E: - / reportOperatorIssue
    n**0.5  # E: - / reportOperatorIssue
    n // 2.0  # E: - / reportOperatorIssue
    n < 1.5  # E: - / reportOperatorIssue
    x + 1j  # E: - / reportOperatorIssue
    2j * x  # E: - / reportOperatorIssue
    x > 1j  # E: - / reportOperatorIssue
    b & 1  # E: - / reportOperatorIssue
    n @ 2  # E: - / reportOperatorIssue
