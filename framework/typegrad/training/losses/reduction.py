"""`Reduction`: how the losses of the samples become one number."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from enum import Enum, EnumMeta
from typing import Any, cast

from typing_extensions import TypeVar

from typegrad.base.brief import brief
from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloating
from typegrad.graph.literals import RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Label, aligned, as_type, check_broadcast

__all__ = ["Reduction", "reduced", "size"]

F = TypeVar("F", bound=TFloating)


class _Chosen(EnumMeta):
    """An enumeration that cannot be extended: calling it looks a value up."""

    def __call__(cls, *args: Any, **keywords: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], (str, cls)) and not keywords:
            with suppress(ValueError):
                return super().__call__(args[0])
        members = cast("Mapping[str, Any]", cls.__members__)
        values = ", ".join(repr(member.value) for member in members.values())
        given = ", ".join([*map(brief, args), *keywords])
        raise AttributeValueError(
            f"{cls.__name__}(): argument `value` must be one of {values}, not {given or 'missing'}"
        )


class Reduction(Enum, metaclass=_Chosen):
    """How the losses of the samples become one number. The values are Keras' names."""

    NONE = "none"
    """They stay as they are."""
    SUM = "sum"
    """Their sum."""
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"
    """Their sum, divided by how many they are, weights or not: the default."""
    MEAN_WITH_SAMPLE_WEIGHT = "mean_with_sample_weight"
    """Their sum, divided by the sum of the weights; without weights as `SUM_OVER_BATCH_SIZE`."""

    AUTO = SUM_OVER_BATCH_SIZE
    """Another name of `SUM_OVER_BATCH_SIZE`."""


def reduced(
    scope: Scope, values: Operand[F], sample_weight: Operand[Label] | RealLike | None, reduction: Reduction
) -> Operand[F]:
    """`values` times `sample_weight`, reduced. The mean of no samples is 0.

    Raises:
        ShapeError: The weights do not broadcast to the values.
    """
    tf = Ops.create(scope)
    weight: Operand[F] | None = None
    if sample_weight is not None:
        weight = as_type(scope, sample_weight, values.dtype, "sample_weight")
        values, weight = aligned(scope, values, weight, "the losses", "sample_weight")
        check_broadcast(values, weight, "the losses", "sample_weight")
        values = tf.math.mul(values, weight)
    if reduction is Reduction.NONE or values.rank == 0:
        return values
    total = tf.sum(values)
    if reduction is Reduction.SUM:
        return total
    if reduction is Reduction.MEAN_WITH_SAMPLE_WEIGHT and weight is not None:
        return tf.math.div_no_nan(total, tf.sum(weight))
    return tf.math.div_no_nan(total, size(scope, values))


def size(scope: Scope, x: Operand[F]) -> Operand[F]:
    """The number of elements, as a number of the type of `x`."""
    count = x.shape.size
    if count is not None:
        return core.Constant.create(scope, count, x.dtype)
    return as_type(scope, core.Size.create(scope, x), x.dtype)
