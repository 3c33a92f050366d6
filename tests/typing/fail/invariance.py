"""An operand has exactly one element type; an annotation with a wider class means something else."""

from __future__ import annotations

from collections.abc import Sequence

import typegrad as tg


def invariant(x: tg.Operand[tg.TFloat32], xs: list[tg.Output[tg.TFloat32]]) -> None:
    floating: tg.Operand[tg.TFloating] = x  # E: assignment / reportAssignmentType
    either: tg.Operand[tg.TFloat32 | tg.TFloat64] = x  # E: assignment / reportAssignmentType
    any_type: Sequence[tg.Operand[tg.TType]] = xs  # E: assignment / reportAssignmentType
    print(floating, either, any_type)


def arguments(x: tg.Operand[float], y: tg.Operand[tg.TFloat32, int]) -> None: ...  # E: type-var / reportInvalidTypeArguments
