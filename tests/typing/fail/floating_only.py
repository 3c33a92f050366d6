"""Some operations exist for floating-point types alone."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, math, nn, random


def floating_only(scope: tg.Scope, n: tg.Operand[tg.TInt32], c: tg.Operand[tg.TComplex64]) -> None:
    math.Exp.create(scope, n)  # E: type-var / reportArgumentType
    math.IsNan.create(scope, n)  # E: type-var / reportArgumentType
    math.Erf.create(scope, c)  # E: type-var / reportArgumentType
    nn.Softmax.create(scope, n)  # E: type-var / reportArgumentType
    nn.Elu.create(scope, c)  # E: type-var / reportArgumentType
    core.LinSpace.create(scope, n, n, 5)  # E: type-var / reportArgumentType
    random.RandomUniform.create(scope, (2, 3), tg.TInt32)  # E: type-var / reportArgumentType
    random.TruncatedNormal.create(scope, (2, 3), tg.TComplex64)  # E: type-var / reportArgumentType
