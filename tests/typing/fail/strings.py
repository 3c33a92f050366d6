"""Strings are carried, chosen and compared, not computed with."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, linalg, math


def strings(scope: tg.Scope, t: tg.Operand[tg.TString], x: tg.Operand[tg.TFloat32]) -> None:
    linalg.MatMul.create(scope, t, t)  # E: type-var / reportArgumentType
    math.Exp.create(scope, t)  # E: type-var / reportArgumentType
    math.Less.create(scope, t, t)  # E: type-var / reportArgumentType
    core.Max.create(scope, t)  # E: type-var / reportArgumentType
    t - t  # E: misc / reportOperatorIssue
    t + 1  # E: operator / reportOperatorIssue
    t * 2  # E: operator / reportOperatorIssue
    x + "1.0"  # E: operator / reportOperatorIssue
