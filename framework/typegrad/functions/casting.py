"""Conversions to the element type that a computation needs."""

from __future__ import annotations

from typing import Any, cast, overload

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.errors import TypegradError
from typegrad.base.types import (
    ALL_TYPES,
    TBfloat16,
    TBool,
    TComplex,
    TComplex64,
    TComplex128,
    TFloat16,
    TFloat32,
    TFloat64,
    TFloating,
    TNumber,
    TType,
)
from typegrad.graph.conversion import constant
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.operand_like import AnyLike
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import common_type, convert
from typegrad.op._ops import Ops

__all__ = ["as_operand", "as_type", "complex_type", "real_parts", "squares", "wide_type"]

A = TypeVar("A", bound=TNumber | TBool)
B = TypeVar("B", bound=TNumber | TBool)
S = TypeVar("S", bound=tuple[Any, ...])


def as_operand(scope: Scope, x: AnyOperand | AnyLike, dtype: type[TType], name: str) -> AnyOperand:
    """`x` itself; of a value a constant called `name`.

    An array and truth values keep their type, to be cast as operands are. Other numbers become `dtype` if nothing is
    lost.
    """
    if isinstance(x, Operand):
        return x
    own = common_type([x], ALL_TYPES)
    if own is TBool or isinstance(x, (np.ndarray, np.generic)):
        return constant(scope.with_name(name), x, own)
    try:
        tensor = convert(x, dtype, exact=True)
    except TypegradError as error:
        raise type(error)(f"{name}: {error}") from error.__cause__
    return constant(scope.with_name(name), tensor, dtype)


@overload
def as_type(scope: Scope, x: Operand[A, S], dtype: type[B], name: str = "Const") -> Operand[B, S]: ...
@overload
def as_type(scope: Scope, x: Operand[A] | AnyLike, dtype: type[B], name: str = "Const") -> Operand[B]: ...
def as_type(scope: Scope, x: AnyOperand | AnyLike, dtype: type[B], name: str = "Const") -> Operand[B]:
    """`x` if it is of `dtype`, otherwise a cast of it; a value becomes a constant called `name`."""
    operand = as_operand(scope, x, dtype, name)
    return cast("Operand[B]", operand) if operand.dtype is dtype else Ops.create(scope).dtypes.cast(operand, dtype)


def wide_type(dtype: type[TFloating]) -> type[TFloating]:
    """The type in which sums are computed: float32 for half precision and bfloat16, else `dtype` itself."""
    return TFloat32 if dtype in (TFloat16, TBfloat16) else dtype


def complex_type(dtype: type[TFloat32 | TFloat64]) -> type[TComplex64 | TComplex128]:
    """The type of complex numbers whose parts are of `dtype`."""
    return TComplex64 if dtype is TFloat32 else TComplex128


def squares(tf: Ops, x: Operand[Any, S]) -> Operand[Any, S]:
    """The squares of real numbers; of complex numbers the squares of their absolute values, which are real."""
    return real_parts(tf, x * tf.math.conj(x)) if issubclass(x.dtype, TComplex) else tf.math.square(x)


def real_parts(tf: Ops, x: Operand[Any, S]) -> Operand[Any, S]:
    """The real parts of complex numbers, in their type; real numbers themselves."""
    if not issubclass(x.dtype, TComplex):
        return x
    return tf.math.real(x, TFloat32 if x.dtype is TComplex64 else TFloat64)
