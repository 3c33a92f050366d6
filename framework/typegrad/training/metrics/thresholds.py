"""Counting true and false positives and negatives at many thresholds at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

import numpy as np
from attrs import frozen
from typing_extensions import TypeVar

from typegrad.arguments.kinds import is_list
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.types import TBool, TFloating, TInt32
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.arithmetic import clip, number
from typegrad.training.losses.shapes import as_type

__all__ = ["Thresholds", "counted"]

F = TypeVar("F", bound=TFloating)

_EPSILON: Final = 1e-7


@final
@frozen
class Thresholds:
    """Thresholds between 0 and 1. A prediction above a threshold is positive."""

    values: tuple[float, ...]
    margin: bool = False
    """Whether the first and the last stand for a little less than 0 and a little more than 1, so that every prediction is between them."""

    @staticmethod
    def given(thresholds: float | Sequence[float] | None, default: float = 0.5) -> Thresholds:
        """Those that a user asks for, or the default; an `AttributeValueError` if one is not between 0 and 1."""
        if thresholds is None:
            return Thresholds((default,))
        values = tuple(thresholds) if is_list(thresholds) else (thresholds,)
        wrong = [value for value in values if not 0 <= value <= 1]
        if wrong or not values:
            raise AttributeValueError(f"thresholds are one or more numbers between 0 and 1; got {wrong or values!r}")
        return Thresholds(values)

    @staticmethod
    def even(count: int) -> Thresholds:
        """`count` thresholds from 0 to 1, or 0.5 alone."""
        return Thresholds((0.5,) if count == 1 else tuple(i / (count - 1) for i in range(count)))

    def __len__(self) -> int:
        return len(self.values)

    @property
    def exact(self) -> tuple[float, ...]:
        """The numbers to compare with."""
        if not self.margin:
            return self.values
        return (-_EPSILON, *self.values[1:-1], 1 + _EPSILON)

    @property
    def is_even(self) -> bool:
        """Whether all steps are equal: then a prediction's place among the thresholds can be computed, if it is between 0 and 1."""
        count = len(self.values)
        return count >= 3 and bool(np.allclose(self.values, np.arange(count) / (count - 1), atol=_EPSILON))


def counted(
    scope: Scope, positive: Operand[F], negative: Operand[F], y_pred: Operand[F], thresholds: Thresholds
) -> dict[str, Operand[F]]:
    """True and false positives and negatives, by these names, of shape [thresholds, columns] each.

    Args:
        scope: Where in the graph the operations go.
        positive: The weight of each prediction whose label is true, else 0: [samples, columns].
        negative: The weight of each prediction whose label is false, else 0.
        y_pred: The predictions.
        thresholds: The thresholds.
    """
    tf = Ops.create(scope)
    rest: list[Operand[F]]
    if thresholds.is_even:
        places = _places(scope, y_pred, thresholds)
        true, false = (_above(scope, weight, places, len(thresholds)) for weight in (positive, negative))
        rest = [tf.math.sub(tf.sum(weight, 0), above) for weight, above in ((positive, true), (negative, false))]
    else:
        above = _compared(scope, y_pred, thresholds)
        true, false = (_chosen(scope, weight, above) for weight in (positive, negative))
        below = tf.math.logical_not(above)
        rest = [_chosen(scope, weight, below) for weight in (positive, negative)]
    return {
        "true_positives": true,
        "false_positives": false,
        "true_negatives": rest[1],
        "false_negatives": rest[0],
    }


def _compared(scope: Scope, y_pred: Operand[F], thresholds: Thresholds) -> Operand[TBool]:
    """Whether each prediction is above each threshold: [thresholds, samples, columns]."""
    tf = Ops.create(scope)
    column = np.array(thresholds.exact)[:, None, None]
    limits = core.Constant.create(scope.with_name("thresholds"), column, y_pred.dtype)
    return tf.math.greater(tf.expand_dims(y_pred, 0), limits)


def _chosen(scope: Scope, weight: Operand[F], where: Operand[TBool]) -> Operand[F]:
    """The sum of the weights where `where` is true, for each threshold and column."""
    tf = Ops.create(scope)
    return tf.sum(tf.select(where, tf.expand_dims(weight, 0), number(scope, 0.0, weight)), 1)


def _places(scope: Scope, y_pred: Operand[F], thresholds: Thresholds) -> Operand[TInt32]:
    """The number of the last threshold that each prediction is above; -1 for none: [samples, columns]."""
    tf = Ops.create(scope)
    steps = number(scope, float(len(thresholds) - 1), y_pred)
    place: Operand[F] = tf.math.sub(
        tf.math.ceil(tf.math.mul(clip(scope, y_pred, 0.0, 1.0), steps)), number(scope, 1.0, y_pred)
    )
    if thresholds.margin:
        place = tf.math.maximum(place, number(scope, 0.0, y_pred))
    return as_type(scope, place, TInt32)


def _above(scope: Scope, weight: Operand[F], places: Operand[TInt32], count: int) -> Operand[F]:
    """The sum of the weights of the predictions above each of `count` thresholds, for each column.

    Each weight is added to its prediction's place (place -1 is dropped), then the places are summed up from above: the cost is that
    of the samples and the thresholds, not of their product.
    """
    tf = Ops.create(scope)
    columns = weight.shape.known()[1]
    if not isinstance(columns, int):
        raise ShapeError(f"the number of labels must be known, but y_pred is of shape {weight.shape}")
    if columns > 1:
        firsts = core.Constant.create(scope, np.arange(columns, dtype=np.int32) * count)
        places = tf.math.add_v2(places, firsts)
    flat = (tf.reshape(weight, (-1,)), tf.reshape(places, (-1,)))
    sums = tf.reshape(tf.math.unsorted_segment_sum(*flat, columns * count), (columns, count))
    return tf.math.cumsum(tf.linalg.transpose(sums, (1, 0)), 0, reverse=True)
