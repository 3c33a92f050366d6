"""The two sides of an operator have the same element type; an array beside an operand is of its kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import typegrad as tg


def types(
    single: tg.Operand[tg.TFloat32],
    double: tg.Operand[tg.TFloat64],
    integer: tg.Operand[tg.TInt32],
    long: tg.Operand[tg.TInt64],
    truth: tg.Operand[tg.TBool],
    waves: NDArray[np.complex64],
    words: NDArray[np.str_],
) -> None:
    single + double  # E: operator / reportOperatorIssue
    integer * long  # E: operator / reportOperatorIssue
    single - integer  # E: operator / reportOperatorIssue
    integer**single  # E: operator / reportOperatorIssue
    single < double  # E: operator / reportOperatorIssue
    single @ double  # E: operator / reportOperatorIssue
    integer + np.ones(3)  # E: operator / reportOperatorIssue
    np.ones(3) * integer  # E: operator / reportOperatorIssue
    single - waves  # E: operator / reportOperatorIssue
    integer + [1.0, 2.0]  # E: list-item / reportOperatorIssue
    integer & [1.0]  # E: list-item / reportOperatorIssue
    single < words  # E: operator / reportOperatorIssue
    truth & single  # E: operator / reportOperatorIssue
    truth | np.ones(3)  # E: operator / reportOperatorIssue
