"""Each operator exists for the element types of the operation behind it."""

from __future__ import annotations

import typegrad as tg


def kinds(x: tg.Operand[tg.TFloat32], n: tg.Operand[tg.TInt32], b: tg.Operand[tg.TBool]) -> None:
    ~x  # E: misc / reportOperatorIssue
    x & x  # E: misc / reportOperatorIssue
    x & b  # E: operator / reportOperatorIssue
    b & x  # E: operator / reportOperatorIssue
    n | b  # E: operator / reportOperatorIssue
    1 | b  # E: operator / reportOperatorIssue
    1.0 ^ n  # E: operator / reportOperatorIssue
    x ^ x  # E: misc / reportOperatorIssue
    n / n  # E: misc / reportOperatorIssue
    n / 2  # E: operator / reportOperatorIssue
    1 / n  # E: operator / reportOperatorIssue
    b @ b  # E: misc / reportOperatorIssue
