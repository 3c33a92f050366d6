"""Counting true and false positives and negatives at many thresholds at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np
from attrs import frozen

from typegrad.arguments.kinds import is_list
from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TBool, TInt32
from typegrad.functions.casting import as_type
from typegrad.graph.operand import F, Operand
from typegrad.op._ops import Ops
from typegrad.training.losses.numerics import EPSILON

__all__ = ["Thresholds", "counted"]


@final
@frozen
class Thresholds:
    """Thresholds between 0 and 1. A prediction above a threshold is positive."""

    values: tuple[float, ...]
    margin: bool = False
    """Whether the first and the last are a little less than 0 and a little more than 1, so that every prediction is
    between them."""

    @staticmethod
    def requested(thresholds: float | Sequence[float] | None, default: float = 0.5) -> Thresholds:
        """The requested thresholds, or the default; an `AttributeValueError` if one is not between 0 and 1."""
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
        return (-EPSILON, *self.values[1:-1], 1 + EPSILON)

    @property
    def is_even(self) -> bool:
        """Whether all steps are equal, so that the position of a prediction among the thresholds can be computed."""
        count = len(self.values)
        return count >= 3 and bool(np.allclose(self.values, np.arange(count) / (count - 1), atol=EPSILON))


def counted(
    tf: Ops, positive: Operand[F], negative: Operand[F], y_pred: Operand[F], thresholds: Thresholds, columns: int
) -> dict[str, Operand[F]]:
    """True and false positives and negatives, by these names, each of shape [thresholds, columns].

    Args:
        tf: Where in the graph the operations go; its scope is current.
        positive: The weight of each prediction whose label is true, else 0: [samples, columns].
        negative: The weight of each prediction whose label is false, else 0.
        y_pred: The predictions.
        thresholds: The thresholds.
        columns: How many columns there are.
    """
    missed: Operand[F]
    rejected: Operand[F]
    if thresholds.is_even:
        places = _places(tf, y_pred, thresholds)
        true, false = (_above(tf, weight, places, len(thresholds), columns) for weight in (positive, negative))
        missed, rejected = (tf.sum(weight, 0) - above for weight, above in ((positive, true), (negative, false)))
    else:
        above = _compared(tf, y_pred, thresholds)
        true, false = (_sum_where(tf, above, weight) for weight in (positive, negative))
        below = ~above
        missed, rejected = (_sum_where(tf, below, weight) for weight in (positive, negative))
    return {
        "true_positives": true,
        "false_positives": false,
        "true_negatives": rejected,
        "false_negatives": missed,
    }


def _compared(tf: Ops, y_pred: Operand[F], thresholds: Thresholds) -> Operand[TBool]:
    """Whether each prediction is above each threshold: [thresholds, samples, columns]."""
    column = np.array(thresholds.exact)[:, None, None]
    limits = tf.with_name("thresholds").constant(column, y_pred.dtype)
    return tf.expand_dims(y_pred, 0) > limits


def _sum_where(tf: Ops, condition: Operand[TBool], weight: Operand[F]) -> Operand[F]:
    """The sum of the weights where `condition` is true, for each threshold and column."""
    return tf.sum(tf.select(condition, tf.expand_dims(weight, 0), 0.0), 1)


def _places(tf: Ops, y_pred: Operand[F], thresholds: Thresholds) -> Operand[TInt32]:
    """The index of the last threshold that each prediction is above, -1 for none: [samples, columns]."""
    steps = float(len(thresholds) - 1)
    place: Operand[F] = tf.math.ceil(tf.clip_by_value(y_pred, 0.0, 1.0) * steps) - 1.0
    if thresholds.margin:
        place = tf.math.maximum(place, 0.0)
    return as_type(tf.scope, place, TInt32)


def _above(tf: Ops, weight: Operand[F], places: Operand[TInt32], count: int, columns: int) -> Operand[F]:
    """The sum of the weights of the predictions above each of `count` thresholds, for each column.

    Each weight is added to its prediction's place (place -1 is dropped), then the places are accumulated from the last
    to the first. The cost grows with the number of samples plus the number of thresholds, not with their product.
    """
    if columns > 1:
        places = places + np.arange(columns, dtype=np.int32) * count
    sums = tf.math.unsorted_segment_sum(tf.reshape(weight, (-1,)), tf.reshape(places, (-1,)), columns * count)
    return tf.math.cumsum(tf.linalg.transpose(tf.reshape(sums, (columns, count)), (1, 0)), 0, reverse=True)
