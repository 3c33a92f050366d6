"""Elementwise operations: a shape passes through one operand, and is left open where two are broadcast."""

from __future__ import annotations

from typing import Literal, NewType, reveal_type

import typegrad as tg
from typegrad.op import core, math, nn

Batch = NewType("Batch", int)


def elementwise(
    scope: tg.Scope,
    x: tg.Operand[tg.TFloat32],
    matrix: tg.Operand[tg.TFloat64, tuple[int, int]],
    images: tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]],
) -> None:
    reveal_type(math.Exp.create(scope, x))  # R: Exp[TFloat32, tuple[Any, ...]]
    reveal_type(math.Exp.create(scope, matrix))  # R: Exp[TFloat64, tuple[int, int]]
    reveal_type(nn.Relu.create(scope, images))  # R: Relu[TFloat32, tuple[Batch, Literal[784]]]
    reveal_type(math.IsNan.create(scope, matrix))  # R: IsNan[tuple[int, int]]
    reveal_type(core.StopGradient.create(scope, nn.Elu.create(scope, matrix)))  # R: StopGradient[TFloat64, tuple[int, int]]
    reveal_type(core.ZerosLike.create(scope, images).as_output())  # R: Output[TFloat32, tuple[Batch, Literal[784]]]
    reveal_type(math.Add.create(scope, matrix, matrix))  # R: Add[TFloat64, Any]
    reveal_type(math.Maximum.create(scope, images, images))  # R: Maximum[TFloat32, Any]
    reveal_type(math.Less.create(scope, x, x))  # R: Less[Any]
    reveal_type(core.Select.create(scope, math.IsNan.create(scope, x), x, x))  # R: Select[TFloat32, Any]
