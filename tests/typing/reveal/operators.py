"""Operators: the classes behind them."""

from __future__ import annotations

from typing import reveal_type

import typegrad as tg


def operators(
    x: tg.Operand[tg.TFloat32],
    matrix: tg.Operand[tg.TComplex64, tuple[int, int]],
    u: tg.Operand[tg.TUint8],
    b: tg.Operand[tg.TBool, tuple[int]],
) -> None:
    reveal_type(x + 1)  # R: AddV2[TFloat32, Any]
    reveal_type(1.5 - x)  # R: Sub[TFloat32, Any]
    reveal_type(matrix * 2j)  # R: Mul[TComplex64, Any]
    reveal_type(u // 2)  # R: FloorDiv[TUint8, Any]
    reveal_type(2 % u)  # R: FloorMod[TUint8, Any]
    reveal_type(x / x)  # R: RealDiv[TFloat32, Any]
    reveal_type(x**0.5)  # R: Pow[TFloat32, Any]
    reveal_type(-matrix)  # R: Neg[TComplex64, tuple[int, int]]
    reveal_type(abs(x))  # R: Abs[TFloat32, tuple[Any, ...]]
    reveal_type(~b)  # R: LogicalNot[tuple[int]]
    reveal_type(b & b)  # R: LogicalAnd[Any]
    reveal_type(x < 1.0)  # R: Less[Any]
    reveal_type(1 <= u)  # R: GreaterEqual[Any]
    reveal_type(matrix @ matrix)  # R: MatMul[TComplex64, Any] | BatchMatMul[TComplex64, Any]
    reveal_type(x[0, ..., 1:])  # R: StridedSlice[TFloat32, Any]
    reveal_type(x == x)  # R: bool
