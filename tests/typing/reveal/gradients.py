"""Gradients: for each x of a tuple its own type, or None."""

from __future__ import annotations

from typing import reveal_type

import typegrad as tg
from typegrad.op import core


def gradients(
    scope: tg.Scope,
    loss: tg.Operand[tg.TFloat32],
    x: tg.Operand[tg.TFloat32],
    matrix: tg.Operand[tg.TFloat64, tuple[int, int]],
    v: tg.Variable[tg.TFloat32, tuple[int]],
) -> None:
    reveal_type(tg.gradients(scope, loss, (x,)))  # R: tuple[Operand[TFloat32, tuple[Any, ...]] | None]
    reveal_type(tg.gradients(scope, loss, (matrix, v)))  # R: tuple[Operand[TFloat64, tuple[int, int]] | None, Operand[TFloat32, tuple[int]] | None]
    reveal_type(tg.gradients(scope, loss, [x, matrix, v]))  # R: tuple[Operand[Any, Any] | None, ...]
    reveal_type(tg.gradients(scope, loss, scope.graph.trainable_variables))  # R: tuple[Operand[Any, Any] | None, ...]
    reveal_type(tg.grad(scope, loss, matrix))  # R: Operand[TFloat64, tuple[int, int]]
    reveal_type(tg.grad(scope, loss, v))  # R: Operand[TFloat32, tuple[int]]
    reveal_type(core.Gradients.create(scope, loss, (x, v)).dy(0))  # R: Operand[Any, Any]
