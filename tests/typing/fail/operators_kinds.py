"""Each operator exists for the element types of the operation behind it."""

from __future__ import annotations

import typegrad as tg


def kinds(x: tg.Operand[tg.TFloat32], n: tg.Operand[tg.TInt32], b: tg.Operand[tg.TBool]) -> None:
    ~x  # E: - / reportOperatorIssue
    ~n  # E: - / reportOperatorIssue
    x & x  # E: - / reportOperatorIssue
    x & b  # E: - / reportOperatorIssue
    b & x  # E: - / reportOperatorIssue
    n | n  # E: - / reportOperatorIssue
    True | n  # E: - / reportOperatorIssue
    b ^ b  # E: - / reportOperatorIssue
    n / n  # E: - / reportOperatorIssue
    n / 2  # E: - / reportOperatorIssue
    1 / n  # E: - / reportOperatorIssue
    b @ b  # E: - / reportOperatorIssue
