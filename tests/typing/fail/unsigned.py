"""An unsigned integer has no negation, sign or absolute value."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import math


def unsigned(scope: tg.Scope, u: tg.Operand[tg.TUint8]) -> None:
    math.Neg.create(scope, u)  # E: type-var / reportArgumentType
    math.Sign.create(scope, u)  # E: type-var / reportArgumentType
    math.Abs.create(scope, u)  # E: type-var / reportArgumentType
    -u  # E: misc / reportOperatorIssue
