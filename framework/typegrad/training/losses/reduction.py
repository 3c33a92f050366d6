"""`Reduction`: how the losses of the samples become one number."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum, EnumMeta
from typing import Any, cast

from typegrad.base.brief import brief
from typegrad.base.errors import AttributeValueError
from typegrad.functions.casting import as_type
from typegrad.graph.operand import F, Operand
from typegrad.graph.operand_like import RealLike
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Weight, aligned, check_broadcast

__all__ = ["Reduction", "reduced", "size"]


class _LookUpOnly(EnumMeta):
    """The type of an enumeration that is called to look up a member by value, and never to make another enumeration."""

    def __call__(cls, *args: Any, **keywords: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], (str, cls)) and not keywords:
            with suppress(ValueError):
                return super().__call__(args[0])
        values = ", ".join(repr(member.value) for member in cast("type[Enum]", cls))
        passed = ", ".join([*map(brief, args), *keywords])
        wrong = f"must be one of {values}, not {passed}" if passed else f"is missing; it must be one of {values}"
        raise AttributeValueError(f"{cls.__name__}(): argument `value` {wrong}")


class Reduction(Enum, metaclass=_LookUpOnly):
    """How the losses of the samples become one number. The values are Keras' names."""

    NONE = "none"
    """No reduction: one loss for each sample."""
    SUM = "sum"
    """The sum of the losses."""
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"
    """The sum, divided by the number of losses, with or without weights: the default."""
    MEAN_WITH_SAMPLE_WEIGHT = "mean_with_sample_weight"
    """The sum, divided by the sum of the weights; without weights the same as `SUM_OVER_BATCH_SIZE`."""

    AUTO = SUM_OVER_BATCH_SIZE
    """Another name for `SUM_OVER_BATCH_SIZE`."""


def reduced(
    tf: Ops, values: Operand[F], sample_weight: Operand[Weight] | RealLike | None, reduction: Reduction
) -> Operand[F]:
    """`values` times `sample_weight`, reduced. The mean of no samples is 0.

    Raises:
        ShapeError: The weights do not broadcast to the values.
    """
    weight: Operand[F] | None = None
    if sample_weight is not None:
        weight = as_type(tf.scope, sample_weight, values.dtype, "sample_weight")
        values, weight = aligned(tf, values, weight, "the losses", "sample_weight")
        check_broadcast(values, weight, "the losses", "sample_weight")
        values = values * weight
    if reduction is Reduction.NONE or values.rank == 0:
        return values
    total = tf.sum(values)
    if reduction is Reduction.SUM:
        return total
    if reduction is Reduction.MEAN_WITH_SAMPLE_WEIGHT and weight is not None:
        return tf.math.div_no_nan(total, tf.sum(weight))
    return tf.math.div_no_nan(total, size(tf, values))


def size(tf: Ops, x: Operand[F]) -> Operand[F] | int:
    """The number of elements: a number if it is known, else an operand of the type of `x`."""
    count = x.shape.size
    return as_type(tf.scope, tf.size(x), x.dtype) if count is None else count
