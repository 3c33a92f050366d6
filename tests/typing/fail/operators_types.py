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
    single + double  # E: - / reportOperatorIssue
    integer * long  # E: - / reportOperatorIssue
    single - integer  # E: - / reportOperatorIssue
    integer**single  # E: - / reportOperatorIssue
    single < double  # E: - / reportOperatorIssue
    single @ double  # E: - / reportOperatorIssue
    single + np.ones(3)  # E: - / reportOperatorIssue
    single + [1.0, 2.0]  # E: - / reportOperatorIssue
