"""Conversions to the element type that a computation needs."""

from __future__ import annotations

from typing import cast

from typing_extensions import TypeVar

from typegrad.base.types import TBfloat16, TBool, TFloat16, TFloat32, TFloating, TNumber
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["as_type", "wide_type"]

A = TypeVar("A", bound=TNumber | TBool)
B = TypeVar("B", bound=TNumber | TBool)
S = TypeVar("S", bound=tuple[int, ...])


def as_type(scope: Scope, x: Operand[A, S], dtype: type[B]) -> Operand[B, S]:
    """`x` if it is of `dtype`, otherwise a cast of it."""
    return cast("Operand[B, S]", x) if x.dtype is dtype else Ops.create(scope).dtypes.cast(x, dtype)


def wide_type(dtype: type[TFloating]) -> type[TFloating]:
    """The type in which sums are computed: float32 for half precision and bfloat16, else `dtype` itself."""
    return TFloat32 if dtype in (TFloat16, TBfloat16) else dtype
