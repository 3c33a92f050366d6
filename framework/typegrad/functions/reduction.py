# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# An empty list is a list of operands of every type, so the overloads of `global_norm` overlap; the first that fits
# wins.
"""Reductions of several operations: the logarithm of a sum of exponentials, mean and variance, a global norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from typing_extensions import TypeVar

from typegrad.base.errors import GradientError
from typegrad.base.types import TComplex, TFloat32, TFloat64, TFloating
from typegrad.functions.casting import as_type, wide_type
from typegrad.functions.rows import sum_duplicates
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import AnyOperand, F, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["global_norm", "logsumexp", "moments"]

N = TypeVar("N", bound=TFloating | TComplex)
"""Real or complex numbers."""


def logsumexp(
    scope: Scope, x: Operand[F], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[F]:
    """`log(sum(exp(x)))` along axes, computed without overflow as `m + log(sum(exp(x - m)))` with the largest number m.

    m is a constant in the derivative, which is the softmax of x. The result is -inf if all numbers are -inf, or if
    there are none.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "logsumexp".
        x: The numbers.
        axis: One axis or several, counted from the end if negative; all, if left out.
        keepdims: Whether the axes stay, with size 1.

    Returns:
        The logarithms, of the shape of `x` without the axes.

    Raises:
        ShapeError: There is no such axis, or one is named twice.

    Source: TensorFlow's `tf.reduce_logsumexp`.
    """
    with Ops.create(scope).with_sub_scope("logsumexp") as tf:
        x = x.output_in(tf.scope)
        largest = tf.max(x, axis, keep_dims=True)
        shift = tf.stop_gradient(tf.select(tf.math.is_finite(largest), largest, 0.0))
        total = tf.math.log(tf.sum(tf.math.exp(x - shift), axis, keep_dims=keepdims))
        return total + (shift if keepdims else tf.reshape(shift, tf.shape(total)))


def moments(
    scope: Scope, x: Operand[N], axes: int | Sequence[int] | None, *, keepdims: bool = False
) -> tuple[Operand[N], Operand[N]]:
    """Mean and variance along axes. Half precision and bfloat16 are computed in float32, and rounded once.

    The variance of complex numbers is complex, too, with imaginary parts of 0; `tf.math.reduce_variance` is real.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "moments".
        x: The numbers, real or complex.
        axes: One axis or several, counted from the end if negative; None for all. An empty list is none; there
            TensorFlow, without `keepdims`, drops every dimension of size 1.
        keepdims: Whether the axes stay, with size 1.

    Returns:
        The mean and the population variance (divided by the number of elements), of the shape of `x` without the axes.

    Raises:
        ShapeError: There is no such axis, or one is named twice.

    Source: TensorFlow's `tf.nn.moments`.
    """
    with Ops.create(scope).with_sub_scope("moments") as tf:
        x = x.output_in(tf.scope)
        dtype: type[Any] = x.dtype
        wide: AnyOperand = as_type(tf.scope, x, wide_type(dtype))
        mean = tf.math.mean(wide, axes, keep_dims=True)
        variance = tf.math.mean(tf.math.squared_difference(wide, tf.stop_gradient(mean)), axes, keep_dims=keepdims)
        result = mean if keepdims else tf.reshape(mean, tf.shape(variance))
        return as_type(tf.scope, result, x.dtype), as_type(tf.scope, variance, x.dtype)


@overload
def global_norm(scope: Scope, operands: Sequence[Operand[TFloat32] | None]) -> Operand[TFloat32, tuple[()]]: ...
@overload
def global_norm(scope: Scope, operands: Sequence[Operand[TFloat64] | None]) -> Operand[TFloat64, tuple[()]]: ...
@overload
def global_norm(scope: Scope, operands: Sequence[Operand[Any] | None]) -> Operand[Any, tuple[()]]: ...
def global_norm(scope: Scope, operands: Sequence[Operand[Any] | None]) -> Operand[Any, tuple[()]]:
    """The square root of the sum of the squares of all elements of all operands, such as the gradients of one step.

    The norm is computed in the operands' type; in float32 for half precision and bfloat16, in float64 if the types
    differ. Rows that occur twice in an `IndexedSlices` count as their sum.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "global_norm".
        operands: Operands of floating-point types. None, as `tg.gradients` returns where nothing is connected, counts
            as zero.

    Returns:
        The norm, a scalar.

    Raises:
        GradientError: There is no operand.

    Source: TensorFlow's `tf.linalg.global_norm`.
    """
    connected = [operand for operand in operands if operand is not None]
    if not connected:
        raise GradientError("there are no operands to take the norm of")
    types = {wide_type(operand.dtype) for operand in connected}
    dtype = types.pop() if len(types) == 1 else TFloat64
    with Ops.create(scope).with_sub_scope("global_norm") as tf:
        arrays = [sum_duplicates(tf.scope, x).values if isinstance(x, IndexedSlices) else x for x in connected]
        squares = [tf.sum(tf.math.square(as_type(tf.scope, x, dtype))) for x in arrays]
        return tf.math.sqrt(tf.math.add_n(squares) if len(squares) > 1 else squares[0])
