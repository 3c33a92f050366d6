"""Variances and standard deviations along axes, and how many elements are not zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from typing_extensions import TypeVar

from typegrad.base.types import TBool, TComplex64, TComplex128, TFloat32, TFloat64, TInt64, TNumber, TString
from typegrad.functions.casting import squares
from typegrad.graph.operand import AnyOperand, F, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["count_nonzero", "reduce_std", "reduce_variance", "zero_fraction"]

I = TypeVar("I", bound=TNumber)  # noqa: E741


@overload
def reduce_variance(
    scope: Scope, x: Operand[F], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[F]: ...
@overload
def reduce_variance(
    scope: Scope, x: Operand[TComplex64], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[TFloat32]: ...
@overload
def reduce_variance(
    scope: Scope, x: Operand[TComplex128], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[TFloat64]: ...
def reduce_variance(
    scope: Scope, x: Operand[Any], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[Any]:
    """The variance along axes: the mean of the squares of the differences from the mean.

    Of complex numbers it is the mean of the squares of the differences' absolute values.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "reduce_variance".
        x: The numbers, real or complex.
        axis: One axis or several, counted from the end if negative; all, if left out.
        keepdims: Whether the axes stay, with size 1.

    Returns:
        The population variances (divided by the number of elements), real, of the shape of `x` without the axes; nan
        where there are no elements.

    Raises:
        ShapeError: There is no such axis, or one is named twice.

    Source: TensorFlow's `tf.math.reduce_variance`.
    """
    with Ops.create(scope).with_sub_scope("reduce_variance") as tf:
        x = x.output_in(tf.scope)
        mean: AnyOperand = tf.math.mean(x, axis, keep_dims=True)
        return tf.math.mean(squares(tf, x - mean), axis, keep_dims=keepdims)


@overload
def reduce_std(
    scope: Scope, x: Operand[F], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[F]: ...
@overload
def reduce_std(
    scope: Scope, x: Operand[TComplex64], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[TFloat32]: ...
@overload
def reduce_std(
    scope: Scope, x: Operand[TComplex128], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[TFloat64]: ...
def reduce_std(
    scope: Scope, x: Operand[Any], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[Any]:
    """The standard deviation along axes: the root of the variance. Its gradient is nan or infinite where it is 0.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "reduce_std".
        x: The numbers, real or complex.
        axis: One axis or several, counted from the end if negative; all, if left out.
        keepdims: Whether the axes stay, with size 1.

    Returns:
        The standard deviations, real, of the shape of `x` without the axes; nan where there are no elements.

    Raises:
        ShapeError: There is no such axis, or one is named twice.

    Source: TensorFlow's `tf.math.reduce_std`.
    """
    with Ops.create(scope).with_sub_scope("reduce_std") as tf:
        return tf.math.sqrt(reduce_variance(tf.scope, x, axis, keepdims=keepdims))


@overload
def count_nonzero(
    scope: Scope, x: Operand[Any], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[TInt64]: ...
@overload
def count_nonzero(
    scope: Scope, x: Operand[Any], axis: int | Sequence[int] | None = None, *, keepdims: bool = False, dtype: type[I]
) -> Operand[I]: ...
def count_nonzero(
    scope: Scope,
    x: Operand[Any],
    axis: int | Sequence[int] | None = None,
    *,
    keepdims: bool = False,
    dtype: type[TNumber] = TInt64,
) -> Operand[Any]:
    """How many elements are not zero; not False of bools, not empty of strings. nan is not zero.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "count_nonzero".
        x: The elements.
        axis: One axis or several, counted from the end if negative; all, if left out.
        keepdims: Whether the axes stay, with size 1.
        dtype: The element type of the result.

    Returns:
        The numbers, of the shape of `x` without the axes.

    Raises:
        ShapeError: There is no such axis, or one is named twice.

    Source: TensorFlow's `tf.math.count_nonzero`.
    """
    with Ops.create(scope).with_sub_scope("count_nonzero") as tf:
        zero: Any = b"" if x.dtype is TString else False if x.dtype is TBool else 0
        is_counted = tf.dtypes.cast(tf.math.not_equal(x, zero), TInt64)
        return tf.dtypes.cast(tf.sum(is_counted, axis, keep_dims=keepdims), dtype)


def zero_fraction(scope: Scope, x: Operand[Any]) -> Operand[TFloat32, tuple[()]]:
    """Which share of the elements is zero, such as of the output of a ReLU; nan if there are none.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "zero_fraction".
        x: The elements.

    Returns:
        The share, a scalar of float32.

    Source: TensorFlow's `tf.math.zero_fraction`.
    """
    with Ops.create(scope).with_sub_scope("zero_fraction") as tf:
        x = x.output_in(tf.scope)
        size = tf.size(x, out_type=TInt64)
        zeros: Operand[TInt64, tuple[()]] = size - count_nonzero(tf.scope, x)
        return tf.dtypes.cast(zeros, TFloat32) / tf.dtypes.cast(size, TFloat32)
