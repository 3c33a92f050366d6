"""`Conj` is for complex numbers alone."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import math


def complex_only(
    scope: tg.Scope, x: tg.Operand[tg.TFloat32], n: tg.Operand[tg.TInt64], b: tg.Operand[tg.TBool]
) -> None:
    math.Conj.create(scope, x)  # E: type-var / reportArgumentType
    math.Conj.create(scope, n)  # E: type-var / reportArgumentType
    math.Conj.create(scope, b)  # E: type-var / reportArgumentType
    math.Conj.create(scope, math.Square.create(scope, x))  # E: type-var / reportArgumentType
