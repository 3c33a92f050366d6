"""What sums and means along axes are good for: the logarithm of a sum, mean and variance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TBfloat16, TFloat16, TFloat32, TFloating
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import Max, Reshape, Select, Shape, StopGradient, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.math import Exp, IsFinite, Log, Mean, SquaredDifference

__all__ = ["logsumexp", "moments"]

F = TypeVar("F", bound=TFloating)


def logsumexp(
    scope: Scope, x: Operand[F], axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> Operand[F]:
    r"""$\log \sum e^x$ along axes, without overflow: the largest number m is taken out, $m + \log \sum e^{x - m}$.

    m counts as a constant, which changes nothing about the derivative, the softmax of x. The result for nothing but -inf, or for
    nothing at all, is -inf.

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
    with scope.with_sub_scope("logsumexp") as scope:
        x = x.output_in(scope)
        largest = Max.create(scope, x, axis, keep_dims=True)
        shift = StopGradient.create(scope, Select.create(scope, IsFinite.create(scope, largest), largest, 0.0))
        total = Log.create(scope, Sum.create(scope, Exp.create(scope, x - shift), axis, keep_dims=keepdims))
        return total + (shift if keepdims else Reshape.create(scope, shift, Shape.create(scope, total)))


def moments(
    scope: Scope, x: Operand[F], axes: int | Sequence[int] | None, *, keepdims: bool = False
) -> tuple[Operand[F], Operand[F]]:
    """Mean and variance along axes. Half precision and bfloat16 are computed in float32, and rounded once.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "moments".
        x: The numbers.
        axes: One axis or several, counted from the end if negative; None for all.
        keepdims: Whether the axes stay, with size 1.

    Returns:
        The mean and the variance (of all there is: divided by the number of elements), of the shape of `x` without the axes.

    Raises:
        ShapeError: There is no such axis, or one is named twice.

    Source: TensorFlow's `tf.nn.moments`.
    """
    with scope.with_sub_scope("moments") as scope:
        x = x.output_in(scope)
        wide: Operand[Any] = Cast.create(scope, x, TFloat32) if x.dtype in (TFloat16, TBfloat16) else x
        mean = Mean.create(scope, wide, axes, keep_dims=True)
        deviations = SquaredDifference.create(scope, wide, StopGradient.create(scope, mean))
        variance: Operand[Any] = Mean.create(scope, deviations, axes, keep_dims=keepdims)
        kept: Operand[Any] = mean if keepdims else Reshape.create(scope, mean, Shape.create(scope, variance))
        if wide is x:
            return kept, variance
        return Cast.create(scope, kept, x.dtype), Cast.create(scope, variance, x.dtype)
