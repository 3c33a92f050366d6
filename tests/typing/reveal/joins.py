"""What several operations have in common: the element type and the shape stay."""

from __future__ import annotations

from typing import reveal_type

import typegrad as tg
from typegrad.op import math, nn


def joins(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[int, int]], choice: bool) -> None:
    relu, tanh = nn.Relu.create(scope, x), math.Tanh.create(scope, x)
    reveal_type(relu if choice else tanh)  # R: Relu[TFloat32, tuple[int, int]] | Tanh[TFloat32, tuple[int, int]]
    reveal_type([relu, tanh])  # R: list[OperandOp[TFloat32, tuple[int, int]]] / list[Relu[TFloat32, tuple[int, int]] | Tanh[TFloat32, tuple[int, int]]]
    reveal_type(x if choice else tanh)  # R: Operand[TFloat32, tuple[int, int]] / Operand[TFloat32, tuple[int, int]] | Tanh[TFloat32, tuple[int, int]]
    either: tg.Operand[tg.TFloat32, tuple[int, int]] = relu
    if choice:
        either = tanh
    reveal_type(math.Exp.create(scope, either))  # R: Exp[TFloat32, tuple[int, int]]
