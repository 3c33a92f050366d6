"""A shape that an annotation states is checked: rank, exact sizes and named dimensions."""

from __future__ import annotations

from typing import Literal, NewType

import typegrad as tg
from typegrad.op import core, math, nn

Batch = NewType("Batch", int)
Time = NewType("Time", int)


def volume(x: tg.Operand[tg.TFloat32, tuple[int, int, int]]) -> None: ...


def images(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]]) -> None: ...


def shapes(
    scope: tg.Scope,
    matrix: tg.Operand[tg.TFloat32, tuple[int, int]],
    wide: tg.Operand[tg.TFloat32, tuple[Batch, Literal[785]]],
    series: tg.Operand[tg.TFloat32, tuple[Time, Literal[784]]],
) -> None:
    volume(matrix)  # E: arg-type / reportArgumentType
    volume(nn.Relu.create(scope, matrix))  # E: arg-type / reportArgumentType
    volume(-matrix)  # E: arg-type / reportArgumentType
    images(matrix)  # E: arg-type / reportArgumentType
    images(wide)  # E: arg-type / reportArgumentType
    images(math.Exp.create(scope, series))  # E: arg-type / reportArgumentType
    scalar: tg.Operand[tg.TFloat32, tuple[()]] = core.StopGradient.create(scope, matrix)  # E: arg-type / reportAssignmentType
    exact: tg.Operand[tg.TFloat32, tuple[Literal[2], int]] = matrix  # E: assignment / reportAssignmentType
    vector: tg.Operand[tg.TInt32, tuple[int]] = core.Rank.create(scope, matrix)  # E: assignment / reportAssignmentType
    print(scalar, exact, vector)
