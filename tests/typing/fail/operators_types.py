"""The two sides of an operator have the same element type."""

from __future__ import annotations

import numpy as np

import typegrad as tg


def types(
    single: tg.Operand[tg.TFloat32],
    double: tg.Operand[tg.TFloat64],
    integer: tg.Operand[tg.TInt32],
    long: tg.Operand[tg.TInt64],
) -> None:
    single + double  # E: operator / reportOperatorIssue
    integer * long  # E: operator / reportOperatorIssue
    single - integer  # E: operator / reportOperatorIssue
    integer**single  # E: operator / reportOperatorIssue
    single < double  # E: operator / reportOperatorIssue
    single @ double  # E: operator / reportOperatorIssue
    single + np.ones(3)  # E: operator / reportOperatorIssue
    single + [1.0, 2.0]  # E: operator / reportOperatorIssue
